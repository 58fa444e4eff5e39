package stats

import (
	"fmt"
	"math"
)

// UnitSD is the standard deviation of a single unit from the standard error of
// the difference of two means of nx and ny units that vary alike, the inverse of
// [TwoSampleShared]: se/√(1/nx + 1/ny).
//
// Special cases are: an se of +Inf stays so.
//
// Errors: ErrTooFew for a side without units, ErrDomain for an se that is
// negative or NaN.
func UnitSD(se float64, nx, ny int) (float64, error) {
	if nx < 1 || ny < 1 {
		return 0, fmt.Errorf("%d units of x and %d of y: want at least 1 each: %w", nx, ny, ErrTooFew)
	}
	if !(se >= 0) {
		return 0, fmt.Errorf("standard error %v: want a number of at least 0: %w", se, ErrDomain)
	}
	return se / math.Sqrt(1/float64(nx)+1/float64(ny)), nil
}

// OfUnit is the standard deviation of one unit where e is the error of a mean of
// n units: SE·√n with the same degrees of freedom. It is NaN for n below 1.
func (e StandardError) OfUnit(n int) StandardError {
	if n < 1 {
		return StandardError{SE: math.NaN(), DF: e.DF}
	}
	return StandardError{SE: e.SE * math.Sqrt(float64(n)), DF: e.DF}
}

// ExcessSD is the part of a standard deviation that an independent part of it
// does not account for, √(total² − part²): the noise between runs, for example,
// beyond that of their requests.
//
// Special cases are: 0 where the part is as large as the total or larger, NaN if
// either is NaN.
func ExcessSD(total, part float64) float64 {
	return math.Sqrt(math.Max(0, total*total-part*part))
}

// RescaledSD is the standard deviation of the mean of a group of n members from
// that of groups of from members, total, of which within is what the members alone
// account for. That part falls with their number, the rest stays:
//
//	√(max(0, total² − within²) + within²·from/n).
//
// Special cases are: a within of total or more leaves that part alone; NaN if any
// argument is NaN or one of the numbers of members is not positive.
func RescaledSD(total, within, from, n float64) float64 {
	if !(from > 0 && n > 0) {
		return math.NaN()
	}
	w := within * within
	return math.Sqrt(math.Max(0, total*total-w) + w*from/n)
}

// QuadraticMean is √(Σ x²/n): the standard deviation in common of groups of one
// size, from one standard deviation each.
//
// Errors: ErrTooFew for no values, ErrDomain for one that is not finite.
func QuadraticMean(x []float64) (float64, error) {
	if len(x) == 0 {
		return 0, fmt.Errorf("quadratic mean of no values: want at least 1: %w", ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x))), nil
}

// PlannedSD is the standard deviation to assume where one was measured in few
// units: its upper limit at the one-sided level upper ([SDUpperLimit]), and at
// least so much that the normal interval of the two-sided level comes out as long
// as Student's would, sd·t/z with df degrees of freedom.
//
// Special cases are: sd = 0 gives 0.
//
// Errors: ErrDomain for an sd that is negative or not finite, a df that is not
// positive and finite, or levels outside (0, 1).
func PlannedSD(sd, df, upper, level float64) (float64, error) {
	if err := CheckLevel(level); err != nil {
		return 0, err
	}
	limit, err := SDUpperLimit(sd, df, upper)
	if err != nil {
		return 0, err
	}
	q := (1 + level) / 2
	return math.Max(limit, sd*TQuantile(q, df)/NormalQuantile(q)), nil
}

// Skewness is the third standardised moment b1 = Σ((x − mean)/s)³/n with the
// unbiased variance s². It has no unit.
//
// Special cases are: 0 if the values do not vary.
//
// Errors: those of MeanVariance.
//
// Source: Joanes and Gill 1998, The Statistician 47:183, doi:10.1111/1467-9884.00122.
func Skewness(x []float64) (float64, error) {
	mean, variance, err := MeanVariance(x)
	if err != nil || variance == 0 {
		return 0, err
	}
	third, sd := 0.0, math.Sqrt(variance)
	for _, v := range x {
		z := (v - mean) / sd
		third += z * z * z
	}
	return third / float64(len(x)), nil
}

// CochranN is the number of values above which the normal interval of a mean may
// be trusted for data of the given skewness: factor·skewness², with Cochran's
// factor of 25, by which a 95 % interval misses no more often than 6 % of the
// time.
//
// Source: Cochran 1977, Sampling Techniques, 3rd ed., section 2.15.
func CochranN(skewness, factor float64) float64 { return factor * skewness * skewness }

// ShareSE is the standard error √(p(1 − p)/n) of a share p of n independent
// trials; n may be an effective number. It is NaN for p outside [0, 1] or an n
// that is not positive. For an interval take [Wilson].
func ShareSE(p, n float64) float64 {
	if !(n > 0) {
		return math.NaN()
	}
	return math.Sqrt(p * (1 - p) / n)
}

// VarianceRatio is Σ x²/Σ y²: by how much the squared errors x exceed the squared
// errors y on average. It has no unit.
//
// Special cases are: NaN if no y differs from 0.
//
// Errors: ErrDomain for a value that is not finite.
func VarianceRatio(x, y []float64) (float64, error) {
	var sums [2]float64
	for i, side := range [2][]float64{x, y} {
		if err := CheckFinite(side); err != nil {
			return 0, fmt.Errorf("%s: %w", "xy"[i:i+1], err)
		}
		for _, v := range side {
			sums[i] += v * v
		}
	}
	if sums[1] == 0 {
		return math.NaN(), nil
	}
	return sums[0] / sums[1], nil
}
