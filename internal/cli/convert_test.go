package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is what a report says of the file itself and not of its records.
var named = regexp.MustCompile(`(?m)^\s*"(path|sha256|reader|column|unit|label)": .*\n`)

// Converted records give the report that the originals give, number by number.
func TestConvertedRecordsGiveTheSameReport(t *testing.T) {
	fix := filepath.Join("..", "..", "fixtures")
	for _, c := range []struct{ name, before, after string }{
		{"runs, replicas and failures", "failures/before.parquet", "failures/after.parquet"},
		{"longer prompts", "mixshift/before.parquet", "mixshift/after.parquet"},
		{"one run a side", "single/before.parquet", "single/after.parquet"},
		{"CSV", "csv/before.csv", "csv/after.csv"},
		{"vLLM, with gaps and failures", "real/vllm/gen_vllm-legacy_before.json", "real/vllm/gen_vllm-legacy_after_slower15pct.json"},
		{"SGLang, several runs a file", "real/sglang/gen_sglang_native_before.jsonl", "real/sglang/gen_sglang_native_after_slower15pct.jsonl"},
		{"llmperf", "real/llmperf/yi34b_tgi_c16_individual_responses.json", "real/llmperf/yi34b_vllm_c16_individual_responses.json"},
		{"vegeta", "real/vegeta/gen_vegeta_before.csv", "real/vegeta/gen_vegeta_after_slower15pct.csv"},
		{"values that are no numbers", caseFile("P04", "before.csv"), caseFile("P04", "after.csv")},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var original, converted []string
			for i, in := range []string{c.before, c.after} {
				if !strings.Contains(in, "testdata") {
					in = filepath.Join(fix, in)
				}
				out := filepath.Join(dir, []string{"before.parquet", "after.parquet"}[i])
				if r := run(t, "convert", in, "-o", out); r.code != 0 {
					t.Fatalf("convert %s: %s", in, r.stderr)
				}
				original, converted = append(original, in), append(converted, out)
			}
			strip := func(s string) string {
				for i := range original {
					s = strings.ReplaceAll(strings.ReplaceAll(s, filepath.ToSlash(original[i]), "FILE"), filepath.ToSlash(converted[i]), "FILE")
				}
				return named.ReplaceAllString(s, "")
			}
			want := run(t, append(original, "--format", "json")...)
			got := run(t, append(converted, "--format", "json")...)
			if got.code != want.code || strip(got.stdout) != strip(want.stdout) {
				t.Errorf("exit codes %d and %d, reports differ:\n%s", want.code, got.code, firstDifference([]byte(strip(want.stdout)), []byte(strip(got.stdout))))
			}
		})
	}
}

// Several files become runs of one file.
func TestConvertKeepsRunsApart(t *testing.T) {
	dir := t.TempDir()
	a := write(t, "a.csv", "latency_ms\n1\n2\n")
	b := write(t, "b.csv", "latency_ms\n3\n")
	out := filepath.Join(dir, "all.parquet")
	if r := run(t, "convert", a, b, "-o", out); r.code != 0 || !strings.Contains(r.stdout, "3 records") {
		t.Fatalf("%+v", r)
	}
	if r := run(t, "describe", out); !strings.Contains(r.stdout, "2 runs, 3 requests") {
		t.Errorf("%s", r.stdout)
	}
}

func TestConvertFaults(t *testing.T) {
	in := write(t, "in.csv", "latency_ms\n1\n")
	bad := write(t, "bad.csv", "latency_ms,x\n1,2\n3\n")
	dir := t.TempDir()
	for _, c := range []struct {
		why, want string
		args      []string
	}{
		{"no input", "no input", []string{"convert", "-o", filepath.Join(dir, "x.parquet")}},
		{"no output", "want a file ending in .parquet", []string{"convert", in}},
		{"another format", "want a file ending in .parquet", []string{"convert", in, "-o", filepath.Join(dir, "x.csv")}},
		{"no such folder", "cannot be written", []string{"convert", in, "-o", filepath.Join(dir, "no", "x.parquet")}},
		{"a broken input", "line 3", []string{"convert", bad, "-o", filepath.Join(dir, "x.parquet")}},
	} {
		if r := run(t, c.args...); r.code != 2 || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%s: exit code %d, %q; want 2 and %q", c.why, r.code, r.stderr, c.want)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSchemaListsEveryField(t *testing.T) {
	r := run(t, "schema")
	for _, name := range []string{"ttft_s", "e2e_s", "itl_s", "start", "prompt_tokens", "status", "run"} {
		if !strings.Contains(r.stdout, name) {
			t.Errorf("schema lacks %s", name)
		}
	}
}
