package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func junitOf(t *testing.T, doc *Document) junitSuites {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJUnit(&b, doc); err != nil {
		t.Fatal(err)
	}
	var s junitSuites
	if err := xml.Unmarshal(b.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJUnitOutcomes(t *testing.T) {
	for name, want := range map[string][4]int{ // tests, failures, errors, skipped
		"fail":              {13, 2, 3, 2}, // two undecided gates and a check
		"inconclusive":      {13, 2, 3, 2},
		"inconclusive lets": {13, 2, 0, 4},
		"pass":              {2, 0, 0, 0},
		"empty":             {1, 0, 1, 0},
		"description":       {4, 0, 0, 0},
	} {
		s := junitOf(t, documents(t)[name])
		if got := [4]int{s.Tests, s.Failures, s.Errors, s.Skipped}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if s.Suites[0].Tests != len(s.Suites[0].Cases) {
			t.Errorf("%s: %d cases of %d", name, len(s.Suites[0].Cases), s.Suites[0].Tests)
		}
		if !strings.Contains(s.Suites[0].Out, "perfdiff") {
			t.Errorf("%s: no text report", name)
		}
	}
	fail := junitOf(t, sample("FAIL", 1)).Suites[0].Cases[0]
	if fail.Failure == nil || fail.Failure.Type != "regressed" || !strings.Contains(fail.Failure.Message, "ttft:p99: 812 ms to 955 ms, change +17.6 % [") {
		t.Errorf("failure %+v", fail.Failure)
	}
}

// TestJUnitIsNeverGreen: where the command exits with a failure the file has
// one too, whatever the reason.
func TestJUnitIsNeverGreen(t *testing.T) {
	for name, doc := range documents(t) {
		s := junitOf(t, doc)
		if red := s.Failures+s.Errors > 0; doc.ExitCode != 0 && !red {
			t.Errorf("%s: exit code %d, and nothing failed", name, doc.ExitCode)
		}
	}
}

func TestGitHub(t *testing.T) {
	write := func(doc *Document) []string {
		var b bytes.Buffer
		if err := WriteGitHub(&b, doc); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	lines := write(sample("FAIL", 1))
	var levels []string
	for _, l := range lines {
		level, _, ok := strings.Cut(strings.TrimPrefix(l, "::"), " title=")
		if !ok {
			t.Errorf("not a command: %q", l)
		}
		levels = append(levels, level)
	}
	if diff := cmp.Diff([]string{"error", "error", "error", "warning", "warning", "warning"}, levels); diff != "" {
		t.Error(diff)
	}
	if want := "::error title=perfdiff%3A FAIL::ttft p99 is slower by 17.6 %25 (11.0 %25 to 24.5 %25), margin 5 %25.%0A5 + 5 runs"; !strings.HasPrefix(lines[0], want) {
		t.Errorf("first line %q", lines[0])
	}
	if got := write(documents(t)["pass"]); len(got) != 1 || !strings.HasPrefix(got[0], "::notice title=perfdiff%3A PASS::Every gate") {
		t.Errorf("a pass is %q", got)
	}

	// No more annotations than are shown, and the rest is counted.
	many := sample("FAIL", 1)
	for i := range 50 {
		r := resultOf(fmt.Sprintf("m%d\n::error::x", i), "p50", 1, 2, str("FAIL"), "regressed")
		many.Results = append(many.Results, r)
	}
	n := map[string]int{}
	lines = write(many)
	for _, l := range lines {
		level, _, _ := strings.Cut(l, " ")
		n[level]++
	}
	if n["::error"] != mostAnnotations {
		t.Errorf("%d errors", n["::error"])
	}
	if !strings.Contains(strings.Join(lines, "\n"), "::error title=perfdiff::44 more in the report") {
		t.Errorf("the rest is not counted: %q", lines)
	}
}

func TestGitLab(t *testing.T) {
	read := func(doc *Document) []codeQuality {
		var b bytes.Buffer
		if err := WriteGitLab(&b, doc); err != nil {
			t.Fatal(err)
		}
		var out []codeQuality
		if err := json.Unmarshal(b.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		if out == nil {
			t.Error("null instead of an empty list")
		}
		return out
	}
	got := read(sample("FAIL", 1))
	var short []string
	seen := map[string]bool{}
	for _, c := range got {
		short = append(short, c.Severity+" "+c.CheckName)
		if len(c.Fingerprint) != 64 || seen[c.Fingerprint] {
			t.Errorf("fingerprint %q", c.Fingerprint)
		}
		seen[c.Fingerprint] = true
		if c.Location.Path != "data/after" || c.Location.Lines.Begin != 1 {
			t.Errorf("location %+v", c.Location)
		}
	}
	if diff := cmp.Diff([]string{"critical perfdiff/ttft:p99", "minor perfdiff/ttft:p95", "critical perfdiff/ttft:p99 limit", "minor perfdiff/itl:p50", "major perfdiff/comparability:offered_load"}, short); diff != "" {
		t.Error(diff)
	}
	// The same finding has the same fingerprint on another day.
	other := sample("FAIL", 1)
	other.Results[0] = resultOf("ttft", "p99", 0.7, 0.99, str("FAIL"), "regressed")
	other.Baseline.Label = "another"
	if again := read(other); again[0].Fingerprint != got[0].Fingerprint {
		t.Error("the fingerprint changed with the numbers")
	}
	if got := read(documents(t)["pass"]); len(got) != 0 {
		t.Errorf("findings %+v", got)
	}
}
