package pairing

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// set builds an answer set from rows "item score", "item repeat=2 score", with
// the marks error and unscored for a score.
func set(rows ...string) *ingest.AnswerSet {
	s := &ingest.AnswerSet{}
	for _, r := range rows {
		a := ingest.Answer{Metric: "acc"}
		for i, f := range strings.Fields(r) {
			name, value, named := strings.Cut(f, "=")
			switch {
			case i == 0:
				a.Item = f
			case named && name == "repeat":
				a.Repeat = value
			case named && name == "task":
				a.Task = value
			case named && name == "turn":
				a.Turn = value
			case named && name == "filter":
				a.Filter = value
			case named && name == "gold":
				fmt.Sscan(value, &a.GoldHash)
			case f == "error":
				a.State = ingest.Errored
			case f == "unscored":
				a.State = ingest.Unscored
			default:
				fmt.Sscan(f, &a.Score)
			}
		}
		s.Answers = append(s.Answers, a)
	}
	return s
}

func pair(t *testing.T, opt Options, x, y []*ingest.AnswerSet) *Pairing {
	t.Helper()
	p, err := Pair(t.Context(), x, y, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func one(rows ...string) []*ingest.AnswerSet { return []*ingest.AnswerSet{set(rows...)} }

// lines prints the items of all series.
func lines(p *Pairing) []string {
	var out []string
	for _, s := range p.Series {
		for _, it := range s.Items {
			line := it.ID
			if it.Turn != "" {
				line += "/" + it.Turn
			}
			if s.Task+s.Filter != "" {
				line = s.Task + "|" + s.Filter + ":" + line
			}
			for _, o := range []Outcome{it.X, it.Y} {
				if v, ok := o.Mean(); ok {
					line += fmt.Sprintf(" %g", v)
				}
				if o.State() != Scored {
					line += " " + strings.ReplaceAll(o.State().String(), " ", "-")
				}
			}
			out = append(out, line)
		}
	}
	return out
}

func TestPair(t *testing.T) {
	for _, c := range []struct {
		why  string
		opt  Options
		x, y []*ingest.AnswerSet
		want []string
		cnt  Counts
	}{
		{why: "partners are found by name, not by position", x: one("a 1", "b 0", "c 1"), y: one("c 0", "a 1", "b 1"),
			want: []string{"a 1 1", "b 0 1", "c 1 0"}},
		{why: "identifiers are text", x: one("7 1", "007 0"), y: one("007 1", "7.0 1"),
			want: []string{"007 0 1", "7 1 absent", "7.0 absent 1"},
			cnt:  Counts{Only: [2]int{1, 1}, MissingIDs: []string{"7", "7.0"}}},
		{why: "eighteen digits stay apart", x: one("123456789012345678 1", "123456789012345679 0"), y: one("123456789012345678 0", "123456789012345679 1"),
			want: []string{"123456789012345678 1 0", "123456789012345679 0 1"}},
		{why: "repeats are averaged inside the item", x: one("a repeat=1 1", "a repeat=2 0", "b repeat=1 1", "b repeat=2 1"), y: one("a repeat=1 1", "b repeat=1 0"),
			want: []string{"a 0.5 1", "b 1 0"}},
		{why: "filters and tasks are not mixed", x: one("a filter=strict 1", "a filter=loose 0", "a task=t 1"), y: one("a filter=loose 1", "a task=t 0", "a filter=strict 0"),
			want: []string{"t|:a 1 0", "|loose:a 0 1", "|strict:a 1 0"}},
		{why: "equal rows are one row", x: one("a 1", "a 1", "a 1"), y: one("a 0"),
			want: []string{"a 1 0"}, cnt: Counts{Same: [2]int{2, 0}}},
		{why: "an error and a missing score are no zero", x: one("a 1", "b 1", "c 1", "d error"), y: one("a error", "b unscored", "d error"),
			want: []string{"a 1 errored", "b 1 unscored", "c 1 absent", "d errored errored"},
			cnt:  Counts{Only: [2]int{1, 0}, Errored: [2]int{1, 2}, Unscored: [2]int{0, 1}, MissingIDs: []string{"a", "b", "c", "d"}}},
		{why: "a failed repeat is partly scored", x: one("a repeat=1 1", "a repeat=2 error"), y: one("a 1"),
			want: []string{"a 1 partly-scored 1"}, cnt: Counts{Partly: [2]int{1, 0}, MissingIDs: []string{"a"}}},
		{why: "the first of two", opt: Options{Duplicates: First}, x: one("a 1", "a 0"), y: one("a 1"),
			want: []string{"a 1 1"}, cnt: Counts{Settled: [2]int{1, 0}}},
		{why: "the last of three", opt: Options{Duplicates: Last}, x: one("a 1", "a 1", "a 0"), y: one("a 1"),
			want: []string{"a 0 1"}, cnt: Counts{Settled: [2]int{2, 0}}},
		{why: "their mean, errors aside", opt: Options{Duplicates: Mean}, x: one("a 1", "a error", "a 0"), y: one("a 1"),
			want: []string{"a 0.5 1"}, cnt: Counts{Settled: [2]int{2, 0}}},
		{why: "several files are runs", opt: Options{Runs: true}, x: []*ingest.AnswerSet{set("a 1"), set("a 0")}, y: one("a 1"),
			want: []string{"a 0.5 1"}},
		{why: "another expected answer is another item", x: one("a gold=1 1", "b gold=5 1"), y: one("a gold=2 1", "b gold=5 0"),
			want: []string{"b 1 0"}, cnt: Counts{Gold: 1, Mismatch: 1, Dropped: 1, Hashed: 2, MismatchIDs: []string{"a"}}},
		{why: "unless they are kept", opt: Options{KeepMismatched: true}, x: one("a gold=1 1"), y: one("a gold=2 1"),
			want: []string{"a 1 1"}, cnt: Counts{Gold: 1, Mismatch: 1, Hashed: 1, MismatchIDs: []string{"a"}}},
		{why: "a hash on one side tells nothing", x: one("a gold=1 1"), y: one("a 1"),
			want: []string{"a 1 1"}},
		{why: "what should be there is missing where it is not", opt: Options{Universe: [][2]string{{"", "a"}, {"", "b"}, {"", "c"}, {"", "c"}}}, x: one("b 1", "z 1"), y: one("b 0", "a 1"),
			want: []string{"a absent 1", "b 1 0", "c absent absent"},
			cnt:  Counts{Only: [2]int{0, 1}, Outside: [2]int{1, 0}, Never: 1, MissingIDs: []string{"a", "c"}}},
		{why: "turns are paired on their own", x: one("a turn=1 1", "a turn=2 0"), y: one("a turn=2 1", "a turn=1 1"),
			want: []string{"a/1 1 1", "a/2 0 1"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			p := pair(t, c.opt, c.x, c.y)
			if d := cmp.Diff(c.want, lines(p)); d != "" {
				t.Error(d)
			}
			var got Counts
			for _, s := range p.Series {
				got.Add(s.Counts)
			}
			if d := cmp.Diff(c.cnt, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestConflict(t *testing.T) {
	_, err := Pair(t.Context(), one("a 1"), one("a 1", "a 0", "b task=gsm8k 1", "b task=gsm8k error"), Options{})
	var conflict *ConflictError
	if !errors.As(err, &conflict) {
		t.Fatalf("error %v, want a conflict", err)
	}
	if conflict.Side != 1 || conflict.More != 1 || !strings.Contains(err.Error(), `"a"`) || !strings.Contains(err.Error(), "1 and 0") {
		t.Errorf("%+v: %v", conflict, err)
	}
}

func TestSeriesOfOneSide(t *testing.T) {
	p := pair(t, Options{}, one("a task=x 1", "a task=y 1"), one("a task=y 1"))
	if d := cmp.Diff([2][]string{{"x: acc"}, nil}, p.OnlySeries); d != "" {
		t.Error(d)
	}
	if p.Equal {
		t.Error("the sides are not equal")
	}
}

// Whatever the order of the rows, the answer is the same.
func TestOrderDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	build := func(shuffle bool) *Pairing {
		var x, y []string
		for i := range 200 {
			task := fmt.Sprintf("task=t%d", i%3)
			x = append(x, fmt.Sprintf("%d %s %d", i, task, i%2), fmt.Sprintf("%d %s %d", i, task, i%2))
			for k := range 3 {
				y = append(y, fmt.Sprintf("%d %s repeat=%d %d", i+i%7/6, task, k, (i+k)%2))
			}
		}
		if shuffle {
			r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
			r.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
		}
		p, err := Pair(t.Context(), one(x...), one(y...), Options{Duplicates: Mean})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := build(false)
	for range 5 {
		if d := cmp.Diff(want, build(true)); d != "" {
			t.Fatal(d)
		}
	}
}

func TestAttributes(t *testing.T) {
	x, y := set("a 1", "b 1", "c 1"), set("a 1", "b 1", "d 1")
	x.AttrNames, y.AttrNames = []string{"subject", "source"}, []string{"source", "level"}
	for i, v := range [][]string{{"law", "s1"}, {"law", ""}, {"math", "s3"}} {
		x.Answers[i].Attr = v
	}
	for i, v := range [][]string{{"s1", "hard"}, {"s2", "easy"}, {"s4", "hard"}} {
		y.Answers[i].Attr = v
	}
	p := pair(t, Options{}, []*ingest.AnswerSet{x}, []*ingest.AnswerSet{y})
	if d := cmp.Diff([]string{"subject", "source", "level"}, p.AttrNames); d != "" {
		t.Error(d)
	}
	var got [][]string
	for _, it := range p.Series[0].Items {
		got = append(got, it.Attr)
	}
	want := [][]string{{"law", "s1", "hard"}, {"law", "s2", "easy"}, {"math", "s3", ""}, {"", "s4", "hard"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFilled(t *testing.T) {
	for _, c := range []struct {
		o    Outcome
		fill float64
		want float64
	}{
		{Outcome{}, 1, 1}, {Outcome{Failed: 2}, 0.25, 0.25}, {Outcome{Sum: 1, N: 1, Failed: 1}, 0, 0.5}, {Outcome{Sum: 3, N: 4}, 9, 0.75},
	} {
		if got := c.o.Filled(c.fill); got != c.want {
			t.Errorf("%+v filled with %v: %v, want %v", c.o, c.fill, got, c.want)
		}
	}
}

func TestDuplicatesNames(t *testing.T) {
	for i, n := range duplicateNames {
		d, err := ParseDuplicates(n)
		if err != nil || d != Duplicates(i) || d.String() != n {
			t.Errorf("%s: %v, %v", n, d, err)
		}
	}
	if _, err := ParseDuplicates("all"); err == nil {
		t.Error("all is no rule")
	}
}

func BenchmarkPair(b *testing.B) {
	const n = 100_000
	side := func() []*ingest.AnswerSet {
		s := &ingest.AnswerSet{}
		for i := range n {
			s.Answers = append(s.Answers, ingest.Answer{Item: fmt.Sprint(i), Metric: "acc", Score: float64(i % 2)})
		}
		return []*ingest.AnswerSet{s}
	}
	x, y := side(), side()
	for b.Loop() {
		if _, err := Pair(b.Context(), x, y, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
