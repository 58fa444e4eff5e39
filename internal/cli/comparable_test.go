package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/report"
)

// load is a simulated side: four runs of 300 requests in turns with the other
// side, of which the values depend on the seed and the number of the request.
type load struct {
	seed    uint64
	runs    []uint64 // the seeds of the runs; seed, seed+1, … without
	fail    float64  // share of requests that fail
	lag     float64  // seconds between the scheduled and the actual start; negative: not recorded
	model   string
	tokens  string // name of the column of output tokens
	at      float64
	between float64 // seconds between the starts of runs
}

// unit is a number in (0, 1) for a seed.
func unit(seed uint64) float64 {
	seed += 0x9e3779b97f4a7c15
	seed = (seed ^ seed>>30) * 0xbf58476d1ce4e5b9
	seed = (seed ^ seed>>27) * 0x94d049bb133111eb
	return (float64(seed>>12) + 0.5) / (1 << 52)
}

func (l load) write(t *testing.T, dir, name string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("run,start_s,ttft_ms,status,model," + l.tokens)
	if l.lag >= 0 {
		b.WriteString(",scheduled_s")
	}
	b.WriteByte('\n')
	for r := range uint64(4) {
		seed := l.seed + r
		if l.runs != nil {
			seed = l.runs[r]
		}
		for i := range uint64(300) {
			u := unit(seed<<20 + i)
			start := 1.7e9 + l.at + l.between*float64(r) + float64(i)/10
			status := "ok"
			if unit(seed<<21+i) < l.fail {
				status = "error"
			}
			fmt.Fprintf(&b, "r%d,%.6f,%.6f,%s,%s,100", r, start, 100*math.Exp(0.2*(u-0.5)), status, l.model)
			if l.lag >= 0 {
				fmt.Fprintf(&b, ",%.6f", start-l.lag)
			}
			b.WriteByte('\n')
		}
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each fault of comparability is planted in a side that is as fast as the other,
// and is seen; those that make the latencies incomparable cannot pass.
func TestPlantedFaultsOfComparability(t *testing.T) {
	plain := load{seed: 100, lag: -1, model: "m", tokens: "output_tokens", between: 3600}
	other := plain
	other.seed, other.at = 200, 600
	tests := []struct {
		name   string
		plant  func(a, b *load)
		flags  []string
		code   int // exit code
		check  string
		status string
		text   string
	}{
		{"nothing", func(_, _ *load) {}, nil, 0, "", "", ""},
		{"a few failures", func(_, b *load) { b.fail = 0.003 }, nil, 0, "failure_rate", "ok", ""},
		{"failures", func(_, b *load) { b.fail = 0.3 }, nil, 3, "failure_rate", "fail", "Latencies are of those that succeeded"},
		{"failures of the baseline", func(a, _ *load) { a.fail = 0.3 }, nil, 3, "failure_rate", "fail", ""},
		{"failures that a gate judges", func(_, b *load) { b.fail = 0.3 }, []string{"-m", "success_rate"}, 1, "failure_rate", "ok", ""},
		{"failures everywhere", func(a, b *load) { a.fail, b.fail = 0.3, 0.3 }, nil, 0, "failure_rate", "warn", ""},
		{"late", func(a, b *load) { a.lag, b.lag = 0.001, 0.2 }, []string{"--from", "service"}, 3, "schedule_lag", "fail", "later than scheduled"},
		{"late alike", func(a, b *load) { a.lag, b.lag = 0.2, 0.2 }, []string{"--from", "service"}, 0, "schedule_lag", "warn", ""},
		{"on time", func(a, b *load) { a.lag, b.lag = 0, 0.001 }, nil, 0, "schedule_lag", "ok", "on time"},
		{"scheduled on one side", func(_, b *load) { b.lag = 0.0005 }, nil, 0, "schedule_lag", "warn", "Only the candidate records"},
		{"scheduled on one side, late", func(a, _ *load) { a.lag = 0.05 }, nil, 3, "schedule_lag", "fail", "Only the baseline records"},
		{"scheduled on one side, not used", func(a, _ *load) { a.lag = 0.05 }, []string{"--from", "service"}, 0, "", "", ""},
		{"a run on both sides", func(_, b *load) { b.runs = []uint64{200, 201, 101, 203} }, nil, 3, "copied_runs", "fail", "(r1)"},
		{"a run twice", func(a, _ *load) { a.runs = []uint64{100, 101, 102, 101} }, nil, 3, "copied_runs", "fail", "(r3)"},
		{"all runs on both sides", func(_, b *load) { b.runs = []uint64{103, 102, 101, 100} }, nil, 0, "copied_runs", "warn", ""},
		{"runs at once", func(_, b *load) { b.between = 1 }, nil, 0, "concurrent_runs", "warn", "0.0 % of those of the baseline, 100.0 %"},
		{"both sides at once", func(_, b *load) { b.at = 10 }, nil, 0, "time_overlap", "ok", "at the same time"},
		{"one after the other", func(_, _ *load) {}, nil, 0, "time_overlap", "ok", "different times"},
		{"another model", func(_, b *load) { b.model = "n" }, nil, 0, "fingerprint", "warn", "differ in model: m against n"},
		{"a model on one side alone", func(_, b *load) { b.model = "" }, nil, 0, "models", "warn", "Only the baseline names its model (m)"},
		{"a model of the candidate alone", func(a, _ *load) { a.model = "" }, nil, 0, "models", "warn", "Only the candidate names its model (m)"},
		{"no model", func(a, b *load) { a.model, b.model = "", "" }, nil, 0, "", "", ""},
		{"tokens from another column", func(_, b *load) { b.tokens = "completion_tokens" }, nil, 0, "token_source", "warn", "completion_tokens"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := plain, other
			tt.plant(&a, &b)
			dir := t.TempDir()
			args := append([]string{"-m", "ttft:p50", "--config", "none"}, tt.flags...)
			doc := document(t, tt.code, append(args, a.write(t, dir, "before.csv"), b.write(t, dir, "after.csv"))...)
			var found *report.Check
			for i, c := range doc.Comparability {
				if c.Check == tt.check {
					found = &doc.Comparability[i]
				} else if c.Status != "ok" {
					t.Errorf("%s is %s: %s", c.Check, c.Status, c.Text)
				}
			}
			switch {
			case tt.check == "":
			case found == nil:
				t.Errorf("no row %s", tt.check)
			case found.Status != tt.status || !strings.Contains(found.Text, tt.text):
				t.Errorf("%s is %s, want %s: %q, want %q in it", tt.check, found.Status, tt.status, found.Text, tt.text)
			}
		})
	}
}

// The thresholds are those of the policy, and a failed check can be acknowledged.
func TestPolicyOfFailuresAndLag(t *testing.T) {
	a := load{seed: 100, lag: -1, model: "m", tokens: "output_tokens", between: 3600}
	b := a
	b.seed, b.at, b.fail = 200, 600, 0.1
	dir := t.TempDir()
	before, after := a.write(t, dir, "before.csv"), b.write(t, dir, "after.csv")
	for text, code := range map[string]int{
		"comparability: {failures: 20%}":                0,
		"comparability: {failures: 2%}":                 3,
		"comparability: {acknowledged: [failure_rate]}": 0,
	} {
		policy := filepath.Join(dir, "policy.yaml")
		if err := os.WriteFile(policy, []byte("version: 1\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		document(t, code, "-m", "ttft:p50", "--config", policy, before, after)
	}
}

// Where nothing changed, a run that is there twice is told, and the splits of cold and
// warm runs are checked as two sides are.
func TestCalibrateChecksItsRuns(t *testing.T) {
	plain := load{seed: 100, lag: -1, model: "m", tokens: "output_tokens", between: 3600}
	twice := plain
	twice.runs = []uint64{100, 101, 102, 101}
	dir := t.TempDir()
	doc := document(t, 0, "calibrate", "-m", "ttft:p50", "--config", "none", twice.write(t, dir, "twice.csv"))
	if !slices.ContainsFunc(doc.Warnings, func(n report.Note) bool {
		return n.Code == "copied_runs" && strings.Contains(n.Text, "1 run of 4 has the values of another one (\"r3\")")
	}) {
		t.Errorf("copies: %+v", doc.Warnings)
	}
	for _, name := range []string{"plain", "cold"} {
		slow := map[string]float64{"plain": 1, "cold": 3}[name]
		var files []string
		for i := range uint64(4) {
			factor := 1.0
			if i < 2 {
				factor = slow
			}
			path := startsOf(t, i, 200, 1, factor, func(int) (string, bool) { return "", false })
			into := filepath.Join(dir, fmt.Sprintf("%s%d.csv", name, i))
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			put(t, into, strings.ReplaceAll(strings.TrimSpace(string(text)), "\n", fmt.Sprintf("\n%d", i))) // runs of names of their own
			files = append(files, into)
		}
		doc := document(t, 0, append([]string{"calibrate", "-m", "ttft:p50", "--config", "none", "--runs", "2"}, files...)...)
		found := slices.ContainsFunc(doc.Calibration.Checks, func(c report.CalibrationCheck) bool { return c.Check == "warm_up" })
		if found != (name == "cold") || slices.ContainsFunc(doc.Warnings, func(n report.Note) bool { return n.Code == "copied_runs" }) {
			t.Errorf("%s: checks %+v, warnings %+v", name, doc.Calibration.Checks, doc.Warnings)
		}
	}
}

// A model that the policy wants to be the same has to be named by both sides.
func TestPolicyOfTheModel(t *testing.T) {
	a := load{seed: 100, lag: -1, model: "m", tokens: "output_tokens", between: 3600}
	b := a
	b.seed, b.at, b.model = 200, 600, ""
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.yaml")
	put(t, policy, "version: 1\nfingerprint: {same: [model]}\n")
	doc := document(t, 3, "-m", "ttft:p50", "--config", policy, a.write(t, dir, "before.csv"), b.write(t, dir, "after.csv"))
	for _, c := range doc.Comparability {
		if c.Check == "models" || c.Check == "fingerprint" && c.Status != "fail" {
			t.Errorf("%+v", c)
		}
	}
}

// Tokens that the server counted are not those of a tokenizer of the client: what is
// made of them cannot pass, and what is not can.
func TestWhoCountsTokens(t *testing.T) {
	dir := t.TempDir()
	side := func(name string, seed uint64, usage bool) string {
		var b strings.Builder
		for i := range uint64(400) {
			start := 100 + float64(i)/10
			tokens := 100 + int(20*unit(seed<<22+i))
			served := ""
			if usage {
				served = fmt.Sprintf(`, "server_usage": {"completion_tokens": %d, "prompt_tokens": 50}`, tokens)
			}
			fmt.Fprintf(&b, `%s{"start_time": %.6f, "end_time": %.6f, "request": "{}", "response": "", "info": {"input_tokens": 50, "output_tokens": %d, "chunk_times": [%.6f, %.6f]%s}, "error": null}`,
				map[bool]string{true: "[", false: ",\n"}[i == 0], start, start+1.1, tokens, start+0.1*math.Exp(0.2*unit(seed<<20+i)), start+1+0.1*unit(seed<<21+i), served)
		}
		b.WriteString("]\n")
		path := filepath.Join(dir, name)
		put(t, path, b.String())
		return path
	}
	server, again, client := side("server.json", 1, true), side("again.json", 2, true), side("client.json", 3, false)
	stored := filepath.Join(dir, "client.parquet")
	if res := run(t, "convert", client, "-o", stored); res.code != 0 {
		t.Fatal(res.stderr)
	}
	for _, c := range []struct {
		name, before, after, metric string
		code                        int
		status, text                string
	}{
		{"alike", server, again, "tpot:p50", 0, "ok", "counted by: the server"},
		{"a metric of tokens", server, client, "tpot:p50", 3, "fail", "on one side by the server, on the other by a tokenizer of the client"},
		{"a metric of none", client, server, "ttft:p50", 0, "warn", "on one side by a tokenizer of the client"},
		{"a converted file", server, stored, "tpot:p50", 3, "fail", "a tokenizer of the client"},
	} {
		doc := document(t, c.code, "-m", c.metric, "--run-noise", "0%", "--margin", "30%", c.before, c.after)
		found := ""
		for _, check := range doc.Comparability {
			if check.Check == "token_source" {
				found = check.Status + ": " + check.Text
			}
			if check.Check == "fingerprint" && strings.Contains(check.Text, "token_source") {
				t.Errorf("%s: %s", c.name, check.Text)
			}
		}
		if !strings.HasPrefix(found, c.status+": ") || !strings.Contains(found, c.text) {
			t.Errorf("%s: %q, want %s with %q", c.name, found, c.status, c.text)
		}
	}
}
