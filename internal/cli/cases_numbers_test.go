package cli_test

import (
	"math"
	"testing"
)

// P01: one or two values a side turned every interval into NaN or into one of
// no width, and were judged.
func TestCaseP01(t *testing.T) {
	for _, margin := range []string{"1%", "5%", "50%", "1ms", "1000ms"} {
		doc := document(t, 3, with(requests, "-m", "latency:mean", "--margin", margin, before("P01"), after("P01"))...)
		verdict(t, doc, "INCONCLUSIVE")
		r := row(t, doc, "latency", "mean")
		value(t, "before", r.Baseline, 0.100, 1)
		value(t, "after", r.Candidate, 0.090, 1)
		near(t, "delta", r.Delta.Value, -0.010)
		near(t, "ratio", r.Ratio.Value, 0.9)
		noInterval(t, "delta", r.Delta)
		noInterval(t, "ratio", r.Ratio)
		warned(t, r, "no_interval")
		hasReason(t, doc, "1 value and 1 value are too few")
	}
	doc := document(t, 3, before("P01"), after("P01"))
	verdict(t, doc, "INCONCLUSIVE")

	doc = document(t, 0, with(requests, "-m", "latency:mean", caseFile("P01", "n2", "before.csv"), caseFile("P01", "n2", "after.csv"))...)
	r := row(t, doc, "latency", "mean")
	value(t, "before", r.Baseline, 0.101, 2)
	value(t, "after", r.Candidate, 0.0905, 2)
	near(t, "delta", r.Delta.Value, -0.0105)
	within(t, "delta", r.Delta, -0.01742, -0.00358)
}

// P02: the bootstrap of values that are all the same divided 0 by 0.
func TestCaseP02(t *testing.T) {
	doc := document(t, 3, with(requests, "-m", "latency:mean", "--margin", "5%", before("P02"), after("P02"))...)
	r := row(t, doc, "latency", "mean")
	near(t, "delta", r.Delta.Value, 0.001)
	near(t, "ratio", r.Ratio.Value, 1.01)
	near(t, "lower limit", r.Delta.Lo, 0.001)
	near(t, "upper limit", r.Delta.Hi, 0.001)
	hasReason(t, doc, "are the same")
	warned(t, r, "no_spread")

	doc = document(t, 1, with(requests, "-m", "latency:mean", "--margin", "0.5%", before("P02"), after("P02"))...)
	verdict(t, doc, "FAIL")

	for _, flags := range [][]string{nil, requests, {"--run-noise", "0%"}} {
		doc = document(t, 3, with(flags, "-m", "latency:mean", "-m", "latency:p50", before("P02"), before("P02"))...)
		for _, at := range []string{"mean", "p50"} {
			near(t, "delta "+at, row(t, doc, "latency", at).Delta.Value, 0)
		}
	}
}

// P03: a ratio to a baseline of 0 was printed as NaN %.
func TestCaseP03(t *testing.T) {
	doc := document(t, 0, "-m", "retries:mean", "--margin", "retries=0.5", before("P03"), after("P03"))
	r := row(t, doc, "retries", "mean")
	near(t, "delta", r.Delta.Value, 0)
	if r.Ratio != nil {
		t.Errorf("ratio %v to a baseline of 0, want none", r.Ratio)
	}
	if r.Kind != "equivalent" {
		t.Errorf("kind %s, want equivalent", r.Kind)
	}
	warned(t, r, "constant_values")

	doc = document(t, 3, "-m", "retries:mean", "--margin", "retries=5%", before("P03"), after("P03"))
	warned(t, row(t, doc, "retries", "mean"), "no_ratio")
	hasReason(t, doc, "is undefined: the baseline is 0")

	text := run(t, "-m", "retries:mean", "--margin", "retries=0.5", before("P03"), after("P03")).stdout
	says(t, "the text", text, "PASS", "0.5")
}

// P04: cells that are empty, infinite or no number were taken as values.
func TestCaseP04(t *testing.T) {
	args := []string{"-m", "latency:p50", "-m", "latency:mean", before("P04"), after("P04")}
	doc := document(t, 3, args...)
	for _, at := range []string{"p50", "mean"} {
		r := row(t, doc, "latency", at)
		value(t, "before "+at, r.Baseline, 0.002, 3)
		value(t, "after "+at, r.Candidate, 0.002, 3)
		near(t, "delta "+at, r.Delta.Value, 0)
	}
	counted(t, "before", doc.Baseline.Rejected, map[string]int64{"not_a_number": 1})
	counted(t, "after", doc.Candidate.Rejected, map[string]int64{"not_a_number": 1, "infinite": 1, "no_latency": 1})
	if doc.Baseline.Requests != 4 || doc.Candidate.Requests != 6 {
		t.Errorf("requests %d and %d, want 4 and 6", doc.Baseline.Requests, doc.Candidate.Requests)
	}
	says(t, "the text", run(t, args...).stdout, "not a number", "1 infinite", "1 no latency")
}

// P05: a variance made of squares lost all its digits to a large offset.
func TestCaseP05(t *testing.T) {
	doc := document(t, 3, with(requests, "-m", "latency:mean", "--margin", "2ns", before("P05"), after("P05"))...)
	r := row(t, doc, "latency", "mean")
	// Seconds near 1,000 are 1.1e-13 apart: that is the error of a difference.
	if got := float64(r.Delta.Value); math.Abs(got-1e-9) > 3e-13 {
		t.Errorf("delta %v, want 1e-9", got)
	}
	within(t, "delta", r.Delta, -1.516e-9, 3.516e-9)
	doc = document(t, 0, with(requests, "-m", "latency:mean", "--margin", "4ns", before("P05"), after("P05"))...)
	verdict(t, doc, "PASS")
}

// P13: the median of 1..10 was 5, and percentiles passed the maximum.
func TestCaseP13(t *testing.T) {
	args := []string{before("P13"), after("P13")}
	for _, at := range []string{"min", "p50", "p90", "p95", "p99", "max"} {
		args = append(args, "-m", "latency:"+at)
	}
	doc := document(t, 3, args...)
	want := map[string][2]float64{
		"min": {1, 575}, "p50": {5.5, 600}, "p90": {9.1, 650.2}, "p95": {9.55, 655.6}, "p99": {9.91, 659.92}, "max": {10, 661},
	}
	last := [2]float64{}
	for _, r := range doc.Results {
		w := want[r.Estimand]
		value(t, "before "+r.Estimand, r.Baseline, w[0]/1e3, 10)
		value(t, "after "+r.Estimand, r.Candidate, w[1]/1e3, 4)
		now := [2]float64{float64(r.Baseline.Value), float64(r.Candidate.Value)}
		if now[0] < last[0] || now[1] < last[1] {
			t.Errorf("%s lies below the percentile before it", r.Estimand)
		}
		last = now
	}
}

// P34: the rank test knew no ties and no direction.
func TestCaseP34(t *testing.T) {
	doc := document(t, 3, with(requests, "-m", "latency:p50", before("P34"), after("P34"))...)
	p := func() float64 {
		for _, test := range row(t, doc, "latency", "p50").Tests {
			if test.Name == "mann_whitney" {
				return float64(test.P)
			}
		}
		t.Fatal("there is no Mann–Whitney test")
		return 0
	}
	if got := p(); math.Abs(got-0.1138) > 5e-5 {
		t.Errorf("p = %v, want 0.1138", got)
	}
	doc = document(t, 3, with(requests, "-m", "latency:p50", before("P02"), before("P02"))...)
	if got := p(); got != 1 {
		t.Errorf("all values tied: p = %v, want 1", got)
	}
}
