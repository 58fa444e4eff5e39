package cli_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// P06: milliseconds were divided by seconds.
func TestCaseP06(t *testing.T) {
	for _, candidate := range []string{after("P06"), caseFile("P06", "suffix", "after.csv")} {
		doc := document(t, 3, "-m", "latency:p50", "-m", "latency:p95", "-m", "latency:mean", before("P06"), candidate)
		for at, want := range map[string]float64{"p50": 0.157289, "p95": 0.2508189, "mean": 0.1608869} {
			r := row(t, doc, "latency", at)
			if r.Baseline.N != 60 || r.Candidate.N != 60 {
				t.Errorf("n = %d and %d, want 60", r.Baseline.N, r.Candidate.N)
			}
			for _, got := range []float64{float64(r.Baseline.Value), float64(r.Candidate.Value)} {
				if got < want-1e-6 || got > want+1e-6 { // rounded to 1 µs
					t.Errorf("%s = %v, want %v", at, got, want)
				}
			}
			if v := float64(r.Ratio.Value); v < 1-1e-5 || v > 1+1e-5 {
				t.Errorf("ratio %v, want 1", v)
			}
		}
	}
}

// P07: failed requests went into the latencies with zeros.
func TestCaseP07(t *testing.T) {
	args := []string{"-m", "latency:mean", "-m", "latency:p50", "-m", "latency:p95", "-m", "success_rate", before("P07"), after("P07")}
	doc := document(t, 1, args...)
	verdict(t, doc, "FAIL")
	for at, want := range map[string][2]float64{"mean": {1.0495, 1.05}, "p50": {1.0495, 1.05}, "p95": {1.09405, 1.0941}} {
		r := row(t, doc, "latency", at)
		value(t, "before "+at, r.Baseline, want[0], 100)
		value(t, "after "+at, r.Candidate, want[1], 80)
	}
	ok := row(t, doc, "success_rate", "rate")
	value(t, "before ok", ok.Baseline, 1, 100)
	value(t, "after ok", ok.Candidate, 0.8, 100)
	near(t, "delta", ok.Delta.Value, -0.2)
	// The score interval of Miettinen and Nurminen; Newcombe's is [-0.289, -0.124].
	within(t, "delta", ok.Delta, -0.2891, -0.1332)
	counted(t, "failures", doc.Candidate.Failures, map[string]int64{"status": 20})
	if doc.Baseline.Failed != 0 || doc.Candidate.Failed != 20 || doc.Candidate.OK != 80 {
		t.Errorf("failed %d and %d, ok %d", doc.Baseline.Failed, doc.Candidate.Failed, doc.Candidate.OK)
	}
	says(t, "the text", run(t, args...).stdout, "FAIL", "20 failed", "80.00 %")
}

// P08: a side without values passed.
func TestCaseP08(t *testing.T) {
	doc := document(t, 3, before("P08"), after("P08"))
	verdict(t, doc, "INCONCLUSIVE")
	hasReason(t, doc, "no latency values in the candidate")
	value(t, "ok of the baseline", row(t, doc, "success_rate", "rate").Baseline, 1, 50)
	if r := row(t, doc, "latency", "p95"); r.Candidate.Value.Known() || r.Kind != "no_data" {
		t.Errorf("p95 of nothing is %v (%s)", r.Candidate.Value, r.Kind)
	}
	for _, flags := range [][]string{{"--unit", "request"}, {"--on-inconclusive", "fail"}, {"--limit", "latency:p50<=1s"}} {
		if res := run(t, with(flags, before("P08"), after("P08"))...); res.code == 0 || res.code == 2 {
			t.Errorf("%q: exit code %d", flags, res.code)
		}
	}
	doc = document(t, 3, after("P08"), before("P08"))
	hasReason(t, doc, "no latency values in the baseline")

	doc = document(t, 1, before("P08"), caseFile("P08", "allfailed", "after.csv"))
	verdict(t, doc, "FAIL")
	value(t, "ok of the candidate", row(t, doc, "success_rate", "rate").Candidate, 0, 50)
	counted(t, "failures", doc.Candidate.Failures, map[string]int64{"status": 50})

	for _, args := range [][]string{
		{before("P08"), caseFile("P08", "missing.csv")},
		{"-m", "no_such_column", before("P08"), before("P08")},
	} {
		if res := run(t, args...); res.code != 2 {
			t.Errorf("%q: exit code %d, want 2", args, res.code)
		}
	}
}

// P14: of several parts only the last was read, or their order mattered.
func TestCaseP14(t *testing.T) {
	flags := []string{"--files", "parts"}
	for _, at := range []string{"mean", "p50", "p90", "p95", "p99"} {
		flags = append(flags, "-m", "latency:"+at)
	}
	part := func(side string, i int) string { return caseFile("P14", side, fmt.Sprintf("part-%d.csv", i)) }
	for name, inputs := range map[string][]string{
		"directory": {caseFile("P14", "before"), caseFile("P14", "after")},
		"glob":      {caseFile("P14", "before", "part-*.csv"), caseFile("P14", "after", "*")},
		"in order":  {"--baseline", part("before", 0), "--baseline", part("before", 1), "--candidate", part("after", 0), "--candidate", part("after", 1)},
		"reversed":  {"--baseline", part("before", 1), "--baseline", part("before", 0), "--candidate", part("after", 1), "--candidate", part("after", 0)},
	} {
		doc := document(t, 3, with(flags, inputs...)...)
		for at, want := range map[string]float64{"mean": 0.1135, "p50": 0.015, "p90": 0.1171, "p95": 1.00405, "p99": 1.00801} {
			r := row(t, doc, "latency", at)
			value(t, name+" before "+at, r.Baseline, want, 1000)
			value(t, name+" after "+at, r.Candidate, want, 1000)
			near(t, name+" delta "+at, r.Delta.Value, 0)
		}
		if doc.Baseline.Runs != 1 || len(doc.Baseline.Files) != 2 {
			t.Errorf("%s: %d runs of %d files, want one run of two", name, doc.Baseline.Runs, len(doc.Baseline.Files))
		}
	}
}

// P20: a line reader stopped at 64 KiB.
func TestCaseP20(t *testing.T) {
	lines := func(prompt int, correct ...int) string {
		var b bytes.Buffer
		for i, c := range correct {
			fmt.Fprintf(&b, "{\"id\": \"q%d\", \"prompt\": \"%s\", \"correct\": %d}\n", i, strings.Repeat("x", prompt), c)
		}
		return write(t, "side.jsonl", b.String())
	}
	doc := document(t, 3, "-m", "correct:mean", lines(200_000, 1, 1, 0), lines(200_000, 1, 1, 1))
	r := row(t, doc, "correct", "mean")
	value(t, "before", r.Baseline, 2.0/3, 3)
	value(t, "after", r.Candidate, 1, 3)
	if testing.Short() {
		return
	}
	doc = document(t, 3, "-m", "correct:mean", lines(20_000_000, 1), lines(10, 1))
	value(t, "a line of 20 MB", row(t, doc, "correct", "mean").Baseline, 1, 1)
}

// P21: a dictionary column of several pages could not be read.
func TestCaseP21(t *testing.T) {
	doc := document(t, 3, caseFile("P21", "before.parquet"), caseFile("P21", "after.parquet"))
	r := row(t, doc, "latency", "p50")
	value(t, "before", r.Baseline, 0.1495, 5000)
	value(t, "after", r.Candidate, 0.1595, 5000)
	near(t, "delta", r.Delta.Value, 0.010)
}

// P22: decimals lost their scale, counts stored as doubles their meaning.
func TestCaseP22(t *testing.T) {
	doc := document(t, 3, "-m", "latency:p50", caseFile("P22", "before.parquet"), caseFile("P22", "after.parquet"))
	r := row(t, doc, "latency", "p50")
	value(t, "before", r.Baseline, 0.100505, 100)
	value(t, "after", r.Candidate, 0.105505, 100)
	near(t, "delta", r.Delta.Value, 0.005)
	columns := doc.Baseline.Files[0].Columns
	if got := columns["ttft"].Column; got != "metrics.ttft_ms" {
		t.Errorf("ttft comes from %q, want metrics.ttft_ms", got)
	}
	if got := columns["output_tokens"].Column; got != "output_tokens" {
		t.Errorf("output_tokens comes from %q", got)
	}
}

// P23: times in one unit were read in another, and zones were lost.
func TestCaseP23(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	for _, zone := range []*time.Location{time.UTC, time.FixedZone("far", -11*3600)} {
		time.Local = zone
		for _, files := range [][2]string{
			{caseFile("P23", "before.parquet"), caseFile("P23", "after.parquet")},
			{caseFile("P23", "tz", "before.csv"), caseFile("P23", "tz", "after.csv")},
		} {
			doc := document(t, 3, "-m", "e2e:min", "-m", "e2e:p50", "-m", "e2e:max", files[0], files[1])
			for _, r := range doc.Results {
				near(t, "before "+r.Estimand, r.Baseline.Value, 0.250)
				near(t, "after "+r.Estimand, r.Candidate.Value, 0.250)
				near(t, "delta "+r.Estimand, r.Delta.Value, 0)
			}
		}
	}
	doc := document(t, 3, "-m", "latency:p50", caseFile("P23", "delta", "before.parquet"), caseFile("P23", "delta", "after.parquet"))
	r := row(t, doc, "latency", "p50")
	value(t, "before", r.Baseline, 0.005999, 8000)
	value(t, "after", r.Candidate, 0.005999, 8000)
	counted(t, "rejected", doc.Baseline.Rejected, map[string]int64{"no_latency": 2000})
}

// P24: a byte-order mark stuck to the first column name.
func TestCaseP24(t *testing.T) {
	doc := document(t, 3, "-m", "latency:p50", before("P24"), after("P24"))
	value(t, "before", row(t, doc, "latency", "p50").Baseline, 0.1145, 30)
	if got := doc.Baseline.Files[0].Columns["latency"].Column; got != "latency_ms" {
		t.Errorf("latency comes from %q", got)
	}
	// The last column lies before the line end; its name carries none of it.
	res := run(t, "--column", "latency=nope", before("P24"), after("P24"))
	says(t, "the error", res.stderr, "columns are latency_ms, class\n")
}
