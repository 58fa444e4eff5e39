package metric

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// extractor appends the metric's values of the good rows (nil: all rows of the
// frame) to dst and counts in cell what has none. It may return a slice of the
// frame instead where that holds exactly the values.
type extractor func(f *ingest.Frame, good []int32, dst []float64, cell *Cell) []float64

// extractors returns one extractor per item for files of a layout, nil where
// the layout lacks the metric.
func (p *Plan) extractors(l *ingest.Layout) []extractor {
	out := make([]extractor, len(p.Items))
	generic := 0
	for i, it := range p.Items {
		m := it.Metric
		if ok, _ := m.Available(l); !ok {
			continue
		}
		switch m.id {
		case idTTFT:
			out[i] = column(func(f *ingest.Frame) *ingest.Column { return f.Col(ingest.TTFT) })
		case idE2E, idLatency:
			out[i] = column(whole)
			if m.id == idLatency {
				out[i] = column(func(f *ingest.Frame) *ingest.Column { return f.Col(ingest.Latency) })
			}
		case idTPOT:
			out[i] = tpot
			if l.HasField(ingest.TPOT) {
				out[i] = column(func(f *ingest.Frame) *ingest.Column { return f.Col(ingest.TPOT) })
			}
		case idITL:
			out[i] = gaps
		case idOutputTPS:
			out[i] = outputTPS
		case idGeneric:
			k := generic
			generic++
			out[i] = column(func(f *ingest.Frame) *ingest.Column { return f.Generic[k] })
		}
	}
	return out
}

// whole is the end-to-end latency: the e2e column, or the lone latency column.
func whole(f *ingest.Frame) *ingest.Column {
	if c := f.Col(ingest.E2E); c != nil {
		return c
	}
	return f.Col(ingest.Latency)
}

// each calls fn for every good row.
func each(f *ingest.Frame, good []int32, fn func(i int)) {
	if good == nil {
		for i := range f.N {
			fn(i)
		}
		return
	}
	for _, i := range good {
		fn(int(i))
	}
}

// column extracts a stored or computed column.
func column(of func(*ingest.Frame) *ingest.Column) extractor {
	return func(f *ingest.Frame, good []int32, dst []float64, cell *Cell) []float64 {
		c := of(f)
		if c == nil {
			return dst
		}
		if c.State == nil {
			if good == nil {
				return c.Floats[:f.N]
			}
			for _, i := range good {
				dst = append(dst, c.Floats[i])
			}
			return dst
		}
		each(f, good, func(i int) {
			if c.State[i] == ingest.Present {
				dst = append(dst, c.Floats[i])
			} else {
				cell.Missing++
			}
		})
		return dst
	}
}

// tpot is (e2e − ttft) / (output tokens − 1), undefined below two tokens.
func tpot(f *ingest.Frame, good []int32, dst []float64, cell *Cell) []float64 {
	ttft, e2e, tok := f.Col(ingest.TTFT), whole(f), f.Col(ingest.OutputTokens)
	if ttft == nil || e2e == nil || tok == nil {
		return dst
	}
	if ttft.State == nil && e2e.State == nil && tok.State == nil && good != nil {
		for _, i := range good {
			if n := tok.Floats[i]; n >= 2 {
				dst = append(dst, (e2e.Floats[i]-ttft.Floats[i])/(n-1))
			} else {
				cell.NotApplicable++
			}
		}
		return dst
	}
	each(f, good, func(i int) {
		switch {
		case ttft.StateAt(i) != ingest.Present || e2e.StateAt(i) != ingest.Present || tok.StateAt(i) != ingest.Present:
			cell.Missing++
		case tok.Floats[i] < 2:
			cell.NotApplicable++
		default:
			dst = append(dst, (e2e.Floats[i]-ttft.Floats[i])/(tok.Floats[i]-1))
		}
	})
	return dst
}

// outputTPS is output tokens ÷ e2e of a request.
func outputTPS(f *ingest.Frame, good []int32, dst []float64, cell *Cell) []float64 {
	e2e, tok := whole(f), f.Col(ingest.OutputTokens)
	if e2e == nil || tok == nil {
		return dst
	}
	each(f, good, func(i int) {
		if e2e.StateAt(i) != ingest.Present || tok.StateAt(i) != ingest.Present {
			cell.Missing++
			return
		}
		dst = append(dst, tok.Floats[i]/e2e.Floats[i])
	})
	return dst
}

// gapSlack is how far a first gap may lie from the first-token time and still
// be that time, written into the list by mistake.
const gapSlack = 1e-6

// gaps extracts the gaps between tokens. A list with as many gaps as tokens
// that begins with the first-token time has lost nothing but its order: that
// first entry is dropped and counted.
func gaps(f *ingest.Frame, good []int32, dst []float64, cell *Cell) []float64 {
	itl, ttft, tok := f.Col(ingest.ITL), f.Col(ingest.TTFT), f.Col(ingest.OutputTokens)
	if itl == nil {
		return dst
	}
	each(f, good, func(i int) {
		if itl.StateAt(i) != ingest.Present {
			cell.Missing++
			return
		}
		list := itl.List(i)
		if tok != nil && tok.StateAt(i) == ingest.Present {
			n := int(tok.Floats[i])
			if len(list) == n && n > 0 && ttft != nil && ttft.StateAt(i) == ingest.Present && math.Abs(list[0]-ttft.Floats[i]) <= gapSlack {
				list = list[1:]
				cell.FirstGaps++
			}
			if len(list) != n-1 {
				cell.ChunkGaps++
			}
		}
		if len(list) == 0 {
			cell.NotApplicable++
		}
		dst = append(dst, list...)
	})
	return dst
}
