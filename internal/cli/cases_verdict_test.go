package cli_test

import (
	"os"
	"path/filepath"
	"testing"
)

// P26: a regression exited with 0, or every ending with 1.
func TestCaseP26(t *testing.T) {
	flags := with(requests, "-m", "latency:mean", "--margin", "5%", before("P26"))
	for _, c := range []struct {
		file, verdict string
		code          int
	}{
		{"after_fail.csv", "FAIL", 1},
		{"after_pass.csv", "PASS", 0},
		{"after_inconclusive.csv", "INCONCLUSIVE", 3},
	} {
		candidate := caseFile("P26", c.file)
		doc := document(t, c.code, with(flags, candidate)...)
		verdict(t, doc, c.verdict)
		r := row(t, doc, "latency", "mean")
		switch c.verdict {
		case "FAIL":
			within(t, "delta", r.Delta, 0.02802, 0.03106)
			if d := 1e3 * float64(r.Delta.Value); d < 29.535 || d > 29.545 {
				t.Errorf("delta %v ms, want 29.54", d)
			}
		case "INCONCLUSIVE":
			within(t, "delta", r.Delta, -0.0191, 0.0251)
		}
		dir := t.TempDir()
		for _, more := range [][]string{{"--format", "text"}, {"--format", "markdown"}, {"-q"}, {"-o", filepath.Join(dir, "r.json"), "-o", filepath.Join(dir, "r.md")}} {
			if res := run(t, with(flags, append(more, candidate)...)...); res.code != c.code {
				t.Errorf("%s with %q: exit code %d, want %d", c.file, more, res.code, c.code)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "r.md")); err != nil {
			t.Error(err)
		}
		if res := run(t, with(flags, "--exit-zero", candidate)...); res.code != 0 {
			t.Errorf("%s with --exit-zero: exit code %d", c.file, res.code)
		}
	}
	for _, args := range [][]string{{"--margin", "five"}, {"-m", "latency:p50", "no.csv"}, {}} {
		if res := run(t, args...); res.code != 2 {
			t.Errorf("%q: exit code %d, want 2", args, res.code)
		}
	}
}

// P30: the same number as a margin meant a share, a time or a standardised
// effect.
func TestCaseP30(t *testing.T) {
	flags := with(requests, "-m", "latency:mean", before("P30"), after("P30"))
	doc := document(t, 0, with(flags, "--margin", "10%")...)
	r := row(t, doc, "latency", "mean")
	value(t, "before", r.Baseline, float64(r.Baseline.Value), 400)
	if d := 1e3 * float64(r.Delta.Value); d < 3.9995 || d > 4.0005 {
		t.Errorf("delta %v ms, want 4.0", d)
	}
	within(t, "delta", r.Delta, 0.00122, 0.00678)
	if r.Margin == nil || r.Margin.Kind != "relative" || r.Margin.Value != 0.1 {
		t.Errorf("margin %+v, want relative 0.1", r.Margin)
	}
	doc = document(t, 0, with(flags, "--margin", "10ms")...)
	r = row(t, doc, "latency", "mean")
	if r.Margin == nil || r.Margin.Kind != "absolute" || r.Margin.Value != 0.01 {
		t.Errorf("margin %+v, want absolute 0.01", r.Margin)
	}
	within(t, "90 %", row(t, document(t, 0, with(flags, "--margin", "10ms", "--level", "0.9")...), "latency", "mean").Delta, 0.00167, 0.00633)
	says(t, "the text", run(t, with(flags, "--margin", "10ms")...).stdout, "10 ms")
	says(t, "the text", run(t, with(flags, "--margin", "10%")...).stdout, "10 %")
	document(t, 1, with(flags, "--margin", "0.1ms")...)
	document(t, 3, with(flags, "--margin", "2ms")...)
	for _, margin := range []string{"0.1", "10", "latency=0.1", "latency:mean=10"} {
		res := run(t, with(flags, "--margin", margin)...)
		if res.code != 2 {
			t.Errorf("--margin %s: exit code %d, want 2", margin, res.code)
		}
		says(t, "the error", res.stderr, "has no unit: write", "%", "ms")
	}
}

// P31: more throughput was called a regression.
func TestCaseP31(t *testing.T) {
	flags := with(requests, "-m", "tokens_per_s:mean", "-m", "latency:mean")
	for _, margin := range []string{"0.1%", "1%", "5%", "50%"} {
		doc := document(t, 0, with(flags, "--margin", "latency=5%", "--margin", "tokens_per_s="+margin, before("P31"), after("P31"))...)
		r := row(t, doc, "tokens_per_s", "mean")
		if v := float64(r.Ratio.Value); v < 1.195 || v > 1.205 || r.Kind != "improved" || r.Direction != "higher" {
			t.Errorf("ratio %v, %s, %s is better; want 1.2, improved, higher", v, r.Kind, r.Direction)
		}
	}
	doc := document(t, 1, with(flags, "--margin", "5%", after("P31"), before("P31"))...)
	r := row(t, doc, "tokens_per_s", "mean")
	if v := float64(r.Ratio.Value); v < 0.828 || v > 0.838 || r.Kind != "regressed" {
		t.Errorf("ratio %v, %s; want 0.833, regressed", v, r.Kind)
	}
	says(t, "the text", run(t, with(flags, "--margin", "5%", after("P31"), before("P31"))...).stdout, "tokens_per_s mean is lower by 16.9 %")
	// A column whose direction nobody knows says so.
	file := write(t, "x.csv", "queue_depth\n3\n4\n5\n")
	says(t, "the text", run(t, "-m", "queue_depth", file, file).stdout, "lower is assumed to be better; say --higher-is-better queue_depth")
	doc = document(t, 3, "-m", "queue_depth", "--higher-is-better", "queue_depth", file, file)
	if got := row(t, doc, "queue_depth", "mean").Direction; got != "higher" {
		t.Errorf("direction %s, want higher", got)
	}
}
