package verdict

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// evaluation builds both sides of right-or-wrong answers, a table a task; lost
// items have no score on the second side.
func evaluation(t *testing.T, tables map[string]paired.Table, lost int, q compare.QualityOptions) *compare.Comparison {
	t.Helper()
	var x, y ingest.AnswerSet
	for task, tab := range tables {
		i := 0
		add := func(n int, a, b float64) {
			for range n {
				id := fmt.Sprint(i)
				x.Answers = append(x.Answers, ingest.Answer{Task: task, Item: id, Metric: "acc", Score: a})
				if b >= 0 {
					y.Answers = append(y.Answers, ingest.Answer{Task: task, Item: id, Metric: "acc", Score: b})
				}
				i++
			}
		}
		add(tab.Both, 1, 1)
		add(tab.OnlyX, 1, 0)
		add(tab.OnlyY, 0, 1)
		add(tab.Neither, 0, 0)
		add(lost, 1, -1)
	}
	p, err := pairing.Pair(context.Background(), []*ingest.AnswerSet{&x}, []*ingest.AnswerSet{&y}, pairing.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.CompareQuality(context.Background(), p, func(name string, lo, hi float64) *metric.Metric { return metric.Score(name, lo, hi, nil) }, compare.DefaultOptions(), q)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func single(tab paired.Table) map[string]paired.Table { return map[string]paired.Table{"t": tab} }

// The outcome of one gate follows Tango's interval and the margin.
func TestItemGates(t *testing.T) {
	for _, c := range []struct {
		why    string
		tab    paired.Table
		margin string
		want   Outcome
		kind   Kind
	}{
		{"nothing changed among many", paired.Table{Both: 3000, OnlyX: 20, OnlyY: 20, Neither: 960}, "1pp", Pass, Equivalent},
		{"a clear loss", paired.Table{Both: 700, OnlyX: 120, OnlyY: 30, Neither: 150}, "1pp", Fail, Regressed},
		{"a loss within the margin", paired.Table{Both: 3000, OnlyX: 100, OnlyY: 50, Neither: 850}, "3pp", Pass, RegressedWithinMargin},
		{"an improvement", paired.Table{Both: 700, OnlyX: 30, OnlyY: 120, Neither: 150}, "1pp", Pass, Improved},
		{"too few to tell", paired.Table{Both: 60, OnlyX: 5, OnlyY: 5, Neither: 30}, "1pp", Inconclusive, Uncertain},
		{"ten of ten", paired.Table{Both: 10}, "5pp", Inconclusive, Uncertain},
		{"a relative margin", paired.Table{Both: 3000, OnlyX: 20, OnlyY: 20, Neither: 960}, "2%", Pass, Equivalent},
		{"a relative margin is exceeded", paired.Table{Both: 700, OnlyX: 120, OnlyY: 30, Neither: 150}, "5%", Fail, Regressed},
	} {
		t.Run(c.why, func(t *testing.T) {
			p := Default()
			rule, err := ParseMargin(c.margin)
			if err != nil {
				t.Fatal(err)
			}
			p.Margins = []MarginRule{rule}
			d := Decide(evaluation(t, single(c.tab), 0, compare.DefaultQualityOptions()), p)
			if d.Outcome != c.want || d.Gates[0].Kind != c.kind {
				t.Errorf("%v, %v; want %v, %v: %+v", d.Outcome, d.Gates[0].Kind, c.want, c.kind, d.Gates[0])
			}
		})
	}
}

// What the missing scores could have been keeps a gate open, and the reason says
// so only if the rest would have decided it.
func TestMissingScoresDecide(t *testing.T) {
	tab := paired.Table{Both: 3000, OnlyX: 20, OnlyY: 20, Neither: 960}
	for _, c := range []struct {
		lost int
		rule compare.Missing
		want Outcome
		why  Why
	}{
		{0, compare.Bound, Pass, Decided},
		{100, compare.Bound, Inconclusive, MissingScores},
		{100, compare.Drop, Pass, Decided},
		{400, compare.Drop, Inconclusive, Decided}, // the coverage fails
		{100, compare.AsWrong, Fail, Decided},
	} {
		q := compare.DefaultQualityOptions()
		q.Missing = c.rule
		d := Decide(evaluation(t, single(tab), c.lost, q), Default())
		if d.Outcome != c.want || d.Gates[0].Why != c.why {
			t.Errorf("%d lost, %v: %v %q, want %v %q", c.lost, c.rule, d.Outcome, d.Gates[0].Why, c.want, c.why)
		}
	}
}

// Of several tasks those too small for their margin are not judged alone, and
// --gate chooses the rows.
func TestRows(t *testing.T) {
	big, small := paired.Table{Both: 3000, OnlyX: 20, OnlyY: 20, Neither: 960}, paired.Table{Both: 30, OnlyX: 1, OnlyY: 1, Neither: 8}
	c := evaluation(t, map[string]paired.Table{"big": big, "small": small}, 0, compare.DefaultQualityOptions())
	for rows, want := range map[Rows][]bool{ // micro, macro, big, small
		AllRows:     {true, true, true, false},
		TaskRows:    {false, false, true, true},
		AverageRows: {true, true, false, false},
		MicroRows:   {true, false, false, false},
		MacroRows:   {false, true, false, false},
	} {
		p := Default()
		p.Rows = rows
		d := Decide(c, p)
		for i, w := range want {
			if d.Gates[i].Judged != w {
				t.Errorf("%v: row %d is judged: %v", rows, i, d.Gates[i].Judged)
			}
		}
		if rows == AllRows && d.Gates[3].Why != FewItems {
			t.Errorf("the small task: %q", d.Gates[3].Why)
		}
		if got, err := ParseRows(rows.String()); err != nil || got != rows {
			t.Errorf("%v: %v, %v", rows, got, err)
		}
	}
	if _, err := ParseRows("some"); err == nil {
		t.Error("some is no choice")
	}
}

// The items asked for decide with the power they promise, on either side of the
// margin.
func TestNeededItems(t *testing.T) {
	for _, c := range []struct {
		tab  paired.Table
		fail bool
	}{
		{paired.Table{Both: 350, OnlyX: 15, OnlyY: 15, Neither: 120}, false},
		{paired.Table{Both: 350, OnlyX: 24, OnlyY: 12, Neither: 114}, true},
	} {
		cmp := evaluation(t, single(c.tab), 0, compare.DefaultQualityOptions())
		d := Decide(cmp, Default())
		g := d.Gates[0]
		n := int(g.Needed.Items)
		if g.Outcome != Inconclusive || n <= c.tab.N() {
			t.Fatalf("%+v: %v, %d items", c.tab, g.Outcome, n)
		}
		if c.fail {
			continue
		}
		gain := float64(c.tab.OnlyY) / float64(c.tab.N())
		power, err := stats.PairedBinaryNIPower(n, gain, gain, .01, .025)
		if err != nil || math.Abs(power-.8) > .02 {
			t.Errorf("%d items have a power of %v: %v", n, power, err)
		}
	}
}

// A limit holds for the candidate alone, and for all items of several tasks.
func TestItemLimits(t *testing.T) {
	tab := paired.Table{Both: 800, OnlyX: 10, OnlyY: 10, Neither: 180}
	for text, want := range map[string]Outcome{"acc:mean>=75%": Pass, "acc:mean>=90%": Fail, "acc:mean>=81%": Inconclusive} {
		limit, err := ParseLimit(text)
		if err != nil {
			t.Fatal(err)
		}
		p := Default()
		p.Margins = []MarginRule{must(ParseMargin("10pp"))}
		p.Limits = []Limit{limit}
		items := []metric.Item{{Metric: metric.Score("acc", 0, 1, nil), Estimands: []metric.Estimand{{Kind: metric.Mean}}}}
		if err := p.Check(items); err != nil {
			t.Fatal(err)
		}
		d := Decide(evaluation(t, map[string]paired.Table{"a": tab, "b": tab}, 0, compare.DefaultQualityOptions()), p)
		if g := d.Gates[len(d.Gates)-1]; g.Outcome != want || g.Result.Average != compare.Micro {
			t.Errorf("%s: %v of %q, want %v", text, g.Outcome, g.Result.Average, want)
		}
		if n := len(d.Gates); n != 5 {
			t.Errorf("%s: %d gates, want four results and one limit", text, n)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
