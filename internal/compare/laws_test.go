package compare_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Sides that are exchanged change the sign of the log ratio and swap the
// p-values, in every design.
func TestSwap(t *testing.T) {
	request := noMix()
	request.Unit = compare.Request
	ask := []string{"latency:mean", "latency:p50", "latency:p95", "success_rate"}
	for _, c := range []struct {
		why  string
		opt  compare.Options
		a, b *table
	}{
		{"runs", noMix(), drawn(13, 4, 300, 0.02, 1), drawn(14, 3, 200, 0.02, 1.1)},
		{"one run a side", noMix(), drawn(15, 1, 400, 0, 1), drawn(16, 1, 500, 0, 1.1)},
		{"one against several", noMix(), drawn(17, 1, 400, 0, 1), drawn(18, 3, 400, 0.02, 1.1)},
		{"requests", request, drawn(19, 2, 300, 0, 1), drawn(20, 2, 300, 0, 1.1)},
		{"rare failures", noMix(), outcomes([]int{299, 300}, []int{300, 300}), outcomes([]int{290, 295}, []int{300, 300})},
		{"frequent failures", noMix(), outcomes([]int{250, 240, 260}, []int{300, 300, 300}), outcomes([]int{200, 220, 210}, []int{300, 300, 300})},
	} {
		x, y := compareTables(t, c.opt, ask, c.a, c.b), compareTables(t, c.opt, ask, c.b, c.a)
		for i := range x.Results {
			r, s := x.Results[i], y.Results[i]
			for name, pair := range map[string][2]compare.Contrast{"log": {r.Log, s.Log}, "delta": {r.Delta, s.Delta}} {
				p, q := pair[0], pair[1]
				if p.OK != q.OK || !p.OK {
					continue
				}
				want := []float64{-q.Value, -q.Hi, -q.Lo, q.SEHi, q.SELo, q.DF}
				if d := cmp.Diff(want, numbers(p), approx, cmpopts.EquateNaNs()); d != "" {
					t.Errorf("%s, %s %s, %s:\n%s", c.why, r.Metric, r.Estimand, name, d)
				}
				if a, b := p.PAbove(0.01), q.PBelow(-0.01); math.Abs(a-b) > 1e-9 {
					t.Errorf("%s, %s %s, %s: p %v, the other way round %v", c.why, r.Metric, r.Estimand, name, a, b)
				}
			}
			if r.Method != s.Method {
				t.Errorf("%s, %s: %q, the other way round %q", c.why, r.Metric, r.Method, s.Method)
			}
		}
	}
}

// In another unit differences are as many times larger, and ratios are the same.
func TestScaling(t *testing.T) {
	a, b := drawn(21, 3, 300, 0.02, 1), drawn(22, 3, 300, 0.02, 1.1)
	scaled := func(tb *table) *table {
		out := &table{columns: slices.Clone(tb.columns)}
		out.columns[1].numbers = slices.Clone(tb.columns[1].numbers)
		for i := range out.columns[1].numbers {
			out.columns[1].numbers[i] *= 1000
		}
		return out
	}
	ask := []string{"latency:mean", "latency:p50", "latency:p95"}
	x, y := compareTables(t, noMix(), ask, a, b), compareTables(t, noMix(), ask, scaled(a), scaled(b))
	for i := range x.Results {
		r, s := x.Results[i], y.Results[i]
		if d := cmp.Diff(numbers(r.Log), numbers(s.Log), cmpopts.EquateApprox(1e-9, 1e-9)); d != "" {
			t.Errorf("%s: log ratio\n%s", r.Estimand, d)
		}
		want := numbers(r.Delta)
		for k := range want[:5] {
			want[k] *= 1000
		}
		if d := cmp.Diff(want, numbers(s.Delta), cmpopts.EquateApprox(1e-9, 1e-9)); d != "" {
			t.Errorf("%s: difference\n%s", r.Estimand, d)
		}
	}
}

// Intervals at a higher level hold those at a lower one, and p-values agree with
// them: at a limit they are half of what the level leaves.
func TestLevels(t *testing.T) {
	a, b := drawn(23, 3, 300, 0.02, 1), drawn(24, 3, 300, 0.02, 1.05)
	last := compare.Contrast{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, level := range []float64{0.5, 0.8, 0.95, 0.99} {
		opt := noMix()
		opt.Level = level
		ct := compareTables(t, opt, []string{"latency:p50"}, a, b).Results[0].Log
		if ct.Lo >= last.Lo || ct.Hi <= last.Hi {
			t.Errorf("level %v: %v to %v, at a lower one %v to %v", level, ct.Lo, ct.Hi, last.Lo, last.Hi)
		}
		last = ct
		for at, p := range map[float64]float64{ct.Lo: ct.PBelow(ct.Lo), ct.Hi: ct.PAbove(ct.Hi)} {
			if math.Abs(p-(1-level)/2) > 1e-9 {
				t.Errorf("level %v: p %v at the limit %v", level, p, at)
			}
		}
		if m := ct.MDE((1-level)/2, 0.8); !(m > 0) {
			t.Errorf("level %v: smallest detectable change %v", level, m)
		}
	}
}

// Histograms widen intervals by the error that they may have.
func TestHistogramsWiden(t *testing.T) {
	in, err := tables([]string{"latency:p50"}, drawn(32, 3, 2000, 0.02, 1), drawn(33, 3, 2000, 0.02, 1))
	if err != nil {
		t.Fatal(err)
	}
	exact, err := compare.Compare(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Limit = 100
	binned, err := compare.Compare(t.Context(), in, noMix())
	if err != nil {
		t.Fatal(err)
	}
	x, y := exact.Results[0], binned.Results[0]
	if !x.Exact || y.Exact || !(y.RelErr > 0) {
		t.Fatalf("exact %v and %v, error %v", x.Exact, y.Exact, y.RelErr)
	}
	if y.Log.Lo > x.Log.Lo || y.Log.Hi < x.Log.Hi || y.Log.Hi-y.Log.Lo > 1.5*(x.Log.Hi-x.Log.Lo) {
		t.Errorf("from histograms %v to %v, exactly %v to %v", y.Log.Lo, y.Log.Hi, x.Log.Lo, x.Log.Hi)
	}
}

func TestOptionsValidate(t *testing.T) {
	for name, change := range map[string]func(*compare.Options){
		"level":  func(o *compare.Options) { o.Level = 1 },
		"noise":  func(o *compare.Options) { o.RunNoise = -0.1 },
		"noise1": func(o *compare.Options) { o.RunNoise = 1 },
		"table":  func(o *compare.Options) { o.Noise = &compare.NoiseTable{Rest: compare.MeasuredNoise{SD: 2}} },
	} {
		opt := compare.DefaultOptions()
		change(&opt)
		if opt.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := compare.DefaultOptions().Validate(); err != nil {
		t.Error(err)
	}
}

// The comparison does not depend on the number of workers.
func TestCompareIsDeterministic(t *testing.T) {
	a, b := traffic{seed: 34, runs: 2, requests: 3000, failures: 0.02}.table(), traffic{seed: 35, runs: 1, requests: 3000, failures: 0.02}.table()
	var want []compare.Result
	for _, workers := range []int{1, 2, 4} {
		in, err := tables(nil, a, b)
		if err != nil {
			t.Fatal(err)
		}
		in.Scan = metric.Scan{Workers: workers}
		opt := compare.DefaultOptions()
		opt.By = []string{"region"}
		c, err := compare.Compare(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = c.Results
			continue
		}
		for i := range want {
			x, y := want[i], c.Results[i]
			if d := cmp.Diff(append(numbers(x.Log), numbers(x.Delta)...), append(numbers(y.Log), numbers(y.Delta)...), cmpopts.EquateNaNs()); d != "" {
				t.Errorf("%d workers, %s %s:\n%s", workers, x.Metric, x.Estimand, d)
			}
		}
	}
}
