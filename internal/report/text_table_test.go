package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// A change is drawn in units of its margin, what is worse to the right.
func TestGauge(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		why     string
		g       gauge
		outcome string
		want    string
	}{
		{"within", gauge{0.2, -0.4, 0.8, true}, "PASS", "        ──┼●───│     "},
		{"beyond", gauge{1.6, 1.2, 2, true}, "FAIL", "          ┊    │──◆──"},
		{"open", gauge{0.6, -0.2, 1.4, true}, "INCONCLUSIVE", "         ─┼──○─┼──   "},
		{"far away", gauge{4, 3, 5, true}, "FAIL", "          ┊    │    ▶"},
		{"wide", gauge{0, -9, 9, true}, "INCONCLUSIVE", "◀─────────○────┼────▶"},
		{"bounded above alone", gauge{-1, nan, 0.4, true}, "PASS", "◀────●────┼──  │     "},
		{"without an interval", gauge{0.4, nan, nan, true}, "", "          ┊ ·  │     "},
		{"nothing", gauge{}, "PASS", ""},
	} {
		if got := c.g.draw(c.outcome); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.why, got, c.want)
		}
	}
	fifth := &Margin{"relative", 0.2}
	for _, c := range []struct {
		why  string
		r    Result
		want gauge
	}{
		{"a ratio", Result{Margin: fifth, Ratio: &Change{1.1, 0.9, 1.3}, Direction: "lower"}, gauge{0.5, -0.5, 1.5, true}},
		{"more is better", Result{Margin: fifth, Ratio: &Change{1.1, 0.9, 1.3}, Direction: "higher"}, gauge{-0.5, -1.5, 0.5, true}},
		{"like for like", Result{Margin: fifth, Ratio: &Change{3, 2, 4}, LikeForLike: &LikeForLike{Ratio: &Change{1.1, 0.9, 1.3}}}, gauge{0.5, -0.5, 1.5, true}},
		{"a difference", Result{Margin: &Margin{"absolute", 0.02}, Delta: &Change{0.01, -0.01, 0.03}}, gauge{0.5, -0.5, 1.5, true}},
		{"a share of the old score", Result{Margin: fifth, Delta: &Change{-0.1, -0.2, 0}, Baseline: Estimate{Value: 0.5}, Direction: "higher", items: true}, gauge{1, 0, 2, true}},
		{"no margin", Result{Ratio: &Change{1.1, 0.9, 1.3}}, gauge{}},
		{"a limit", Result{Limit: &Limit{}, Margin: fifth, Ratio: &Change{1, 1, 1}}, gauge{}},
		{"no change", Result{Margin: fifth, Ratio: &Change{none, none, none}}, gauge{}},
	} {
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
		if got := gaugeOf(&c.r); got.ok != c.want.ok || !near(got.value, c.want.value) || !near(got.lo, c.want.lo) || !near(got.hi, c.want.hi) {
			t.Errorf("%s: %+v, want %+v", c.why, got, c.want)
		}
	}
}

// A terminal has the widest table that fits; a file has the same always.
func TestTableFits(t *testing.T) {
	text := func(o TextOptions) string {
		t.Helper()
		doc := sample("FAIL", 1)
		doc.Results = doc.Results[:3] // without slices and their names
		var b bytes.Buffer
		if err := WriteText(&b, doc, o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	file := text(TextOptions{})
	if strings.Contains(file, barHead) {
		t.Error("a file has bars")
	}
	for _, c := range []struct {
		columns             int
		bars                bool
		hasBars, inRow, all bool
	}{{200, true, true, true, true}, {200, false, false, true, true}, {100, true, true, false, true}, {100, false, false, true, true}, {80, true, false, false, true}, {60, true, false, false, false}} {
		got := text(TextOptions{Columns: c.columns, Width: c.columns, Bars: c.bars})
		head, rest := "", ""
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "metric") {
				head, rest = line, got[strings.Index(got, line):]
			}
			if strings.HasPrefix(line, "metric") && displayWidth(strings.TrimSpace(line)) > c.columns {
				t.Errorf("%d columns: %q", c.columns, line)
			}
		}
		row := strings.Split(rest, "\n")[2]
		if strings.Contains(head, barHead) != c.hasBars || strings.Contains(row, "4 more runs a side") != c.inRow || strings.Contains(head, "before") != c.all {
			t.Errorf("%d columns:\n%s", c.columns, rest)
		}
		if !strings.Contains(rest, "4 more runs a side") {
			t.Errorf("%d columns: the remark is lost", c.columns)
		}
	}
}
