package mixshift

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Runs is one side of a comparison of runs whose requests fall into strata.
type Runs struct {
	// Count holds the number of units by run and stratum. Inside a run only
	// the proportions matter: a run has one vote, however long it was.
	Count [][]float64
	// Statistic returns the statistic of the runs merged with the given
	// weights: weight[run][stratum] is the share that these units have in the
	// merged distribution, and all of them sum to 1. A percentile of the
	// merged distribution and a weighted mean are examples. It must not keep
	// or change its argument.
	Statistic func(weight [][]float64) (float64, error)
}

// RunSplit holds a statistic of two sides as they are and like for like,
// together with its delete-one-run replicates.
type RunSplit struct {
	Overlap
	X, Y             float64 // as they are
	XCommon, YCommon float64 // on the strata both sides have
	YLike            float64 // y at the mix of x, on the strata both sides have

	// The weights behind XCommon and YLike, by run and stratum; Σ over runs
	// of either is the target mix.
	WeightX, WeightYLike [][]float64

	// FactorN is the least effective number of units of y under the mixes of
	// factors; 0 without factors.
	FactorN float64

	whole      values
	dropX      []values // without each run of x; empty for one run or pairs
	dropY      []values
	runsX      int
	runsY      int
	pairedRuns bool
}

// SplitRuns evaluates a statistic of x, of y, and of y reweighted to the mix of
// x, with all runs and with each run left out. The target mix is the average of
// the mixes of the runs of x, and moves with the run that is left out. Inside a
// stratum the runs of y keep the weights they have in y as it is, so that a
// side compared with itself shows no change at all.
//
// If pairedRuns is set, run i of x and run i of y belong together (a block)
// and are left out together.
//
// A stratum is common if at least two runs of either side have units in it (one,
// where a side has a single run): fewer cannot say how much it varies.
//
// It returns stats.ErrTooFew for a side without runs, stats.ErrMismatch for
// runs that differ in their number of strata, or in their number if paired,
// stats.ErrDomain for a count that is negative or not finite, a run without
// units or a statistic that is not finite, stats.ErrImpossible if no stratum is
// common, and any error of Statistic. Cost: up to five evaluations of Statistic
// for the whole and three to five for each run.
func SplitRuns(x, y Runs, pairedRuns bool) (RunSplit, error) {
	return splitRuns(x, y, pairedRuns, nil)
}

func splitRuns(x, y Runs, pairedRuns bool, factors *factoring) (RunSplit, error) {
	fail := func(err error) (RunSplit, error) { return RunSplit{}, fmt.Errorf("split of runs: %w", err) }
	sx, err := runShares("x", x)
	if err != nil {
		return fail(err)
	}
	sy, err := runShares("y", y)
	if err != nil {
		return fail(err)
	}
	if len(sx[0]) != len(sy[0]) {
		return fail(fmt.Errorf("%d strata of x and %d of y: %w", len(sx[0]), len(sy[0]), stats.ErrMismatch))
	}
	if pairedRuns && len(sx) != len(sy) {
		return fail(fmt.Errorf("%d runs of x and %d of y, in pairs: %w", len(sx), len(sy), stats.ErrMismatch))
	}
	s := RunSplit{runsX: len(sx), runsY: len(sy), pairedRuns: pairedRuns}
	s.Overlap = runOverlap(x.Count, y.Count, sx, sy)
	e := evaluator{x, y, sx, sy, s.Support, factors}
	if s.whole, s.WeightX, s.WeightYLike, err = e.evaluate(-1, -1); err != nil {
		return fail(err)
	}
	s.X, s.XCommon, s.Y, s.YCommon, s.YLike = s.whole.x, s.whole.xCommon, s.whole.y, s.whole.yCommon, s.whole.yLike
	s.EffectiveN = effectiveN(s.WeightYLike, y.Count)
	s.FactorN = s.whole.mixesN
	if s.runsX < 2 || s.runsY < 2 {
		return s, nil
	}
	for r := range sy {
		without := -1
		if pairedRuns {
			without = r
		}
		v, _, _, err := e.evaluate(without, r)
		if err != nil {
			return fail(fmt.Errorf("without run %d of y: %w", r, err))
		}
		s.dropY = append(s.dropY, v)
	}
	if pairedRuns {
		return s, nil
	}
	for r := range sx {
		v, _, _, err := e.evaluate(r, -1)
		if err != nil {
			return fail(fmt.Errorf("without run %d of x: %w", r, err))
		}
		s.dropX = append(s.dropX, v)
	}
	return s, nil
}

// runShares checks one side and returns the mix of each run.
func runShares(name string, side Runs) ([][]float64, error) {
	if len(side.Count) == 0 {
		return nil, fmt.Errorf("0 runs of %s, want 1 or more: %w", name, stats.ErrTooFew)
	}
	if side.Statistic == nil {
		return nil, fmt.Errorf("no statistic for %s: %w", name, stats.ErrDomain)
	}
	shares := make([][]float64, len(side.Count))
	for r, counts := range side.Count {
		if len(counts) != len(side.Count[0]) {
			return nil, fmt.Errorf("%d strata in run %d of %s, want %d: %w", len(counts), r, name, len(side.Count[0]), stats.ErrMismatch)
		}
		var err error
		if shares[r], err = normalize(fmt.Sprintf("run %d of %s", r, name), counts); err != nil {
			return nil, err
		}
	}
	return shares, nil
}

// evaluator computes the statistic under different weights and with runs left
// out.
type evaluator struct {
	x, y    Runs
	sx, sy  [][]float64
	support Support
	factors *factoring // nil without
}

// evaluate leaves out run withoutX of x and withoutY of y; −1 leaves out none.
func (e evaluator) evaluate(withoutX, withoutY int) (v values, weightX, weightYLike [][]float64, err error) {
	plainX := spread(e.sx, withoutX, averageShares(e.sx, withoutX))
	plainY := spread(e.sy, withoutY, averageShares(e.sy, withoutY))
	target, err := e.support.restrict(averageShares(e.sx, withoutX))
	if err != nil {
		return v, nil, nil, err
	}
	own, err := e.support.restrict(averageShares(e.sy, withoutY))
	if err != nil {
		return v, nil, nil, err
	}
	weightX, weightYLike = spread(e.sx, withoutX, target), spread(e.sy, withoutY, target)
	whole := e.support.OnlyX == 0 && e.support.OnlyY == 0
	for _, job := range []struct {
		into   *float64
		side   Runs
		weight [][]float64
		same   *float64 // value to reuse where every stratum is common
	}{
		{&v.x, e.x, plainX, nil},
		{&v.xCommon, e.x, weightX, &v.x},
		{&v.y, e.y, plainY, nil},
		{&v.yCommon, e.y, spread(e.sy, withoutY, own), &v.y},
		{&v.yLike, e.y, weightYLike, nil},
	} {
		if whole && job.same != nil {
			*job.into = *job.same
			continue
		}
		if *job.into, err = job.side.Statistic(job.weight); err != nil {
			return v, nil, nil, err
		}
		if !finite(*job.into) {
			return v, nil, nil, fmt.Errorf("statistic %v, want a finite number: %w", *job.into, stats.ErrDomain)
		}
	}
	if v.mixes, v.mixesN, err = e.ofMixes(withoutX, withoutY, v, averageShares(e.sx, withoutX), averageShares(e.sy, withoutY)); err != nil {
		return v, nil, nil, err
	}
	return v, weightX, weightYLike, nil
}
