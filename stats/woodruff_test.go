package stats

import (
	"math"
	"slices"
	"testing"
)

func TestWoodruffBatchesEqualSizes(t *testing.T) {
	counts, below := []int64{10, 10, 10, 10}, []int64{9, 10, 8, 9}
	lo, hi, se, err := WoodruffBatches(counts, below, 0.9, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	_, v, _ := MeanVariance([]float64{0.9, 1, 0.8, 0.9})
	near(t, "SE", se, math.Sqrt(v/4), 1e-12)
	near(t, "half-width", hi-lo, 2*TQuantile(0.975, 3)*se, 1e-12)
	near(t, "centre", (lo+hi)/2, 0.9, 1e-12)
	// A batch of another size with the same shares changes little.
	_, _, uneven, err := WoodruffBatches([]int64{10, 10, 10, 20}, []int64{9, 10, 8, 18}, 0.9, 0.95)
	if err != nil || math.Abs(uneven/se-1) > 0.25 {
		t.Errorf("uneven batches: SE %v, %v, even %v", uneven, err, se)
	}
	// Scaling all batches changes nothing.
	_, _, scaled, _ := WoodruffBatches([]int64{50, 50, 50, 50}, []int64{45, 50, 40, 45}, 0.9, 0.95)
	near(t, "scaled SE", scaled, se, 1e-12)
}

// The error of a ratio is that of the mean of its values where batches are equal,
// and takes no notice of batches that differ in size alone.
func TestBatchRatioError(t *testing.T) {
	e, err := BatchRatioError([]int64{5, 5, 5}, []float64{10, 15, 5})
	if err != nil || e.DF != 2 {
		t.Errorf("%+v, %v", e, err)
	}
	_, v, _ := MeanVariance([]float64{2, 3, 1})
	near(t, "SE", e.SE, math.Sqrt(v/3), 1e-12)
	if e, err = BatchRatioError([]int64{1, 20, 4}, []float64{.5, 10, 2}); err != nil || e.SE != 0 {
		t.Errorf("equal shares of unequal batches: %+v, %v", e, err)
	}
	// Residuals add up to 0, and a batch of another size then says the same.
	a, _ := BatchRatioError([]int64{10, 10, 10, 10}, []float64{3, -3, 1, -1})
	b, _ := BatchRatioError([]int64{4, 16, 7, 13}, []float64{3, -3, 1, -1})
	near(t, "residuals", b.SE, a.SE, 1e-12)
	for _, c := range []struct {
		counts []int64
		sums   []float64
		want   error
	}{
		{[]int64{1, 2}, []float64{1}, ErrMismatch},
		{[]int64{1}, []float64{1}, ErrTooFew},
		{[]int64{1, 0}, []float64{1, 0}, ErrTooFew},
		{[]int64{1, 2}, []float64{1, math.NaN()}, ErrDomain},
	} {
		_, err := BatchRatioError(c.counts, c.sums)
		wantError(t, "batch ratio", err, c.want)
	}
}

func TestWoodruffBatchesErrors(t *testing.T) {
	_, _, _, err := WoodruffBatches([]int64{1, 2}, []int64{1}, 0.5, 0.9)
	wantError(t, "lengths", err, ErrMismatch)
	_, _, _, err = WoodruffBatches([]int64{1}, []int64{1}, 0.5, 0.9)
	wantError(t, "one batch", err, ErrTooFew)
	_, _, _, err = WoodruffBatches([]int64{1, 0}, []int64{1, 0}, 0.5, 0.9)
	wantError(t, "empty batch", err, ErrTooFew)
	_, _, _, err = WoodruffBatches([]int64{1, 2}, []int64{1, 3}, 0.5, 0.9)
	wantError(t, "more below than there are", err, ErrDomain)
	_, _, _, err = WoodruffBatches([]int64{1, 2}, []int64{1, -1}, 0.5, 0.9)
	wantError(t, "negative", err, ErrDomain)
	_, _, _, err = WoodruffBatches([]int64{1, 2}, []int64{1, 1}, 1, 0.9)
	wantError(t, "q", err, ErrDomain)
	_, _, _, err = WoodruffBatches([]int64{1, 2}, []int64{1, 1}, 0.5, 1)
	wantError(t, "level", err, ErrDomain)
}

func TestWoodruffCIEdges(t *testing.T) {
	e, err := WoodruffCI(slices.Repeat([]float64{5}, 100), 0.9, 10, 0.95)
	if err != nil || e.Value != 5 || e.SE != 0 || e.Interval.Lo != 5 || e.Interval.Hi != 5 {
		t.Errorf("constant: %+v, %v", e, err)
	}
	if len(e.Warnings) != 1 || e.Warnings[0].Code != WarnNoVariance {
		t.Errorf("constant: warnings %v", e.Warnings)
	}
	x := lognormal(1, 100, 0, 1)
	before := slices.Clone(x)
	far, err := WoodruffCI(x, 0.99, 10, 0.95)
	if err != nil || !math.IsInf(far.Interval.Hi, 1) || far.Upper <= 100 || far.Warnings[len(far.Warnings)-1].Code != WarnUnbounded {
		t.Errorf("beyond the data: %+v, %v", far, err)
	}
	if !slices.Equal(x, before) {
		t.Error("the argument changed")
	}
	_, err = WoodruffCI(x, 0.5, 1, 0.95)
	wantError(t, "one batch", err, ErrTooFew)
	_, err = WoodruffCI(x[:5], 0.5, 10, 0.95)
	wantError(t, "more batches than values", err, ErrTooFew)
	_, err = WoodruffCI([]float64{1, math.NaN(), 3, 4}, 0.5, 2, 0.95)
	wantError(t, "NaN", err, ErrDomain)
	_, err = WoodruffCI(x, 0, 10, 0.95)
	wantError(t, "q", err, ErrDomain)
}
