package mixshift

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// evaluator computes the statistic under different weights and with runs left
// out.
type evaluator struct {
	x, y    Runs
	sx, sy  [][]float64
	support Support
	factors *factoring // nil without
	whole   *values    // with all runs, once they are known
}

// evaluate leaves out runs.
func (e evaluator) evaluate(left without) (v values, weightX, weightYLike [][]float64, err error) {
	mixX, mixY := averageShares(e.sx, left.x), averageShares(e.sy, left.y)
	target, err := e.support.restrict(mixX)
	if err != nil {
		return v, nil, nil, err
	}
	own, err := e.support.restrict(mixY)
	if err != nil {
		return v, nil, nil, err
	}
	weightX, weightYLike = spread(e.sx, left.x, target), spread(e.sy, left.y, target)
	common := e.support.OnlyX == 0 && e.support.OnlyY == 0
	keepX, keepY := e.whole != nil && !left.x.any, e.whole != nil && !left.y.any
	if keepX {
		v.x, v.xCommon = e.whole.x, e.whole.xCommon
	}
	if keepY {
		v.y, v.yCommon = e.whole.y, e.whole.yCommon
	}
	for _, job := range []struct {
		into   *float64
		side   Runs
		known  bool
		weight func() [][]float64
		same   *float64 // value to reuse where every stratum is common
	}{
		{&v.x, e.x, keepX, func() [][]float64 { return spread(e.sx, left.x, mixX) }, nil},
		{&v.xCommon, e.x, keepX, func() [][]float64 { return weightX }, &v.x},
		{&v.y, e.y, keepY, func() [][]float64 { return spread(e.sy, left.y, mixY) }, nil},
		{&v.yCommon, e.y, keepY, func() [][]float64 { return spread(e.sy, left.y, own) }, &v.y},
		{&v.yLike, e.y, false, func() [][]float64 { return weightYLike }, nil},
	} {
		switch {
		case job.known:
			continue
		case common && job.same != nil:
			*job.into = *job.same
			continue
		}
		if *job.into, err = job.side.Statistic(job.weight()); err != nil {
			return v, nil, nil, err
		}
		if !finite(*job.into) {
			return v, nil, nil, fmt.Errorf("statistic %v, want a finite number: %w", *job.into, stats.ErrDomain)
		}
	}
	if v.mixes, v.mixesN, err = e.ofMixes(left, v, mixX, mixY); err != nil {
		return v, nil, nil, err
	}
	return v, weightX, weightYLike, nil
}
