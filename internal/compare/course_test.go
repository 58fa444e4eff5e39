package compare_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// course follows two tables, a run each.
func course(t *testing.T, a, b *table) *compare.Course {
	t.Helper()
	in, err := tables(nil, a, b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.CourseOf(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// timed is a table of starts and latencies, pair by pair.
func timed(pairs ...float64) *table {
	s := &table{columns: []column{{name: "start_s"}, {name: "latency_s"}}}
	for i, v := range pairs {
		c := &s.columns[i%2]
		c.numbers = append(c.numbers, v)
	}
	return s
}

// steady is requests at a steady rate over a number of seconds.
func steady(n int, seconds float64) *table {
	var pairs []float64
	for i := range n {
		pairs = append(pairs, seconds*float64(i)/float64(n), 1)
	}
	return timed(pairs...)
}

// The width of windows follows the longest run.
func TestCourseWidth(t *testing.T) {
	for _, c := range []struct {
		n       int
		seconds float64
		width   float64
		longest int
	}{
		{20000, 24, 1, 24},         // 5 s would make 5
		{20000, 100, 5, 20},        // 20 windows of enough requests
		{20000, 99, 1, 99},         // one less
		{900, 99, 10, 10},          // few requests: wider, down to 10 windows
		{900, 40, 1, 40},           // but not fewer than 10
		{20000, 2 * 3600, 300, 24}, // the usual width
		{20000, 10 * 3600, 300, 120},
		{20000, 11 * 3600, 900, 44}, // at most 120
		{10, 90, 10, 9},             // most windows are empty
		{1, 0, 1, 1},
	} {
		got := course(t, steady(c.n, c.seconds), steady(c.n, c.seconds/2))
		if got.Width != c.width || len(got.Runs[0][0].Windows) != c.longest {
			t.Errorf("%d requests in %v s: %d windows of %v s, want %d of %v s", c.n, c.seconds, len(got.Runs[0][0].Windows), got.Width, c.longest, c.width)
		}
	}
	none := course(t, runs([]float64{1, 2}), runs([]float64{1}))
	if none.Width != 0 || none.Timed != [2]bool{} || none.Lengths != [2]bool{} || none.Runs[0] != nil {
		t.Errorf("%+v", none)
	}
}

// Windows begin where the first window of the run begins, and hold its values.
func TestCourseRuns(t *testing.T) {
	c := course(t, timed(1000.5, 3, 1000.7, 1, 1002.2, 2), timed(7, 5))
	if c.Width != 1 || len(c.Runs[0]) != 1 || len(c.Runs[1]) != 1 {
		t.Fatalf("%+v", c)
	}
	var got [][]float64
	for _, w := range c.Runs[0][0].Windows {
		got = append(got, append([]float64{w.Start}, w.Values[0].Sorted()...))
	}
	if d := cmp.Diff([][]float64{{0, 1, 3}, {2, 2}}, got); d != "" {
		t.Error(d)
	}
}

// The line of the medians: exact for data on a line, not moved by a fifth of
// answers from a cache, absent where there is too little.
func TestPromptLine(t *testing.T) {
	made := func(n int, cached bool) *table {
		s := &table{columns: []column{{name: "ttft_s"}, {name: "prompt_tokens"}}}
		for i := range n {
			tokens := 16 + (i*7919)%8000
			ttft := 0.02 + 5e-5*float64(tokens)
			if cached && i%5 == 0 {
				ttft = 0.02
			}
			s.columns[0].numbers = append(s.columns[0].numbers, ttft)
			s.columns[1].numbers = append(s.columns[1].numbers, float64(tokens))
		}
		return s
	}
	c := course(t, made(8000, false), made(8000, true))
	for s, tolerance := range []float64{0.01, 0.2} {
		p := c.Prompts[s]
		if math.Abs(p.PerToken/5e-5-1) > tolerance || math.Abs(p.Fixed-0.02) > tolerance*0.02+1e-3 {
			t.Errorf("side %d: %v s fixed, %v s a token", s, p.Fixed, p.PerToken)
		}
		n := int64(0)
		last := 0.0
		for _, b := range p.Bins {
			if b.Tokens <= last || b.Tokens > 4*last && last > 0 {
				t.Errorf("a bin of %v tokens behind one of %v", b.Tokens, last)
			}
			last = b.Tokens
			n += b.Values.N()
		}
		if n != 8000 || len(p.Bins) < 15 || len(p.Bins) > 20 {
			t.Errorf("%d values in %d bins", n, len(p.Bins))
		}
	}
	few := course(t, made(40, false), &table{columns: []column{{name: "ttft_s", numbers: []float64{1}}, {name: "prompt_tokens", numbers: []float64{0}}}})
	if !math.IsNaN(few.Prompts[0].PerToken) || few.Prompts[1].Bins != nil || few.Lengths != [2]bool{true, false} {
		t.Errorf("%+v", few.Prompts)
	}
}
