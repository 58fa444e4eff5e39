package stats

import (
	"fmt"
	"math"
)

// BrunnerMunzelTest is the outcome of the Brunner–Munzel test with the interval
// of its effect.
type BrunnerMunzelTest struct {
	RankTest
	// SE is the standard error of CLES.
	SE float64
	// Interval holds CLES. It is not cut to [0, 1]; without variance it is
	// unbounded.
	Interval Interval
}

// BrunnerMunzel tests P(X < Y) + ½P(X = Y) = ½ without assuming equal shapes or
// spreads, ties allowed, by a t distribution with estimated degrees of freedom. It
// is the default rank test of two independent samples. Greater means that y tends
// to be larger; Statistic is positive then. Below ten values a side use
// BrunnerMunzelPermuted.
//
// Special cases are:
//
//	all values equal: P = 1, with a warning
//	samples that do not overlap: the t distribution does not apply; P is that of
//	    the exact permutation test, with a warning, and the interval is unbounded
//	fewer than 2 values a side: ErrTooFew
//	NaN, an unknown alternative, level outside (0, 1): ErrDomain
//
// Source: Brunner & Munzel 2000, Biometrical Journal 42:17.
func BrunnerMunzel(x, y []float64, alt Alternative, level float64) (BrunnerMunzelTest, error) {
	if err := CheckLevel(level); err != nil {
		return BrunnerMunzelTest{}, err
	}
	if len(x) < 2 || len(y) < 2 {
		return BrunnerMunzelTest{}, fmt.Errorf("samples of %d and %d values: want at least 2 each: %w", len(x), len(y), ErrTooFew)
	}
	r, _, err := rankCounts(x, y, alt)
	if err != nil {
		return BrunnerMunzelTest{}, err
	}
	r.Method = MethodBrunnerMunzel
	out := BrunnerMunzelTest{RankTest: r, Interval: Unbounded(level)}
	m, n := float64(r.NX), float64(r.NY)
	t, se, df := brunnerMunzel(placements(x, y), r.CLES, m, n)
	if se == 0 {
		out.Statistic, out.SE = 0, 0
		if r.CLES == 0.5 {
			out.P = 1
			out.Warnings = append(out.Warnings, allTied())
			return out, nil
		}
		out.Statistic = math.Copysign(math.Inf(1), r.CLES-0.5)
		out.P = separatedP(r, alt)
		out.Warnings = append(out.Warnings, Warning{
			Code: WarnCompleteSeparation,
			Text: "the samples do not overlap: the p-value is that of the exact permutation test and the effect has no interval",
		})
		return out, nil
	}
	out.Statistic, out.DF, out.SE = t, df, se
	out.P = tTestP(t, df, alt)
	half := TQuantile((1+level)/2, df) * se
	out.Interval.Lo, out.Interval.Hi = r.CLES-half, r.CLES+half
	return out, nil
}

// placement holds, for each value of a sample, the number of values of the other
// sample below it, ties one half.
type placement struct{ x, y []float64 }

// placements counts the placements of both samples, in ascending order of value.
func placements(x, y []float64) placement {
	p := placement{x: make([]float64, 0, len(x)), y: make([]float64, 0, len(y))}
	belowX, belowY := 0, 0
	eachTie(x, y, func(fromX, fromY int) {
		for range fromX {
			p.x = append(p.x, float64(belowY)+float64(fromY)/2)
		}
		for range fromY {
			p.y = append(p.y, float64(belowX)+float64(fromX)/2)
		}
		belowX += fromX
		belowY += fromY
	})
	return p
}

// brunnerMunzel returns the statistic, the standard error of the effect and the
// degrees of freedom. The variance of a sample's placements is that of its ranks
// in the pool minus its ranks in itself.
func brunnerMunzel(p placement, effect, m, n float64) (t, se, df float64) {
	vx := varianceAbout(p.x, meanOf(p.x)) / (n * n)
	vy := varianceAbout(p.y, meanOf(p.y)) / (m * m)
	a, b := vx/m, vy/n
	if a+b == 0 {
		return 0, 0, 0
	}
	se = math.Sqrt(a + b)
	df = (a + b) * (a + b) / (a*a/(m-1) + b*b/(n-1))
	return (effect - 0.5) / se, se, df
}

// separatedP is the exact permutation p-value where no value of one sample lies
// inside the other: only the observed split, and its mirror, is as extreme.
func separatedP(r RankTest, alt Alternative) float64 {
	lgN, _ := math.Lgamma(float64(r.NX+r.NY) + 1)
	lgX, _ := math.Lgamma(float64(r.NX) + 1)
	lgY, _ := math.Lgamma(float64(r.NY) + 1)
	one := math.Exp(lgX + lgY - lgN)
	switch {
	case alt == TwoSided:
		return math.Min(1, 2*one)
	case (alt == Greater) == (r.CLES > 0.5):
		return one
	}
	return 1
}
