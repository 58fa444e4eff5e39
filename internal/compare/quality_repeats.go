package compare

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
)

// RepeatNoise says how much of the error comes from answering the same item
// differently, and so how much more answers an item would help.
type RepeatNoise = paired.RepeatGain

// repeats splits the noise of a sample with several answers an item; nil where
// there are none.
func (c *quality) repeats(series []*pairing.Series, b *sample) *RepeatNoise {
	if !repeated(series) {
		return nil
	}
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
	gain, err := paired.GainOfRepeats(b.diff(), scores[0], scores[1])
	if err != nil {
		return nil
	}
	return &gain
}

// repeated reports whether some item has several answers.
func repeated(series []*pairing.Series) bool {
	return slices.ContainsFunc(series, func(s *pairing.Series) bool { return s.Repeats })
}
