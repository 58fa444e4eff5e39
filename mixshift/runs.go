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
// together with its jackknife replicates.
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
	dropX      []values // without each group of runs of x; empty for one run or pairs
	dropY      []values
	runsX      int
	runsY      int
	pairedRuns bool
}

// SplitRuns evaluates a statistic of x, of y, and of y reweighted to the mix of
// x, with all runs and with each run left out, or each group of runs where there
// are more than [MostGroups]. The target mix is the average of the mixes of the
// runs of x, and moves with the run that is left out. Inside a stratum the runs
// of y keep the weights they have in y as it is, so that a side compared with
// itself shows no change at all.
//
// If pairedRuns is set, run i of x and run i of y belong together (a block)
// and are left out together.
//
// A stratum is common if at least two runs of either side have units in it (one,
// where a side has a single run), of different groups: fewer cannot say how much
// it varies.
//
// It returns stats.ErrTooFew for a side without runs, stats.ErrMismatch for
// runs that differ in their number of strata, or in their number if paired,
// stats.ErrDomain for a count that is negative or not finite, a run without
// units or a statistic that is not finite, stats.ErrImpossible if no stratum is
// common, and any error of Statistic. Cost: up to five evaluations of Statistic
// for the whole and two or three for each group, four or five for each of pairs.
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
	e := evaluator{x, y, sx, sy, s.Support, factors, nil}
	if s.whole, s.WeightX, s.WeightYLike, err = e.evaluate(without{}); err != nil {
		return fail(err)
	}
	s.X, s.XCommon, s.Y, s.YCommon, s.YLike = s.whole.x, s.whole.xCommon, s.whole.y, s.whole.yCommon, s.whole.yLike
	s.EffectiveN = effectiveN(s.WeightYLike, y.Count)
	s.FactorN = s.whole.mixesN
	if s.runsX < 2 || s.runsY < 2 {
		return s, nil
	}
	e.whole = &s.whole
	for g := range min(s.runsY, MostGroups) {
		left := without{y: dealt{g, true}, x: dealt{g, pairedRuns}}
		v, _, _, err := e.evaluate(left)
		if err != nil {
			return fail(fmt.Errorf("without group %d of y: %w", g, err))
		}
		s.dropY = append(s.dropY, v)
	}
	if pairedRuns {
		return s, nil
	}
	for g := range min(s.runsX, MostGroups) {
		v, _, _, err := e.evaluate(without{x: dealt{g, true}})
		if err != nil {
			return fail(fmt.Errorf("without group %d of x: %w", g, err))
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
