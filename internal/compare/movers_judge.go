package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// moverTest is the test of one estimand in one slice against the rest.
type moverTest struct {
	facet    *moverFacet
	key      metric.Key
	kin      *kin // of a pair of columns
	item     int
	estimand metric.Estimand
	relative bool // distances are log ratios
	ranked   bool // distances are shares, and so can be held against others

	sides [2]distance
	// change is the change of the distance from side to side where runs are paired.
	change   *distance
	gap      Contrast // the change of the slice beyond that of the rest
	own      float64  // the change of the slice, on the scale of the gap
	p        float64
	adjusted float64
}

// moverTest prepares the test whether an estimand changed otherwise in a slice
// than in the rest. ok is false where there are too few values to tell.
func (c *comparer) moverTest(in, rest pair, item int, e metric.Estimand) (moverTest, bool, error) {
	return c.contrastTest(item, e, signed{in, 1}, signed{rest, -1})
}

// signed is requests of both sides with their sign in a distance.
type signed struct {
	of   pair
	sign float64
}

// contrastTest prepares the test whether the distance of some portions of the
// requests changed. The first of them gives the test its own change.
func (c *comparer) contrastTest(item int, e metric.Estimand, parts ...signed) (t moverTest, ok bool, err error) {
	var gaps [2]gap
	for s, portions := range c.portions(item, parts) {
		if gaps[s], ok, err = c.gap(portions, item, e); !ok || err != nil {
			return t, false, err
		}
	}
	t = moverTest{item: item, estimand: e, relative: gaps[0].positive() && gaps[1].positive()}
	t.ranked = t.relative || gaps[0].share
	x, y := gaps[0].portions[0].arm.value, gaps[1].portions[0].arm.value
	t.own = y - x
	if t.relative {
		t.own = math.Log(y / x)
	}
	for s := range gaps {
		t.sides[s] = gaps[s].on(t.relative)
	}
	if c.pairs != nil {
		t.change = changeOf(&t.sides[0], &t.sides[1])
	}
	return t, true, nil
}

// judge fills in the change of the gap and its p-value; ok is false where nothing
// says how far it varies.
func (c *comparer) judge(t *moverTest) (ok bool) {
	for _, d := range t.distances() {
		d.spread = c.search.spreads[t.group()]
	}
	noise := c.noise(c.plan.Items[t.item].Metric, t.estimand)
	est, err := t.estimate(c.search.prior, noise, c.opt.Level)
	if err != nil || !(est.SE > 0) {
		return false
	}
	t.gap = fromEstimate(est)
	t.p = stats.WelchTest(est, 0, stats.TwoSided).P
	t.openTimeouts()
	return true
}

// distances are those whose spread from unit to unit tells how sure the gap is.
func (t *moverTest) distances() []*distance {
	if t.change != nil {
		return []*distance{t.change}
	}
	return []*distance{&t.sides[0], &t.sides[1]}
}

// estimate is the change of the distance from one side to the other.
func (t *moverTest) estimate(prior stats.VariancePrior, noise, level float64) (stats.Estimate, error) {
	if t.change != nil {
		return t.change.moderated(prior).Estimate(t.change.value, level)
	}
	return gapChange(&t.sides[0], &t.sides[1], prior, noise, level)
}

// openTimeouts takes the limits of a gap that requests that timed out make
// unknown. On a side without a limit no gap is shown.
func (t *moverTest) openTimeouts() {
	a, b := &t.sides[0], &t.sides[1]
	if b.openHi || a.openLo {
		t.gap.Hi, t.gap.SEHi = math.Inf(1), math.Inf(1)
		if t.gap.Value < 0 {
			t.p = 1
		}
	}
	if b.openLo || a.openHi {
		t.gap.Lo, t.gap.SELo = math.Inf(-1), math.Inf(1)
		if t.gap.Value > 0 {
			t.p = 1
		}
	}
}

// judgeKin holds a pair's slice against its kin. It counts only as far as it moved
// otherwise than the rest of either column's slice, and by more than both columns
// together account for, all in the same direction.
func (c *comparer) judgeKin(t *moverTest) error {
	if t.kin == nil {
		return nil
	}
	in := signed{t.in(c.sides), 1}
	for _, against := range []func() ([]signed, error){
		func() ([]signed, error) { return t.kin.parts(c.sides, kinRow) },
		func() ([]signed, error) { return t.kin.parts(c.sides, kinColumn) },
		func() ([]signed, error) { return t.kin.parts(c.sides, kinRow, kinColumn, kinNeither) },
	} {
		// A p-value beyond the level is never among those that count, however
		// far beyond it is.
		if t.p > 1-c.opt.Level {
			return nil
		}
		parts, err := against()
		if err != nil {
			return err
		}
		o, ok, err := c.contrastTest(t.item, t.estimand, append([]signed{in}, parts...)...)
		if err != nil {
			return err
		}
		if ok = ok && c.judge(&o); !ok || (o.gap.Value > 0) != (t.gap.Value > 0) {
			t.p = 1
			continue
		}
		t.p = math.Max(t.p, o.p)
	}
	return nil
}

// fitPrior learns from all slices how far distances vary from unit to unit: a
// spread of slices, and how the variances vary about what it and the requests
// account for. Few slices teach nothing.
func (s *moverSearch) fitPrior(tests []moverTest) {
	groups := map[group][]*distance{}
	var order []group
	for i := range tests {
		g := tests[i].group()
		for _, d := range tests[i].distances() {
			if _, ok := d.expected(); !ok {
				continue
			}
			if groups[g] == nil {
				order = append(order, g)
			}
			groups[g] = append(groups[g], d)
		}
	}
	s.spreads = map[group]float64{}
	var v, df []float64
	for _, g := range order {
		s.spreads[g] = spreadOf(groups[g])
		for _, d := range groups[g] {
			d.spread = s.spreads[g]
			expected, _ := d.expected()
			if ratio := d.between.Variance / expected.Variance; !math.IsInf(ratio, 0) {
				v, df = append(v, ratio), append(df, d.between.DF)
			}
		}
	}
	if len(v) < leastPrior {
		return
	}
	if p, err := stats.FitVariancePrior(v, df); err == nil {
		s.prior = p
	}
}

// group is what shares one scale, and so one spread of slices.
type group struct {
	relative bool
	item     int // of distances that are no ratios
}

func (t *moverTest) group() group {
	if t.relative {
		return group{relative: true}
	}
	return group{item: t.item}
}

// leastPrior is how many distances a prior is learnt from.
const leastPrior = 20

// spreadOf is the variance from unit to unit by which the variances of distances
// exceed what their requests account for.
func spreadOf(ds []*distance) float64 {
	var v []stats.VarianceEstimate
	var within []float64
	var units []int
	for _, d := range ds {
		v, within, units = append(v, d.between), append(within, d.within.Variance), append(units, d.units)
	}
	spread, err := stats.ExcessVariance(v, within, units)
	if err != nil {
		return 0
	}
	return spread
}
