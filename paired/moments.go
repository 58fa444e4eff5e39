package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Moments are the means of two outcomes of the same items, in the unit of the
// scores, with the variances of these means and of their difference: all that
// differences and ratios of the means need.
type Moments struct {
	N                   int     // items
	X, Y                float64 // means
	VarX, VarY, VarDiff float64 // of X, of Y and of Y − X
	DF                  float64 // degrees of freedom of VarDiff
	VarNaive            float64 // VarDiff if items were independent, for comparison
}

// PairMoments returns the moments of independent items paired by position, with
// n − 1 degrees of freedom.
//
// Special cases are: of a single item the means are known and their variances
// +Inf, with 0 degrees of freedom.
//
// It returns stats.ErrMismatch if the lengths differ, stats.ErrTooFew without
// items and stats.ErrDomain for a value that is not finite.
func PairMoments(x, y []float64) (Moments, error) {
	d, err := Differences(x, y)
	if err != nil {
		return Moments{}, fmt.Errorf("paired moments: %w", err)
	}
	m, err := meansOfPairs(x, y)
	if err != nil || len(x) < 2 {
		return m, err
	}
	n := float64(len(x))
	into := [...]*float64{&m.VarX, &m.VarY, &m.VarDiff}
	for i, v := range [...][]float64{x, y, d} {
		_, variance, err := stats.MeanVariance(v)
		if err != nil {
			return Moments{}, fmt.Errorf("paired moments: %w", err)
		}
		*into[i] = variance / n
	}
	m.VarNaive, m.DF = m.VarDiff, n-1
	return m, nil
}

// meansOfPairs are moments of which only the means are known.
func meansOfPairs(x, y []float64) (Moments, error) {
	inf := math.Inf(1)
	m := Moments{N: len(x), VarX: inf, VarY: inf, VarDiff: inf, VarNaive: inf}
	var err error
	if m.X, err = stats.Mean(x); err != nil {
		return Moments{}, fmt.Errorf("x: %w", err)
	}
	if m.Y, err = stats.Mean(y); err != nil {
		return Moments{}, fmt.Errorf("y: %w", err)
	}
	return m, nil
}

// ClusterMoments is [PairMoments] of items that come in clusters: the variances
// are those of [ClusterRobust], the degrees of freedom those of the difference.
//
// Special cases are: of a single cluster the means are known and their variances
// +Inf, with 0 degrees of freedom; VarNaive is known from two items on.
//
// Errors: those of [PairMoments] and of [ClusterRobust].
func ClusterMoments(x, y []float64, cluster []int, correction Correction) (Moments, error) {
	m, err := PairMoments(x, y)
	if err != nil {
		return Moments{}, err
	}
	if len(cluster) != len(x) {
		return Moments{}, fmt.Errorf("paired moments: %d items and %d cluster codes: %w", len(x), len(cluster), stats.ErrMismatch)
	}
	if !severalClusters(cluster) {
		inf := math.Inf(1)
		m.VarX, m.VarY, m.VarDiff, m.DF = inf, inf, inf, 0
		return m, nil
	}
	d, err := Differences(x, y)
	if err != nil {
		return Moments{}, fmt.Errorf("paired moments: %w", err)
	}
	into := [...]*float64{&m.VarX, &m.VarY, &m.VarDiff}
	for i, v := range [...][]float64{x, y, d} {
		e, err := ClusterRobust(v, cluster, correction, anyLevel)
		if err != nil {
			return Moments{}, fmt.Errorf("paired moments: %w", err)
		}
		*into[i], m.DF = e.SE*e.SE, e.DF
	}
	return m, nil
}

// anyLevel is given where the interval is not looked at.
const anyLevel = 0.95

func severalClusters(cluster []int) bool {
	for _, k := range cluster {
		if k != cluster[0] {
			return true
		}
	}
	return false
}

// MeanMoments are the moments of the means over k independent groups of items,
// one vote a group: means are averaged and variances divided by k². The degrees
// of freedom are Satterthwaite's of VarDiff. N counts the items of all groups.
//
// Special cases are: a variance of +Inf stays so; the degrees of freedom are 0
// where those of a group are, and +Inf where no group's difference varies.
//
// It returns stats.ErrTooFew without groups and stats.ErrDomain for a mean that
// is not finite or a variance that is negative or NaN.
func MeanMoments(groups []Moments) (Moments, error) {
	var m Moments
	k := float64(len(groups))
	if k == 0 {
		return m, fmt.Errorf("mean of no groups, want at least 1: %w", stats.ErrTooFew)
	}
	uncertain, known := 0.0, true
	for i, g := range groups {
		if err := stats.CheckFinite([]float64{g.X, g.Y}); err != nil {
			return Moments{}, fmt.Errorf("means of group %d: %w", i, err)
		}
		if !(g.VarX >= 0 && g.VarY >= 0 && g.VarDiff >= 0 && g.VarNaive >= 0) {
			return Moments{}, fmt.Errorf("group %d has variances %v, %v, %v and %v, want none below 0: %w", i, g.VarX, g.VarY, g.VarDiff, g.VarNaive, stats.ErrDomain)
		}
		m.N += g.N
		m.X, m.Y = m.X+g.X/k, m.Y+g.Y/k
		m.VarX, m.VarY, m.VarDiff = m.VarX+g.VarX/k/k, m.VarY+g.VarY/k/k, m.VarDiff+g.VarDiff/k/k
		m.VarNaive += g.VarNaive / k / k
		known = known && g.DF > 0
		if v := g.VarDiff / k / k; !math.IsInf(g.DF, 1) {
			uncertain += v * v / g.DF
		}
	}
	switch {
	case !known:
	case uncertain > 0:
		m.DF = m.VarDiff * m.VarDiff / uncertain
	default:
		m.DF = math.Inf(1)
	}
	return m, nil
}

// covariance of the two means.
func (m Moments) covariance() float64 { return (m.VarX + m.VarY - m.VarDiff) / 2 }

// Ratio estimates Y/X with Fieller's interval on the degrees of freedom of the
// moments: the ratios that [Moments.RatioTest] does not reject.
//
// Special cases: see [FiellerPaired]; without degrees of freedom the interval is
// unbounded.
//
// It returns stats.ErrDomain for a mean that is not finite, an X of 0, or a level
// outside (0, 1). Source: Fieller 1954, JRSS B 16:175.
func (m Moments) Ratio(level float64) (stats.Estimate, error) {
	if err := stats.CheckLevel(level); err != nil {
		return stats.Estimate{}, fmt.Errorf("fieller ratio: %w", err)
	}
	if err := stats.CheckFinite([]float64{m.X, m.Y}); err != nil {
		return stats.Estimate{}, fmt.Errorf("fieller ratio: means: %w", err)
	}
	if m.X == 0 {
		return stats.Estimate{}, fmt.Errorf("fieller ratio: mean of x is 0, the ratio is undefined: %w", stats.ErrDomain)
	}
	return fieller(meansOf{mx: m.X, my: m.Y}, m.VarX, m.VarY, m.covariance(), m.DF, m.N, level, MethodFiellerPaired), nil
}

// RatioTest tests Y against ratio·X by Student's t on Y − ratio·X, as
// [RelativeContrast] does of the scores themselves.
//
// Special cases are: without degrees of freedom P is 1; for others see
// stats.WelchTest.
//
// It returns stats.ErrDomain for a ratio that is negative or not finite and for an
// unknown alternative.
func (m Moments) RatioTest(ratio float64, alt stats.Alternative) (stats.Test, error) {
	if !(ratio >= 0) || math.IsInf(ratio, 1) {
		return stats.Test{}, fmt.Errorf("relative contrast: ratio %v, want a finite number of at least 0: %w", ratio, stats.ErrDomain)
	}
	if alt != stats.TwoSided && alt != stats.Less && alt != stats.Greater {
		return stats.Test{}, fmt.Errorf("relative contrast: %w", errAlternative(alt))
	}
	variance := math.Max(0, m.VarY-2*ratio*m.covariance()+ratio*ratio*m.VarX)
	return stats.WelchTest(stats.Estimate{Value: m.Y - ratio*m.X, SE: math.Sqrt(variance), DF: m.DF, Method: MethodRelativeContrast}, 0, alt), nil
}

// ItemSD is the standard deviation of one item's difference that VarNaive amounts
// to, √(N·VarNaive).
func (m Moments) ItemSD() float64 { return math.Sqrt(m.VarNaive * float64(m.N)) }

// DifferenceError is the standard error of Y − X.
func (m Moments) DifferenceError() stats.StandardError {
	return stats.StandardError{SE: math.Sqrt(m.VarDiff), DF: m.DF}
}
