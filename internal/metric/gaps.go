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

// clearlyUneven is the share from which the gaps of a side lie between chunks
// whatever those of the other side are.
const clearlyUneven = 0.05

// gapRows is how many records of each partition are looked at to tell gaps
// between tokens from gaps between chunks, gapParts how many partitions.
const gapRows, gapParts = 1 << 12, 8

// gapCount is what was counted of the lists of gaps of a side.
type gapCount struct {
	lists, uneven int64 // of requests with two output tokens or more
	gaps          int64 // in all of them
}

// betweenChunks tells of each side whether its gaps lie between chunks. The kind
// is one for all sides, by the share of uneven lists among all of them, unless one
// side clearly has chunks and another tokens.
func betweenChunks(sides []gapCount) []bool {
	var all gapCount
	chunks, clear, tokens := make([]bool, len(sides)), false, false
	for i, c := range sides {
		all.lists, all.uneven = all.lists+c.lists, all.uneven+c.uneven
		chunks[i] = float64(c.uneven) > UnevenShare*float64(c.lists)
		clear = clear || float64(c.uneven) > clearlyUneven*float64(c.lists)
		tokens = tokens || c.lists > 0 && !chunks[i]
	}
	if clear && tokens {
		return chunks
	}
	for i := range chunks {
		chunks[i] = float64(all.uneven) > UnevenShare*float64(all.lists)
	}
	return chunks
}

// GapNames are the files of a side whose lists of gaps were found to be something
// else than their column says.
type GapNames struct {
	Chunks []int // gaps between chunks
	// Empty has the files of a side none of which holds a gap.
	Empty []int
}

// NameGaps tells of the files whose gaps are taken for inter-token latencies
// whether they are: where there is not one gap for every token after the first
// they lie between chunks, and the layouts then carry them as ChunkGap. That is
// decided once for all files of all sides. A file whose reader has said what its
// gaps are, one without token counts, and one whose chunk gaps are another column
// is left alone. Of a side without a single gap, though its answers have several
// tokens, the layouts carry none.
func NameGaps(ctx context.Context, sides []Input) ([]GapNames, error) {
	out, counts := make([]GapNames, len(sides)), make([]gapCount, len(sides))
	for i := range sides {
		var of gapCount // the files that are told apart
		for k, file := range sides[i].Files {
			l := file.Layout
			_, counted := file.Source.(ingest.HistogramSource)
			if counted || !l.Fields[ingest.OutputTokens].Bound() || !l.Fields[ingest.ITL].Bound() && !l.Fields[ingest.ChunkGap].Bound() {
				continue
			}
			c, err := countGaps(ctx, &sides[i], k)
			if err != nil {
				return nil, err
			}
			counts[i].lists, counts[i].gaps = counts[i].lists+c.lists, counts[i].gaps+c.gaps
			out[i].Empty = append(out[i].Empty, k)
			if l.Fields[ingest.ITL].Bound() && !l.Fields[ingest.ChunkGap].Bound() && !saysGapKind(file.Source) {
				of.lists, of.uneven = of.lists+c.lists, of.uneven+c.uneven
				out[i].Chunks = append(out[i].Chunks, k)
			}
		}
		if counts[i].gaps > 0 || counts[i].lists == 0 || len(out[i].Empty) < len(sides[i].Files) {
			out[i].Empty = nil
		}
		counts[i] = of
		if out[i].Empty != nil {
			counts[i], out[i].Chunks = gapCount{}, nil
		}
	}
	for i, chunks := range betweenChunks(counts) {
		if !chunks {
			out[i].Chunks = nil
		}
		for _, k := range out[i].Chunks {
			l := sides[i].Files[k].Layout
			l.Fields[ingest.ChunkGap], l.Fields[ingest.ITL] = l.Fields[ingest.ITL], ingest.Binding{Column: -1}
		}
		for _, k := range out[i].Empty {
			l := sides[i].Files[k].Layout
			l.Fields[ingest.ChunkGap], l.Fields[ingest.ITL] = ingest.Binding{Column: -1}, ingest.Binding{Column: -1}
		}
	}
	return out, nil
}

// countGaps counts the lists of gaps among the first records of a file.
func countGaps(ctx context.Context, in *Input, k int) (c gapCount, err error) {
	file := in.Files[k]
	opt := in.options(k, nil)
	opt.Warmup, opt.Head = 0, gapRows
	field := ingest.ITL
	if !file.Layout.Fields[field].Bound() {
		field = ingest.ChunkGap
	}
	r := ingest.NewReader(file.Path, file.Source, file.Layout, ingest.Wanted{Fields: []ingest.Field{field, ingest.OutputTokens, ingest.TTFT}}, opt)
	for p := range min(file.Source.Partitions(), gapParts) {
		_, err := r.Scan(ctx, p, func(f *ingest.Frame) error {
			col := f.Col(field)
			for i := range f.N {
				if f.Reasons[i] != ingest.Good || col.StateAt(i) != ingest.Present {
					continue
				}
				list, n, known, _ := withoutFirst(f, i, col.List(i))
				if !known || n < 2 {
					continue
				}
				c.lists++
				c.gaps += int64(len(list))
				if len(list) != n-1 {
					c.uneven++
				}
			}
			if f.Row+int64(f.N) >= gapRows {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return c, err
		}
	}
	return c, nil
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

// BetweenChunks reports of each side whether an item's gaps, of a metric that
// wants those between tokens, lie between chunks.
func BetweenChunks(sides []*Side, item int) []bool {
	counts := make([]gapCount, len(sides))
	for i, s := range sides {
		for _, u := range s.Units {
			cell := &u.Cells[item]
			counts[i].lists += u.OK() - cell.Missing
			counts[i].uneven += cell.ChunkGaps
		}
	}
	return betweenChunks(counts)
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

// OfTokens reports whether a metric is made of the number of tokens of answers.
func (m *Metric) OfTokens() bool {
	return m.id == idTPOT || m.id == idOutputTPS || m.id == idTPS || m.id == idCostTokens
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
