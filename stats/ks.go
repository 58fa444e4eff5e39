package stats

import (
	"fmt"
	"math"
)

// KSTest is the outcome of the two-sample Kolmogorov–Smirnov test.
type KSTest struct {
	D float64 // largest distance between the two empirical distribution functions
	// P is Exact where it was computed, else Asymptotic.
	P float64
	// Exact is the permutation p-value, conditional on the ties; valid only if
	// HasExact.
	Exact    float64
	HasExact bool
	// Asymptotic is Kolmogorov's limit at √(mn/(m+n))·D; it is conservative for
	// small or tied samples.
	Asymptotic float64
	NX, NY     int
	Warnings   []Warning
}

// largestLattice bounds the number of lattice points of the exact test.
const largestLattice = 20_000_000

// KolmogorovSmirnov tests, two-sided, whether two independent samples come from
// one distribution. Ties are allowed: the exact p-value counts the lattice paths
// that reach the observed distance at the end of a group of ties. It describes a
// change of the distribution anywhere, with little power in the tails; with
// millions of observations it rejects for differences that no one cares about.
//
// Special cases are:
//
//	all values equal: D = 0, P = 1
//	more than 20,000,000 lattice points (m·n): no exact p-value
//	an empty sample: ErrTooFew; NaN: ErrDomain
//
// Source: Schröer & Trenkler 1995, Computational Statistics & Data Analysis
// 20:185, for ties.
func KolmogorovSmirnov(x, y []float64) (KSTest, error) {
	if err := checkRankInput(x, y, TwoSided); err != nil {
		return KSTest{}, err
	}
	m, n := len(x), len(y)
	if float64(m)*float64(n) > 1<<52 {
		return KSTest{}, fmt.Errorf("samples of %d and %d values: want a product of at most 2^52: %w", m, n, ErrDomain)
	}
	pooled := poolSorted(x, y)
	// Distances are whole multiples of 1/(mn), so comparisons are exact.
	atEnd := make([]bool, m+n+1) // atEnd[k]: a group of ties ends after k values
	seenX, seenY, farthest := 0, 0, 0
	for k, p := range pooled {
		if p.second {
			seenY++
		} else {
			seenX++
		}
		if k+1 < len(pooled) && pooled[k+1].v == p.v {
			continue
		}
		atEnd[k+1] = true
		farthest = max(farthest, distance(seenX, seenY, m, n))
	}
	d := float64(farthest) / (float64(m) * float64(n))
	out := KSTest{D: d, NX: m, NY: n}
	out.Asymptotic = KolmogorovSurvival(math.Sqrt(float64(m)*float64(n)/float64(m+n)) * d)
	out.P = out.Asymptotic
	if float64(m)*float64(n) <= largestLattice {
		out.Exact = ksPaths(m, n, farthest, atEnd)
		out.HasExact = true
		out.P = out.Exact
	}
	return out, nil
}

// distance is |i/m − j/n| in units of 1/(mn).
func distance(i, j, m, n int) int {
	d := i*n - j*m
	if d < 0 {
		return -d
	}
	return d
}

// ksPaths is the share of lattice paths from (0, 0) to (m, n) that are at least
// as far from the diagonal as limit at the end of some group of ties. All terms
// are positive, so a tiny share keeps its digits.
func ksPaths(m, n, limit int, atEnd []bool) float64 {
	if limit == 0 {
		return 1
	}
	row := make([]float64, n+1) // share of paths to (i, j) that have touched
	for i := 0; i <= m; i++ {
		for j := 0; j <= n; j++ {
			switch {
			case atEnd[i+j] && distance(i, j, m, n) >= limit:
				row[j] = 1
			case i == 0 && j == 0:
				row[j] = 0
			case i == 0:
				row[j] = row[j-1]
			case j == 0:
				// row[0] keeps the share of (i−1, 0).
			default:
				wx := float64(i) / float64(i+j)
				row[j] = wx*row[j] + (1-wx)*row[j-1]
			}
		}
	}
	return row[n]
}
