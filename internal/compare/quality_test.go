package compare

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

var bg = context.Background()

// answers builds one side: a row an item, NaN for an item that failed.
type answers struct {
	task, item, cluster []string
	repeats             [][]float64
}

func (a *answers) add(task, item, cluster string, scores ...float64) {
	a.task, a.item, a.cluster = append(a.task, task), append(a.item, item), append(a.cluster, cluster)
	a.repeats = append(a.repeats, scores)
}

func (a *answers) set() []*ingest.AnswerSet {
	s := &ingest.AnswerSet{AttrNames: []string{"passage"}}
	for i := range a.item {
		for k, v := range a.repeats[i] {
			x := ingest.Answer{Task: a.task[i], Item: a.item[i], Metric: "acc", Score: v, Attr: []string{a.cluster[i]}}
			if len(a.repeats[i]) > 1 {
				x.Repeat = fmt.Sprint(k)
			}
			if math.IsNaN(v) {
				x.State, x.Score = ingest.Errored, 0
			}
			s.Answers = append(s.Answers, x)
		}
	}
	return []*ingest.AnswerSet{s}
}

func compareAnswers(t interface {
	Helper()
	Fatal(...any)
}, x, y *answers, level float64, change func(*QualityOptions)) *Comparison {
	t.Helper()
	p, err := pairing.Pair(bg, x.set(), y.set(), pairing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := DefaultQualityOptions()
	q.Replicates = 999
	if change != nil {
		change(&q)
	}
	opt := DefaultOptions()
	opt.Level = level
	c, err := CompareQuality(bg, p, func(name string, lo, hi float64) *metric.Metric { return metric.Score(name, lo, hi, nil) }, opt, q)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// table builds both sides from a two-by-two table.
func table(t paired.Table) (x, y *answers) {
	x, y = &answers{}, &answers{}
	i := 0
	for _, c := range []struct {
		n    int
		a, b float64
	}{{t.Both, 1, 1}, {t.OnlyX, 1, 0}, {t.OnlyY, 0, 1}, {t.Neither, 0, 0}} {
		for range c.n {
			id := fmt.Sprintf("%05d", i)
			x.add("", id, "", c.a)
			y.add("", id, "", c.b)
			i++
		}
	}
	return x, y
}

// Right or wrong is judged by Tango's interval and test, and by nothing else.
func TestRightOrWrongIsTango(t *testing.T) {
	tab := paired.Table{Both: 300, OnlyX: 22, OnlyY: 18, Neither: 160}
	x, y := table(tab)
	r := compareAnswers(t, x, y, .9, nil).Results[0]
	want, err := paired.TangoScore(tab, .9)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Delta.Lo-want.Interval.Lo) > 1e-12 || math.Abs(r.Delta.Hi-want.Interval.Hi) > 1e-12 || math.Abs(r.Delta.Value-want.Value) > 1e-12 {
		t.Errorf("%+v, want %+v", r.Delta, want)
	}
	// The worked example: z(-.03) = 1.6765, p = .0468.
	if p := r.Delta.PBelow(-.03); math.Abs(p-.0468) > 5e-5 {
		t.Errorf("p of a loss of 3 points or more: %v, want .0468", p)
	}
	if r.Items.Table != tab || !r.Items.Binary || r.Items.Fell != 22 || r.Items.Rose != 18 {
		t.Errorf("%+v", r.Items)
	}
	if len(r.Tests) != 1 || r.Tests[0].Name != "mcnemar_midp" {
		t.Errorf("tests %+v", r.Tests)
	}
}

func grades(r *rand.Rand, n int, noise func() float64) (x, y *answers) {
	x, y = &answers{}, &answers{}
	for i := range n {
		id := fmt.Sprintf("%05d", i)
		a := .2 + .6*r.Float64()
		x.add("", id, fmt.Sprint(i/5), a)
		y.add("", id, fmt.Sprint(i/5), min(1, max(0, a+noise())))
	}
	return x, y
}

// Grades are judged by Student's t, skewed ones by the bootstrap, each as the
// library gives it.
func TestGrades(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x, y := grades(r, 200, func() float64 { return r.NormFloat64() / 20 })
	res := compareAnswers(t, x, y, .95, nil).Results[0]
	d := differences(x, y)
	want, err := stats.MeanT(d, .95)
	if err != nil {
		t.Fatal(err)
	}
	if res.Method != "paired t" || math.Abs(res.Delta.Lo-want.Interval.Lo) > 1e-12 {
		t.Errorf("%s %+v, want %+v", res.Method, res.Delta, want.Interval)
	}
	x, y = grades(r, 60, func() float64 { return -math.Pow(r.Float64(), 9) / 5 })
	res = compareAnswers(t, x, y, .95, nil).Results[0]
	if res.Method != "bootstrap-t of paired differences" {
		t.Errorf("skewed differences: %s", res.Method)
	}
	if p := res.Delta.PBelow(res.Delta.Lo); math.Abs(p-.025) > 1e-6 {
		t.Errorf("p at the lower limit is %v, want .025", p)
	}
}

func differences(x, y *answers) []float64 {
	d := make([]float64, len(x.repeats))
	for i := range d {
		d[i] = y.repeats[i][0] - x.repeats[i][0]
	}
	return d
}

// The relative change is Fieller's where the t law holds.
func TestRatioIsFieller(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	x, y := grades(r, 150, func() float64 { return r.NormFloat64() / 10 })
	res := compareAnswers(t, x, y, .9, nil).Results[0]
	var a, b []float64
	for i := range x.repeats {
		a, b = append(a, x.repeats[i][0]), append(b, y.repeats[i][0])
	}
	want, err := paired.FiellerPaired(a, b, .9)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(math.Exp(res.Log.Lo)-want.Interval.Lo) > 1e-9 || math.Abs(math.Exp(res.Log.Hi)-want.Interval.Hi) > 1e-9 {
		t.Errorf("%v to %v, want %+v", math.Exp(res.Log.Lo), math.Exp(res.Log.Hi), want.Interval)
	}
	test, err := paired.RelativeContrast(a, b, .98, stats.Greater)
	if err != nil {
		t.Fatal(err)
	}
	if p := res.Log.PBelow(math.Log(.98)); math.Abs(p-test.P) > 1e-9 {
		t.Errorf("p = %v, want %v", p, test.P)
	}
}

// Clusters are judged by CR2; a cluster of one item each is none.
func TestClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	x, y := grades(r, 100, func() float64 { return r.NormFloat64() / 10 })
	res := compareAnswers(t, x, y, .95, func(q *QualityOptions) { q.Cluster = "passage" }).Results[0]
	codes := make([]int, 100)
	for i := range codes {
		codes[i] = i / 5
	}
	want, err := paired.ClusterRobust(differences(x, y), codes, paired.CR2, .95)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.Delta.Lo-want.Interval.Lo) > 1e-12 || res.Items.Clusters != 20 {
		t.Errorf("%+v %+v, want %+v", res.Delta, res.Items, want)
	}
	tab := paired.Table{Both: 40, OnlyX: 20, OnlyY: 25, Neither: 15}
	x, y = table(tab)
	plain := compareAnswers(t, x, y, .95, nil).Results[0]
	alone := compareAnswers(t, x, y, .95, func(q *QualityOptions) { q.Cluster = ByItem }).Results[0]
	if plain.Delta.Lo != alone.Delta.Lo || alone.Items.Clusters != 0 {
		t.Errorf("clusters of one item: %+v, want %+v", alone.Delta, plain.Delta)
	}
	if _, err := CompareQuality(bg, &pairing.Pairing{AttrNames: []string{"a"}}, nil, DefaultOptions(), QualityOptions{Cluster: "b"}); err == nil {
		t.Error("an unknown cluster column is no error")
	}
}

// Intervals never lose their width where nothing, or hardly anything, differs.
func TestNeverCertain(t *testing.T) {
	for _, c := range []struct {
		why     string
		n       int
		cluster string
		score   func(i int) (a, b float64)
	}{
		{"all right", 10, "", func(int) (float64, float64) { return 1, 1 }},
		{"equal grades", 40, "", func(i int) (float64, float64) { return float64(i%7) / 7, float64(i%7) / 7 }},
		{"the same change everywhere", 40, "", func(i int) (float64, float64) { return float64(i%7) / 7, float64(i%7)/7 - .001 }},
		{"one item of forty", 40, "", func(i int) (float64, float64) { return .5, .5 + float64(i/39)*.01 }},
		{"equal grades in clusters", 40, "passage", func(i int) (float64, float64) { return float64(i%7) / 7, float64(i%7) / 7 }},
		{"all right in clusters", 40, "passage", func(int) (float64, float64) { return 1, 1 }},
	} {
		x, y := &answers{}, &answers{}
		for i := range c.n {
			a, b := c.score(i)
			x.add("", fmt.Sprint(i), fmt.Sprint(i/4), a)
			y.add("", fmt.Sprint(i), fmt.Sprint(i/4), b)
		}
		r := compareAnswers(t, x, y, .95, func(q *QualityOptions) { q.Cluster = c.cluster }).Results[0]
		units := float64(c.n)
		if c.cluster != "" {
			units /= 4
		}
		if w := r.Delta.Hi - r.Delta.Lo; !(w > 1/units) {
			t.Errorf("%s: the interval is %v to %v", c.why, r.Delta.Lo, r.Delta.Hi)
		}
		if r.Log.OK && !(r.Log.Hi-r.Log.Lo > 1/units) {
			t.Errorf("%s: the ratio is %v to %v", c.why, r.Log.Lo, r.Log.Hi)
		}
	}
}

// What is missing widens the interval to all it could have been: the true
// complete interval is never outside.
func TestMissingScoresAreBounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(3, 60).Draw(rt, "n")
		graded := rapid.Bool().Draw(rt, "graded")
		draw := func(name string) float64 {
			if graded {
				return float64(rapid.IntRange(0, 4).Draw(rt, name)) / 4
			}
			return float64(rapid.IntRange(0, 1).Draw(rt, name))
		}
		x, y, fullX, fullY := &answers{}, &answers{}, &answers{}, &answers{}
		// The scale must not depend on what is missing.
		for i := range n {
			id := fmt.Sprintf("%03d", i)
			a, b := draw("a"), draw("b")
			if i == 0 {
				a, b = 0, 1
			}
			fullX.add("", id, "", a)
			fullY.add("", id, "", b)
			switch lost := rapid.IntRange(0, 9).Draw(rt, "lost"); {
			case i == 0 || lost > 2:
				x.add("", id, "", a)
				y.add("", id, "", b)
			case lost == 0:
				x.add("", id, "", a)
			case lost == 1:
				x.add("", id, "", math.NaN())
				y.add("", id, "", b)
			default:
				x.add("", id, "", a)
				y.add("", id, "", math.NaN())
			}
		}
		got := compareAnswers(rt, x, y, .9, nil).Results[0]
		for _, rule := range []Missing{Drop, AsWrong} {
			other := compareAnswers(rt, x, y, .9, func(q *QualityOptions) { q.Missing = rule }).Results[0]
			if rule == Drop && other.Delta.OK && (got.Delta.Lo > other.Delta.Lo+1e-9 || got.Delta.Hi < other.Delta.Hi-1e-9) {
				rt.Errorf("bounds %v to %v inside those without the missing, %v to %v", got.Delta.Lo, got.Delta.Hi, other.Delta.Lo, other.Delta.Hi)
			}
		}
		if graded {
			return // the t interval of the whole need not lie between those of the extremes
		}
		whole := compareAnswers(rt, fullX, fullY, .9, nil).Results[0]
		if got.Delta.Lo > whole.Delta.Lo+1e-9 || got.Delta.Hi < whole.Delta.Hi-1e-9 {
			rt.Errorf("bounds %v to %v, with all scores %v to %v", got.Delta.Lo, got.Delta.Hi, whole.Delta.Lo, whole.Delta.Hi)
		}
		if p := got.Delta.PBelow(got.Delta.Lo); math.Abs(p-.05) > 1e-4 && got.Delta.Lo > -1+1e-9 {
			rt.Errorf("p at the lower limit %v is %v, want .05", got.Delta.Lo, p)
		}
	})
}

// Swapping the sides turns the change around.
func TestSwap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(rt, "n")
		tasks := rapid.IntRange(1, 3).Draw(rt, "tasks")
		x, y := &answers{}, &answers{}
		for i := range n {
			task, id, cluster := fmt.Sprint(i%tasks), fmt.Sprint(i), fmt.Sprint(i/3)
			draw := func() float64 { return float64(rapid.IntRange(0, 8).Draw(rt, "score")) / 8 }
			x.add(task, id, cluster, draw())
			y.add(task, id, cluster, draw())
		}
		set := func(q *QualityOptions) {
			q.SkewRule = 0 // a resample is not symmetric to the last bit
			if n%2 == 0 {
				q.Cluster = "passage"
			}
		}
		a, b := compareAnswers(rt, x, y, .95, set), compareAnswers(rt, y, x, .95, set)
		for i := range a.Results {
			u, v := a.Results[i].Delta, b.Results[i].Delta
			if u.OK != v.OK || math.Abs(u.Value+v.Value) > 1e-12 || !mirrored(u.Lo, v.Hi) || !mirrored(u.Hi, v.Lo) {
				rt.Errorf("%s %s: %+v and %+v", a.Results[i].Average, a.Results[i].Task, u, v)
			}
			if p, q := u.PBelow(-.1), v.PAbove(.1); !(math.IsNaN(p) && math.IsNaN(q)) && math.Abs(p-q) > 1e-9 {
				rt.Errorf("p = %v and %v", p, q)
			}
		}
	})
}

func mirrored(a, b float64) bool {
	return math.Abs(a+b) < 1e-9 || math.IsInf(a, 1) && math.IsInf(b, -1) || math.IsInf(a, -1) && math.IsInf(b, 1)
}
