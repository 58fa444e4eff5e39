package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/pairing"
)

// Flip is an item whose outcome changed.
type Flip struct {
	Task, Item, Turn, Metric, Filter string
	Baseline, Candidate              float64
	Loss                             float64 // how much worse it became
	Slice                            []string
	Text                             [2]string
}

// flips lists the items whose outcome changed, the worst first.
func (c *quality) flips() {
	type flip struct {
		s    *pairing.Series
		it   *pairing.Item
		x, y float64
		loss float64
	}
	var all []flip
	for _, s := range c.p.Series {
		m, r := c.metric[s.Metric], c.ranges[s.Metric]
		wrong := m.Worst(r.Lo, r.Hi)
		for i := range s.Items {
			it := &s.Items[i]
			x, okX := it.X.Mean()
			y, okY := it.Y.Mean()
			if c.q.Missing == AsWrong {
				x, y, okX, okY = it.X.Filled(wrong), it.Y.Filled(wrong), true, true
			}
			if okX && okY && x != y {
				all = append(all, flip{s, it, x, y, m.Loss(x, y)})
			}
		}
	}
	slices.SortFunc(all, func(a, b flip) int {
		return cmp.Or(cmp.Compare(b.loss, a.loss), strings.Compare(a.s.Metric, b.s.Metric), strings.Compare(a.s.Filter, b.s.Filter),
			strings.Compare(a.s.Task, b.s.Task), strings.Compare(a.it.ID, b.it.ID), strings.Compare(a.it.Turn, b.it.Turn))
	})
	q := c.out.Quality
	if over := len(all) - c.q.MaxFlips; over > 0 {
		q.FlipsCut, all = over, all[:c.q.MaxFlips]
	}
	// checkSlices has held that the attributes are there.
	reads, _ := c.reads(c.q.By)
	for _, f := range all {
		out := Flip{Task: f.s.Task, Item: f.it.ID, Turn: f.it.Turn, Metric: f.s.Metric, Filter: f.s.Filter,
			Baseline: f.x, Candidate: f.y, Loss: f.loss, Text: [2]string{f.it.TextX, f.it.TextY}}
		for _, read := range reads {
			out.Slice = append(out.Slice, read(f.s, f.it))
		}
		q.Flips = append(q.Flips, out)
	}
}
