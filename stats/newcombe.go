package stats

import "math"

// Newcombe estimates the difference p2 − p1 of two independent proportions with
// the hybrid score interval: Wilson limits of both, combined by their squares
// (method 10 of the paper, no continuity correction). It is a closed form,
// slightly conservative, and never has zero width.
//
// SE is NaN. Errors: ErrTooFew for a sample without trials, ErrDomain for counts
// outside [0, n] or a level outside (0, 1).
//
// Source: Newcombe 1998, Statistics in Medicine 17:873,
// doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I.
func Newcombe(x1, n1, x2, n2 int64, level float64) (Estimate, error) {
	if err := checkTwoProportions(x1, n1, x2, n2, level); err != nil {
		return Estimate{}, err
	}
	z := zCritical(level)
	l1, u1 := wilsonLimits(x1, n1, z)
	l2, u2 := wilsonLimits(x2, n2, z)
	p1, p2 := float64(x1)/float64(n1), float64(x2)/float64(n2)
	d := p2 - p1
	return differenceEstimate(x1, n1, x2, n2,
		d-math.Hypot(p2-l2, u1-p1), d+math.Hypot(u2-p2, p1-l1), level, MethodNewcombe), nil
}

// AgrestiCaffo estimates the difference p2 − p1 with a Wald interval after one
// success and one failure were added to each sample. Closed form, slightly
// conservative. Value is the plain difference, SE that of the adjusted one; the
// interval is centred on the adjusted difference and cut to [−1, 1]. Errors are
// those of Newcombe.
//
// Source: Agresti & Caffo 2000, The American Statistician 54:280,
// doi:10.1080/00031305.2000.10474560.
func AgrestiCaffo(x1, n1, x2, n2 int64, level float64) (Estimate, error) {
	return waldDifference(x1, n1, x2, n2, 1, level, MethodAgrestiCaffo)
}

// WaldDifference estimates the difference p2 − p1 with the textbook interval
// d ± z √(p1 q1/n1 + p2 q2/n2). It covers too little for small samples and rare
// events: it is here for comparison with other programs, not for decisions.
//
// Special cases are: no variance on either side gives the interval [d, d] and
// the warning no_variance. Errors are those of Newcombe.
func WaldDifference(x1, n1, x2, n2 int64, level float64) (Estimate, error) {
	return waldDifference(x1, n1, x2, n2, 0, level, MethodWaldDifference)
}

// waldDifference adds the given number of successes and of failures to each
// sample.
func waldDifference(x1, n1, x2, n2 int64, add, level float64, method string) (Estimate, error) {
	if err := checkTwoProportions(x1, n1, x2, n2, level); err != nil {
		return Estimate{}, err
	}
	m1, m2 := float64(n1)+2*add, float64(n2)+2*add
	p1, p2 := (float64(x1)+add)/m1, (float64(x2)+add)/m2
	se := math.Sqrt(p1*(1-p1)/m1 + p2*(1-p2)/m2)
	h := zCritical(level) * se
	est := differenceEstimate(x1, n1, x2, n2, p2-p1-h, p2-p1+h, level, method)
	est.SE = se
	if se == 0 {
		est.Warnings = []Warning{noVariance()}
	}
	return est, nil
}

func checkTwoProportions(x1, n1, x2, n2 int64, level float64) error {
	if err := CheckLevel(level); err != nil {
		return err
	}
	return checkTwoCounts(x1, n1, x2, n2)
}
