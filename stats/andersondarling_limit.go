package stats

import "math"

// adSurvival is P(Q > x) for Q = Σ_j χ²_m(j)/(j(j+1)), the limit of the k-sample
// Anderson–Darling statistic with m = k − 1.
//
// Imhof's (1961) inversion: ½ + (1/π)∫ sin θ(u)/(u ρ(u)) du, with θ(u) =
// ½ Σ m·atan(λ_j u) − ½ x u and ρ(u) = Π (1 + λ_j² u²)^{m/4}. The sums over j
// beyond the first few hundred are replaced by their expansions, and the integral
// stops where 1/(u ρ) is negligible.
func adSurvival(x float64, m int) float64 {
	if x <= 0 {
		return 1
	}
	const terms = 400
	var lambda [terms]float64
	for j := range lambda {
		lambda[j] = 1 / (float64(j+1) * float64(j+2))
	}
	// Σ_{j>terms} λ_j telescopes; Σ λ_j² and Σ λ_j³ by the integral from the
	// half-way point.
	rest1 := 1.0 / (terms + 1)
	rest2 := 1 / (3 * math.Pow(terms+1, 3))
	half := float64(m) / 2
	at := func(u float64) (angle, logRho float64) {
		for _, l := range lambda {
			v := l * u
			angle += math.Atan(v)
			logRho += math.Log1p(v * v)
		}
		angle = half*(angle+rest1*u) - x*u/2
		logRho = half / 2 * (logRho + rest2*u*u)
		return angle, logRho
	}
	// Find where the envelope 1/ρ is negligible, and cut the range so that the
	// phase turns by less than half a turn on a panel.
	end := 1.0
	for {
		if _, logRho := at(end); logRho > 30 || end > 1e5 {
			break
		}
		end *= 1.5
	}
	panels := int(math.Ceil(end*(x+float64(m))/(2*math.Pi))) + 30
	panels = min(panels, 20_000)
	integral := gaussLegendre(func(u float64) float64 {
		angle, logRho := at(u)
		return math.Sin(angle) / u * math.Exp(-logRho)
	}, 0, end, panels)
	return math.Min(1, math.Max(0, 0.5+integral/math.Pi))
}
