package cli_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/report"
)

// The cases are faults that were reported in public of tools of this kind, each
// with data that show it. testdata/cases has a folder each; the numbers wanted
// were computed with numpy and scipy (quantiles of type 7).

func caseFile(id string, name ...string) string {
	return filepath.Join(append([]string{"testdata", "cases", id}, name...)...)
}

func before(id string) string { return caseFile(id, "before.csv") }
func after(id string) string  { return caseFile(id, "after.csv") }

// requests are the flags that make every request a unit of evidence.
var requests = []string{"--unit", "request"}

func with(flags []string, more ...string) []string { return append(slices.Clone(flags), more...) }

// row returns the result of a metric and estimand.
func row(t *testing.T, doc *report.Document, metric, estimand string) *report.Result {
	t.Helper()
	for i := range doc.Results {
		if r := &doc.Results[i]; r.Metric == metric && r.Estimand == estimand {
			return r
		}
	}
	t.Fatalf("the report has no row %s %s", metric, estimand)
	return nil
}

// value checks one side's value, and how many values are behind it.
func value(t *testing.T, name string, got report.Estimate, want float64, n int64) {
	t.Helper()
	near(t, name, got.Value, want)
	if got.N != n {
		t.Errorf("%s: n = %d, want %d", name, got.N, n)
	}
}

// near holds a number to 1e-6 of it, or to 1e-12 where 0 is wanted.
func near(t *testing.T, name string, got report.Num, want float64) {
	t.Helper()
	if diff := math.Abs(float64(got) - want); !(diff <= max(1e-6*math.Abs(want), 1e-12)) {
		t.Errorf("%s = %v, want %v", name, got, want)
	}
}

// within holds an interval to 2 % of its width.
func within(t *testing.T, name string, got *report.Change, lo, hi float64) {
	t.Helper()
	if got == nil {
		t.Fatalf("%s is missing", name)
	}
	slack := 0.02 * (hi - lo)
	if !(math.Abs(float64(got.Lo)-lo) <= slack && math.Abs(float64(got.Hi)-hi) <= slack) {
		t.Errorf("%s: [%v, %v], want [%v, %v]", name, got.Lo, got.Hi, lo, hi)
	}
}

func noInterval(t *testing.T, name string, c *report.Change) {
	t.Helper()
	if c == nil || c.Lo.Known() || c.Hi.Known() {
		t.Errorf("%s: %v, want a value without limits", name, c)
	}
}

func verdict(t *testing.T, doc *report.Document, want string) {
	t.Helper()
	if doc.Verdict == nil || *doc.Verdict != want {
		t.Errorf("verdict %v, want %s", deref(doc.Verdict), want)
		for _, r := range doc.Reasons {
			t.Log(r.Text)
		}
	}
}

func deref(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}

func hasReason(t *testing.T, doc *report.Document, text string) {
	t.Helper()
	if !slices.ContainsFunc(doc.Reasons, func(r report.Reason) bool { return strings.Contains(r.Text, text) }) {
		t.Errorf("no reason says %q: %v", text, doc.Reasons)
	}
}

func warned(t *testing.T, r *report.Result, code string) {
	t.Helper()
	if !slices.ContainsFunc(r.Warnings, func(n report.Note) bool { return n.Code == code }) {
		t.Errorf("%s %s has no warning %s: %v", r.Metric, r.Estimand, code, r.Warnings)
	}
}

// counted checks counts by reason.
func counted(t *testing.T, name string, got []report.Count, want map[string]int64) {
	t.Helper()
	have := map[string]int64{}
	for _, c := range got {
		have[c.Reason] = c.Count
	}
	if len(have) != len(want) {
		t.Errorf("%s: %v, want %v", name, have, want)
	}
	for reason, n := range want {
		if have[reason] != n {
			t.Errorf("%s: %s %d, want %d", name, reason, have[reason], n)
		}
	}
}

func says(t *testing.T, where, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not say %q:\n%s", where, w, text)
		}
	}
}
