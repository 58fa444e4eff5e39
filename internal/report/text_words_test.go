package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

func TestPassText(t *testing.T) {
	near, far := gateOf(t), gateOf(t)
	near.HarmHi, far.HarmHi = 0.04, 0.01
	better := gateOf(t)
	better.HarmHi = -0.01
	soft := gateOf(t)
	soft.HarmHi, soft.Soft, soft.Outcome = 0.2, true, verdict.Inconclusive
	limit := gateOf(t)
	limit.Margin, limit.Limit = nil, &verdict.Limit{Metric: "ttft", Op: "<=", Value: 2}
	for _, c := range []struct {
		why   string
		gates []verdict.Gate
		want  string
	}{
		{"the closest is named", []verdict.Gate{*far, *near}, "Every gate is within its margin (2 gates). The closest is ttft p99: at most 4.1 % slower, margin 5 %."},
		{"one that improved", []verdict.Gate{*better}, "(1 gate). It improved."},
		{"all improved", []verdict.Gate{*better, *better}, "Every metric with a margin improved."},
		{"limits alone", []verdict.Gate{*limit}, "Every limit is kept (1 limit)."},
		{"a soft gate that is open", []verdict.Gate{*far, *soft}, "Every gate is within its margin (1 gate), but for 1 soft gate that is open. The closest is ttft p99: at most 1.0 % slower"},
		{"two beside a limit", []verdict.Gate{*limit, *soft, *soft}, "Every limit is kept (1 limit), but for 2 soft gates that are open."},
		{"what is not judged does not count", []verdict.Gate{*near, {Result: near.Result}}, "(1 gate)"},
	} {
		if got := passText(verdict.Decision{Gates: c.gates}); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

func TestPassingMargin(t *testing.T) {
	tps := known(t, "output_tps")
	own := &metric.Metric{Name: "retries", Unit: metric.Unitless}
	for _, c := range []struct {
		m      *metric.Metric
		margin verdict.Margin
		harm   float64
		want   string
	}{
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Relative, Value: 0.05}, math.Log(1.0912), "9.2 %"},
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Relative, Value: 0.05}, math.Log(1.0504), "5.1 %"},
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Relative, Value: 0.05}, math.Log(1.05), "5.1 %"},
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Relative, Value: 0.05}, math.Log(1e20), "1e+22 %"},
		{tps, verdict.Margin{Scale: verdict.Relative, Value: 0.05}, -math.Log(1 - 0.0912), "9.2 %"},
		{known(t, "success_rate"), verdict.Margin{Scale: verdict.Absolute, Value: 0.005}, 0.013441, "1.35 pp"},
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Absolute, Value: 0.005}, 0.0123456, "12.4 ms"},
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Absolute, Value: 0.005}, 0.00999999, "10.0 ms"},
		{known(t, "ttft"), verdict.Margin{Scale: verdict.Absolute, Value: 0.005}, 1234.2, "1,235 s"},
		{own, verdict.Margin{Scale: verdict.Absolute, Value: 0.005}, 0.25, "0.251"},
		{own, verdict.Margin{Scale: verdict.Absolute, Value: 0}, 1e30, "1e+30"},
	} {
		g := &verdict.Gate{Result: &compare.Result{Metric: c.m}, Margin: &c.margin, HarmHi: c.harm}
		if got := passingText(g); got != c.want {
			t.Errorf("%s beyond %v: %s, want %s", c.m, c.margin, got, c.want)
		}
	}
}

func TestLongSliceInText(t *testing.T) {
	doc := sample("FAIL", 1)
	cut := 0
	for i := range doc.Results {
		if doc.Results[i].Slice != nil {
			doc.Results[i].Slice = map[string]string{"tenant": strings.Repeat("x", 10_000)}
			cut++
		}
	}
	var b bytes.Buffer
	if err := WriteText(&b, doc, TextOptions{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if cut == 0 || !strings.Contains(b.String(), "tenant=xxx") || !strings.Contains(b.String(), "x…") {
		t.Fatalf("%d slices in\n%.3000s", cut, b.String())
	}
	for line := range strings.Lines(b.String()) {
		if strings.Contains(line, "x…") && len(line) > 250 {
			t.Errorf("%d letters: %.200s", len(line), line)
		}
	}
}

func TestChecksText(t *testing.T) {
	ok, warn, fail := Check{Check: "duration", Status: "ok"}, Check{Check: "prompt_length", Status: "warn"}, Check{Check: "warm_up", Status: "fail"}
	for _, c := range []struct {
		checks []Check
		want   string
	}{
		{[]Check{ok}, "The one comparability check found like conditions on both sides."},
		{[]Check{ok, ok}, "Both comparability checks found like conditions on the two sides."},
		{[]Check{ok, ok, ok}, "All 3 comparability checks found like conditions on both sides."},
		{[]Check{ok, warn}, "1 of 2 comparability checks found something (prompt length); it does not stand in the way of a verdict."},
		{[]Check{ok, warn, fail}, "1 of 3 comparability checks makes a PASS impossible (warm up): the two sides are not comparable, or not to be believed, as they are."},
	} {
		if got := checksText(c.checks); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestHarmSentence(t *testing.T) {
	tps := known(t, "output_tps")
	for _, c := range []struct {
		why    string
		m      *metric.Metric
		margin *verdict.Margin
		harm   [3]float64
		want   string
	}{
		{"slower", known(t, "ttft"), &verdict.Margin{Value: 0.05}, [3]float64{math.Log(1.2), math.Log(1.1), math.Log(1.3)}, "ttft p99 is slower by 20.0 % (10.0 % to 30.0 %)"},
		{"faster", known(t, "ttft"), &verdict.Margin{Value: 0.05}, [3]float64{-math.Log(1.25), -math.Log(2), math.Log(1.1)}, "ttft p99 is faster by 20.0 % (-10.0 % to 50.0 %)"},
		{"fewer tokens", tps, &verdict.Margin{Value: 0.05}, [3]float64{math.Log(1.25), math.Log(1.1), math.Log(2)}, "output_tps p99 is lower by 20.0 % (9.1 % to 50.0 %)"},
		{"more tokens", tps, &verdict.Margin{Value: 0.05}, [3]float64{-math.Log(1.25), -math.Log(1.5), -math.Log(1.1)}, "output_tps p99 is higher by 25.0 % (10.0 % to 50.0 %)"},
		{"an absolute margin", known(t, "ttft"), &verdict.Margin{Scale: verdict.Absolute, Value: 0.02}, [3]float64{0.03, 0.01, 0.05}, "ttft p99 is slower by 30.0 ms (10.0 ms to 50.0 ms)"},
		{"unbounded", known(t, "ttft"), &verdict.Margin{Value: 0.05}, [3]float64{math.Log(1.2), math.Log(1.1), math.Inf(1)}, "ttft p99 is slower by 20.0 % (10.0 % to no bound)"},
	} {
		g := gateOf(t)
		g.Result.Metric, g.Margin = c.m, c.margin
		g.Harm, g.HarmLo, g.HarmHi = c.harm[0], c.harm[1], c.harm[2]
		if got := harmSentence(g); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
	rate := gateOf(t)
	rate.Result.Metric, rate.Result.Estimand = known(t, "success_rate"), metric.Estimand{Kind: metric.Rate}
	rate.Margin = &verdict.Margin{Scale: verdict.Absolute, Value: 0.005}
	rate.Harm, rate.HarmLo, rate.HarmHi = 0.01, 0.006, 0.02
	if got := failText(rate); got != "success rate is lower by 1.00 pp (0.60 pp to 2.00 pp), margin 0.5 pp." {
		t.Errorf("a rate: %q", got)
	}
}

func TestVerbose(t *testing.T) {
	for name, doc := range documents(t) {
		var b strings.Builder
		if err := WriteText(&b, doc, TextOptions{Verbose: true, Width: 500}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if !strings.Contains(text, "What was read as what:\n") || !strings.Contains(text, "ttft from") {
			t.Errorf("%s: no columns:\n%s", name, text)
		}
		_, section, ok := strings.Cut(text, "How each row was made:\n")
		if ok != (len(doc.Results) > 0) {
			t.Errorf("%s: methods %v for %d results", name, ok, len(doc.Results))
		}
		for _, r := range doc.Results {
			if !strings.Contains(section, r.Estimand) {
				t.Errorf("%s: no method of %s %s", name, r.Metric, r.Estimand)
			}
		}
		if strings.Contains(text, "\x1b") || strings.Contains(section, "\x00") {
			t.Errorf("%s: control characters", name)
		}
	}
	if got := named([]string{"a", "b", "c", "d"}, 3); got != "a, b and 2 more" {
		t.Errorf("named %q", got)
	}
}
