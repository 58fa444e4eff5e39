package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// PostStratum is what a sample knows of one stratum, and the share the stratum
// has in the target.
type PostStratum struct {
	N        int
	Mean     float64
	Variance float64 // sample variance, n − 1
	Share    float64 // of the target; any non-negative weight, normalised
}

// ShareStratum is the stratum of n units of which a share has a property: the
// mean and the sample variance of ones and zeros. The variance is 0 for a single
// unit.
func ShareStratum(n int, share, target float64) PostStratum {
	s := PostStratum{N: n, Mean: share, Share: target}
	if n > 1 {
		s.Variance = share * (1 - share) * float64(n) / float64(n-1)
	}
	return s
}

// PostStratified is a mean moved to a target mix.
type PostStratified struct {
	stats.Estimate
	// DesignEffect is Kish's: the factor by which unequal weights alone raise
	// the variance.
	DesignEffect float64
}

// PostStratify estimates the mean at the target mix, Σ share × mean, with the
// standard error that takes the target shares and the sizes of the strata as
// fixed, √Σ share²·variance/n, and Satterthwaite's degrees of freedom. Strata
// of share 0 are ignored.
//
// It returns stats.ErrTooFew for a stratum of the target with fewer than two
// units: collapse it with a neighbour declared in advance, or drop it on both
// sides and report the share. It returns stats.ErrDomain for a share, mean or
// variance that is not finite or negative, or a level outside (0, 1). Source:
// Holt and Smith 1979, JRSS A 142:33.
func PostStratify(strata []PostStratum, level float64) (PostStratified, error) {
	if err := stats.CheckLevel(level); err != nil {
		return PostStratified{}, fmt.Errorf("post-stratification: %w", err)
	}
	share := make([]float64, len(strata))
	for h, s := range strata {
		share[h] = s.Share
	}
	share, err := normalize("the target", share)
	if err != nil {
		return PostStratified{}, fmt.Errorf("post-stratification: %w", err)
	}
	var p PostStratified
	var variance, squares, kish float64
	for h, s := range strata {
		if s.N > 0 {
			p.N += s.N
		}
		w := share[h]
		if w == 0 {
			continue
		}
		if s.N < 2 {
			return PostStratified{}, fmt.Errorf("post-stratification: %d units in stratum %d, want 2 or more: %w", s.N, h, stats.ErrTooFew)
		}
		if !finite(s.Mean) || !(s.Variance >= 0) || math.IsInf(s.Variance, 1) {
			return PostStratified{}, fmt.Errorf("post-stratification: mean %v and variance %v of stratum %d: %w", s.Mean, s.Variance, h, stats.ErrDomain)
		}
		n := float64(s.N)
		term := w * w * s.Variance / n
		p.Value += w * s.Mean
		variance += term
		squares += term * term / (n - 1)
		kish += w * w / n
	}
	p.DesignEffect = float64(p.N) * kish
	se := stats.StandardError{SE: math.Sqrt(variance), DF: math.Inf(1)}
	if squares > 0 {
		se.DF = variance * variance / squares
	}
	n := p.N
	if p.Estimate, err = se.Estimate(p.Value, level); err != nil {
		return PostStratified{}, fmt.Errorf("post-stratification: %w", err)
	}
	p.N, p.Method = n, MethodPostStratified
	return p, nil
}
