package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRunsSeries(t *testing.T) {
	f, err := Runs([]RunValues{
		{"ttft p99", "s", [2][]float64{{0.82, 0.79, 0.81}, {0.95, math.NaN()}}, [2]float64{0.81, math.NaN()}},
		{"nothing", "s", [2][]float64{}, [2]float64{math.NaN(), math.NaN()}},
	}, [2]string{"before", "after"})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Panels) != 1 {
		t.Fatalf("%d panels", len(f.Panels))
	}
	p := f.Panels[0]
	want := []Mark{
		Rule{Role: Ink, At: 0.81, Short: true},
		Dots{Name: "before", Role: Baseline, Shape: Ring, Points: []Point{{0.79, 0}, {0.81, 0}, {0.82, 0}}},
		Dots{Name: "after", Role: Candidate, Points: []Point{{0.95, 1}}},
	}
	if diff := cmp.Diff(want, p.Marks, close); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Row{{"before", "810 ms", Ink}, {"after", "", Ink}}, p.Rows); diff != "" {
		t.Error(diff)
	}
	if want := "A dot for every run. ttft p99: before: 3 runs from 790 ms to 820 ms; after: one run, 950 ms."; f.Alt != want {
		t.Errorf("alt %q", f.Alt)
	}
	many := make([]float64, 5000)
	for i := range many {
		many[i] = float64(i)
	}
	g, err := Runs([]RunValues{{"m", "1", [2][]float64{many, many}, [2]float64{1, 1}}}, [2]string{"a", "b"})
	if err != nil || len(marks[Dots](g.Panels[0])[0].Points) != mostDots || len(g.Notes) != 1 {
		t.Errorf("%d notes, error %v", len(g.Notes), err)
	}
	checkAll(t, g)
}

func TestSwarm(t *testing.T) {
	got := swarm([]float64{1, 1.01, 1.02, 2}, 0, 0.1)
	if diff := cmp.Diff([]Point{{1, 0}, {1.01, -0.16}, {1.02, 0.16}, {2, 0}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWindowsSeries(t *testing.T) {
	nan := math.NaN()
	w := func(start float64, v ...float64) Window { return Window{Start: start, Values: v} }
	f, err := Windows(Over{"ttft", "s", 300, []float64{0.5, 0.99}, [2]string{"before", "after"}}, []Series{
		{"r1", Baseline, []Window{w(0, 0.2, 0.9), w(300, 0.21, nan), w(1500, 0.22, 0.8)}},
		{"r2", Candidate, []Window{w(0, 0.3), w(300, 0.3)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Panels) != 2 {
		t.Fatalf("%d panels", len(f.Panels))
	}
	gap := Point{nan, nan}
	want := []Line{
		{Name: "r1", Role: Baseline, Dashed: true, Points: []Point{{150, 0.2}, {450, 0.21}, gap, {1650, 0.22}}},
		{Name: "r2", Role: Candidate, Points: []Point{{150, 0.3}, {450, 0.3}}},
	}
	if diff := cmp.Diff(want, marks[Line](f.Panels[0]), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if got := marks[Line](f.Panels[1]); len(got) != 1 {
		t.Errorf("p99 has %d lines", len(got))
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Title, "windows of 5 min") {
		t.Errorf("notes %q, title %q", f.Notes, f.Title)
	}
	checkAll(t, f)
}

func TestWindowsApart(t *testing.T) {
	var series []Series
	for i := range 6 {
		role, v := Baseline, 0.2
		if i >= 3 {
			role, v = Candidate, 0.4
		}
		series = append(series, Series{fmt.Sprint("r", i), role, []Window{{0, 9, []float64{v}}, {5, 9, []float64{v + 0.01*float64(i)}}}})
	}
	draw := func(series []Series) *Figure {
		t.Helper()
		f, err := Windows(Over{"ttft", "s", 5, []float64{0.5}, [2]string{"before", "after"}}, series)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := draw(series)
	if len(f.Panels) != 2 || f.Columns != 2 || len(f.Legend) != 0 {
		t.Fatalf("%d panels, %d columns, legend %v", len(f.Panels), f.Columns, f.Legend)
	}
	if diff := cmp.Diff(f.Panels[0].Y, f.Panels[1].Y, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the scales differ: %s", diff)
	}
	for i, want := range []struct {
		title, runs string
		role        Role
	}{{"before", "r0 r1 r2", Baseline}, {"after", "r3 r4 r5", Candidate}} {
		var names []string
		for _, l := range marks[Line](f.Panels[i]) {
			names = append(names, l.Name)
			if l.Role != want.role || l.Dashed {
				t.Errorf("line %+v", l)
			}
		}
		if f.Panels[i].Title != want.title || strings.Join(names, " ") != want.runs {
			t.Errorf("panel %q holds %q", f.Panels[i].Title, names)
		}
	}
	checkAll(t, f)
	if f := draw(series[:3]); len(f.Panels) != 1 || len(f.Legend) != 2 {
		t.Errorf("a few runs of one side: %d panels", len(f.Panels))
	}
	if f := draw(slices.Concat(series[:3], series[:3])); len(f.Panels) != 1 {
		t.Errorf("many runs of one side: %d panels", len(f.Panels))
	}
}

func TestPromptsSeries(t *testing.T) {
	nan := math.NaN()
	f, err := Prompts("ttft", []PromptSide{
		{"before", Baseline, []PromptBin{{100, 50, 0.05, 0.06, 0.08}, {10000, 50, nan, 0.7, nan}, {0, 1, 1, 1, 1}}, 0.05, 6.25e-5},
		{"after", Candidate, nil, nan, nan},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	lines := marks[Line](p)
	if len(lines) != 1 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, at := range lines[0].Points {
		if want := 0.05 + 6.25e-5*at.X; math.Abs(at.Y-want) > 1e-12 {
			t.Errorf("at %v tokens the line is %v, want %v", at.X, at.Y, want)
		}
	}
	iv := marks[Interval](p)
	if len(iv) != 2 || iv[0].Lo != 0.05 || iv[0].Hi != 0.08 || iv[1].Lo != 0.7 || iv[1].Value != 0.7 {
		t.Errorf("intervals %+v", iv)
	}
	if diff := cmp.Diff([]string{"before: 50.0 ms, then 16,000 tokens/s", "after: no line"}, []string{f.Legend[0].Label, f.Legend[1].Label}); diff != "" {
		t.Error(diff)
	}
	if want := "before: 50.0 ms fixed, then 16,000 tokens per second."; !strings.Contains(f.Alt, want) {
		t.Errorf("alt %q lacks %q", f.Alt, want)
	}
	checkAll(t, f)
}
