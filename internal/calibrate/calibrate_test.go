package calibrate_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/calibrate"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

func TestMeasure(t *testing.T) {
	parts := read(t, inputs(t, nil, night(1, 6, 500, 0.01)), compare.DefaultOptions())
	r, err := calibrate.Measure(t.Context(), parts, verdict.Default(), calibrate.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if r.Size != 3 || r.Splits != 20 || !r.All || r.Pass+r.Fail+r.Inconclusive+r.Exception != r.Splits {
		t.Errorf("%+v", r)
	}
	if len(r.Rows) != 10 {
		t.Fatalf("%d rows", len(r.Rows))
	}
	for _, row := range r.Rows {
		if row.Pass+row.Fail+row.Inconclusive != row.Judged || row.Judged > 0 && row.Judged != r.Splits {
			t.Errorf("%s %s: %+v", row.Metric, row.Estimand, row)
		}
		if row.Spread == nil || row.Missed > row.Intervals {
			t.Errorf("%s %s: %+v", row.Metric, row.Estimand, row)
		}
		// Half of the splits mirror the other half, so that upper limits of harm
		// are not all negative, and the suggested margin exists where an interval does.
		if row.Intervals == r.Splits && !(row.Passing > 0) {
			t.Errorf("%s %s: passing margin %v", row.Metric, row.Estimand, row.Passing)
		}
	}
	again, err := calibrate.Measure(t.Context(), parts, verdict.Default(), calibrate.DefaultOptions())
	if err != nil || again.Fail != r.Fail || again.Rows[0].Passing != r.Rows[0].Passing {
		t.Errorf("a second time: %+v, %v", again, err)
	}
}

// The suggested margin passes as many splits as it says.
func TestPassingMarginPasses(t *testing.T) {
	parts := read(t, inputs(t, []string{"tpot:p50"}, night(3, 8, 400, 0.02)), compare.DefaultOptions())
	how := calibrate.DefaultOptions()
	r, err := calibrate.Measure(t.Context(), parts, verdict.Default(), how)
	if err != nil {
		t.Fatal(err)
	}
	row := r.Rows[0]
	for _, c := range []struct {
		margin float64
		enough bool
	}{{math.Expm1(row.Passing) * 1.0001, true}, {math.Expm1(row.Passing) * 0.99, false}} {
		policy := verdict.Default()
		policy.Latency = verdict.Margin{Scale: verdict.Relative, Value: c.margin}
		again, err := calibrate.Measure(t.Context(), parts, policy, how)
		if err != nil {
			t.Fatal(err)
		}
		if share := float64(again.Rows[0].Pass) / float64(again.Splits); (share >= how.PassShare) != c.enough {
			t.Errorf("margin %v passes %v of the splits", c.margin, share)
		}
	}
}

func TestMeasureRefuses(t *testing.T) {
	opt := compare.DefaultOptions()
	two := read(t, inputs(t, nil, night(1, 2, 100, 0)), opt)
	how := calibrate.DefaultOptions()
	how.Size = 2
	if _, err := calibrate.Measure(t.Context(), two, verdict.Default(), how); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("2 + 2 of 2 runs: %v", err)
	}
	how.Size, how.Most = 1, 1
	if _, err := calibrate.Measure(t.Context(), two, verdict.Default(), how); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("one split: %v", err)
	}
	if _, err := calibrate.Noise(two); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("noise of two runs: %v", err)
	}
	one := read(t, inputs(t, nil, night(1, 1, 400, 0)), opt)
	if r, err := calibrate.Measure(t.Context(), one, verdict.Default(), calibrate.DefaultOptions()); err != nil || !one.Blocks || r.Size != 10 {
		t.Errorf("blocks of one run: %+v, %v", r, err)
	}
	if _, err := calibrate.Noise(one); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("noise of blocks: %v", err)
	}
}

func TestNoiseFile(t *testing.T) {
	p50, p99 := metric.Estimand{Q: 0.5}, metric.Estimand{Q: 0.99}
	table := compare.NoiseTable{
		From: "n.json",
		Each: []compare.MeasuredNoise{
			{Metric: "ttft", Estimand: p50, SD: 0.012345, Within: 0.004, Runs: 20},
			{Metric: "ttft", Estimand: p99, SD: 0.05, Runs: 20},
			{Metric: "throughput_rps", Estimand: metric.Estimand{Kind: metric.Rate}, SD: 0.01, Runs: 12},
		},
		Rest: compare.MeasuredNoise{SD: 0.05, Runs: 20},
	}
	var b bytes.Buffer
	if err := calibrate.WriteNoise(&b, table, "nights"); err != nil {
		t.Fatal(err)
	}
	back, err := calibrate.ReadNoise("n.json", b.Bytes())
	if err != nil || !reflect.DeepEqual(back, table) {
		t.Errorf("%+v\n%+v\n%v", back, table, err)
	}
	for _, c := range []struct{ text, want string }{
		{``, "not a noise file"},
		{`[]`, "not a noise file"},
		{`{"version":1}`, "all_else is missing"},
		{`{"version":2,"all_else":{"sd":0.1}}`, "version 2: want 1"},
		{`{"version":1,"all_else":{"sd":0.1},"extra":1}`, "extra"},
		{`{"version":1,"all_else":{"sd":0.1}} x`, "something follows"},
		{`{"version":1,"all_else":{"sd":-1}}`, "all else is -1"},
		{`{"version":1,"all_else":{"sd":0.1,"runs":1}}`, "1 runs"},
		{`{"version":1,"all_else":{"sd":0.1},"run_noise":[{"metric":"ttft","estimand":"p500","sd":0.1}]}`, "p500"},
		{`{"version":1,"all_else":{"sd":0.1},"run_noise":[{"metric":"","estimand":"p50","sd":0.1}]}`, "metric \"\""},
		{`{"version":1,"all_else":{"sd":0.1},"run_noise":[{"metric":"ttft","estimand":"p50","sd":2}]}`, "ttft p50 is 2"},
		{`{"version":1,"all_else":{"sd":0.1},"run_noise":[{"metric":"ttft","estimand":"p50","sd":0.1},{"metric":"ttft","estimand":"p50.0","sd":0.1}]}`, "twice"},
	} {
		if _, err := calibrate.ReadNoise("n.json", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	// A hand-written file: one number, taken as it is.
	one, err := calibrate.ReadNoise("n.json", []byte(`{"version":1,"all_else":{"sd":0.03}}`))
	if err != nil {
		t.Fatal(err)
	}
	opt := compare.DefaultOptions()
	opt.Noise = &one
	m, _ := metric.Known("e2e")
	if got := opt.Assume(m, p99); got != 0.03 {
		t.Errorf("one number: %v", got)
	}
}

func FuzzReadNoise(f *testing.F) {
	f.Add([]byte(`{"version":1,"all_else":{"sd":0.1,"runs":5},"run_noise":[{"metric":"ttft","estimand":"p50","sd":0.1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := calibrate.ReadNoise("f", data)
		if err == nil && table.Validate() != nil {
			t.Error("an invalid table was read")
		}
	})
}
