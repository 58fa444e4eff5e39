package compare

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// remarks adds what a reader must know of the values behind a result.
func (c *comparer) remarks(r *Result, item int) {
	var missing, na, chunks, firsts int64
	if r.Metric.Kind == metric.Share || r.Metric.Kind == metric.PerRun {
		return
	}
	for s, side := range c.sides {
		for _, u := range side.Units {
			cell := &u.Cells[item]
			missing += cell.Missing
			na += cell.NotApplicable
			chunks += cell.ChunkGaps
			firsts += cell.FirstGaps
		}
		if constant(side.Sketches(item)) {
			if which := [...]string{"baseline", "candidate"}[s]; r.Metric.Latency {
				r.warn("no_spread", fmt.Sprintf("all values of the %s are the same", which))
			} else {
				r.warn("constant_values", fmt.Sprintf("all %s values of the %s are the same, so they say nothing about how far they vary", r.Metric, which))
			}
		}
	}
	c.timeoutRemarks(r, item)
	if missing > 0 {
		r.warn("missing_values", fmt.Sprintf("%s without %s among the successful ones", requests(missing), r.Metric))
	}
	if na > 0 {
		r.warn("not_applicable", fmt.Sprintf("%s is not defined for %s with fewer than two output tokens", r.Metric, requests(na)))
	}
	if firsts > 0 {
		r.warn("first_gap_dropped", fmt.Sprintf("in %s the list of gaps began with the first-token time; that entry was dropped", requests(firsts)))
	}
	if chunks > 0 {
		r.warn("chunk_gaps", fmt.Sprintf("in %s the number of gaps is not output tokens − 1: these are gaps between chunks, not between tokens", requests(chunks)))
	}
}

func requests(n int64) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}
