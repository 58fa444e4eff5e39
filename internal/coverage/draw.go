package main

import (
	"math"
	"math/rand/v2"
)

// The processes of the study. Times are in milliseconds.

// lognormal is C1: log X ~ N(4, .5²).
func lognormal(rng *rand.Rand, x []float64) {
	for i := range x {
		x[i] = math.Exp(4 + 0.5*rng.NormFloat64())
	}
}

// lognormalQuantile is that of lognormal.
func lognormalQuantile(z float64) float64 { return math.Exp(4 + 0.5*z) }

// pareto is C2: 20·U^(−1/a).
func pareto(a float64) func(rng *rand.Rand, x []float64) {
	return func(rng *rand.Rand, x []float64) {
		for i := range x {
			x[i] = 20 * math.Pow(1-rng.Float64(), -1/a)
		}
	}
}

// cacheHits is C3: a share w of LN(3, .3) and the rest LN(5, .4).
func cacheHits(w float64) func(rng *rand.Rand, x []float64) {
	return func(rng *rand.Rand, x []float64) {
		for i := range x {
			if rng.Float64() < w {
				x[i] = math.Exp(3 + 0.3*rng.NormFloat64())
			} else {
				x[i] = math.Exp(5 + 0.4*rng.NormFloat64())
			}
		}
	}
}

// autoregressive is C4: exp(4 + .5·Z) with an AR(1) series Z of unit variance.
func autoregressive(phi float64) func(rng *rand.Rand, x []float64) {
	return func(rng *rand.Rand, x []float64) {
		z, step := rng.NormFloat64(), math.Sqrt(1-phi*phi)
		for i := range x {
			x[i] = math.Exp(4 + 0.5*z)
			z = phi*z + step*rng.NormFloat64()
		}
	}
}

// Of the queue of C5.
const (
	serviceMean = 50.0
	load        = 0.8
)

// queue is C5: the time in an M/M/1 queue by Lindley's recursion, started in its
// stationary state; exponential with mean 250 ms.
func queue(rng *rand.Rand, x []float64) {
	wait := 0.0
	if rng.Float64() < load {
		wait = rng.ExpFloat64() * serviceMean / (1 - load)
	}
	for i := range x {
		service := rng.ExpFloat64() * serviceMean
		x[i] = wait + service
		wait = math.Max(0, x[i]-rng.ExpFloat64()*serviceMean/load)
	}
}

// rounded is C9: LN(3, .2) shifted and rounded to whole milliseconds.
func rounded(shift float64) func(rng *rand.Rand, x []float64) {
	return func(rng *rand.Rand, x []float64) {
		for i := range x {
			x[i] = math.Round(math.Exp(3+0.2*rng.NormFloat64()) + shift)
		}
	}
}

// drawRun draws one run of C6: log X = 4 + effect + .5·Z.
func drawRun(rng *rand.Rand, effect float64, x []float64) {
	lognormal(rng, x)
	f := math.Exp(effect)
	for i := range x {
		x[i] *= f
	}
}

// gamma draws from the gamma distribution of whole shape k and mean 1.
func gamma(rng *rand.Rand, k int) float64 {
	var s float64
	for range k {
		s += rng.ExpFloat64()
	}
	return s / float64(k)
}

// poisson draws a count with a small mean by Knuth's product of uniforms.
func poisson(rng *rand.Rand, mean float64) int64 {
	k, p, bound := int64(-1), 1.0, math.Exp(-mean)
	for p > bound {
		p *= rng.Float64()
		k++
	}
	return k
}

// beta draws from Beta(a, b) by Jöhnk's method for a + b ≤ 2 and from order
// statistics of uniforms for whole a and b.
func beta(rng *rand.Rand, a, b float64) float64 {
	if a+b <= 2 {
		for {
			u, v := math.Pow(rng.Float64(), 1/a), math.Pow(rng.Float64(), 1/b)
			if u+v <= 1 && u+v > 0 {
				return u / (u + v)
			}
		}
	}
	var up, down float64
	for range int(a) {
		up += rng.ExpFloat64()
	}
	for range int(b) {
		down += rng.ExpFloat64()
	}
	return up / (up + down)
}

// t4 draws from Student's t with 4 degrees of freedom, scaled to unit variance.
func t4(rng *rand.Rand) float64 {
	v := (rng.ExpFloat64() + rng.ExpFloat64()) / 2 // χ²_4 / 4
	return rng.NormFloat64() / math.Sqrt(v) / math.Sqrt2
}
