package stats

import "math"

// MiettinenNurminen estimates the difference p2 − p1 of two independent
// proportions with the score interval of Miettinen & Nurminen (1985): all
// differences δ that the score test, with the variance at the restricted
// maximum likelihood estimates times N/(N−1), does not reject.
//
// It never has zero width, even for 0 of n against 0 of n. SE is NaN: the limits
// invert a test.
//
// Special cases are: a limit is ±1 where the test rejects no δ on that side.
//
// Errors: ErrTooFew for a sample without trials, ErrDomain for counts outside
// [0, n] or a level outside (0, 1).
//
// Source: Miettinen & Nurminen 1985, Statistics in Medicine 4:213,
// doi:10.1002/sim.4780040211.
func MiettinenNurminen(x1, n1, x2, n2 int64, level float64) (Estimate, error) {
	return scoreInterval(x1, n1, x2, n2, level, true, MethodMiettinenNurminen)
}

// Mee is MiettinenNurminen without the factor N/(N−1): the interval that belongs
// to the test of Farrington & Manning.
//
// Source: Mee 1984, Biometrics 40:1175.
func Mee(x1, n1, x2, n2 int64, level float64) (Estimate, error) {
	return scoreInterval(x1, n1, x2, n2, level, false, MethodMee)
}

func scoreInterval(x1, n1, x2, n2 int64, level float64, corrected bool, method string) (Estimate, error) {
	if err := CheckLevel(level); err != nil {
		return Estimate{}, err
	}
	if err := checkTwoCounts(x1, n1, x2, n2); err != nil {
		return Estimate{}, err
	}
	z := zCritical(level)
	d := float64(x2)/float64(n2) - float64(x1)/float64(n1)
	score := func(delta float64) float64 {
		s, _, _ := scoreZ(float64(x1), float64(n1), float64(x2), float64(n2), delta, corrected)
		return s
	}
	// The statistic falls from +Inf at −1 to −Inf at 1. Each limit is searched
	// as a distance from the estimate, which keeps its digits when rates are rare.
	lo := d - bisect(0, d+1, func(w float64) float64 { return z - score(d-w) })
	hi := d + bisect(0, 1-d, func(w float64) float64 { return z + score(d+w) })
	return differenceEstimate(x1, n1, x2, n2, lo, hi, level, method), nil
}

// scoreZ is the score statistic (p̂2 − p̂1 − δ)/√V with V at the restricted
// estimates r1 and r2 = r1 + δ; 0/0 counts as 0.
func scoreZ(x1, n1, x2, n2, delta float64, corrected bool) (z, r1, r2 float64) {
	r1, r2 = restrictedProportions(x1, n1, x2, n2, delta)
	v := r1*(1-r1)/n1 + r2*(1-r2)/n2
	if corrected {
		n := n1 + n2
		v *= n / (n - 1)
	}
	d := x2/n2 - x1/n1 - delta
	if v <= 0 {
		if math.Abs(d) < 1e-15 {
			return 0, r1, r2
		}
		return math.Inf(int(math.Copysign(1, d))), r1, r2
	}
	return d / math.Sqrt(v), r1, r2
}

// restrictedProportions maximises the likelihood of two binomial samples subject
// to p2 − p1 = δ. The score function is decreasing in p1, so its root is
// bracketed; the closed form of the cubic (Farrington & Manning 1990) loses half
// of its digits where two roots nearly meet, which is where rates are rare. The
// counts need not be whole: planning uses expected ones.
func restrictedProportions(x1, n1, x2, n2, delta float64) (p1, p2 float64) {
	base1, base2 := math.Max(0, -delta), math.Max(0, delta) // the smallest p1, p2
	width := 1 - math.Abs(delta)
	if width <= 0 {
		return base1, base2
	}
	slope := func(u float64) float64 {
		p, q := base1+u, base2+u
		return share(x1, p) - share(n1-x1, 1-p) + share(x2, q) - share(n2-x2, 1-q)
	}
	u := bisect(0, width, slope)
	return base1 + u, base2 + u
}

// share is x/p with 0/0 = 0, and +Inf rather than a sign for p ≤ 0.
func share(x, p float64) float64 {
	if x == 0 {
		return 0
	}
	if p <= 0 {
		return math.Inf(1)
	}
	return x / p
}
