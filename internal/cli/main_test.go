package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
	"github.com/perfdiff/perfdiff/internal/report"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata/script and the JSON schema in docs")

// result is what one run of the command left behind.
type result struct {
	code           int
	stdout, stderr string
}

// run runs perfdiff in this process.
func run(t *testing.T, args ...string) result {
	t.Helper()
	return runEnv(t, cli.Env{}, args...)
}

// runEnv runs perfdiff with the streams of env where it has some.
func runEnv(t *testing.T, env cli.Env, args ...string) result {
	t.Helper()
	return runProgram(t, cli.Perfdiff, env, args)
}

// runProgram runs one of the two commands.
func runProgram(t *testing.T, program func(context.Context, cli.Env, []string) int, env cli.Env, args []string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if env.Stdout == nil {
		env.Stdout = &stdout
	}
	env.Stderr = &stderr
	if env.Stdin == nil {
		env.Stdin = strings.NewReader("")
	}
	if env.Build.Version == "" {
		env.Build.Version = "test"
	}
	code := program(t.Context(), env, args)
	res := result{code, stdout.String(), stderr.String()}
	checkRun(t, args, res)
	return res
}

// checkRun holds what must be true of every run, whatever its arguments.
func checkRun(t *testing.T, args []string, res result) {
	t.Helper()
	if res.code < 0 || res.code > 4 {
		t.Errorf("perfdiff %q: exit code %d is none of the documented", args, res.code)
	}
	if res.code == 2 && res.stderr == "" {
		t.Errorf("perfdiff %q: exit code 2 without a word on standard error", args)
	}
	if res.code != 2 && res.stderr != "" {
		t.Errorf("perfdiff %q: exit code %d with standard error %q", args, res.code, res.stderr)
	}
	for _, text := range []string{res.stdout, res.stderr} {
		if bad := unfit.FindString(text); bad != "" {
			t.Errorf("perfdiff %q prints %q", args, bad)
		}
	}
	if strings.HasPrefix(res.stdout, "{") {
		checkJSON(t, res.code, []byte(res.stdout))
	}
}

// unfit are words of the machine that no reader should meet.
var unfit = regexp.MustCompile(`\b(NaN|[+-]?Inf(inity)?|panic|goroutine|nil pointer|UNDECIDED)\b|%!|\.perfdiff-\d`)

// checkJSON decodes a JSON output strictly and against the schema, and holds
// its exit code against the real one.
func checkJSON(t *testing.T, code int, text []byte) {
	t.Helper()
	var generic any
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&generic); err != nil {
		t.Fatalf("the JSON cannot be read: %v\n%s", err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("something follows the JSON document: %v", err)
	}
	if faults := validate(t, generic); len(faults) > 0 {
		t.Errorf("the JSON does not follow the schema:\n%s\n%s", strings.Join(faults, "\n"), text)
	}
	object := generic.(map[string]any)
	if _, failed := object["error"]; failed != (code == 2) {
		t.Errorf("exit code %d, but the JSON has an error: %v", code, failed)
	}
	if want, ok := object["exit_code"]; ok && want != float64(code) {
		t.Errorf("exit code %d, but the JSON says %v", code, want)
	}
}

// document runs perfdiff with --format json and returns the report.
func document(t *testing.T, wantCode int, args ...string) *report.Document {
	t.Helper()
	res := run(t, append([]string{"--format", "json"}, args...)...)
	if res.code != wantCode {
		t.Errorf("perfdiff %q: exit code %d, want %d\n%s%s", args, res.code, wantCode, reasonsOf(res.stdout), res.stderr)
	}
	if res.code == 2 {
		t.FailNow()
	}
	return decode(t, res.stdout)
}

func decode(t *testing.T, text string) *report.Document {
	t.Helper()
	var doc report.Document
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("the report cannot be read back: %v\n%s", err, text)
	}
	for _, r := range doc.Results {
		if what := unexplained(&r); what != "" {
			t.Errorf("%s %s %v: %s is null, and no warning says why: %v", r.Metric, r.Estimand, r.Slice, what, r.Warnings)
		}
	}
	return &doc
}

// unexplained names a number of a result that is null without a warning; ""
// if there is none. A warning may explain several.
func unexplained(r *report.Result) string {
	if len(r.Warnings) > 0 {
		return ""
	}
	numbers := map[string]report.Num{
		"baseline.value": r.Baseline.Value, "baseline.lo": r.Baseline.Lo, "baseline.hi": r.Baseline.Hi,
	}
	if r.Verdict != nil {
		numbers["candidate.value"], numbers["candidate.lo"], numbers["candidate.hi"] = r.Candidate.Value, r.Candidate.Lo, r.Candidate.Hi
	}
	for name, c := range map[string]*report.Change{"delta": r.Delta, "ratio": r.Ratio} {
		if c != nil {
			numbers[name+".value"], numbers[name+".lo"], numbers[name+".hi"] = c.Value, c.Lo, c.Hi
		}
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		if !numbers[name].Known() {
			return name
		}
	}
	return ""
}

func reasonsOf(text string) string {
	var doc struct{ Reasons []report.Reason }
	if json.Unmarshal([]byte(text), &doc) != nil {
		return text
	}
	var b strings.Builder
	for _, r := range doc.Reasons {
		b.WriteString("  " + r.Code + ": " + r.Text + "\n")
	}
	return b.String()
}

// write makes a file with the text in a new directory and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
