package metric

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// extractor reads the values of a metric from a frame.
type extractor struct {
	// column returns a value for every row, good or not; nil for a metric with
	// many values a row. dst has room for a column that must be computed.
	column func(f *ingest.Frame, dst *computed) *ingest.Column
	// many appends the values of rows that have many each.
	many func(f *ingest.Frame, r rows, dst []float64, cell *Cell) []float64
	// perToken tells that an answer of fewer than two tokens has no value.
	perToken bool
}

// computed is a column that is made of others.
type computed struct {
	ingest.Column
	states []ingest.State // memory for State
}

// notApplicable is the state of a row for which the metric is not defined.
const notApplicable ingest.State = 255

// extractors returns one extractor per item for files of a layout, nil where
// the layout lacks the metric.
func (p *Plan) extractors(l *ingest.Layout) []*extractor {
	out := make([]*extractor, len(p.Items))
	generic := 0
	for i, it := range p.Items {
		m := it.Metric
		if ok, _ := m.Available(l); !ok {
			continue
		}
		switch m.id {
		case idTTFT:
			out[i] = stored(ingest.TTFT)
		case idE2E:
			out[i] = &extractor{column: func(f *ingest.Frame, _ *computed) *ingest.Column { return whole(f) }}
		case idLatency:
			out[i] = stored(ingest.Latency)
		case idTPOT:
			out[i] = &extractor{column: tpot}
			if l.HasField(ingest.TPOT) {
				out[i] = stored(ingest.TPOT)
				out[i].perToken = true
			}
		case idITL, idChunkGap:
			out[i] = &extractor{many: gaps}
			if m.id == idChunkGap {
				out[i].many = chunkGaps
			}
		case idOutputTPS:
			out[i] = &extractor{column: outputTPS}
		case idGeneric:
			k := generic
			generic++
			out[i] = &extractor{column: func(f *ingest.Frame, _ *computed) *ingest.Column { return f.Generic[k] }}
		}
	}
	return out
}

// stored is the extractor of a column of the source.
func stored(field ingest.Field) *extractor {
	return &extractor{column: func(f *ingest.Frame, _ *computed) *ingest.Column { return f.Col(field) }}
}

// whole is the end-to-end latency: the e2e column, or the lone latency column.
func whole(f *ingest.Frame) *ingest.Column {
	if c := f.Col(ingest.E2E); c != nil {
		return c
	}
	return f.Col(ingest.Latency)
}

// values appends the metric's values of some good rows to dst and counts in
// cell what has none. of is what column returned for the frame.
func (e *extractor) values(f *ingest.Frame, of *ingest.Column, r rows, dst []float64, cell *Cell) []float64 {
	switch {
	case e.column == nil:
		return e.many(f, r, dst, cell)
	case of == nil:
		return dst
	case of.State == nil:
		return r.gather(dst, of.Floats)
	}
	r.each(func(i int) {
		if of.State[i] == ingest.Present {
			dst = append(dst, of.Floats[i])
			return
		}
		if e.perToken && fewTokens(f, i) {
			cell.NotApplicable++
			return
		}
		cell.without(of.State[i])
	})
	return dst
}

// fewTokens tells that an answer is known to have fewer than two tokens, so that
// nothing comes after the first.
func fewTokens(f *ingest.Frame, i int) bool {
	tok := f.Col(ingest.OutputTokens)
	return tok != nil && tok.StateAt(i) == ingest.Present && tok.Floats[i] < 2
}

// without counts a good request that has no value, and why.
func (c *Cell) without(why ingest.State) {
	if why == notApplicable {
		c.NotApplicable++
		return
	}
	c.Missing++
}

// reset makes a column of n rows, each Present where all of cols are.
func (c *computed) reset(n int, cols ...*ingest.Column) {
	c.Floats, c.State = slices.Grow(c.Floats[:0], n)[:n], nil
	for _, col := range cols {
		if col.State == nil {
			continue
		}
		for i, s := range col.State[:n] {
			if s != ingest.Present {
				c.mark(n)[i] = ingest.Missing
			}
		}
	}
}

// mark returns the states of n rows, all Present at first use.
func (c *computed) mark(n int) []ingest.State {
	if c.State == nil {
		c.states = slices.Grow(c.states[:0], n)[:n]
		clear(c.states)
		c.State = c.states
	}
	return c.State
}

// tpot is (e2e − ttft) / (output tokens − 1), undefined below two tokens.
func tpot(f *ingest.Frame, dst *computed) *ingest.Column {
	ttft, e2e, tok := f.Col(ingest.TTFT), whole(f), f.Col(ingest.OutputTokens)
	if ttft == nil || e2e == nil || tok == nil {
		return nil
	}
	dst.reset(f.N, ttft, e2e, tok)
	out, a, b, n := dst.Floats, ttft.Floats[:f.N], e2e.Floats[:f.N], tok.Floats[:f.N]
	var few uint64 // has the sign bit where a count may be below two
	for i := range out {
		out[i] = (b[i] - a[i]) / (n[i] - 1)
		few |= math.Float64bits(n[i] - 2)
	}
	if few>>63 == 0 {
		return &dst.Column
	}
	for i, n := range n {
		if n < 2 && tok.StateAt(i) == ingest.Present && dst.mark(f.N)[i] == ingest.Present {
			dst.State[i] = notApplicable
		}
	}
	return &dst.Column
}

// outputTPS is output tokens ÷ e2e of a request.
func outputTPS(f *ingest.Frame, dst *computed) *ingest.Column {
	e2e, tok := whole(f), f.Col(ingest.OutputTokens)
	if e2e == nil || tok == nil {
		return nil
	}
	dst.reset(f.N, e2e, tok)
	for i := range dst.Floats {
		dst.Floats[i] = tok.Floats[i] / e2e.Floats[i]
	}
	return &dst.Column
}
