package stats

import "math"

// BinomialPMF returns P(X = k) for X ~ Bin(n, p), by Loader's saddle-point
// expansion (2000), which keeps its relative accuracy for large n.
//
// Special cases are: 0 for k outside [0, n], NaN for n < 0 or p outside [0, 1].
func BinomialPMF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0 || k > n:
		return 0
	}
	return binomialTerm(float64(k), float64(n-k), p, 1-p)
}

// BinomialCDF returns P(X ≤ k) for X ~ Bin(n, p) by the incomplete beta
// function, accurate in the lower tail.
//
// Special cases are: 0 for k < 0, 1 for k ≥ n, NaN for n < 0 or p outside
// [0, 1].
func BinomialCDF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return betaLower(float64(n-k), float64(k)+1, 1-p, p)
}

// BinomialSurvival returns P(X > k) for X ~ Bin(n, p), accurate in the upper
// tail.
//
// Special cases are: 1 for k < 0, 0 for k ≥ n, NaN for n < 0 or p outside
// [0, 1].
func BinomialSurvival(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 1
	case k >= n:
		return 0
	}
	return betaLower(float64(k)+1, float64(n-k), p, 1-p)
}

// binomialTerm returns Γ(a+b+1)/(Γ(a+1)Γ(b+1)) x^a y^b for x + y = 1: the
// binomial probability of a successes and b failures, a and b not necessarily
// whole. Loader 2000, "Fast and accurate computation of binomial probabilities".
func binomialTerm(a, b, x, y float64) float64 {
	n := a + b
	switch {
	case a == 0 && b == 0:
		return 1
	case x <= 0:
		if a == 0 {
			return 1
		}
		return 0
	case y <= 0:
		if b == 0 {
			return 1
		}
		return 0
	case a == 0:
		return powOneMinus(x, y, n)
	case b == 0:
		return powOneMinus(y, x, n)
	}
	e := stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n*x) - deviance(b, n*y)
	return math.Exp(e) * math.Sqrt(n/(2*math.Pi*a*b))
}

// powOneMinus returns y^n for y = 1 − x.
func powOneMinus(x, y, n float64) float64 {
	if x < 0.5 {
		return math.Exp(n * math.Log1p(-x))
	}
	return math.Exp(n * math.Log(y))
}

// stirlingError returns log Γ(n+1) − log(√(2πn) (n/e)^n).
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (n+0.5)*math.Log(n) + n - math.Log(2*math.Pi)/2
	}
	n2 := n * n
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-(1.0/1188-691.0/360360/n2)/n2)/n2)/n2)/n2) / n
}

// deviance returns a log(a/m) + m − a without cancellation for a near m.
func deviance(a, m float64) float64 {
	if math.Abs(a-m) < 0.1*(a+m) {
		v := (a - m) / (a + m)
		s := (a - m) * v
		ej := 2 * a * v
		for j := 1.0; j < 1000; j++ {
			ej *= v * v
			next := s + ej/(2*j+1)
			if next == s {
				return s
			}
			s = next
		}
		return s
	}
	return a*math.Log(a/m) + m - a
}
