package mixshift

import (
	"fmt"
	"math"

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
	e := evaluator{x, y, sx, sy, s.Support}
	if s.whole, s.WeightX, s.WeightYLike, err = e.evaluate(-1, -1); err != nil {
		return fail(err)
	}
	s.X, s.XCommon, s.Y, s.YCommon, s.YLike = s.whole.x, s.whole.xCommon, s.whole.y, s.whole.yCommon, s.whole.yLike
	s.EffectiveN = effectiveN(s.WeightYLike, y.Count)
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

// runOverlap compares the strata of two sides.
func runOverlap(countX, countY, sx, sy [][]float64) Overlap {
	o := Overlap{Cells: make([]CellOverlap, len(sx[0]))}
	o.Common = make([]bool, len(o.Cells))
	mx, my := averageShares(sx, -1), averageShares(sy, -1)
	for h := range o.Cells {
		o.Common[h] = runsWith(sx, h) >= min(2, len(sx)) && runsWith(sy, h) >= min(2, len(sy))
		o.Cells[h] = CellOverlap{columnSum(countX, h), columnSum(countY, h), mx[h], my[h]}
		if o.Common[h] {
			o.N += o.Cells[h].Y
		}
	}
	o.Support = o.lost(mx, my)
	return o
}

// averageShares is the mean mix of the runs, one of which may be left out.
func averageShares(shares [][]float64, without int) []float64 {
	n := float64(len(shares))
	if without >= 0 {
		n--
	}
	mean := make([]float64, len(shares[0]))
	for r, share := range shares {
		if r == without {
			continue
		}
		for h, v := range share {
			mean[h] += v / n
		}
	}
	return mean
}

func runsWith(shares [][]float64, h int) int {
	n := 0
	for _, share := range shares {
		if share[h] > 0 {
			n++
		}
	}
	return n
}

func columnSum(m [][]float64, h int) float64 {
	sum := 0.0
	for _, row := range m {
		sum += row[h]
	}
	return sum
}

// effectiveN is Kish's number of units when those of a run and stratum share
// its weight equally.
func effectiveN(weight, count [][]float64) float64 {
	sum, squares := 0.0, 0.0
	for r := range weight {
		for h, w := range weight[r] {
			if w > 0 {
				sum += w
				squares += w * w / count[r][h]
			}
		}
	}
	return sum * sum / squares
}

// evaluator computes the statistic under different weights and with runs left
// out.
type evaluator struct {
	x, y    Runs
	sx, sy  [][]float64
	support Support
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
	return v, weightX, weightYLike, nil
}

// spread gives stratum h the weight target[h] in all, divided over the runs in
// proportion to their shares.
func spread(shares [][]float64, without int, target []float64) [][]float64 {
	weight := make([][]float64, len(shares))
	for r := range shares {
		weight[r] = make([]float64, len(target))
	}
	for h, t := range target {
		if t == 0 {
			continue
		}
		sum := 0.0
		for r, share := range shares {
			if r != without {
				sum += share[h]
			}
		}
		for r, share := range shares {
			if r != without && share[h] > 0 {
				weight[r][h] = t * (share[h] / sum)
			}
		}
	}
	return weight
}

// Parts is the split of a change of a statistic of runs. The values of Rate and
// Mix add up to that of Total, to the last bit.
type Parts struct {
	Total stats.Estimate
	Rate  stats.Estimate // like for like, on the strata both sides have
	Mix   stats.Estimate // the rest: shifted weights, and strata of one side
	// OffSupport is the part of Mix from strata that only one side has.
	OffSupport stats.Estimate
	Scale      Scale
}

// Parts splits the change on a scale. Standard errors are delete-one-run
// jackknives of each part, intervals Student's t with Welch–Satterthwaite
// degrees of freedom over both sides (K − 1 for K pairs). N counts runs, pairs
// counting once.
//
// Special cases are: with one run on a side there is no standard error: it is
// NaN, the interval is unbounded, and the warning one_run is set. Runs that do
// not vary give an interval without width and the warning no_variance.
//
// It returns stats.ErrDomain for a level outside (0, 1), an unknown scale, or a
// statistic that is not positive where the scale needs it. Source: Quenouille
// 1956, Biometrika 43:353; Tukey 1958.
func (s RunSplit) Parts(scale Scale, level float64) (Parts, error) {
	fail := func(err error) (Parts, error) { return Parts{}, fmt.Errorf("split of runs: %w", err) }
	if err := stats.CheckLevel(level); err != nil {
		return fail(err)
	}
	whole, err := s.whole.on(scale)
	if err != nil {
		return fail(err)
	}
	dropX, err := onScale(s.dropX, scale)
	if err != nil {
		return fail(err)
	}
	dropY, err := onScale(s.dropY, scale)
	if err != nil {
		return fail(err)
	}
	p := Parts{Scale: scale}
	for _, part := range []struct {
		into *stats.Estimate
		of   func(parts) float64
		name string
	}{
		{&p.Total, func(v parts) float64 { return v.total }, "RunSplitTotal"},
		{&p.Rate, func(v parts) float64 { return v.rate }, "RunSplitRate"},
		{&p.Mix, func(v parts) float64 { return v.mix }, "RunSplitMix"},
		{&p.OffSupport, func(v parts) float64 { return v.offSupport }, "RunSplitOffSupport"},
	} {
		if *part.into, err = s.estimate(part.of(whole), pick(dropX, part.of), pick(dropY, part.of), level); err != nil {
			return fail(err)
		}
		part.into.Method = part.name
	}
	return p, nil
}

// estimate attaches the jackknife interval to a value.
func (s RunSplit) estimate(value float64, dropX, dropY []float64, level float64) (stats.Estimate, error) {
	n := s.runsX + s.runsY
	if s.pairedRuns {
		n = s.runsX
	}
	if len(dropY) < 2 {
		return stats.Estimate{
			Value:    value,
			SE:       math.NaN(),
			Interval: stats.Unbounded(level),
			N:        n,
			Warnings: []stats.Warning{{Code: "one_run", Text: "a side has one run: how runs vary is unknown, and there is no interval"}},
		}, nil
	}
	seX, dfX := 0.0, math.Inf(1)
	if !s.pairedRuns {
		var err error
		if _, seX, err = stats.Jackknife(dropX); err != nil {
			return stats.Estimate{}, err
		}
		dfX = float64(len(dropX) - 1)
	}
	_, seY, err := stats.Jackknife(dropY)
	if err != nil {
		return stats.Estimate{}, err
	}
	e, err := stats.TwoSample(0, seX, dfX, value, seY, float64(len(dropY)-1), level)
	if err != nil {
		return stats.Estimate{}, err
	}
	e.N = n
	return e, nil
}

func onScale(drop []values, scale Scale) ([]parts, error) {
	out := make([]parts, len(drop))
	for i, v := range drop {
		var err error
		if out[i], err = v.on(scale); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func pick(p []parts, of func(parts) float64) []float64 {
	out := make([]float64, len(p))
	for i, v := range p {
		out[i] = of(v)
	}
	return out
}
