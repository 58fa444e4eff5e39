package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestGroupedMedian(t *testing.T) {
	at := []float64{10, 20, 40}
	for name, c := range map[string]struct {
		below []int64
		n     int64
		want  float64
	}{
		"between":               {[]int64{2, 6, 10}, 10, 17.5}, // 3 of the 4 values from 10 to 20
		"at a threshold":        {[]int64{2, 5, 10}, 10, 20},
		"before the first":      {[]int64{6, 7, 8}, 10, 10},
		"beyond the last":       {[]int64{1, 2, 3}, 10, 40},
		"none in between":       {[]int64{1, 1, 9}, 10, 30},
		"ties at the threshold": {[]int64{0, 0, 10}, 10, 30},
	} {
		got, err := GroupedMedian(at, c.below, c.n)
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
		}
	}
	_, err := GroupedMedian(nil, nil, 1)
	wantError(t, "no thresholds", err, ErrTooFew)
	_, err = GroupedMedian(at, []int64{1, 2, 3}, 0)
	wantError(t, "no values", err, ErrTooFew)
	_, err = GroupedMedian(at, []int64{1, 2}, 3)
	wantError(t, "lengths", err, ErrMismatch)
	_, err = GroupedMedian(at, []int64{1, 0, 3}, 3)
	wantError(t, "falling counts", err, ErrDomain)
	_, err = GroupedMedian(at, []int64{1, 2, 4}, 3)
	wantError(t, "too many", err, ErrDomain)
	_, err = GroupedMedian([]float64{1, math.NaN()}, []int64{1, 2}, 3)
	wantError(t, "NaN", err, ErrDomain)
}

func FuzzGroupedMedian(f *testing.F) {
	f.Add(1.0, 2.0, int64(1), int64(2), int64(3))
	f.Add(-1e308, 1e308, int64(0), int64(5), int64(6))
	f.Add(-2e307, 1.25e307, int64(0), int64(5), int64(10))
	f.Fuzz(func(t *testing.T, a, b float64, k, l, n int64) {
		at, below := []float64{a, b}, []int64{k, l}
		got, err := GroupedMedian(at, below, n)
		if err == nil && !(got >= a && got <= b) {
			t.Errorf("%v, %v of %d: %v", at, below, n, got)
		}
		if !slices.Equal(below, []int64{k, l}) || fmt.Sprint(at) != fmt.Sprint([]float64{a, b}) {
			t.Error("an input was modified")
		}
	})
}
