package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeRuns writes a directory of four runs of 300 requests; lack says what
// request i of run r has for ttft, tpot and its own column: "" a value, "null",
// "absent" no key; "one" is an answer of one token, without tpot. One request of 30 is
// of the tier gold.
func writeRuns(t *testing.T, seed uint64, lack func(r, i int) string) string {
	t.Helper()
	dir := t.TempDir()
	for r := range 4 {
		var b strings.Builder
		for i := range 300 {
			u := math.Exp(0.2 * (unit(seed<<20+uint64(r)<<10+uint64(i)) - 0.5))
			tokens := 100
			what := lack(r, i)
			ttft := fmt.Sprintf(`"ttft_ms":%.4f,"tpot_ms":%.4f,"wait_ms":%.4f,`, 100*u, 10*u, 50*u)
			switch what {
			case "null":
				ttft = `"ttft_ms":null,"tpot_ms":null,"wait_ms":null,`
			case "absent":
				ttft = ""
			case "one":
				tokens, ttft = 1, fmt.Sprintf(`"ttft_ms":%.4f,"tpot_ms":null,`, 100*u)
			}
			tier := map[bool]string{true: "gold", false: "free"}[i%30 == 29]
			fmt.Fprintf(&b, "{%s\"e2e_ms\":%.4f,\"output_tokens\":%d,\"tier\":%q}\n", ttft, 1000*u, tokens, tier)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("r%d.jsonl", r)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A side as fast as the other of which values are missing cannot pass on that
// metric: whole runs without them are no evidence, and what is missing may be
// what is slow.
func TestMissingValuesCannotPass(t *testing.T) {
	all := func(int, int) string { return "" }
	inRuns := func(what string) func(r, i int) string {
		return func(r, _ int) string {
			if r > 0 {
				return what
			}
			return ""
		}
	}
	every := func(n int, what string) func(r, i int) string {
		return func(_, i int) string {
			if i%n == 0 {
				return what
			}
			return ""
		}
	}
	ttft := []string{"-m", "ttft:p50"}
	const runs = "ttft is missing in 3 of 4 runs of the candidate"
	for _, tt := range []struct {
		name   string
		a, b   func(r, i int) string
		flags  []string
		policy string
		code   int
		text   string // of the check; "" for none
	}{
		{"nothing", all, all, ttft, "", 0, ""},
		{"null in runs", all, inRuns("null"), ttft, "", 3, runs},
		{"absent in runs", all, inRuns("absent"), ttft, "", 3, runs},
		{"in runs of the baseline", inRuns("absent"), all, ttft, "", 3, "ttft is missing in 3 of 4 runs of the baseline"},
		{"in runs of both", inRuns("null"), inRuns("null"), ttft, "", 3, "3 of 4 runs of the baseline"},
		{"limit", all, inRuns("absent"), []string{"-m", "ttft:p50", "--limit", "ttft:p50<=500ms"}, "", 3, runs},
		{"of another metric", all, inRuns("absent"), []string{"-m", "e2e:p50"}, "", 0, ""},
		{"own column", all, inRuns("null"), []string{"-m", "wait_ms:mean", "--margin", "wait_ms=5%"}, "", 3, "wait_ms is missing in 3 of 4 runs"},
		{"most within runs", all, func(_, i int) string { return map[bool]string{true: "null"}[i%5 > 0] }, ttft, "", 3, "80.0 % of the candidate's, and the slow ones may be among them; 5 % of a side is tolerated"},
		{"alike on both sides", every(10, "null"), every(10, "null"), ttft, "", 3, "10.0 % of the baseline's"},
		{"few more on one side", all, every(30, "null"), ttft, "", 3, "a difference of 1 % is tolerated"},
		{"few alike", every(30, "null"), every(30, "null"), ttft, "", 0, ""},
		{"very few", all, every(150, "null"), ttft, "", 0, ""},
		{"very few, for a percentile far out", all, every(150, "null"), []string{"-m", "ttft:p99", "--limit", "ttft:p99<=500ms"}, "", 3, "ttft is missing in 0.00 % of the baseline's successful requests and in 0.67 % of the candidate's, and the slow ones may be among them; for p99 a difference of 0.5 % is tolerated."},
		{"more than a few, for a percentile far out", all, every(30, "null"), []string{"-m", "ttft:p99"}, "", 3, "a difference of 1 % is tolerated"},
		{"of that and another", all, every(150, "null"), []string{"-m", "ttft:p99", "-m", "ttft:p50", "-m", "e2e:p50"}, "", 3, "for p99"},
		{"tolerated there too", all, every(150, "null"), []string{"-m", "ttft:p99"}, "comparability: {missing_difference: 2%}", 0, ""},
		{"alike, for a percentile far out", every(150, "null"), every(150, "null"), []string{"-m", "ttft:p99"}, "", 0, ""},
		{"not defined", every(10, "one"), every(10, "one"), []string{"-m", "tpot:p50", "-m", "ttft:p50"}, "", 0, ""},
		{"tolerated", all, every(30, "null"), ttft, "comparability: {missing_difference: 4%}", 0, ""},
		{"share tolerated", every(10, "null"), every(10, "null"), ttft, "comparability: {missing: 20%}", 0, ""},
		{"runs are not a share", all, inRuns("null"), ttft, "comparability: {missing: 100%, missing_difference: 100%}", 3, runs},
		{"acknowledged", all, inRuns("null"), ttft, "comparability: {acknowledged: [missing_values]}", 0, runs},
	} {
		t.Run(tt.name, func(t *testing.T) {
			policy := "none"
			if tt.policy != "" {
				policy = filepath.Join(t.TempDir(), "policy.yaml")
				if err := os.WriteFile(policy, []byte("version: 1\n"+tt.policy+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"--config", policy}, tt.flags...)
			doc := document(t, tt.code, append(args, writeRuns(t, 1, tt.a), writeRuns(t, 2, tt.b))...)
			for _, r := range doc.Results { // the rows say what the whole says
				want := map[int]string{0: "PASS", 3: "INCONCLUSIVE"}[tt.code]
				if strings.HasPrefix(tt.text, "for p99") && r.Estimand != "p99" {
					want = "PASS"
				}
				if r.Verdict == nil || *r.Verdict != want {
					t.Errorf("%s: the gate is %v, want %s", r.Metric, r.Verdict, want)
				}
			}
			found, n := "", 0
			for _, c := range doc.Comparability {
				if c.Check == "missing_values" {
					found, n = found+c.Text, n+1
				}
			}
			if n > 1 && tt.name != "in runs of both" {
				t.Errorf("%d checks say %q", n, found)
			}
			if !strings.Contains(found, tt.text) || tt.text == "" && found != "" {
				t.Errorf("missing_values says %q, want %q", found, tt.text)
			}
			if strings.HasPrefix(tt.text, runs) && doc.Results[0].Candidate.Units != 1 {
				t.Errorf("the candidate's value has %d units, want the one run with values", doc.Results[0].Candidate.Units)
			}
		})
	}
}

// A clear regression in the runs that have values stays one.
func TestMissingValuesMayFail(t *testing.T) {
	a := writeRuns(t, 1, func(int, int) string { return "" })
	b := writeRuns(t, 2, func(_, i int) string { return map[bool]string{true: "null"}[i%5 == 0] })
	document(t, 1, "--config", "none", "-m", "ttft:p50", "--limit", "ttft:p50<=50ms", a, b)
}

// What is missing in a critical slice alone is a small part of the whole, and the
// slice cannot pass. The rest can, and a slice that is looked at only is no gate.
func TestMissingValuesOfSlices(t *testing.T) {
	all := func(int, int) string { return "" }
	gold := func(lacks func(r, i int) bool) func(r, i int) string {
		return func(r, i int) string { return map[bool]string{true: "null"}[i%30 == 29 && lacks(r, i)] }
	}
	third := gold(func(_, i int) bool { return i%90 == 89 })
	run := gold(func(r, _ int) bool { return r == 2 })
	critical := []string{"--critical", "tier=gold"}
	for _, tt := range []struct {
		name         string
		b            func(r, i int) string
		flags        []string
		code         int
		whole, slice string // verdicts
		text         string
	}{
		{"nothing", all, critical, 0, "PASS", "PASS", ""},
		{"in requests", third, critical, 3, "PASS", "INCONCLUSIVE", "ttft of tier=gold is missing in 0.0 % of the baseline's successful requests and in 30.0 %"},
		{"in a run", run, critical, 3, "PASS", "INCONCLUSIVE", "ttft of tier=gold is missing in 1 of 4 runs of the candidate"},
		{"where requests are the unit", run, append([]string{"--unit", "request"}, critical...), 3, "PASS", "INCONCLUSIVE", "in 1 of 4 runs"},
		{"in another slice", third, []string{"--critical", "tier=free"}, 0, "PASS", "PASS", ""},
		{"in one of two", third, append([]string{"--critical", "tier=free"}, critical...), 3, "PASS", "tier=gold INCONCLUSIVE", "ttft of tier=gold is missing in"},
		{"no gate", third, []string{"--by", "tier"}, 0, "PASS", "", ""},
		{"in the whole", func(_, i int) string { return map[bool]string{true: "null"}[i%4 == 1] }, critical, 3, "INCONCLUSIVE", "INCONCLUSIVE", "ttft is missing in 0.0 %"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"--config", "none", "-m", "ttft:p50", "--margin", "20%"}, tt.flags...)
			doc := document(t, tt.code, append(args, writeRuns(t, 1, all), writeRuns(t, 2, tt.b))...)
			for _, r := range doc.Results {
				want, got := tt.whole, ""
				if r.Slice != nil {
					if only, verdict, ok := strings.Cut(tt.slice, " "); !ok {
						want = tt.slice
					} else if only == "tier="+r.Slice["tier"] {
						want = verdict
					}
				}
				if r.Verdict != nil {
					got = *r.Verdict
				}
				if got != want {
					t.Errorf("%s of %v: %q, want %q", r.Metric, r.Slice, got, want)
				}
			}
			var found []string
			for _, c := range doc.Comparability {
				if c.Check == "missing_values" {
					found = append(found, c.Text)
				}
			}
			if tt.text == "" && found != nil || tt.text != "" && (len(found) != 1 || !strings.Contains(found[0], tt.text)) {
				t.Errorf("missing_values says %q, want %q", found, tt.text)
			}
		})
	}
}
