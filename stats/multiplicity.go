package stats

import (
	"fmt"
	"math"
	"sort"
)

// Bonferroni returns m·p for each of the m p-values, at most 1, in input order.
//
// Rejecting where the result is at most α keeps the chance of any false
// rejection at or below α under any dependence. Holm is never less powerful.
//
// Special cases are:
//
//	no p-values: an empty result
//	a p-value outside [0, 1] or NaN: ErrDomain
func Bonferroni(p []float64) ([]float64, error) {
	if err := checkP(p); err != nil {
		return nil, err
	}
	adj := make([]float64, len(p))
	for i, v := range p {
		adj[i] = math.Min(1, float64(len(p))*v)
	}
	return adj, nil
}

// Holm returns the step-down adjusted p-values of Holm (1979), in input order:
// with p sorted upwards, the i-th is the largest of (m−j+1)·p_j over j ≤ i, at
// most 1.
//
// Rejecting where the result is at most α keeps the chance of any false
// rejection at or below α under any dependence between the tests. Special
// cases and errors are those of Bonferroni.
//
// Source: Holm 1979, Scandinavian Journal of Statistics 6:65.
func Holm(p []float64) ([]float64, error) {
	return stepDown(p, func(j, m int) float64 { return float64(m - j) })
}

// Hochberg returns the step-up adjusted p-values of Hochberg (1988), in input
// order: with p sorted upwards, the i-th is the smallest of (m−j+1)·p_j over
// j ≥ i, at most 1.
//
// Never larger than Holm's, but it controls the familywise rate only under
// independence or positive dependence of the tests. Special cases and errors
// are those of Bonferroni.
//
// Source: Hochberg 1988, Biometrika 75:800, doi:10.1093/biomet/75.4.800.
func Hochberg(p []float64) ([]float64, error) {
	return stepUp(p, func(j, m int) float64 { return float64(m - j) })
}

// BH returns the adjusted p-values of Benjamini and Hochberg (1995), in input
// order: with p sorted upwards, the i-th is the smallest of m·p_j/j over j ≥ i,
// at most 1.
//
// Rejecting where the result is at most α keeps the expected share of false
// ones among the rejections at or below α under independence or positive
// regression dependence. It is a rate for exploring, not a gate: it does not
// bound the chance of one false rejection. Special cases and errors are those
// of Bonferroni.
//
// Source: Benjamini & Hochberg 1995, JRSS B 57:289.
func BH(p []float64) ([]float64, error) {
	return stepUp(p, func(j, m int) float64 { return float64(m) / float64(j+1) })
}

// BY returns the adjusted p-values of Benjamini and Yekutieli (2001), in input
// order: those of BH times 1 + 1/2 + … + 1/m, at most 1. It bounds the false
// discovery rate under any dependence. Special cases and errors are those of
// Bonferroni.
//
// Source: Benjamini & Yekutieli 2001, Annals of Statistics 29:1165,
// doi:10.1214/aos/1013699998.
func BY(p []float64) ([]float64, error) {
	harmonic := 0.0
	for k := len(p); k >= 1; k-- {
		harmonic += 1 / float64(k)
	}
	return stepUp(p, func(j, m int) float64 { return harmonic * float64(m) / float64(j+1) })
}

// AnyFalseAlarm returns the chance that at least one of m independent tests
// of true null hypotheses rejects at level alpha: 1 − (1 − alpha)^m. It is the
// sentence to print beside m uncorrected results. It returns ErrDomain for
// m < 0 or alpha outside (0, 1).
func AnyFalseAlarm(m int, alpha float64) (float64, error) {
	if m < 0 {
		return 0, fmt.Errorf("number of tests %d: want at least 0: %w", m, ErrDomain)
	}
	if err := checkAlpha(alpha); err != nil {
		return 0, err
	}
	return -math.Expm1(float64(m) * math.Log1p(-alpha)), nil
}

// stepDown applies the running maximum of factor(j, m)·p over the p-values in
// increasing order, j counted from 0.
func stepDown(p []float64, factor func(j, m int) float64) ([]float64, error) {
	if err := checkP(p); err != nil {
		return nil, err
	}
	order := ascending(p)
	adj := make([]float64, len(p))
	running := 0.0
	for j, i := range order {
		running = math.Max(running, factor(j, len(p))*p[i])
		adj[i] = math.Min(1, running)
	}
	return adj, nil
}

// stepUp applies the running minimum of factor(j, m)·p over the p-values in
// decreasing order, j counted from 0 in increasing order.
func stepUp(p []float64, factor func(j, m int) float64) ([]float64, error) {
	if err := checkP(p); err != nil {
		return nil, err
	}
	order := ascending(p)
	adj := make([]float64, len(p))
	running := 1.0
	for j := len(order) - 1; j >= 0; j-- {
		i := order[j]
		running = math.Min(running, factor(j, len(p))*p[i])
		adj[i] = running
	}
	return adj, nil
}

// ascending returns the stable order of the indices of p by value.
func ascending(p []float64) []int {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return p[order[a]] < p[order[b]] })
	return order
}

// checkP returns an error that names the first p-value outside [0, 1].
func checkP(p []float64) error {
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("p-value %v at index %d: want a number in [0, 1]: %w", v, i, ErrDomain)
		}
	}
	return nil
}

// checkAlpha returns an error unless alpha lies in (0, 1).
func checkAlpha(alpha float64) error {
	if !(alpha > 0 && alpha < 1) {
		return fmt.Errorf("alpha %v: want a number in (0, 1): %w", alpha, ErrDomain)
	}
	return nil
}
