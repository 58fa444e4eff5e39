package bootstrap

import (
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/stats"
)

// Every sampled result must be the same byte for byte for any number of workers
// and any GOMAXPROCS.
func TestResultsDoNotDependOnWorkers(t *testing.T) {
	x, y := lognormal(1, 40, 0.7), lognormal(2, 33, 0.7)
	cx, cy := testCDFs(t, 12, 64, 1), testCDFs(t, 14, 64, 2)
	all := func(opt Options) any {
		var out []any
		add := func(v any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, v)
		}
		one := func(v []float64, err error) { add(v, err) }
		one(Replicates(len(x), meanStatistic(x), opt))
		one(TwoSampleReplicates(len(x), len(y), func(ix, iy []int) float64 {
			return meanStatistic(y)(iy) - meanStatistic(x)(ix)
		}, opt))
		one(QuantileReplicates(10000, 0.99, func(u float64) float64 { return u }, opt))
		for _, s := range []Scheme{MovingBlocks{40, 7}, CircularBlocks{40, 7}, StationaryBlocks{40, 5}} {
			v, err := ReplicateVectors(s, 2, func() func([]int, []float64) {
				return func(index []int, out []float64) { out[0], out[1] = meanStatistic(x)(index), x[index[0]] }
			}, opt)
			add(v, err)
		}
		mt, err := MeanT(x, 0.95, opt)
		add(mt, err)
		rt, err := Randomization(x, y, 0.1, stats.TwoSided, opt)
		add(rt, err)
		qr, err := cx.QuantileReplicates([]float64{0.5, 0.99}, opt)
		add(qr, err)
		ch, err := CompareQuantiles(cx, cy, []float64{0.5, 0.99}, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ch {
			out = append(out, c.Difference.values, c.LogRatio.values)
		}
		return out
	}
	opt := Options{Replicates: 501, Seed: 9, Workers: 1}
	want := all(opt)
	for _, workers := range []int{2, 3, 16} {
		opt.Workers = workers
		if d := cmp.Diff(want, all(opt)); d != "" {
			t.Errorf("%d workers: %s", workers, d)
		}
	}
	opt.Workers = 0
	for _, procs := range []int{1, 2, 7} {
		old := runtime.GOMAXPROCS(procs)
		got := all(opt)
		runtime.GOMAXPROCS(old)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("GOMAXPROCS %d: %s", procs, d)
		}
	}
	opt.Seed++
	if cmp.Equal(want, all(opt)) {
		t.Error("another seed gives the same result")
	}
}

func TestMoreReplicatesExtendFewer(t *testing.T) {
	x := lognormal(3, 25, 1)
	few := must[[]float64](t)(Replicates(25, meanStatistic(x), Options{Replicates: 70, Seed: 4}))
	many := must[[]float64](t)(Replicates(25, meanStatistic(x), Options{Replicates: 200, Seed: 4}))
	if !slices.Equal(few, many[:70]) {
		t.Error("the first replicates depend on how many follow")
	}
}

func TestPanicOfStatisticReachesCaller(t *testing.T) {
	for _, workers := range []int{1, 4} {
		func() {
			defer func() {
				if p := recover(); p != "broken statistic" {
					t.Errorf("%d workers: recovered %v", workers, p)
				}
			}()
			_, _ = Replicates(5, func([]int) float64 { panic("broken statistic") }, Options{Replicates: 500, Workers: workers})
		}()
	}
}
