package compare

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/stats"
)

// sample is the paired scores of some items, under the rule for missing ones.
type sample struct {
	scores
	scale stats.Interval // the least and the greatest score
	// lowest and highest are the same with what is missing at its extremes, nil
	// where nothing is.
	lowest, highest *scores
	items           ItemResult
	words           []string // of the clusters, by code
}

// scores are paired by position; cluster is nil where items are independent.
type scores struct {
	x, y    []float64
	cluster []int
}

func (s *scores) add(x, y float64, cluster int) {
	s.x, s.y = append(s.x, x), append(s.y, y)
	if cluster >= 0 {
		s.cluster = append(s.cluster, cluster)
	}
}

// diff returns y − x.
func (s *scores) diff() []float64 {
	d := make([]float64, len(s.x))
	for i := range d {
		d[i] = s.y[i] - s.x[i]
	}
	return d
}

// placed is an item with its series.
type placed struct {
	s  *pairing.Series
	it *pairing.Item
}

// sample gathers the items of series, or the given ones.
func (c *quality) sample(series []*pairing.Series, items []placed) *sample {
	b := sampler{c: c, codes: map[string]int{}}
	if items != nil {
		b.begin(series[0].Metric, len(items))
		for _, p := range items {
			b.take(p.s, p.it)
		}
		return b.end()
	}
	n := 0
	for _, s := range series {
		n += len(s.Items)
	}
	b.begin(series[0].Metric, n)
	for _, s := range series {
		for i := range s.Items {
			b.take(s, &s.Items[i])
		}
		for side := range 2 {
			b.out.items.Same[side] += s.Counts.Same[side]
			b.out.items.Settled[side] += s.Counts.Settled[side]
		}
	}
	return b.end()
}

// sampler builds a sample.
type sampler struct {
	c       *quality
	out     *sample
	wrong   float64
	binary  bool
	codes   map[string]int
	partial []partial
}

// partial is an item without all its scores: its cluster, and its position
// among the pairs, −1 if a side has no score at all.
type partial struct {
	x, y    pairing.Outcome
	cluster int
	at      int
}

func (b *sampler) begin(metric string, n int) {
	r := b.c.ranges[metric]
	b.out = &sample{scale: r}
	b.out.x, b.out.y = make([]float64, 0, n), make([]float64, 0, n)
	b.wrong = b.c.metric[metric].Worst(r.Lo, r.Hi)
	b.binary = r.Lo == 0 && r.Hi == 1
}

// code numbers the clusters; an item without one is a cluster of its own.
func (b *sampler) code(s *pairing.Series, it *pairing.Item) int {
	if b.c.cluster == nil {
		return -1
	}
	word := b.c.cluster(s, it)
	if word == "" {
		word = "\x00\x00" + s.Task + "\x00" + it.ID + "\x00" + it.Turn
	}
	k, ok := b.codes[word]
	if !ok {
		k = len(b.codes)
		b.codes[word] = k
		b.out.words = append(b.out.words, word)
	}
	return k
}

func (b *sampler) take(s *pairing.Series, it *pairing.Item) {
	n := &b.out.items
	sx, sy := it.X.State(), it.Y.State()
	switch {
	case sx == pairing.Absent && sy == pairing.Absent:
		n.Never++
	case sx == pairing.Absent:
		n.Only[1]++
	case sy == pairing.Absent:
		n.Only[0]++
	}
	for side, st := range [2]pairing.State{sx, sy} {
		if st != pairing.Scored && st != pairing.Absent {
			n.Lacking[side]++
		}
	}
	x, okX := it.X.Mean()
	y, okY := it.Y.Mean()
	whole := sx == pairing.Scored && sy == pairing.Scored
	if !whole {
		n.Unknown++
	}
	k := b.code(s, it)
	switch b.c.q.Missing {
	case AsWrong:
		b.pair(it, it.X.Filled(b.wrong), it.Y.Filled(b.wrong), k)
		return
	case Bound:
		if !whole {
			p := partial{it.X, it.Y, k, -1}
			if okX && okY {
				p.at = len(b.out.x)
			}
			b.partial = append(b.partial, p)
		}
	}
	if okX && okY {
		b.pair(it, x, y, k)
	}
}

func (b *sampler) pair(it *pairing.Item, x, y float64, cluster int) {
	b.out.add(x, y, cluster)
	n := &b.out.items
	n.Matched++
	b.binary = b.binary && it.X.N+it.X.Failed <= 1 && it.Y.N+it.Y.Failed <= 1 && (x == 0 || x == 1) && (y == 0 || y == 1)
	switch {
	case y < x:
		n.Fell++
	case y > x:
		n.Rose++
	}
	if b.binary {
		switch {
		case x == 1 && y == 1:
			n.Table.Both++
		case x == 1:
			n.Table.OnlyX++
		case y == 1:
			n.Table.OnlyY++
		default:
			n.Table.Neither++
		}
	}
}

// end completes the sample with the two extremes of what is missing.
func (b *sampler) end() *sample {
	s := b.out
	s.items.Binary = b.binary && s.items.Matched > 0
	if len(b.partial) == 0 {
		return s
	}
	lowest, highest := s.scores.clone(), s.scores.clone()
	for _, p := range b.partial {
		lowest.set(p, p.x.Filled(s.scale.Hi), p.y.Filled(s.scale.Lo))
		highest.set(p, p.x.Filled(s.scale.Lo), p.y.Filled(s.scale.Hi))
	}
	s.lowest, s.highest = lowest, highest
	return s
}

func (s *scores) clone() *scores {
	return &scores{slices.Clone(s.x), slices.Clone(s.y), slices.Clone(s.cluster)}
}

// set gives an item without all its scores the scores of an extreme.
func (s *scores) set(p partial, x, y float64) {
	if p.at < 0 {
		s.add(x, y, p.cluster)
		return
	}
	s.x[p.at], s.y[p.at] = x, y
}
