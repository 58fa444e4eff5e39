package cli_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
)

var regression = []string{"../../fixtures/regression/before.parquet", "../../fixtures/regression/after.parquet"}

// TestEveryOutput asks for every kind of output at once, of a comparison that
// fails: all are written, each is what its name says, and the command fails.
func TestEveryOutput(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	args := regression
	for _, name := range []string{"r.json", "r.md", "r.txt", "r.html", "r.xml", "r.svg", "r.png", "r.pdf", "gl-code-quality-report.json"} {
		args = with(args, "-o", in(name))
	}
	res := run(t, with(args, "--plots", in("new/plots"), "-q")...)
	if res.code != 1 || res.stdout != "" {
		t.Fatalf("exit code %d, standard output %q", res.code, res.stdout)
	}
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(in(name))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, head := range map[string]string{"r.html": "<!DOCTYPE html>", "r.pdf": "%PDF-", "r.svg": "<?xml", "r.xml": "<?xml", "r.md": "<!-- perfdiff report -->\n### ❌ FAIL", "r.txt": "perfdiff  before.parquet", "gl-code-quality-report.json": "[\n"} {
		if b := read(name); !bytes.HasPrefix(b, []byte(head)) {
			t.Errorf("%s begins %.40q", name, b)
		}
	}
	if _, err := png.Decode(bytes.NewReader(read("r.png"))); err != nil {
		t.Errorf("r.png: %v", err)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(read("r.xml"), &suites); err != nil || suites.Failures == 0 {
		t.Errorf("r.xml: %d failures, error %v", suites.Failures, err)
	}
	var findings []map[string]any
	if err := json.Unmarshal(read("gl-code-quality-report.json"), &findings); err != nil || len(findings) == 0 {
		t.Errorf("%d findings, error %v", len(findings), err)
	}
	for _, name := range []string{"gates", "runs", "change-ttft", "distribution-ttft", "distribution-e2e", "time-ttft", "time-e2e", "prompts-ttft"} {
		b := read("new/plots/" + name + ".svg")
		if err := xml.Unmarshal(b, new(any)); err != nil || len(b) > 300_000 {
			t.Errorf("%s.svg: %d bytes, error %v", name, len(b), err)
		}
	}
	page := string(read("r.html"))
	for _, want := range []string{`id="verdict">FAIL<`, `id="gates-w-t"`, `id="change-ttft-n-t"`, "sha256 ", "perfdiff ../../fixtures/regression/before.parquet"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 10 {
		t.Errorf("%d entries in the directory, error %v", len(entries), err)
	}
}

// TestFiguresChangeNothing: the quantiles of the figures are in no table and
// take part in no decision.
func TestFiguresChangeNothing(t *testing.T) {
	for _, name := range []string{"regression", "single", "mixshift", "small"} {
		args := []string{"../../fixtures/" + name + "/before.parquet", "../../fixtures/" + name + "/after.parquet", "--format", "json", "--limit", "ttft:p90<=200ms"}
		plain := run(t, args...)
		drawn := run(t, with(args, "--plots", t.TempDir())...)
		if plain.stdout != drawn.stdout || plain.code != drawn.code {
			t.Errorf("%s: the report differs when figures are drawn", name)
		}
	}
}

func TestFormatsOnStandardOutput(t *testing.T) {
	for format, head := range map[string]string{"html": "<!DOCTYPE html>", "junit": "<?xml", "github": "::error title=perfdiff%3A FAIL::", "gitlab": "[\n"} {
		res := run(t, with(regression, "--format", format)...)
		if res.code != 1 || !strings.HasPrefix(res.stdout, head) {
			t.Errorf("%s: exit code %d, begins %.60q", format, res.code, res.stdout)
		}
		res = run(t, "describe", "--format", format, regression[0])
		if res.code != 0 || res.stdout == "" {
			t.Errorf("describe as %s: exit code %d, %d bytes", format, res.code, len(res.stdout))
		}
	}
}

// TestStepSummary appends the Markdown report to the file that GitHub names,
// and to no other.
func TestStepSummary(t *testing.T) {
	path := write(t, "summary.md", "before\n")
	env := func(value string) cli.Env {
		return cli.Env{LookupEnv: func(name string) (string, bool) {
			if name == "GITHUB_STEP_SUMMARY" {
				return value, true
			}
			return "", false
		}}
	}
	runEnv(t, env(path), with(regression, "--format", "github")...)
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "before\n") || !strings.Contains(string(text), "### ❌ FAIL: before.parquet → after.parquet") {
		t.Errorf("summary %.80q, error %v", text, err)
	}
	runEnv(t, env(path), regression...)
	if again, _ := os.ReadFile(path); !bytes.Equal(text, again) {
		t.Error("the text format writes a summary")
	}
	if res := runEnv(t, env(filepath.Join(path, "below a file")), with(regression, "--format", "github")...); res.code != 2 || !strings.Contains(res.stderr, "GITHUB_STEP_SUMMARY") {
		t.Errorf("exit code %d, %q", res.code, res.stderr)
	}
	if res := runEnv(t, env(""), with(regression, "--format", "github")...); res.code != 1 {
		t.Errorf("an empty name: exit code %d, %q", res.code, res.stderr)
	}
}

// TestNoHalfOutputs: an output that cannot be written makes exit code 2, and
// none of the others appears.
func TestNoHalfOutputs(t *testing.T) {
	dir := t.TempDir()
	file := write(t, "file", "")
	for _, args := range [][]string{
		{"-o", filepath.Join(dir, "r.html"), "--plots", filepath.Join(file, "plots")},
		{"-o", filepath.Join(dir, "r.html"), "-o", filepath.Join(dir, "missing", "r.svg")},
		{"-o", filepath.Join(dir, "missing", "r.xml"), "--plots", filepath.Join(dir, "plots")},
	} {
		res := run(t, with(regression, args...)...)
		if res.code != 2 || res.stdout != "" {
			t.Errorf("%q: exit code %d, standard output %q", args, res.code, res.stdout)
		}
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				t.Errorf("%q: %s was left behind", args, path)
			}
			return nil
		})
	}
}

// TestP25Outputs: data that no logarithmic axis can show are drawn, and the
// verdict is that of the data.
func TestP25Outputs(t *testing.T) {
	args := with(requests, "-m", "latency:p50", before("P25"), after("P25"))
	want := run(t, args...).code
	dir := t.TempDir()
	res := run(t, with(args, "--plots", dir, "-o", filepath.Join(dir, "r.html"), "-o", filepath.Join(dir, "r.png"), "-q")...)
	if res.code != want {
		t.Errorf("exit code %d with figures, %d without", res.code, want)
	}
	for _, name := range []string{"gates.svg", "distribution-latency.svg", "r.html", "r.png"} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNothingToDraw: a figure that cannot be drawn takes nothing from the
// verdict and leaves no file.
func TestNothingToDraw(t *testing.T) {
	empty := write(t, "empty.csv", "request_id,latency_ms\n")
	out := filepath.Join(t.TempDir(), "r.svg")
	var stderr bytes.Buffer
	code := cli.Perfdiff(t.Context(), cli.Env{Stdout: new(bytes.Buffer), Stderr: &stderr, Stdin: strings.NewReader("")}, []string{"-o", out, "-q", empty, empty})
	plain := cli.Perfdiff(t.Context(), cli.Env{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer), Stdin: strings.NewReader("")}, []string{"-q", empty, empty})
	if code != plain {
		t.Errorf("exit code %d with a figure, %d without", code, plain)
	}
	if code != 2 && !strings.Contains(stderr.String(), "r.svg was not written: there is no figure to draw") {
		t.Errorf("standard error %q", stderr.String())
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a file was written")
	}
}
