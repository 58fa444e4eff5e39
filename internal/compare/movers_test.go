package compare_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// euGold slows one slice of two columns.
func euGold(factor float64) func(region, tier, model string) float64 {
	return func(region, tier, _ string) float64 {
		if region == "eu" && tier == "gold" {
			return factor
		}
		return 1
	}
}

// search compares two tables with a search for moved slices.
func search(t *testing.T, opt compare.Options, workers int, ask []string, a, b *table) *compare.Comparison {
	t.Helper()
	in, err := tables(ask, a, b)
	if err != nil {
		t.Fatal(err)
	}
	in.Scan.Workers = workers
	opt.Movers = true
	c, err := compare.Compare(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// movers are the slices that a search found, in order.
func movers(c *compare.Comparison) (names []string) {
	for _, r := range c.Results {
		if r.Mover != nil {
			names = append(names, fmt.Sprintf("%s %s: %s", r.Metric, r.Estimand, r.Slice))
		}
	}
	return names
}

func mover(t *testing.T, c *compare.Comparison, slice string) *compare.Result {
	t.Helper()
	for i := range c.Results {
		if r := &c.Results[i]; r.Mover != nil && r.Slice.String() == slice {
			return r
		}
	}
	t.Fatalf("%s is not among the slices that moved: %v", slice, movers(c))
	return nil
}

// The slice that was made slower is found, and neither its columns, nor the
// slices that did not move while the rest, with it, did.
func TestMoversFindAPlantedSlice(t *testing.T) {
	for _, runs := range []int{2, 3, 5} {
		before := traffic{seed: 1, runs: runs, requests: 2000, runSpread: 0.03, sliceSpread: 0.01, failures: 0.01}
		after := before
		after.seed, after.slower = 2, euGold(1.5)
		c := search(t, compare.DefaultOptions(), 2, []string{"ttft:p50", "ttft:p95"}, before.table(), after.table())
		if got := movers(c); len(got) != 1 {
			t.Errorf("%d runs: moved %v, want one slice", runs, got)
		}
		r := mover(t, c, "region=eu, tier=gold")
		m := r.Mover
		if !m.Relative || m.Gap.Lo > math.Log(1.5) || m.Gap.Hi < math.Log(1.5)-0.05 {
			t.Errorf("%d runs: gap %v to %v, made %v", runs, m.Gap.Lo, m.Gap.Hi, math.Log(1.5))
		}
		if !(m.PAdjusted >= m.P) || m.PAdjusted > 0.05 {
			t.Errorf("%d runs: p %v, adjusted %v", runs, m.P, m.PAdjusted)
		}
		// The gap is what the slice changed beyond the rest.
		if d := r.Log.Value - m.Rest.Value - m.Gap.Value; math.Abs(d) > 1e-9 {
			t.Errorf("%d runs: slice %v, rest %v, gap %v", runs, r.Log.Value, m.Rest.Value, m.Gap.Value)
		}
		if c.Search.Found < 1 || c.Search.Tests < c.Search.Slices || c.Search.Slices == 0 {
			t.Errorf("%d runs: search %+v", runs, c.Search)
		}
		if !slices.Equal(c.Search.Columns, []string{"region", "tier", "model"}) {
			t.Errorf("%d runs: searched %v", runs, c.Search.Columns)
		}
		want := []compare.SkippedColumn{{Columns: []string{"user"}, Why: compare.ManyValues, Limit: 50}}
		if d := cmp.Diff(want, c.Search.Skipped); d != "" {
			t.Errorf("%d runs: skipped (-want +got)\n%s", runs, d)
		}
	}
}

// A slice of one column is shown as such, and not by the columns that it is
// crossed with; of two that moved in unlike ways, both.
func TestMoversOfOneColumn(t *testing.T) {
	alone := 0
	const trials = 10
	for i := range uint64(trials) {
		before := traffic{seed: 300 + 2*i, runs: 4, requests: 2000, runSpread: 0.03}
		after := before
		after.seed++
		after.slower = func(region, tier, _ string) float64 {
			f := 1.0
			if region == "eu" {
				f *= 1.4
			}
			if tier == "gold" {
				f *= 0.7
			}
			return f
		}
		c := search(t, compare.DefaultOptions(), 1, []string{"ttft:p50"}, before.table(), after.table())
		if g := mover(t, c, "tier=gold").Mover.Gap; g.Hi >= 0 {
			t.Errorf("the faster tier: gap %v to %v", g.Lo, g.Hi)
		}
		if g := mover(t, c, "region=eu").Mover.Gap; g.Lo <= 0 {
			t.Errorf("the slower region: gap %v to %v", g.Lo, g.Hi)
		}
		if len(movers(c)) == 2 {
			alone++
		}
	}
	if alone < trials-2 { // one in twenty of what is found is found by chance
		t.Errorf("the two slices were alone in %d of %d searches", alone, trials)
	}
}

// A share moves by a difference.
func TestMoversOfAShare(t *testing.T) {
	before := traffic{seed: 5, runs: 3, requests: 3000, failures: 0.01}
	after := before
	after.seed = 6
	a, b := before.table(), after.table()
	status, model := &b.columns[5], b.columns[3]
	for i := range status.words {
		if model.words[i] == "m2" && i%20 == 0 {
			status.words[i] = "error"
		}
	}
	c := search(t, compare.DefaultOptions(), 1, []string{"success_rate"}, a, b)
	m := mover(t, c, "model=m2").Mover
	if m.Relative || m.Gap.Lo > -0.05 || m.Gap.Hi < -0.05 {
		t.Errorf("gap %v to %v, made -0.05", m.Gap.Lo, m.Gap.Hi)
	}
	if got := movers(c); len(got) != 1 {
		t.Errorf("moved: %v", got)
	}
}

// Sides that are exchanged move the other way by as much.
func TestMoversSwap(t *testing.T) {
	before := traffic{seed: 7, runs: 3, requests: 1500, runSpread: 0.02}
	after := before
	after.seed, after.slower = 8, euGold(1.6)
	a, b := before.table(), after.table()
	ask := []string{"ttft:p50"}
	c, d := search(t, compare.DefaultOptions(), 1, ask, a, b), search(t, compare.DefaultOptions(), 1, ask, b, a)
	x, y := mover(t, c, "region=eu, tier=gold").Mover, mover(t, d, "region=eu, tier=gold").Mover
	near := cmpopts.EquateApprox(0, 1e-9)
	if diff := cmp.Diff([]float64{x.Gap.Value, x.Gap.Lo, x.Gap.Hi, x.P, x.PAdjusted}, []float64{-y.Gap.Value, -y.Gap.Hi, -y.Gap.Lo, y.P, y.PAdjusted}, near); diff != "" {
		t.Errorf("there and back:\n%s", diff)
	}
}

// The result does not depend on the number of workers, nor on how the records
// come in batches.
func TestMoversAreDeterministic(t *testing.T) {
	before := traffic{seed: 9, runs: 3, requests: 1200, runSpread: 0.02, failures: 0.01}
	after := before
	after.seed, after.slower = 10, euGold(1.4)
	a, b := before.table(), after.table()
	var first *compare.Comparison
	for _, workers := range []int{1, 2, 4} {
		a.batch, b.batch = 100*workers, 333
		c := search(t, compare.DefaultOptions(), workers, nil, a, b)
		if first == nil {
			first = c
			continue
		}
		if d := cmp.Diff(first.Search, c.Search); d != "" {
			t.Errorf("%d workers: search\n%s", workers, d)
		}
		if d := cmp.Diff(movers(first), movers(c)); d != "" {
			t.Errorf("%d workers: %s", workers, d)
		}
		for i := range first.Results {
			if x, y := first.Results[i].Mover, c.Results[i].Mover; x != nil && (x.Gap.Value != y.Gap.Value || x.Gap.Lo != y.Gap.Lo || x.PAdjusted != y.PAdjusted) {
				t.Errorf("%d workers: %+v and %+v", workers, x, y)
			}
		}
	}
}

// Of systems that did not change, a slice is called moved at most as often as the
// level allows, also where slices vary from run to run beside their runs.
func TestMoversControlFalseDiscoveries(t *testing.T) {
	sims := 40
	if testing.Short() {
		sims = 4
	}
	for _, spread := range []float64{0, 0.04} {
		falseAlarms := 0
		for i := range sims {
			before := traffic{seed: uint64(1000 + 2*i), runs: 3, requests: 700, runSpread: 0.03, sliceSpread: spread, failures: 0.02}
			after := before
			after.seed++
			c := search(t, compare.DefaultOptions(), 1, nil, before.table(), after.table())
			if c.Search.Found > 0 {
				falseAlarms++
			}
			if c.Search.Tests < 50 {
				t.Fatalf("only %d tests", c.Search.Tests)
			}
		}
		// 40 trials of 0.05: more than 7 come by chance once in 2,000 times.
		if falseAlarms > 7 {
			t.Errorf("spread %v: %d of %d null comparisons have slices that moved", spread, falseAlarms, sims)
		}
	}
}

// One run a side shows what is larger than the noise that is assumed; several
// runs on one side lend their spread to the other; requests as units take
// themselves as independent.
func TestMoversOfOtherDesigns(t *testing.T) {
	spec := func(seed uint64, runs int, factor float64) *table {
		return traffic{seed: seed, runs: runs, requests: 4000 / runs, slower: euGold(factor)}.table()
	}
	ask := []string{"ttft:p50", "ttft:mean"}
	request := compare.DefaultOptions()
	request.Unit = compare.Request
	quiet := compare.DefaultOptions()
	quiet.RunNoise = 0
	for _, c := range []struct {
		why           string
		opt           compare.Options
		before, after int
		factor        float64
		found         bool
	}{
		{"one run a side, far", compare.DefaultOptions(), 1, 1, 1.6, true},
		{"one run a side, within the assumed noise", compare.DefaultOptions(), 1, 1, 1.08, false},
		{"one run a side, without noise", quiet, 1, 1, 1.2, true},
		{"one run against four", compare.DefaultOptions(), 1, 4, 1.6, true},
		{"four runs against one", compare.DefaultOptions(), 4, 1, 1.6, true},
		{"requests", request, 3, 3, 1.2, true},
	} {
		cmp := search(t, c.opt, 1, ask, spec(21, c.before, 1), spec(22, c.after, c.factor))
		found := slices.ContainsFunc(cmp.Results, func(r compare.Result) bool {
			return r.Mover != nil && r.Slice.String() == "region=eu, tier=gold"
		})
		if found != c.found {
			t.Errorf("%s: found %v, want %v: %v", c.why, found, c.found, movers(cmp))
		}
	}
}

// What was asked for by name is searched though it is a run's field; what there
// is too much of is said to be left out.
func TestMoversChooseColumns(t *testing.T) {
	before := traffic{seed: 31, runs: 2, requests: 1000}
	after := before
	after.seed = 32
	a, b := before.table(), after.table()
	opt := compare.DefaultOptions()
	opt.By = []string{"run"}
	if c := search(t, opt, 1, []string{"ttft:p50"}, a, b); !slices.Contains(c.Search.Columns, "run") {
		t.Errorf("asked for run, searched %v", c.Search.Columns)
	}
	opt = compare.DefaultOptions()
	opt.MoverColumns = 1
	c := search(t, opt, 1, []string{"ttft:p50"}, a, b)
	if !slices.Equal(c.Search.Columns, []string{"region"}) || len(c.Search.Skipped) != 3 || c.Search.Skipped[0].Why != compare.ManyColumns {
		t.Errorf("one column: %+v", c.Search)
	}
	// Values that only come late do not stop the search.
	late := column{name: "late"}
	for i := range a.len() {
		w := "x"
		if i >= a.len()-60 {
			w = fmt.Sprint("late-", i)
		}
		late.words = append(late.words, w)
	}
	a.columns, b.columns = append(a.columns, late), append(b.columns, late)
	a.batch, b.batch = 50, 50
	opt = compare.DefaultOptions()
	opt.MoverValues = 20
	c = search(t, opt, 1, []string{"ttft:p50"}, a, b)
	if slices.Contains(c.Search.Columns, "late") || !slices.ContainsFunc(c.Search.Skipped, func(s compare.SkippedColumn) bool { return s.Columns[0] == "late" && s.Limit == 20 }) {
		t.Errorf("late values: %+v", c.Search)
	}
	// Without any column of words there is nothing to search.
	c = search(t, compare.DefaultOptions(), 1, []string{"ttft:p50"}, a.without("region", "tier", "model", "user", "late"), b.without("region", "tier", "model", "user", "late"))
	if c.Search == nil || c.Search.Tests != 0 || len(movers(c)) != 0 {
		t.Errorf("no columns: %+v", c.Search)
	}
	// Slices of a few requests are not searched.
	opt = compare.DefaultOptions()
	opt.MinSupport = 100000
	if c := search(t, opt, 1, []string{"ttft:p50"}, a, b); c.Search.Tests != 0 {
		t.Errorf("no support: %+v", c.Search)
	}
}

// At most so many are shown, the farthest first.
func TestMoversShowTheFarthest(t *testing.T) {
	words := func(i int) string { return fmt.Sprintf("w%02d", i) }
	side := func(after bool) *table {
		src := traffic{seed: 41, runs: 3, requests: 9000}
		if after {
			src.seed = 42
		}
		tb := src.table().without("region", "tier", "model", "user")
		c := column{name: "w"}
		for i := range tb.len() {
			k := i % 30
			c.words = append(c.words, words(k))
			if after && k < 12 {
				tb.columns[2].numbers[i] *= 1.5 + 0.1*float64(k)
			}
		}
		tb.columns = append(tb.columns, c)
		return tb
	}
	opt := compare.DefaultOptions()
	opt.MaxMovers = 5
	c := search(t, opt, 1, []string{"ttft:p50"}, side(false), side(true))
	got := movers(c)
	if len(got) != 5 || c.Search.Found < 12 {
		t.Fatalf("shown %v of %d", got, c.Search.Found)
	}
	last := math.Inf(1)
	for _, r := range c.Results {
		if r.Mover == nil {
			continue
		}
		if r.Mover.Gap.Lo > last {
			t.Errorf("%s lies farther than the one before", r.Slice)
		}
		last = r.Mover.Gap.Lo
		if r.Slice.Values[0] < words(4) || r.Slice.Values[0] >= words(12) {
			t.Errorf("%s is among the five farthest", r.Slice)
		}
	}
}
