package stats

import (
	"math"
	"testing"
)

// distTol is the relative error allowed in distribution functions. The wants of
// this file are from mpmath 1.3 at 40 digits, by quadrature of the density where
// its betainc does not converge.
const distTol = 2e-13

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if got == want || math.Abs(got-want) <= rel*math.Abs(want) {
		return
	}
	t.Errorf("%s = %.17g, want %.17g (relative error %.2g)", what, got, want, got/want-1)
}

func TestBetaCDF(t *testing.T) {
	for _, c := range []struct{ a, b, x, want float64 }{
		{5, 6, 0.3, 0.150268332599999981},
		{0.5, 0.5, 0.01, 0.0637685608585198486},
		{2.5, 0.5, 1e-08, 3.39530546475319165e-21},
		{50, 60, 0.3, 0.000343411518766288655},
		{500, 600, 0.4, 0.000123054760584022256},
		{5000, 6000, 0.45, 0.169188400131846381},
		{500000.0, 600000.0, 0.4545, 0.46188529975069458},
		{500000.0, 600000.0, 0.45, 4.86471350645597916e-22},
		{900000.0, 100001.0, 0.898, 1.72995589060199792e-11},
		{1, 20, 0.05, 0.641514077591457787},
		{20.5, 0.3, 0.9, 0.0188560209223247137},
	} {
		// The argument's own rounding is amplified by x f(x)/F.
		tol := distTol + 4e-16*c.x*betaDensity(c.x, c.a, c.b)/c.want
		near(t, "BetaCDF", BetaCDF(c.x, c.a, c.b), c.want, tol)
		near(t, "BetaQuantile", BetaQuantile(c.want, c.a, c.b), c.x, 1e-12)
	}
	for _, x := range []float64{-1, 0} {
		near(t, "BetaCDF at 0", BetaCDF(x, 2, 3), 0, 0)
	}
	for _, x := range []float64{1, 2} {
		near(t, "BetaCDF at 1", BetaCDF(x, 2, 3), 1, 0)
	}
	near(t, "BetaQuantile(0)", BetaQuantile(0, 2, 3), 0, 0)
	near(t, "BetaQuantile(1)", BetaQuantile(1, 2, 3), 1, 0)
	for _, v := range []float64{
		BetaCDF(math.NaN(), 1, 1), BetaCDF(0.5, 0, 1), BetaCDF(0.5, 1, -1), BetaCDF(0.5, math.Inf(1), 1),
		BetaQuantile(-0.1, 1, 1), BetaQuantile(math.NaN(), 1, 1), BetaQuantile(0.5, 1, math.NaN()),
	} {
		if !math.IsNaN(v) {
			t.Errorf("outside the domain: %v, want NaN", v)
		}
	}
}

func betaDensity(x, a, b float64) float64 {
	return binomialTerm(a, b, x, 1-x) * a * b / (a + b) / (x * (1 - x))
}

func TestTSurvival(t *testing.T) {
	for _, c := range []struct{ t, df, want float64 }{
		{2, 1, 0.147583617650433274},
		{12.706204736174698, 1, 0.0250000000000000136},
		{3, 2.5, 0.0362880477745159219},
		{0.01, 4, 0.496250078122949274},
		{1e-09, 7, 0.499999999615008549},
		{100000000.0, 3, 1.1026577908435837e-24},
		{40, 30, 6.86302259720320139e-28},
		{1.96, 1000000.0, 0.0249980337926348953},
		{8, 1000000.0, 6.2275317166012598e-16},
		{37, 10000000000.0, 5.7258398866296e-300},
		{6, 0.3, 0.204031339324323819},
		{1e+120, 2, 5.0000000000000002e-241},
		{0, 3, 0.5},
	} {
		tol := distTol - 1e-15*math.Log(c.want) // the exponent's own rounding
		near(t, "TSurvival", TSurvival(c.t, c.df), c.want, tol)
		near(t, "TCDF", TCDF(-c.t, c.df), c.want, tol)
		near(t, "TCDF+TSurvival", TCDF(c.t, c.df)+TSurvival(c.t, c.df), 1, distTol)
	}
	near(t, "TSurvival normal", TSurvival(1.5, math.Inf(1)), NormalSurvival(1.5), 0)
	near(t, "TSurvival(+Inf)", TSurvival(math.Inf(1), 3), 0, 0)
	near(t, "TSurvival(-Inf)", TSurvival(math.Inf(-1), 3), 1, 0)
	for _, v := range []float64{TCDF(1, 0), TCDF(1, -1), TCDF(math.NaN(), 1), TCDF(1, math.NaN()), TQuantile(2, 1), TQuantile(0.5, 0)} {
		if !math.IsNaN(v) {
			t.Errorf("outside the domain: %v, want NaN", v)
		}
	}
}

func TestTQuantileInvertsTCDF(t *testing.T) {
	for _, df := range []float64{0.3, 1, 1.471, 2, 5, 30, 1e3, 1e6, 1e10, 1e15, math.Inf(1)} {
		previous := math.Inf(-1)
		for _, p := range []float64{1e-200, 1e-20, 1e-5, 0.025, 0.24, 0.26, 0.4999, 0.5, 0.6, 0.975, 1 - 1e-9} {
			q := TQuantile(p, df)
			if math.IsInf(q, 0) {
				continue // the heaviest tail leaves the float64 range
			}
			near(t, "TCDF(TQuantile)", TCDF(q, df), p, 5e-13)
			if q <= previous {
				t.Errorf("df %v: quantile %v at %v is not above %v", df, q, p, previous)
			}
			previous = q
		}
		if TQuantile(0, df) != math.Inf(-1) || TQuantile(1, df) != math.Inf(1) || TQuantile(0.5, df) != 0 {
			t.Errorf("df %v: quantiles of 0, 1 and 1/2 are %v, %v, %v", df, TQuantile(0, df), TQuantile(1, df), TQuantile(0.5, df))
		}
	}
	// R 4: qt(.975, c(1, 1.471, 4, 1e6)), the classical table for 1 and 4.
	near(t, "t table", TQuantile(0.975, 1), 12.706204736174698, 1e-13)
	near(t, "t table", TQuantile(0.975, 4), 2.7764451051977987, 1e-13)
	// Large df: the first Cornish-Fisher term z + (z³+z)/(4 df).
	z := NormalQuantile(0.975)
	near(t, "t at df 1e8", TQuantile(0.975, 1e8), z+(z*z*z+z)/4e8, 1e-14)
}

func TestNormal(t *testing.T) {
	for _, c := range []struct{ z, want float64 }{
		{0, 0.5},
		{1, 0.158655253931457051},
		{-1, 0.841344746068542949},
		{1.6448536269514722, 0.0500000000000000539},
		{5, 2.86651571879193912e-7},
		{10, 7.61985302416052607e-24},
		{37, 5.72557122252457682e-300},
	} {
		near(t, "NormalSurvival", NormalSurvival(c.z), c.want, distTol)
		near(t, "NormalCDF", NormalCDF(-c.z), c.want, distTol)
		near(t, "NormalQuantile", NormalQuantile(c.want), -c.z, 1e-14)
	}
	near(t, "NormalPDF", NormalPDF(1), 0.24197072451914335, 1e-15)
	if !math.IsNaN(NormalQuantile(1.1)) || !math.IsNaN(NormalQuantile(math.NaN())) {
		t.Error("NormalQuantile outside [0, 1] is not NaN")
	}
	if NormalQuantile(0) != math.Inf(-1) || NormalQuantile(1) != math.Inf(1) {
		t.Error("NormalQuantile of 0 and 1 is not infinite")
	}
}

func TestChiSquaredAndF(t *testing.T) {
	for _, c := range []struct{ x, df, want float64 }{
		{3.841458820694124, 1, 0.0500000000000000574},
		{20, 2.5, 0.0000911535728635976441},
		{100, 10, 5.44970198292052934e-17},
		{1200, 1000, 0.0000122559423306229042},
		{1e-05, 1, 0.997476871683194402},
		{-1, 2, 1},
		{0, 2, 1},
		{math.Inf(1), 2, 0},
	} {
		near(t, "ChiSquaredSurvival", ChiSquaredSurvival(c.x, c.df), c.want, 1e-12)
	}
	for _, c := range []struct{ x, d1, d2, want float64 }{
		{1.79467849223947, 5, 18, 0.164768808344639251},
		{10, 3, 2.5, 0.0634844520720634776},
		{50, 4, 30, 7.55746190749235432e-13},
		{0.01, 2, 7, 0.990063950536329598},
	} {
		near(t, "FSurvival", FSurvival(c.x, c.d1, c.d2), c.want, distTol)
		near(t, "FQuantile", FQuantile(1-c.want, c.d1, c.d2), c.x, 1e-4/c.x+1e-9)
		near(t, "FQuantile reflected", 1/FQuantile(c.want, c.d2, c.d1), c.x, 1e-12)
	}
	for _, v := range []float64{ChiSquaredSurvival(1, 0), ChiSquaredSurvival(math.NaN(), 1), ChiSquaredSurvival(1, math.Inf(1)), FSurvival(1, 0, 1), FSurvival(1, 1, math.Inf(1)), FQuantile(2, 1, 1)} {
		if !math.IsNaN(v) {
			t.Errorf("outside the domain: %v, want NaN", v)
		}
	}
}

func TestBinomial(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		p         float64
		pmf, tail float64
	}{
		{3, 10, 0.3, 0.266827932, 0.35038928159999997},
		{0, 10, 0.3, 0.0282475249000000045, 0.971752475099999996},
		{10, 10, 0.3, 5.90489999999999781e-6, 0},
		{45, 100, 0.5, 0.048474296626430753, 0.815899191336651882},
		{99, 100, 0.01, 9.9000000000000204e-197, 1.00000000000000208e-200},
		{500000, 1000000, 0.5, 0.000797884361331750089, 0.499601057819334125},
		{100, 1000000, 0.0001, 0.0398629900081465635, 0.473437801436780901},
		{990500, 1000000, 0.99, 1.09093803866589325e-8, 1.97878036556852723e-7},
	} {
		near(t, "BinomialPMF", BinomialPMF(c.k, c.n, c.p), c.pmf, 1e-12)
		near(t, "BinomialSurvival", BinomialSurvival(c.k, c.n, c.p), c.tail, 1e-12)
		near(t, "BinomialCDF reflected", BinomialCDF(c.n-c.k-1, c.n, 1-c.p), c.tail, 1e-9)
	}
	near(t, "CDF+survival", BinomialCDF(7, 20, 0.4)+BinomialSurvival(7, 20, 0.4), 1, 1e-14)
	if BinomialCDF(-1, 5, 0.5) != 0 || BinomialCDF(5, 5, 0.5) != 1 || BinomialSurvival(-1, 5, 0.5) != 1 || BinomialSurvival(5, 5, 0.5) != 0 {
		t.Error("binomial outside [0, n] is not 0 or 1")
	}
	if BinomialPMF(-1, 5, 0.5) != 0 || BinomialPMF(6, 5, 0.5) != 0 || BinomialPMF(0, 5, 0) != 1 || BinomialPMF(5, 5, 1) != 1 || BinomialPMF(1, 5, 0) != 0 {
		t.Error("binomial probabilities at the edges")
	}
	for _, v := range []float64{BinomialPMF(0, -1, 0.5), BinomialCDF(0, 5, 1.5), BinomialSurvival(0, 5, math.NaN())} {
		if !math.IsNaN(v) {
			t.Errorf("outside the domain: %v, want NaN", v)
		}
	}
	for n := range 40 {
		for _, p := range []float64{0, 0.01, 0.5, 0.9, 1} {
			sum := 0.0
			for k := range n + 1 {
				sum += BinomialPMF(k, n, p)
				if got := BinomialCDF(k, n, p); math.Abs(got-sum) > 1e-13 {
					t.Errorf("BinomialCDF(%d, %d, %v) = %v, sum of probabilities %v", k, n, p, got, sum)
				}
			}
		}
	}
}

func TestNoncentralT(t *testing.T) {
	// mpmath quadrature of the mixture over √(W/df).
	for _, c := range []struct{ t, df, delta, cdf, survival float64 }{
		{2, 4, 1, 0.76456745382432427, 0.23543254617567573},
		{2.776, 4, 3, 0.38062227010785123, 0.61937772989214877},
		{1.96, 1e6, 2.8, 0.20045428205517964, 0.79954571794482036},
		{-3, 2, 1, 0.0076287522335829672, 0.99237124776641703},
		{12.7, 1, 3, 0.81380321800760411, 0.18619678199239589},
		{5, 0.5, 1, 0.68768802155026245, 0.31231197844973755},
		{40, 3, 35, 0.51322599958229314, 0.48677400041770686},
		{0.1, 10, 5, 4.7611461488933744e-7, 0.99999952388538511},
		{-1, 20, 6, 2.4639457771579146e-12, 0.99999999999753605},
	} {
		near(t, "NoncentralTCDF", NoncentralTCDF(c.t, c.df, c.delta), c.cdf, 2e-12)
		near(t, "NoncentralTSurvival", NoncentralTSurvival(c.t, c.df, c.delta), c.survival, 2e-12)
	}
	near(t, "central", NoncentralTCDF(1.3, 5, 0), TCDF(1.3, 5), 0)
	near(t, "continuous at delta 0", NoncentralTCDF(1.3, 5, 1e-12), TCDF(1.3, 5), 1e-11)
	near(t, "normal", NoncentralTCDF(1.3, math.Inf(1), 0.5), NormalCDF(0.8), 1e-15)
	if NoncentralTCDF(math.Inf(-1), 3, 1) != 0 || NoncentralTCDF(math.Inf(1), 3, 1) != 1 {
		t.Error("noncentral t at ±Inf is not 0 and 1")
	}
	for _, v := range []float64{NoncentralTCDF(1, 0, 1), NoncentralTCDF(math.NaN(), 1, 1), NoncentralTCDF(1, 1, math.Inf(1))} {
		if !math.IsNaN(v) {
			t.Errorf("outside the domain: %v, want NaN", v)
		}
	}
}

func BenchmarkTQuantile(b *testing.B) {
	for b.Loop() {
		TQuantile(0.975, 7.3)
	}
}

func BenchmarkNoncentralTCDF(b *testing.B) {
	for b.Loop() {
		NoncentralTCDF(2.3, 8, 3)
	}
}
