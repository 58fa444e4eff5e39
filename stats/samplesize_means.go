package stats

import "math"

// NTwoMeans returns the number of independent observations per side with which
// a two-sided pooled t test at level alpha detects a difference delta between
// two means with the given power, both sides with standard deviation sd. Only
// rejections in the direction of delta count as power.
//
// The method is the noncentral t distribution with 2n−2 degrees of freedom,
// solved for real n and rounded up; at least 2 per side.
//
// Special cases are:
//
//	sd = 0: 2 per side
//	delta = 0: ErrImpossible
//	non-finite or negative arguments, alpha or power outside (0, 1),
//	power ≤ alpha: ErrDomain
func NTwoMeans(delta, sd, alpha, power float64) (SampleSize, error) {
	return sizeOfT(MethodSizeTwoMeans, delta, sd, alpha/2, alpha, power, twoSampleT)
}

// NPaired returns the number of pairs with which a two-sided paired t test at
// level alpha detects a mean difference delta with the given power, sd being the
// standard deviation of the differences. Method, special cases and errors are
// those of NTwoMeans, with n−1 degrees of freedom.
func NPaired(delta, sd, alpha, power float64) (SampleSize, error) {
	return sizeOfT(MethodSizePaired, delta, sd, alpha/2, alpha, power, oneSampleT)
}

// NTwoMeansNI returns the number of independent observations per side with
// which a one-sided pooled t test at level alpha shows that the mean of y is not
// worse than that of x by margin or more, when the true difference y − x is
// trueDiff. Differences are counted so that larger is better: for a cost, give
// the negated difference.
//
// Special cases are:
//
//	trueDiff at or beyond −margin, or margin and trueDiff both 0: ErrImpossible
//	otherwise as NTwoMeans
func NTwoMeansNI(margin, trueDiff, sd, alpha, power float64) (SampleSize, error) {
	distance, err := checkMargin(margin, trueDiff)
	if err != nil {
		return SampleSize{}, err
	}
	return sizeOfT(MethodSizeTwoMeansNI, distance, sd, alpha, alpha, power, twoSampleT)
}

// NPairedNI returns the number of pairs with which a one-sided paired t test at
// level alpha shows that y is not worse than x by margin or more on average,
// when the true mean difference y − x, larger being better, is trueDiff and the
// differences have standard deviation sd. Special cases and errors are those of
// NTwoMeansNI.
func NPairedNI(margin, trueDiff, sd, alpha, power float64) (SampleSize, error) {
	distance, err := checkMargin(margin, trueDiff)
	if err != nil {
		return SampleSize{}, err
	}
	return sizeOfT(MethodSizePairedNI, distance, sd, alpha, alpha, power, oneSampleT)
}

// NRepeated returns the number of items with which a two-sided test at level
// alpha detects a mean change delta with the given power, when every item is
// answered repeatsX and repeatsY times: the variance of one item's difference is
// omega² + sdX²/repeatsX + sdY²/repeatsY, omega being the standard deviation of
// the true item differences and sdX, sdY those within an item.
//
// The noncentral t with n−1 degrees of freedom is used where the source has the
// normal approximation. Errors are those of NPaired; ErrDomain for fewer than
// one repeat.
//
// Source: Miller 2024, arXiv:2411.00640.
func NRepeated(delta, omega, sdX, sdY float64, repeatsX, repeatsY int, alpha, power float64) (SampleSize, error) {
	sd, err := RepeatedSD(omega, sdX, sdY, repeatsX, repeatsY)
	if err != nil {
		return SampleSize{}, err
	}
	return sizeOfT(MethodSizeRepeated, delta, sd, alpha/2, alpha, power, oneSampleT)
}

// twoSampleT gives noncentrality and degrees of freedom of the two-sample t for
// a standardised difference d.
func twoSampleT(d, n float64) (ncp, df float64) { return d * math.Sqrt(n/2), 2*n - 2 }

// oneSampleT gives noncentrality and degrees of freedom of the one-sample t for
// a standardised difference d.
func oneSampleT(d, n float64) (ncp, df float64) { return d * math.Sqrt(n), n - 1 }

// sizeOfT solves for the sample size of a t test that rejects in the direction
// of delta at level tail; alpha is the level that the caller named.
func sizeOfT(method string, delta, sd, tail, alpha, power float64, design func(d, n float64) (ncp, df float64)) (SampleSize, error) {
	if err := checkPlan(alpha, power); err != nil {
		return SampleSize{}, err
	}
	if err := checkSpread("standard deviation", sd); err != nil {
		return SampleSize{}, err
	}
	if err := checkEffect(delta); err != nil {
		return SampleSize{}, err
	}
	d := math.Abs(delta) / sd
	if math.IsInf(d, 1) {
		return SampleSize{N: 2, Exact: 2, Power: 1, Method: method}, nil
	}
	return solveSize(method, 2, power, func(n float64) float64 {
		ncp, df := design(d, n)
		return upperPower(ncp, df, tail)
	})
}
