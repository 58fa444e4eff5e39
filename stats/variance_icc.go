package stats

import (
	"fmt"
	"math"
)

// VarianceComponents splits the variance of grouped values (requests in runs,
// answers to questions) into a part between and a part within groups.
type VarianceComponents struct {
	MSB, MSW float64 // mean squares between and within groups
	N0       float64 // effective group size (N − Σn_k²/N)/(K−1)

	// Between is (MSB−MSW)/N0 and ICC is Between/(Between+MSW), both as they
	// come out, possibly negative. A negative one is an estimate of zero: do not
	// feed it into a formula.
	Between, ICC float64
	// Interval is the F interval of the ICC: exact for normal groups of equal
	// size, approximate with N0 otherwise.
	Interval Interval

	F, P float64 // test that the variance between groups is 0

	// DesignEffect is 1 + (m−1)·max(ICC, 0) for the mean group size m, and
	// EffectiveN the number of values over it.
	DesignEffect, EffectiveN float64

	Groups, Values int
	Warnings       []Warning
}

// ICC estimates the intraclass correlation of grouped values by one-way analysis
// of variance, with its design effect. It assumes independent groups of roughly
// normal values with a common variance within. With five groups or fewer it is
// very imprecise: look at the interval.
//
// Special cases are: a negative estimate carries the warning negative_icc, and a
// design effect of 1; no variance within groups gives F = +Inf, ICC 1 and the
// interval [1, 1] with the warning no_variance.
//
// Errors: ErrTooFew for fewer than 2 groups, an empty group or no group of 2,
// ErrDomain for a value that is not finite, a level outside (0, 1) or values
// that are all equal.
//
// Source: Shrout & Fleiss 1979, doi:10.1037/0033-2909.86.2.420; the design effect
// Kish 1965; the interval Searle 1971, Linear Models.
func ICC(groups [][]float64, level float64) (VarianceComponents, error) {
	if err := CheckLevel(level); err != nil {
		return VarianceComponents{}, err
	}
	k := len(groups)
	if k < 2 {
		return VarianceComponents{}, fmt.Errorf("%d groups: want at least 2: %w", k, ErrTooFew)
	}
	var n, sumSquaredSizes float64
	means := make([]float64, k)
	for i, g := range groups {
		m, err := Mean(g)
		if err != nil {
			return VarianceComponents{}, fmt.Errorf("group %d: %w", i, err)
		}
		means[i] = m
		n += float64(len(g))
		sumSquaredSizes += float64(len(g)) * float64(len(g))
	}
	d1, d2 := float64(k-1), n-float64(k)
	if d2 < 1 {
		return VarianceComponents{}, fmt.Errorf("%d values in %d groups: want a group of at least 2: %w", int(n), k, ErrTooFew)
	}
	origin := means[0]
	var grand, ssw float64
	for i, g := range groups {
		grand += float64(len(g)) * (means[i] - origin)
		if len(g) > 1 {
			ssw += varianceAbout(g, means[i]) * float64(len(g)-1)
		}
	}
	grand = origin + grand/n
	var ssb float64
	for i, g := range groups {
		d := means[i] - grand
		ssb += float64(len(g)) * d * d
	}
	v := VarianceComponents{
		MSB: ssb / d1, MSW: ssw / d2,
		N0:     (n - sumSquaredSizes/n) / d1,
		Groups: k, Values: int(n),
	}
	if math.IsInf(v.MSB+v.MSW, 0) || math.IsNaN(v.MSB+v.MSW) {
		return VarianceComponents{}, fmt.Errorf("the variance overflows: %w", ErrDomain)
	}
	if v.MSB == 0 && v.MSW == 0 {
		return VarianceComponents{}, fmt.Errorf("all %d values are equal, so there is no variance to split: %w", v.Values, ErrDomain)
	}
	v.Between = (v.MSB - v.MSW) / v.N0
	v.ICC = (v.MSB - v.MSW) / (v.MSB + (v.N0-1)*v.MSW)
	v.DesignEffect = 1 + (n/float64(k)-1)*math.Max(0, v.ICC)
	v.EffectiveN = n / v.DesignEffect
	if v.MSW == 0 {
		v.F, v.Interval = math.Inf(1), Interval{Lo: 1, Hi: 1, Level: level}
		v.Warnings = []Warning{noVariance()}
		return v, nil
	}
	v.F = v.MSB / v.MSW
	v.P = FSurvival(v.F, d1, d2)
	half := (1 - level) / 2
	// The upper quantile by reflection keeps the digits of a high level.
	up, low := 1/FQuantile(half, d2, d1), FQuantile(half, d1, d2)
	v.Interval = Interval{Lo: iccOf(v.F/up, v.N0), Hi: iccOf(v.F/low, v.N0), Level: level}
	if v.ICC < 0 {
		v.Warnings = []Warning{{Code: WarnNegativeICC, Text: "the groups differ less than their inner spread explains: the correlation is estimated as zero"}}
	}
	return v, nil
}

// iccOf turns a variance ratio into a correlation.
func iccOf(f, n0 float64) float64 {
	if math.IsInf(f, 1) {
		return 1
	}
	return (f - 1) / (f + n0 - 1)
}
