package stats

import "math"

// TCDF returns P(T ≤ t) for Student's t with df degrees of freedom, df > 0 and
// not necessarily whole; df = +Inf means the normal distribution. It is
// accurate in the lower tail.
//
// Special cases are: 0 for t = −Inf, 1 for t = +Inf, NaN for df ≤ 0 or any NaN.
func TCDF(t, df float64) float64 { return TSurvival(-t, df) }

// TSurvival returns P(T > t) for Student's t with df degrees of freedom,
// accurate in the upper tail. Domain and special cases mirror TCDF.
func TSurvival(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalSurvival(t)
	case math.IsInf(t, 1):
		return 0
	case math.IsInf(t, -1):
		return 1
	}
	tail := tTail(math.Abs(t), df)
	if t < 0 {
		return 1 - tail
	}
	return tail
}

// tTail is P(T > t) for t ≥ 0 and finite df.
func tTail(t, df float64) float64 {
	x, y := tBeta(t, df)
	if x < 1e-200 { // the leading term is exact, and x² would underflow
		return tDensity(0, df) / math.Sqrt(df) * math.Exp(-df*math.Log(t/math.Sqrt(df)))
	}
	if y < 1/(df+3) { // near the centre the complement is the small number
		return 0.5 - betaLower(0.5, df/2, y, x)/2
	}
	return betaLower(df/2, 0.5, x, y) / 2
}

// tBeta returns x = df/(df+t²) and y = 1 − x without overflow.
func tBeta(t, df float64) (x, y float64) {
	r := t / math.Sqrt(df)
	if r < 1 {
		r *= r
		return 1 / (1 + r), r / (1 + r)
	}
	r = 1 / r
	r *= r
	return r / (1 + r), 1 / (1 + r)
}

// tDensity is the density of Student's t at t ≥ 0.
func tDensity(t, df float64) float64 {
	x, y := tBeta(t, df)
	if x < 1e-200 {
		return tTail(t, df) * df / t
	}
	// f(t) = x^{(df+1)/2} / (√df B(df/2, 1/2)); the beta function is taken from
	// the same expression at x0 = df/(df+1), y0 = 1/(df+1), where
	// x0^{(df+1)/2} / B = √df · x0^{df/2} y0^{1/2} / B.
	lead := binomialTerm(df/2, 0.5, df/(df+1), 1/(df+1)) * (df / 2) / (df + 1)
	return lead * math.Exp((df+1)/2*(logOf(x, y)-math.Log1p(-1/(df+1))))
}

// logOf returns log x given y = 1 − x.
func logOf(x, y float64) float64 {
	if y < 0.5 {
		return math.Log1p(-y)
	}
	return math.Log(x)
}

// TQuantile returns the t with TCDF(t, df) = p, df > 0 and not necessarily
// whole; df = +Inf means the normal distribution. Newton's method on the
// probability near the centre and on log tail against log t beyond the
// quartiles; both are concave, so the iteration cannot leave the root.
//
// Special cases are: −Inf for p = 0, +Inf for p = 1, 0 for p = 1/2, NaN for p
// outside [0, 1] or df ≤ 0.
func TQuantile(p, df float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalQuantile(p)
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p < 0.5:
		return -tQuantileUpper(p, df)
	}
	return tQuantileUpper(1-p, df)
}

// settled is a Newton step small enough to be the last: the next would be of the
// order of its square.
const settled = 1e-10

// tQuantileUpper returns the t ≥ 0 with upper tail probability s ≤ 1/2.
func tQuantileUpper(s, df float64) float64 {
	if s > 0.25 {
		t := 0.0
		for range 100 {
			step := (tTail(t, df) - s) / tDensity(t, df)
			t += step
			if math.Abs(step) <= settled*math.Abs(t) {
				break
			}
		}
		return t
	}
	target := math.Log(s)
	v := math.Log(-NormalQuantile(s))
	for range 200 {
		t := math.Exp(v)
		tail := tTail(t, df)
		if tail == 0 { // far beyond the root: only possible for an extreme start
			v -= 1
			continue
		}
		slope := df // of −log tail against log t, in the limit of large t
		if x, _ := tBeta(t, df); x >= 1e-200 {
			slope = t * tDensity(t, df) / tail
		}
		step := (math.Log(tail) - target) / slope
		v += step
		if math.Abs(step) <= settled {
			break
		}
	}
	return math.Exp(v)
}

// tCritical returns the t with P(−t ≤ T ≤ t) = level.
func tCritical(level, df float64) float64 { return -TQuantile((1-level)/2, df) }

// zCritical returns the z with P(−z ≤ Z ≤ z) = level.
func zCritical(level float64) float64 { return -NormalQuantile((1 - level) / 2) }
