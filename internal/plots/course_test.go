package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// ramp is a sketch of n values of first, first + 1, …
func ramp(first float64, n int) *sketch.Sketch {
	s := sketch.New(0)
	for i := range n {
		s.Add(first + float64(i))
	}
	return s
}

// viewOfCourse is a view with a run of four windows a side, of n values each.
func viewOfCourse(t *testing.T, n int) View {
	t.Helper()
	c, items := comparison(t)
	co := &compare.Course{Items: items[:1], Width: 5, Timed: [2]bool{true, true}, Lengths: [2]bool{true, true}}
	for s := range 2 {
		r := compare.CourseRun{Label: "r", Parts: 1}
		for k := range 4 {
			r.Windows = append(r.Windows, compare.CourseWindow{Start: 5 * float64(k), Values: []*sketch.Sketch{ramp(float64(1+100*k), n)}})
		}
		co.Runs[s] = []compare.CourseRun{r}
		co.Prompts[s] = compare.PromptCurve{Fixed: 0.5, PerToken: 0.25, Bins: []compare.PromptBin{
			{Tokens: 4, Values: ramp(1, 51)}, {Tokens: 8, Values: ramp(2, 19)}, {Tokens: 16, Values: ramp(3, 30)}}}
	}
	return View{Comparison: c, Items: items, Labels: [2]string{"before", "after"}, Course: co}
}

func figureOf(figures []*Figure, id string) *Figure {
	for _, f := range figures {
		if f.ID == id {
			return f
		}
	}
	return nil
}

func TestCourseFigures(t *testing.T) {
	v := viewOfCourse(t, 101)
	figures, missing := v.Figures()
	f := figureOf(figures, "time-ttft")
	if f == nil {
		t.Fatalf("no figure over time; missing %q", missing)
	}
	// 101 values: five beyond the 95th percentile, one beyond the 99th.
	if len(f.Panels) != 2 {
		t.Fatalf("%d panels", len(f.Panels))
	}
	for k, want := range [][]Point{{{2.5, 51}, {7.5, 151}, {12.5, 251}, {17.5, 351}}, {{2.5, 96}, {7.5, 196}, {12.5, 296}, {17.5, 396}}} {
		lines := marks[Line](f.Panels[k])
		if len(lines) != 2 || lines[0].Role != Baseline || lines[1].Role != Candidate {
			t.Fatalf("lines %+v", lines)
		}
		for _, l := range lines {
			if d := cmp.Diff(want, l.Points); d != "" {
				t.Error(d)
			}
		}
	}
	// The comparison has three runs a side, the course one.
	if d := cmp.Diff([]string{"Of the 3 runs of before the first 1 are drawn.", "Of the 3 runs of after the first 1 are drawn."}, f.Notes); d != "" {
		t.Error(d)
	}
	checkAll(t, f)
	f = figureOf(figures, "prompts-ttft")
	if f == nil {
		t.Fatalf("no figure by prompt length; missing %q", missing)
	}
	iv := marks[Interval](f.Panels[0])
	if len(iv) != 4 { // the bin of 19 is left out
		t.Fatalf("%d bins", len(iv))
	}
	if iv[0].Value != 26 || iv[0].Lo != 6 || iv[0].Hi != 46 || iv[1].Value != 17.5 || iv[1].Lo != iv[1].Value {
		t.Errorf("bins %+v", iv[:2])
	}
	if want := "before: 500 ms, then 4.00 tokens/s"; f.Legend[0].Label != want {
		t.Errorf("legend %q, want %q", f.Legend[0].Label, want)
	}
	checkAll(t, f)
}

// What cannot be drawn is told in one sentence.
func TestCourseDeclines(t *testing.T) {
	for _, c := range []struct {
		why    string
		change func(*View)
		want   string
	}{
		{"no starts", func(v *View) { v.Course.Timed[1] = false }, "ttft over time: after has no start times"},
		{"no lengths", func(v *View) { v.Course.Lengths[0] = false }, "ttft against prompt length: before has no prompt lengths"},
		{"short runs", func(v *View) {
			for s := range 2 {
				v.Course.Runs[s][0].Windows = v.Course.Runs[s][0].Windows[:2]
			}
		}, "ttft over time: no run is longer than two windows of 5 s"},
		{"few requests", func(v *View) { *v = viewOfCourse(t, 9) }, "ttft over time: windows of 5 s have too few requests"},
		{"a sample of few parts", func(v *View) { v.Course.Sampled = true }, "ttft over time: of so many records only the beginning of each part of a file is looked at, and a run has too few parts to tell how it went"},
		{"one length", func(v *View) {
			for s := range 2 {
				v.Course.Prompts[s].Bins = v.Course.Prompts[s].Bins[:1]
			}
		}, "ttft against prompt length: all prompts are of about one length"},
	} {
		v := viewOfCourse(t, 101)
		c.change(&v)
		figures, missing := v.Figures()
		if n := strings.Count(strings.Join(missing, "\n"), c.want); n != 1 {
			t.Errorf("%s: %q is said %d times in %q", c.why, c.want, n, missing)
		}
		id := "time-ttft"
		if strings.Contains(c.want, "prompt") {
			id = "prompts-ttft"
		}
		if figureOf(figures, id) != nil {
			t.Errorf("%s: drawn", c.why)
		}
	}
}

// A sample of many parts is drawn, and called a sample; another metric than the
// time to first token has no line over the prompt.
func TestCourseOfSample(t *testing.T) {
	v := viewOfCourse(t, 101)
	v.Course.Sampled = true
	for s := range 2 {
		v.Course.Runs[s][0].Parts = 6
	}
	figures, _ := v.Figures()
	for _, id := range []string{"time-ttft", "prompts-ttft"} {
		f := figureOf(figures, id)
		if f == nil || !strings.Contains(strings.Join(f.Notes, " "), "Drawn from the beginning of each part of the files") {
			t.Errorf("%s: %+v", id, f)
		}
	}
	e2e, _ := metric.Known("e2e")
	v.Course.Items = []metric.Item{{Metric: e2e}}
	figures, missing := v.Figures()
	if figureOf(figures, "prompts-e2e") != nil || strings.Contains(strings.Join(missing, " "), "prompt") {
		t.Errorf("missing %q", missing)
	}
}

func TestQuantileOf(t *testing.T) {
	for _, c := range []struct {
		n    int
		q    float64
		want float64
	}{{9, 0.5, math.NaN()}, {10, 0.5, 5.5}, {99, 0.95, math.NaN()}, {101, 0.95, 96}, {50, 0.1, 5.9}, {49, 0.1, math.NaN()}} {
		if got := quantileOf(ramp(1, c.n), c.q); math.Abs(got-c.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("quantile %v of %d: %v, want %v", c.q, c.n, got, c.want)
		}
	}
}
