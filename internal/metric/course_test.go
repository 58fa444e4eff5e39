package metric_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// courses reads one side by some workers.
func courses(t *testing.T, in metric.Input, workers int) *metric.Courses {
	t.Helper()
	out, err := metric.Course(t.Context(), []metric.Input{in}, items(t, nil, nil, in), metric.Scan{Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

// windows lists the values of the first item in each window of a run.
func windows(r *metric.RunCourse) map[int64][]float64 {
	out := map[int64][]float64{}
	for k, cells := range r.Windows {
		out[k] = cells[0].Sorted()
	}
	return out
}

// Values go to the window of their start, before 1970 too; those that failed, or
// have no start, to none.
func TestCourseWindows(t *testing.T) {
	c := courses(t, csv(t, "run,start_s,status,latency_s,prompt_tokens\na,0.5,ok,1,\na,0.9,ok,2,\na,1.1,ok,3,\na,-0.5,ok,4,\na,2.5,error,5,\na,,ok,6,\nb,7,ok,8,\n"), 1)
	if len(c.Runs) != 2 || c.Runs[0].Label != "a" || c.Runs[1].Label != "b" || !c.Timed || c.Lengths || c.Sampled {
		t.Fatalf("%+v", c)
	}
	want := map[int64][]float64{0: {1, 2}, 1: {3}, -1: {4}}
	if d := cmp.Diff(want, windows(c.Runs[0])); d != "" {
		t.Error(d)
	}
	if err := c.Runs[0].Widen(5e9); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[int64][]float64{-1: {4}, 0: {1, 2, 3}}, windows(c.Runs[0])); d != "" {
		t.Error(d)
	}
}

// The window of a run are never more than the limit, whatever its length.
func TestCourseBound(t *testing.T) {
	for _, c := range []struct {
		seconds []float64
		width   int64
	}{
		{steps(120, 1), 1e9},
		{steps(121, 1), 5e9},
		{steps(600, 1), 5e9},
		{steps(601, 1), 10e9},
		{steps(500, 86400), 7 * 86400e9},
		{[]float64{-9e9, 0, 9e9}, 1e9}, // few windows, however far apart
	} {
		var b strings.Builder
		b.WriteString("start_s,latency_s\n")
		for _, s := range c.seconds {
			fmt.Fprintf(&b, "%.0f,1\n", s)
		}
		r := courses(t, csv(t, b.String()), 1).Runs[0]
		if r.Width != c.width || len(r.Windows) > metric.MaxWindows {
			t.Errorf("%d starts: %d windows of %d ns, want %d ns", len(c.seconds), len(r.Windows), r.Width, c.width)
		}
		n := int64(0)
		for _, cells := range r.Windows {
			n += cells[0].N()
		}
		if n != int64(len(c.seconds)) {
			t.Errorf("%d of %d values", n, len(c.seconds))
		}
	}
}

func steps(n int, width float64) (out []float64) {
	for i := range n {
		out = append(out, float64(i)*width)
	}
	return out
}

// A run in two files, of which neither has too many windows.
func TestCourseBoundOfBoth(t *testing.T) {
	part := func(from int) string {
		var b strings.Builder
		b.WriteString("run,start_s,latency_s\n")
		for i := range 6000 {
			fmt.Fprintf(&b, "a,%d,1\n", from+i%100)
		}
		return b.String()
	}
	for range 20 { // either worker may read both
		r := courses(t, csv(t, part(0), part(100)), 2).Runs[0]
		if r.Width != 5e9 || len(r.Windows) != 40 || r.Parts != 2 {
			t.Fatalf("%d windows of %d ns, %d parts", len(r.Windows), r.Width, r.Parts)
		}
	}
}

// The widths must each be a multiple of the one before.
func TestWider(t *testing.T) {
	for w := int64(1e9); ; {
		next := metric.Wider(w)
		if next == w {
			break
		}
		if next < w || next%w != 0 {
			t.Errorf("%d after %d", next, w)
		}
		w = next
	}
}

// Neither the order of the records nor the number of workers changes a thing,
// and of many runs the first by label are kept.
func TestCourseOrder(t *testing.T) {
	var lines []string
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20000 {
		lines = append(lines, fmt.Sprintf("run-%02d,%d,%d.5,%d", i%20, i/7, 1+r.IntN(50), 1+r.IntN(9000)))
	}
	text := func() string { return "run,start_s,ttft_ms,prompt_tokens\n" + strings.Join(lines, "\n") + "\n" }
	want := courses(t, csv(t, text()), 1)
	if len(want.Runs) != metric.MaxCourses || want.Runs[metric.MaxCourses-1].Label != "run-11" {
		t.Fatalf("%d runs", len(want.Runs))
	}
	for workers := range 3 {
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		// Two files of one side.
		half := len(lines) / 2
		all := lines
		lines = all[:half]
		a := text()
		lines = all[half:]
		b := text()
		lines = all
		got := courses(t, csv(t, a, b), workers+1)
		for i, run := range got.Runs {
			if run.Label != want.Runs[i].Label || run.Width != want.Runs[i].Width {
				t.Errorf("%s of %d ns, want %s of %d ns", run.Label, run.Width, want.Runs[i].Label, want.Runs[i].Width)
			}
			if d := cmp.Diff(windows(want.Runs[i]), windows(run)); d != "" {
				t.Error(d)
			}
		}
		if d := cmp.Diff(slices.Sorted(maps.Keys(want.Prompts)), slices.Sorted(maps.Keys(got.Prompts))); d != "" {
			t.Error(d)
		}
		for bin, p := range want.Prompts {
			g := got.Prompts[bin]
			for _, q := range []float64{0, 0.1, 0.5, 0.9, 1} {
				x, _ := p.Values.Quantile(q)
				y, _ := g.Values.Quantile(q)
				if x != y || p.Tokens != g.Tokens {
					t.Errorf("bin %d: quantile %v is %v, want %v; %d tokens, want %d", bin, q, y, x, g.Tokens, p.Tokens)
				}
			}
		}
	}
}

func TestPromptBin(t *testing.T) {
	for _, c := range []struct {
		tokens float64
		bin    int
		ok     bool
	}{{1, 0, true}, {1.124, 0, true}, {1.125, 1, true}, {2, 8, true}, {1024, 80, true}, {1151, 80, true}, {1152, 81, true}, {0, 0, false}, {-3, 0, false}, {1e18, 0, false}} {
		if bin, ok := metric.PromptBin(c.tokens); bin != c.bin || ok != c.ok {
			t.Errorf("%v tokens: bin %d, %v; want %d, %v", c.tokens, bin, ok, c.bin, c.ok)
		}
	}
}

// A side without a latency is followed nowhere, and a large one by samples.
func TestCourseFew(t *testing.T) {
	in := csv(t, "start_s,queue_ms,output_tokens\n1,2,3\n")
	out, err := metric.Course(t.Context(), []metric.Input{in}, items(t, []string{"queue_ms:p50"}, nil, in), metric.Scan{Workers: 1})
	if err != nil || len(out[0].Items)+len(out[0].Runs) != 0 {
		t.Errorf("%+v, %v", out[0], err)
	}
	var b strings.Builder
	b.WriteString("start_s,latency_s\n")
	for i := range 50000 {
		fmt.Fprintf(&b, "%d,1\n", i/1000)
	}
	in = csv(t, b.String())
	in.Files[0].Source = saysMany{in.Files[0].Source}
	c := courses(t, in, 2)
	n := int64(0)
	for _, cells := range c.Runs[0].Windows {
		n += cells[0].N()
	}
	if !c.Sampled || n < 1<<13 || n >= 1<<14 || c.Runs[0].Parts != in.Files[0].Source.Partitions() {
		t.Errorf("sampled %v: %d values of %d parts", c.Sampled, n, c.Runs[0].Parts)
	}
}

// saysMany is a source that says it has many records.
type saysMany struct{ ingest.Source }

func (saysMany) Rows() int64 { return 2 << 20 }

// Starts that are no reading of a clock widen no window.
func TestCourseWithoutClock(t *testing.T) {
	text := "run,start_s,latency_s\n"
	for i := range 60 {
		text += fmt.Sprintf("a,%d,1\nb,%d,1\n", 1764450000+i, i)
	}
	in := csv(t, text+"a,0,1\na,2500000000,1\n")
	its := items(t, nil, nil, in)
	for _, known := range [][]*metric.Side{nil, {collect(t, in, metric.NewPlan(its))}} {
		out, err := metric.Course(t.Context(), []metric.Input{in}, its, metric.Scan{Workers: 2}, known...)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []int{60, 60} {
			if known == nil && i == 0 {
				want = 62
			}
			if got := len(out[0].Runs[i].Windows); got != want {
				t.Errorf("run %s, %d sides known: %d windows, want %d", out[0].Runs[i].Label, len(known), got, want)
			}
		}
	}
}
