package metric

import (
	"context"
	"errors"
	"math"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// gapSlack is how far a first gap, in seconds, may lie from the first-token
// time and still be that time, written into the list by mistake.
const gapSlack = 1e-6

// withoutFirst drops the first entry of a list with as many gaps as tokens that
// begins with the first-token time: it has lost nothing but its order. known
// tells that the tokens are counted.
func withoutFirst(f *ingest.Frame, i int, list []float64) (rest []float64, tokens int, known, dropped bool) {
	ttft, tok := f.Col(ingest.TTFT), f.Col(ingest.OutputTokens)
	if tok == nil || tok.StateAt(i) != ingest.Present {
		return list, 0, false, false
	}
	n := int(tok.Floats[i])
	if len(list) == n && n > 0 && ttft != nil && ttft.StateAt(i) == ingest.Present && math.Abs(list[0]-ttft.Floats[i]) <= gapSlack {
		return list[1:], n, true, true
	}
	return list, n, true, false
}

// gaps extracts the gaps between tokens.
func gaps(f *ingest.Frame, r rows, dst []float64, cell *Cell) []float64 {
	return eachGap(f, ingest.ITL, r, dst, cell, func(i int, list []float64) []float64 {
		list, n, known, dropped := withoutFirst(f, i, list)
		if dropped {
			cell.FirstGaps++
		}
		if known && len(list) != n-1 {
			cell.ChunkGaps++
		}
		return list
	})
}

// chunkGaps extracts the gaps between messages.
func chunkGaps(f *ingest.Frame, r rows, dst []float64, cell *Cell) []float64 {
	return eachGap(f, ingest.ChunkGap, r, dst, cell, func(_ int, list []float64) []float64 { return list })
}

func eachGap(f *ingest.Frame, field ingest.Field, r rows, dst []float64, cell *Cell, of func(i int, list []float64) []float64) []float64 {
	col := f.Col(field)
	if col == nil {
		return dst
	}
	r.each(func(i int) {
		if col.StateAt(i) != ingest.Present {
			if fewTokens(f, i) {
				cell.NotApplicable++
			} else {
				cell.Missing++
			}
			return
		}
		list := of(i, col.List(i))
		if len(list) == 0 {
			cell.NotApplicable++
		}
		dst = append(dst, list...)
	})
	return dst
}

// UnevenShare is the share of requests up to which a number of gaps other than
// output tokens − 1 is taken for a slip of counting: an end-of-text token
// without a message. Beyond it the gaps lie between chunks.
const UnevenShare = 0.01

// gapRows is how many records of each partition are looked at to tell gaps
// between tokens from gaps between chunks, gapParts how many partitions.
const gapRows, gapParts = 1 << 12, 8

// NameGaps tells of every file whose gaps are taken for inter-token latencies
// whether they are: where there is not one gap for every token after the first
// they lie between chunks, and the layout then carries them as ChunkGap. It
// returns those files. A file whose reader has said what its gaps are, one
// without token counts, and one whose chunk gaps are another column is left
// alone.
func NameGaps(ctx context.Context, in Input) (renamed []int, err error) {
	for k, file := range in.Files {
		l := file.Layout
		if _, counted := file.Source.(ingest.HistogramSource); counted || !l.Fields[ingest.ITL].Bound() || !l.Fields[ingest.OutputTokens].Bound() || l.Fields[ingest.ChunkGap].Bound() || saysGapKind(file.Source) {
			continue
		}
		lists, uneven := 0, 0
		opt := in.options(k, nil)
		opt.Warmup, opt.Head = 0, gapRows
		r := ingest.NewReader(file.Path, file.Source, l, ingest.Wanted{Fields: []ingest.Field{ingest.ITL, ingest.OutputTokens, ingest.TTFT}}, opt)
		for p := range min(file.Source.Partitions(), gapParts) {
			_, err := r.Scan(ctx, p, func(f *ingest.Frame) error {
				itl := f.Col(ingest.ITL)
				for i := range f.N {
					if f.Reasons[i] != ingest.Good || itl.StateAt(i) != ingest.Present {
						continue
					}
					list, n, known, _ := withoutFirst(f, i, itl.List(i))
					if !known || n < 2 {
						continue
					}
					lists++
					if len(list) != n-1 {
						uneven++
					}
				}
				if f.Row+int64(f.N) >= gapRows {
					return errEnough
				}
				return nil
			})
			if err != nil && !errors.Is(err, errEnough) {
				return nil, err
			}
		}
		if float64(uneven) > UnevenShare*float64(lists) {
			l.Fields[ingest.ChunkGap] = l.Fields[ingest.ITL]
			l.Fields[ingest.ITL] = ingest.Binding{Column: -1}
			renamed = append(renamed, k)
		}
	}
	return renamed, nil
}

// saysGapKind reports whether a reader has looked at all gaps of a file.
func saysGapKind(src ingest.Source) bool {
	for _, kv := range src.Metadata() {
		if kv.Key == "fingerprint.gap_kind" {
			return true
		}
	}
	return false
}

// BetweenChunks reports whether an item's gaps, of a metric that wants those
// between tokens, lie between chunks.
func (s *Side) BetweenChunks(item int) bool {
	var lists, uneven int64
	for _, u := range s.Units {
		cell := &u.Cells[item]
		lists += u.OK() - cell.Missing
		uneven += cell.ChunkGaps
	}
	return float64(uneven) > UnevenShare*float64(lists)
}

// OfGaps tells between what the gaps lie that a metric is about: "tokens" or
// "chunks", "" for a metric of something else.
func (m *Metric) OfGaps() string {
	switch m.id {
	case idITL:
		return "tokens"
	case idChunkGap:
		return "chunks"
	}
	return ""
}

// Gaps tells between what the gaps of the side's files lie, "" where no file
// has gaps or files differ.
func (in *Input) Gaps() string {
	tokens, chunks := false, false
	for _, f := range in.Files {
		tokens = tokens || f.Layout.Fields[ingest.ITL].Bound()
		chunks = chunks || f.Layout.Fields[ingest.ChunkGap].Bound()
	}
	switch {
	case tokens && !chunks:
		return "tokens"
	case chunks && !tokens:
		return "chunks"
	}
	return ""
}
