package compare

import (
	"fmt"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// One side alone: Wilson's interval for right or wrong, t for grades, CR2 for
// clusters, and the noise of repeats as the library splits it.
func TestDescribeQuality(t *testing.T) {
	describe := func(a *answers, q QualityOptions) *Comparison {
		t.Helper()
		p, err := pairing.Pair(bg, a.set(), nil, pairing.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := DescribeQuality(bg, p, func(name string, lo, hi float64) *metric.Metric { return metric.Score(name, lo, hi, nil) }, DefaultOptions(), q)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	right := &answers{}
	for i := range 40 {
		right.add("", fmt.Sprint(i), "", float64(i%4/3))
	}
	right.add("", "failed", "", math.NaN())
	got := describe(right, DefaultQualityOptions()).Results[0]
	want, err := stats.Wilson(10, 40, .95)
	if err != nil {
		t.Fatal(err)
	}
	if v := got.Baseline; v.Value != .25 || v.Lo != want.Interval.Lo || v.Hi != want.Interval.Hi || v.N != 40 || got.Items.Lacking[0] != 1 || got.Candidate.OK {
		t.Errorf("%+v, want %+v", v, want.Interval)
	}
	q := DefaultQualityOptions()
	q.Missing = AsWrong
	if v := describe(right, q).Results[0].Baseline; v.N != 41 || math.Abs(v.Value-10./41) > 1e-12 {
		t.Errorf("failed counts as wrong: %+v", v)
	}

	grades := &answers{}
	var x []float64
	var codes []int
	for i := range 60 {
		v := .3 + float64(i/6%7)/20 + float64(i%5)/50
		x, codes = append(x, v), append(codes, i/6)
		grades.add("", fmt.Sprint(i), fmt.Sprint(i/6), v)
	}
	mean, err := stats.MeanT(x, .95)
	if err != nil {
		t.Fatal(err)
	}
	if v := describe(grades, DefaultQualityOptions()).Results[0].Baseline; math.Abs(v.Lo-mean.Interval.Lo) > 1e-12 {
		t.Errorf("%+v, want %+v", v, mean.Interval)
	}
	q = DefaultQualityOptions()
	q.Cluster, q.By = "passage", []string{"passage"}
	robust, err := paired.ClusterRobust(x, codes, paired.CR2, .95)
	if err != nil {
		t.Fatal(err)
	}
	c := describe(grades, q)
	if v := c.Results[0].Baseline; math.Abs(v.Lo-robust.Interval.Lo) > 1e-12 || v.Units != 10 {
		t.Errorf("%+v, want %+v", v, robust.Interval)
	}
	if len(c.Results) != 11 || c.Quality.ThinSlices != 10 {
		t.Errorf("%d results, %d thin slices", len(c.Results), c.Quality.ThinSlices)
	}

	several := &answers{}
	var scores [][]float64
	for i := range 30 {
		s := []float64{float64(i % 2), float64(i % 3 / 2), 1}
		scores = append(scores, s)
		several.add(fmt.Sprint(i%2), fmt.Sprint(i), "", s...)
	}
	split, err := paired.Repeats(scores)
	if err != nil {
		t.Fatal(err)
	}
	c = describe(several, DefaultQualityOptions())
	if len(c.Results) != 4 || c.Results[0].Average != Micro || c.Results[1].Average != Macro {
		t.Fatalf("%d results", len(c.Results))
	}
	if v := c.Results[0].Baseline; math.Abs(v.Value-split.Mean) > 1e-12 {
		t.Errorf("mean %v, want %v", v.Value, split.Mean)
	}
	if n := c.Results[0].Items.Repeats; n == nil || math.Abs(n.Side[0].Within-split.Within) > 1e-12 || math.Abs(n.SE-split.SEItems) > 1e-12 {
		t.Errorf("over all tasks: %+v, want %+v", n, split)
	}
	if n := c.Results[2].Items.Repeats; n == nil || n.PerItem[0] != 3 || !(n.SELimit <= n.SETwice && n.SETwice <= n.SE+1e-12) {
		t.Errorf("%+v", n)
	}
}
