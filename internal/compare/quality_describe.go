package compare

import (
	"context"
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
)

// DescribeQuality estimates the first side of a pairing alone: the mean score of
// every metric, in every task, over all tasks and in slices. Items without a
// score are counted and have no part in the mean.
func DescribeQuality(ctx context.Context, p *pairing.Pairing, score func(name string, lo, hi float64) *metric.Metric, opt Options, q QualityOptions) (*Comparison, error) {
	c, err := newQuality(p, score, opt, q)
	if err != nil {
		return nil, err
	}
	c.out.Quality.OnlySeries = [2][]string{}
	for _, group := range c.groups() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		many := len(group) > 1
		if many {
			r := c.alone(group, c.single(group))
			r.Average, r.Items.Tasks, r.Items.ManyTasks = Micro, len(group), true
			c.out.Results = append(c.out.Results, r, c.macroAlone(group, r))
		}
		for _, s := range group {
			one := []*pairing.Series{s}
			r := c.alone(one, c.single(one))
			r.Task, r.Items.ManyTasks = s.Task, many
			c.out.Results = append(c.out.Results, r)
		}
	}
	for _, group := range c.groups() {
		err := c.parts(ctx, group, func(items []placed, of SliceOf, critical bool) error {
			r := c.alone([]*pairing.Series{{Metric: group[0].Metric, Filter: group[0].Filter}}, c.of(group[0].Metric, items))
			r.Slice, r.Critical = &of, critical
			if r.Items.Matched < q.MinSupport {
				c.out.Quality.ThinSlices++
				r.Baseline.Lo, r.Baseline.Hi = math.Inf(-1), math.Inf(1)
			}
			c.out.Results = append(c.out.Results, r)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	c.settleDesign()
	return c.out, nil
}

// single gathers the items of series that have a score.
func (c *quality) single(series []*pairing.Series) *sample {
	var items []placed
	each(series, func(p placed) { items = append(items, p) })
	return c.of(series[0].Metric, items)
}

func (c *quality) of(name string, items []placed) *sample {
	b := sampler{c: c, codes: map[string]int{}}
	b.begin(name, len(items))
	for _, p := range items {
		n := &b.out.items
		switch p.it.X.State() {
		case pairing.Scored:
		default:
			n.Lacking[0]++
		}
		x, ok := p.it.X.Mean()
		if c.q.Missing == AsWrong {
			x, ok = p.it.X.Filled(b.wrong), true
		}
		if !ok {
			continue
		}
		b.out.add(x, x, b.code(p.s, p.it))
		n.Matched++
		b.binary = b.binary && p.it.X.N+p.it.X.Failed <= 1 && (x == 0 || x == 1)
	}
	b.out.items.Binary = b.binary && b.out.items.Matched > 0
	return b.out
}

// alone estimates one side's mean.
func (c *quality) alone(series []*pairing.Series, b *sample) Result {
	s := series[0]
	r := Result{Metric: c.metric[s.Metric], Filter: s.Filter, Estimand: mean, Exact: true, Items: &b.items, Method: "none"}
	r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN()
	b.items.OneSide = true
	if len(b.x) == 0 {
		return r
	}
	r.Baseline = c.value(b.x, b.cluster, b.items.Binary, b.scale)
	switch {
	case b.cluster != nil && r.Baseline.Units < len(b.x):
		r.Method, b.items.Clusters = "cluster-robust CR2, Satterthwaite t", r.Baseline.Units
	case b.items.Binary:
		r.Method = "Wilson score interval"
	default:
		r.Method = "t"
	}
	if repeated(series) {
		b.items.Repeats = repeatsAlone(series)
	}
	return r
}

// macroAlone is the mean of the tasks' means.
func (c *quality) macroAlone(group []*pairing.Series, micro Result) Result {
	items := *micro.Items
	items.Repeats, items.Clusters = nil, 0
	r := Result{Metric: micro.Metric, Filter: micro.Filter, Estimand: mean, Exact: true, Items: &items, Average: Macro, Method: "one vote a task, limits of the tasks combined (MOVER)"}
	r.UnitSD, r.UnitSDLog = math.NaN(), math.NaN()
	var values []Value
	for _, s := range group {
		if b := c.single([]*pairing.Series{s}); len(b.x) > 0 {
			values = append(values, c.value(b.x, b.cluster, b.items.Binary, b.scale))
		}
	}
	items.Tasks = len(values)
	if len(values) > 0 {
		r.Baseline = c.meanValue(values)
	}
	return r
}

// repeatsAlone splits the noise of one side; nil where no item has two answers.
func repeatsAlone(series []*pairing.Series) *RepeatNoise {
	var scores [][]float64
	total := 0
	each(series, func(p placed) {
		o := &p.it.X
		switch {
		case o.N == 1:
			scores = append(scores, []float64{o.Sum})
		case o.N > 1:
			scores = append(scores, o.Scores)
		}
		total += int(o.N)
	})
	split, err := paired.Repeats(scores)
	if err != nil {
		return nil
	}
	out := &RepeatNoise{SE: split.SEItems, SETwice: split.SETwice, SELimit: split.SELimit, Between: math.Max(0, split.Between)}
	out.PerItem[0], out.Side[0], out.OK[0] = float64(total)/float64(len(scores)), split, true
	return out
}
