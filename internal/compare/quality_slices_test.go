package compare

import (
	"fmt"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// A slice with too few items has values and no interval; critical ones always
// have one. Flips come worst first.
func TestSlicesAndFlips(t *testing.T) {
	x, y := &answers{}, &answers{}
	for i := range 60 {
		p := "big"
		if i < 4 {
			p = "small"
		}
		x.add("", fmt.Sprintf("%02d", i), p, 1)
		y.add("", fmt.Sprintf("%02d", i), p, float64(i%3)/2)
	}
	c := compareAnswers(t, x, y, .95, func(q *QualityOptions) {
		q.By = []string{"passage"}
		q.MaxFlips = 25
	})
	if len(c.Results) != 3 || c.Quality.ThinSlices != 1 {
		t.Fatalf("%d results, %d thin slices", len(c.Results), c.Quality.ThinSlices)
	}
	if big, small := c.Results[1], c.Results[2]; !big.Delta.HasInterval() || small.Delta.HasInterval() || small.Items.Matched != 4 {
		t.Errorf("big %+v, small %+v", big.Delta, small.Delta)
	}
	f := c.Quality.Flips
	if len(f) != 25 || c.Quality.FlipsCut != 15 || f[0].Item != "00" || f[0].Loss != 1 || f[0].Slice[0] != "small" || f[24].Loss != .5 {
		t.Errorf("%d flips, %d cut, %+v … %+v", len(f), c.Quality.FlipsCut, f[0], f[24])
	}
	if !slices.IsSortedFunc(f, func(a, b Flip) int {
		if a.Loss > b.Loss {
			return -1
		}
		if a.Loss < b.Loss {
			return 1
		}
		return 0
	}) {
		t.Error("the flips are not sorted")
	}
	crit := compareAnswers(t, x, y, .95, func(q *QualityOptions) {
		q.Critical = []SliceOf{{Columns: []string{"passage"}, Values: []string{"small"}}}
	})
	if r := crit.Results[1]; !r.Critical || !r.Delta.HasInterval() {
		t.Errorf("critical %+v", r.Delta)
	}
}

// Less of some scores is better, and wrong is then the upper end.
func TestDirections(t *testing.T) {
	for name, want := range map[string]metric.Direction{"acc": metric.HigherIsBetter, "word_perplexity": metric.LowerIsBetter, "wer": metric.LowerIsBetter, "ttft_ms": metric.LowerIsBetter, "exact_match": metric.HigherIsBetter} {
		if m := metric.Score(name, 0, 1, nil); m.Direction != want {
			t.Errorf("%s: %s is better", name, m.Direction)
		}
	}
	if m := metric.Score("anything", 0, 1, []string{"anything"}); m.Direction != metric.LowerIsBetter || !m.Fraction || m.Worst(0, 1) != 1 || m.Loss(.2, .5) != .3 {
		t.Errorf("%+v", m)
	}
	if m := metric.Score("grade", 1, 10, nil); m.Fraction {
		t.Error("grades from 1 to 10 are no shares")
	}
}
