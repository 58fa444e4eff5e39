package plan_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/plan"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

func amount(t *testing.T, text string) *verdict.Amount {
	t.Helper()
	a, err := verdict.ParseAmount(text)
	if err != nil {
		t.Fatal(err)
	}
	return &a
}

func given(t *testing.T, n plan.Numbers, ask plan.Ask) plan.Row {
	t.Helper()
	r, err := plan.FromNumbers(n, ask)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// In units of the standard deviation between runs, as the method study behind
// this project computed them: 80 % power, two-sided 5 % (level 95 %), and
// one-sided 5 % without a true change (level 90 %).
func TestDetectableInRunSDs(t *testing.T) {
	for _, c := range []struct {
		level float64
		want  map[int]float64
	}{
		{0.95, map[int]float64{2: 5.65, 3: 3.07, 4: 2.38, 5: 2.02, 6: 1.80, 8: 1.51, 10: 1.32, 15: 1.06, 20: 0.91}},
		{0.90, map[int]float64{2: 3.98, 3: 2.48, 4: 2.00, 5: 1.72, 6: 1.54, 8: 1.31, 10: 1.16, 15: 0.93, 20: 0.80}},
	} {
		for k, want := range c.want {
			ask := plan.DefaultAsk()
			ask.Level, ask.Runs = c.level, k
			r := given(t, plan.Numbers{RunSD: amount(t, "1ms")}, ask)
			if got := r.MDE / 0.001; math.Abs(got-want) > 0.0051 || r.MDERuns != k {
				t.Errorf("level %v, %d runs: %.4f, want %v", c.level, k, got, want)
			}
		}
		ask := plan.DefaultAsk()
		ask.Level = c.level
		r := given(t, plan.Numbers{RunSD: amount(t, "2%")}, ask)
		rows := 0
		for _, at := range r.BySize {
			if want, ok := c.want[at.Runs]; ok {
				rows++
				if math.Abs(at.MDE/0.02-want) > 0.0051 {
					t.Errorf("table, level %v, %d runs: %.4f, want %v", c.level, at.Runs, at.MDE/0.02, want)
				}
			}
		}
		if rows != 8 {
			t.Errorf("the table has %d of the numbers of runs, want 3, 4, 5, 6, 8, 10, 15, 20", rows)
		}
	}
}

// A pooled or Welch test on five runs of 20.0 and 19.3 ms with a standard
// deviation of 0.8 shows nothing, and about eleven runs or more would be needed.
func TestTPOTOfFiveRuns(t *testing.T) {
	x, y := []float64{19.0, 19.5, 20.0, 20.5, 21.0}, []float64{18.3, 18.8, 19.3, 19.8, 20.3}
	if _, v, _ := stats.MeanVariance(x); math.Abs(math.Sqrt(v)-0.79) > 0.01 {
		t.Fatalf("standard deviation %v", math.Sqrt(v))
	}
	est, err := stats.Welch(x, y, 0.95)
	if err != nil || !est.Interval.Contains(0) {
		t.Errorf("%+v %v", est, err)
	}
	ask := plan.DefaultAsk()
	ask.Effect = amount(t, "-0.7ms")
	n := plan.Numbers{RunSD: amount(t, "0.8ms")}
	if r := given(t, n, ask); r.Runs != 22 {
		t.Errorf("%d runs at power 0.8, want 22", r.Runs)
	}
	// At eleven runs the chance is even.
	ask.Power = 0.5
	if r := given(t, n, ask); r.Runs != 12 && r.Runs != 11 {
		t.Errorf("%d runs at power 0.5, want 11 or 12", r.Runs)
	}
	// If that 0.8 comes from those five runs, it may be 1.56 times as much.
	ask.Power, n.RunSDRuns = 0.8, 5
	if r := given(t, n, ask); r.Runs < 50 || math.Abs(r.Spread.Planned/0.0008-1.5576) > 1e-3 {
		t.Errorf("%d runs, planned with %v", r.Runs, r.Spread.Planned)
	}
}

// Mean 100 against 108 ms, standard deviation 10, margin 5 ms: 64 a side at
// one-sided 2.5 %, 51 at 5 %, and no number if the true change is 8.
func TestImpossibleRequests(t *testing.T) {
	n := plan.Numbers{SD: amount(t, "10ms"), Margin: amount(t, "5ms")}
	ask := plan.DefaultAsk()
	if r := given(t, n, ask); r.Requests != 64 || r.Runs != 0 || r.Unit != plan.Requests {
		t.Errorf("%d requests, %d runs", r.Requests, r.Runs)
	}
	ask.Level = 0.9
	if r := given(t, n, ask); r.Requests != 51 {
		t.Errorf("%d requests", r.Requests)
	}
	for _, effect := range []string{"8ms", "5ms"} {
		ask.Effect = amount(t, effect)
		r := given(t, n, ask)
		if !plan.IsImpossible(r.Impossible) || r.Requests != 0 || r.Runs != 0 {
			t.Errorf("effect %s: %d requests, %v", effect, r.Requests, r.Impossible)
		}
	}
	// A faster candidate is easier to clear.
	ask.Effect = amount(t, "-8ms")
	if r := given(t, n, ask); r.Requests >= 51 || r.Requests < 2 {
		t.Errorf("%d requests", r.Requests)
	}
	run := plan.Numbers{RunSD: amount(t, "4%"), Margin: amount(t, "5%")}
	ask = plan.DefaultAsk()
	ask.Effect = amount(t, "5%")
	if r := given(t, run, ask); !plan.IsImpossible(r.Impossible) || r.Runs != 0 {
		t.Errorf("at the margin: %d runs, %v", r.Runs, r.Impossible)
	}
	ask.Effect = amount(t, "4.99%")
	if r := given(t, run, ask); !plan.IsImpossible(r.Impossible) || r.Runs != 0 {
		t.Errorf("beyond the limit of runs: %d runs, %v", r.Runs, r.Impossible)
	}
	ask.Effect = amount(t, "0%")
	if r := given(t, plan.Numbers{RunSD: amount(t, "4%")}, ask); !plan.IsImpossible(r.Impossible) {
		t.Errorf("no change to show: %v", r.Impossible)
	}
}

func TestNumbersThatDoNotGoTogether(t *testing.T) {
	ttft, _ := metric.Known("ttft")
	for _, n := range []plan.Numbers{
		{},
		{RunSD: amount(t, "4%"), Margin: amount(t, "5ms")},
		{RunSD: amount(t, "4"), SD: amount(t, "10ms")},
		{RunSD: amount(t, "0%")},
		{SD: amount(t, "-3ms")},
		{RunSD: amount(t, "4%"), Margin: amount(t, "-5%")},
		{RunSD: amount(t, "4%"), RunSDRuns: 1},
		{SD: amount(t, "10ms"), Metric: ttft, Estimand: metric.Estimand{Q: 0.99}},
		{RunSD: amount(t, "2%"), SD: amount(t, "50%")},
	} {
		if r, err := plan.FromNumbers(n, plan.DefaultAsk()); err == nil {
			t.Errorf("%+v: %+v", n, r)
		}
	}
	for _, a := range []func(*plan.Ask){
		func(a *plan.Ask) { a.Power = 1 },
		func(a *plan.Ask) { a.Power = 0.01 },
		func(a *plan.Ask) { a.Level = 0 },
		func(a *plan.Ask) { a.Runs = 1 },
		func(a *plan.Ask) { a.Requests = math.NaN() },
	} {
		ask := plan.DefaultAsk()
		a(&ask)
		if _, err := plan.FromNumbers(plan.Numbers{RunSD: amount(t, "4%")}, ask); err == nil {
			t.Errorf("%+v is accepted", ask)
		}
	}
}

// Longer runs help only as far as requests make the noise.
func TestRequestsOfARun(t *testing.T) {
	n := plan.Numbers{RunSD: amount(t, "1%"), SD: amount(t, "50%"), Margin: amount(t, "3%")}
	ask := plan.DefaultAsk()
	ask.Requests = 400 // √(1² + 2.5²) = 2.69 %
	r := given(t, n, ask)
	if math.Abs(r.Spread.Planned-0.0269258) > 1e-6 || math.Abs(r.Spread.Within-0.025) > 1e-6 {
		t.Errorf("%+v", r.Spread)
	}
	last := math.MaxInt
	for _, at := range r.ByLength {
		if at.Runs > last {
			t.Errorf("longer runs need more of them: %+v", r.ByLength)
		}
		last = at.Runs
	}
	// How long must five runs be?
	ask.Requests, ask.Runs = 0, 5
	five := given(t, n, ask)
	if five.Runs > 5 || five.EnoughRequests < 400 {
		t.Errorf("%d runs of %d requests", five.Runs, five.EnoughRequests)
	}
	ask.Requests = float64(five.EnoughRequests - 1)
	if r := given(t, n, ask); r.Runs <= 5 {
		t.Errorf("one request less does too: %d runs", r.Runs)
	}
	n.RunSD = amount(t, "2%")
	ask.Requests = 0
	if r := given(t, n, ask); !plan.IsImpossible(r.Impossible) {
		t.Errorf("no length of run makes five runs enough: %v", r.Impossible)
	}
}

// With little data the test that judges has less power than the plan.
func TestFewRunsAreRemarked(t *testing.T) {
	r := given(t, plan.Numbers{RunSD: amount(t, "1%"), Margin: amount(t, "3.2%")}, plan.DefaultAsk())
	found := false
	for _, w := range r.Warnings {
		found = found || w.Code == "few_runs"
	}
	if r.Runs != 3 || !found {
		t.Errorf("%d runs, %+v", r.Runs, r.Warnings)
	}
	if r := given(t, plan.Numbers{RunSD: amount(t, "0.01%"), Margin: amount(t, "3%")}, plan.DefaultAsk()); r.Runs != 3 {
		t.Errorf("%d runs, want at least 3", r.Runs)
	}
}

func pilot(t *testing.T, ask []string, opt compare.Options, s fixtures.Spec) *compare.Parts {
	t.Helper()
	records, err := fixtures.Generate(s)
	if err != nil {
		t.Fatal(err)
	}
	src := records.Source()
	l, err := ingest.Resolve("made", src.Columns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	items, err := metric.Select(ask, nil, nil, metric.Directions{}, []*ingest.Layout{l})
	if err != nil {
		t.Fatal(err)
	}
	in := compare.Inputs{Plan: metric.NewPlan(items), Scan: metric.Scan{Workers: 1},
		Sides: []metric.Input{{Files: []metric.File{{Path: "made", Label: "made", Source: src, Layout: l}}}}}
	p, err := compare.ReadParts(t.Context(), in, opt, compare.Want{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPilot(t *testing.T) {
	s := fixtures.Default()
	s.Runs, s.RequestsPerRun, s.RunSpread, s.Seed = 8, 1200, 0.03, 4
	rows, err := plan.FromPilot(pilot(t, []string{"tpot:p50", "ttft:p99.9", "success_rate", "throughput_rps", "prompt_tokens"}, compare.DefaultOptions(), s), verdict.Default(), plan.DefaultAsk())
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]plan.Row{}
	for _, r := range rows {
		byName[fmt.Sprint(r.Metric, " ", r.Estimand)] = r
	}
	r := byName["tpot p50"]
	if r.Runs < 3 || r.AtEstimate > r.Runs || r.Spread.Planned <= r.Spread.SD || r.Spread.Lo >= r.Spread.SD || r.Spread.Hi <= r.Spread.SD ||
		r.MDERuns != 8 || r.Requests != int64(math.Ceil(float64(r.Runs)*r.Spread.RequestsPerRun)) || len(r.ByLength) != 5 {
		t.Errorf("tpot p50: %+v", r)
	}
	// The very number that stats gives.
	want, err := stats.RunsNeeded(r.Spread.Planned, math.Log(1.05), 0.025, 0.8, 1000)
	if err != nil || r.Runs != max(3, want) {
		t.Errorf("%d runs, want %d", r.Runs, want)
	}
	if r := byName["success_rate rate"]; r.Unit != plan.Requests || r.Requests == 0 || r.Runs != 0 || !(r.MDE > 0) {
		t.Errorf("success: %+v", r)
	}
	if r := byName["ttft p99.9"]; r.Runs*1200 < 10000 && r.Requests < 10000 {
		t.Errorf("a percentile with ten values beyond it: %+v", r)
	}
	// No margin, no answer; the table stands.
	if r := byName["throughput_rps rate"]; r.Runs != 0 || r.Impossible != nil || len(r.BySize) < 8 || !(r.MDE > 0) {
		t.Errorf("throughput: %+v", r)
	}
}

// A pilot of one run says nothing of the noise between runs.
func TestPilotOfOneRun(t *testing.T) {
	s := fixtures.Default()
	s.Runs, s.RequestsPerRun = 1, 2000
	opt := compare.DefaultOptions()
	rows, err := plan.FromPilot(pilot(t, []string{"tpot:p50"}, opt, s), verdict.Default(), plan.DefaultAsk())
	if err != nil {
		t.Fatal(err)
	}
	r := rows[0]
	if r.Spread.Source != plan.Assumed || r.Spread.SD < opt.RunNoise || r.Runs < 3 || r.Warnings[0].Code != "assumed_noise" {
		t.Errorf("%+v", r)
	}
	// Requests as the unit.
	opt.Unit = compare.Request
	ask := plan.DefaultAsk()
	ask.Effect = amount(t, "6%")
	rows, err = plan.FromPilot(pilot(t, []string{"tpot:mean"}, opt, s), verdict.Default(), ask)
	if err != nil || !errors.Is(rows[0].Impossible, stats.ErrImpossible) {
		t.Errorf("%+v %v", rows, err)
	}
	ask.Effect = nil
	rows, err = plan.FromPilot(pilot(t, []string{"tpot:mean"}, opt, s), verdict.Default(), ask)
	if err != nil || rows[0].Unit != plan.Requests || rows[0].Requests < 2 || rows[0].Runs != 0 {
		t.Errorf("%+v %v", rows, err)
	}
}

// What has one value a run is planned in runs, whatever else repeats.
func TestPilotOfRunsByRequest(t *testing.T) {
	s := fixtures.Default()
	s.Runs, s.RequestsPerRun, s.RunSpread = 6, 500, 0.03
	rows := map[compare.Unit]plan.Row{}
	for _, unit := range []compare.Unit{compare.Run, compare.Request} {
		opt := compare.DefaultOptions()
		opt.Unit = unit
		of, err := plan.FromPilot(pilot(t, []string{"throughput_rps"}, opt, s), verdict.Default(), plan.DefaultAsk())
		if err != nil {
			t.Fatal(err)
		}
		rows[unit] = of[0]
	}
	runs, requests := rows[compare.Run], rows[compare.Request]
	if requests.Unit != plan.Runs || requests.Spread.SD != runs.Spread.SD || requests.MDE != runs.MDE || !(runs.MDE > 0) || requests.Spread.RequestsPerRun != 500 {
		t.Errorf("by request %+v\nby run %+v", requests, runs)
	}
}
