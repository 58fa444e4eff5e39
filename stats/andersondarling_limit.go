package stats

import (
	"math"
	"math/cmplx"
)

// adSurvival is P(Q > x) for Q = Σ_j χ²_m(j)/(j(j+1)), the limit of the k-sample
// Anderson–Darling statistic with m = k − 1, to an absolute error of about 1e-12.
//
// Imhof's (1961) inversion: ½ + (1/π)∫ sin θ(u)/(u ρ(u)) du, with θ(u) =
// (m/2) Σ atan(λ_j u) − x u/2 and ρ(u) = Π (1 + λ_j² u²)^{m/4}, λ_j = 1/(j(j+1)).
// Both sums come from the product Π (1 − iuλ_j), which has a closed form.
func adSurvival(x float64, m int) float64 {
	if x <= 0 {
		return 1
	}
	half := float64(m) / 2
	const negligible = 28 // of −log of the integrand
	end := 1.0
	for real(adLogProduct(end))*half+math.Log(end) < negligible {
		end *= 1.3
	}
	// The phase turns at most at rate (x+m)/2; two turns a panel are integrated to
	// full precision.
	panels := 10 + int(math.Ceil(end*(x+float64(m))/(8*math.Pi)))
	const most = 200_000 // x beyond any sample's statistic: the tail is 0 by then
	if panels > most {
		return 0
	}
	integral := gaussLegendre(func(u float64) float64 {
		p := adLogProduct(u)
		return math.Sin(-half*imag(p)-x*u/2) / u * math.Exp(-half*real(p))
	}, 0, end, panels)
	return math.Min(1, math.Max(0, 0.5+integral/math.Pi))
}

// adLogProduct returns the logarithm, continuous in u > 0 from 0, of Π_j (1 −
// iu/(j(j+1))) = i·cos(πa)/(πu) with a = √(¼ + iu). The cosine is written by its
// larger exponential, so that nothing overflows and no turn of the phase is lost.
func adLogProduct(u float64) complex128 {
	z := math.Pi * cmplx.Sqrt(complex(0.25, u))
	logCos := -1i*z - complex(math.Ln2, 0) + cmplx.Log(1+cmplx.Exp(2i*z))
	return complex(0, math.Pi/2) + logCos - complex(math.Log(math.Pi*u), 0)
}
