package compare

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// RepeatNoise says how much of the error comes from answering the same item
// differently, and so how much more answers an item would help.
type RepeatNoise struct {
	// Per item is the mean number of answers of a side.
	PerItem [2]float64
	// Side splits the variance of a side; its OK tells whether it has items with
	// several answers.
	Side [2]paired.RepeatSplit
	OK   [2]bool
	// SE is the standard error of the change, SETwice what it would be with
	// twice the answers an item, SELimit with ever more.
	SE, SETwice, SELimit float64
	// Between is the variance of the true differences of items.
	Between float64
}

// repeats splits the noise of a sample with several answers an item; nil where
// there are none.
func (c *quality) repeats(series []*pairing.Series, b *sample) *RepeatNoise {
	if !repeated(series) {
		return nil
	}
	var out RepeatNoise
	var scores [2][][]float64
	each(series, func(p placed) {
		it := p.it
		if it.X.N == 0 || it.Y.N == 0 {
			return
		}
		for side, o := range [2]*pairing.Outcome{&it.X, &it.Y} {
			list := o.Scores
			if o.N == 1 {
				list = []float64{o.Sum}
			}
			scores[side] = append(scores[side], list)
		}
	})
	n := float64(len(scores[0]))
	if n < 2 {
		return nil
	}
	noise := 0.0 // variance of an item's difference that comes from repeats
	for side := range 2 {
		total, inverse := 0, 0.0
		for _, list := range scores[side] {
			total += len(list)
			inverse += 1 / float64(len(list)) / n
		}
		out.PerItem[side] = float64(total) / n
		split, err := paired.Repeats(scores[side])
		if err != nil {
			continue
		}
		out.Side[side], out.OK[side] = split, true
		noise += split.Within * inverse
	}
	if !out.OK[0] && !out.OK[1] {
		return nil
	}
	_, variance, err := stats.MeanVariance(b.diff())
	if err != nil {
		return nil
	}
	out.Between = math.Max(0, variance-noise)
	out.SE = math.Sqrt(variance / n)
	out.SETwice = math.Sqrt(math.Max(out.Between, variance-noise/2) / n)
	out.SELimit = math.Sqrt(out.Between / n)
	return &out
}

// repeated reports whether some item has several answers.
func repeated(series []*pairing.Series) bool {
	return slices.ContainsFunc(series, func(s *pairing.Series) bool { return s.Repeats })
}
