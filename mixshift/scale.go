package mixshift

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Scale is the scale on which the parts of a change add up.
type Scale int8

// The scales.
const (
	// Difference measures changes in the unit of the statistic.
	Difference Scale = iota
	// LogRatio measures changes as logarithms of ratios; e to the parts
	// multiply to the ratio. Statistics must be positive.
	LogRatio
	// Relative measures changes as fractions of the statistic of x, which must
	// be positive: 0.1 is an increase by a tenth.
	Relative
)

// String returns "difference", "log-ratio" or "relative".
func (s Scale) String() string {
	switch s {
	case Difference:
		return "difference"
	case LogRatio:
		return "log-ratio"
	case Relative:
		return "relative"
	}
	return fmt.Sprintf("Scale(%d)", int8(s))
}

// values holds a statistic of the two sides as they are, on the common support,
// and of y at the mix of x.
type values struct {
	x, xCommon, y, yCommon, yLike float64
	// mixes is that of y by set of factors taken from y, nil without factors,
	// and mixesN the least effective number of units behind them.
	mixes  []float64
	mixesN float64
}

// parts are those of a change; total is rate + mix, and mix is the sum of
// factors, where there are any, + offSupport.
type parts struct {
	total, rate, mix, offSupport float64
	factors                      []float64
}

// on splits the change on a scale.
func (v values) on(s Scale) (parts, error) {
	unit := 1.0
	switch s {
	case Difference:
	case LogRatio:
		for _, p := range []*float64{&v.x, &v.xCommon, &v.y, &v.yCommon, &v.yLike} {
			if !(*p > 0) {
				return parts{}, fmt.Errorf("statistic %v, want a number above 0 for a ratio: %w", *p, stats.ErrDomain)
			}
			*p = math.Log(*p)
		}
		v.mixes = slices.Clone(v.mixes)
		for i := range v.mixes {
			if !(v.mixes[i] > 0) {
				return parts{}, fmt.Errorf("statistic %v, want a number above 0 for a ratio: %w", v.mixes[i], stats.ErrDomain)
			}
			v.mixes[i] = math.Log(v.mixes[i])
		}
	case Relative:
		if !(v.x > 0) {
			return parts{}, fmt.Errorf("statistic %v of x, want a number above 0 for a relative change: %w", v.x, stats.ErrDomain)
		}
		unit = v.x
	default:
		return parts{}, fmt.Errorf("%v: want difference, log-ratio or relative: %w", s, stats.ErrDomain)
	}
	p := parts{
		rate:       (v.yLike - v.xCommon) / unit,
		mix:        ((v.y - v.yLike) + (v.xCommon - v.x)) / unit,
		offSupport: ((v.y - v.yCommon) + (v.xCommon - v.x)) / unit,
	}
	if v.mixes != nil {
		p.factors = effects(v.mixes)
		p.offSupport = ((v.y - v.mixes[len(v.mixes)-1]) + (v.mixes[0] - v.yLike) + (v.xCommon - v.x)) / unit
		p.mix = 0
		for i := range p.factors {
			p.factors[i] /= unit
			p.mix += p.factors[i]
		}
		p.mix += p.offSupport
	}
	p.total = p.rate + p.mix
	if !finite(p.total) || !finite(p.offSupport) {
		return parts{}, fmt.Errorf("the parts overflow: %w", stats.ErrDomain)
	}
	return p, nil
}
