package compare

import (
	"fmt"
	"slices"

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
			if which := sideNames[s]; r.Metric.Latency {
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
	if text := c.otherGaps(r.Metric); text != "" {
		r.warn("chunk_gaps", text)
	} else if chunks > 0 {
		r.warn("chunk_gaps", fmt.Sprintf("in %s the number of gaps is not output tokens − 1: these are gaps between chunks, not between tokens", requests(chunks)))
	}
}

func requests(n int64) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

// otherGaps says why a metric of gaps has no value where the inputs have gaps
// of the other kind, "" where they have not.
func (c *comparer) otherGaps(m *metric.Metric) string {
	of := m.OfGaps()
	if of == "" || !slices.ContainsFunc(c.gaps, func(g string) bool { return g != "" && g != of }) {
		return ""
	}
	const meaning = "a chunk may carry several tokens"
	switch {
	case len(c.gaps) == 2 && c.gaps[0] != c.gaps[1] && c.gaps[0] != "" && c.gaps[1] != "":
		return fmt.Sprintf("the gaps of the baseline lie between %s, those of the candidate between %s: %s, so they are not comparable; tpot is", c.gaps[0], c.gaps[1], meaning)
	case of == "tokens":
		return "the gaps lie between chunks, not between tokens: " + meaning + "; they are compared as chunk_gap"
	}
	return "the gaps lie between tokens, not between chunks; they are compared as itl"
}

func gapsOf(sides []metric.Input) []string {
	out := make([]string, len(sides))
	for i := range sides {
		out[i] = sides[i].Gaps()
	}
	return out
}
