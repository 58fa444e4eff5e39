package compare_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// Every value of a column is a slice of its own; critical ones are marked, and
// there even without a record.
func TestSlices(t *testing.T) {
	side := func(seed uint64, factor float64) *table {
		return traffic{seed: seed, runs: 3, requests: 1000, runSpread: 0.01, slower: euGold(factor)}.table()
	}
	opt := noMix()
	opt.By = []string{"region"}
	critical, err := compare.ParseSlice("tier=gold, model=m1")
	if err != nil {
		t.Fatal(err)
	}
	nowhere, err := compare.ParseSlice("region=moon")
	if err != nil {
		t.Fatal(err)
	}
	opt.Critical = []compare.SliceOf{critical, nowhere}
	a, b := side(27, 1), side(28, 2)
	c := compareTables(t, opt, []string{"ttft:p50", "throughput_rps"}, a, b)
	got := map[string]string{}
	for _, r := range c.Results {
		if r.Slice != nil {
			got[r.Slice.String()] = fmt.Sprint(r.Critical, " ", r.Metric, " ", r.Baseline.OK)
		}
	}
	want := map[string]string{
		"region=eu": "false ttft true", "region=us": "false ttft true", "region=ap": "false ttft true",
		"tier=gold, model=m1": "true ttft true", "region=moon": "true ttft false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("slices (-want +got)\n%s", d)
	}
	// A slice is what a comparison of its records alone is.
	only := func(tb *table) *table {
		out := &table{}
		for _, col := range tb.columns {
			cut := column{name: col.name}
			for i, w := range tb.columns[1].words {
				if w != "eu" {
					continue
				}
				if col.words != nil {
					cut.words = append(cut.words, col.words[i])
				} else {
					cut.numbers = append(cut.numbers, col.numbers[i])
				}
			}
			out.columns = append(out.columns, cut)
		}
		return out
	}
	alone := compareTables(t, noMix(), []string{"ttft:p50"}, only(a), only(b)).Results[0]
	for _, r := range c.Results {
		if r.Slice != nil && r.Slice.String() == "region=eu" {
			if d := cmp.Diff(numbers(alone.Log), numbers(r.Log), approx); d != "" {
				t.Errorf("eu, and eu alone:\n%s", d)
			}
		}
	}
	// Slices of few requests are counted and not shown.
	opt.MinSupport = 5000
	opt.Critical = nil
	if c := compareTables(t, opt, []string{"ttft:p50"}, a, b); c.ThinSlices != 3 || len(c.Results) != 1 {
		t.Errorf("%d thin slices, %d results", c.ThinSlices, len(c.Results))
	}
	for _, bad := range []string{"", "region", "=eu", "region=eu,tier"} {
		if s, err := compare.ParseSlice(bad); err == nil {
			t.Errorf("%q is the slice %v", bad, s)
		}
	}
}

func TestUnknownColumns(t *testing.T) {
	a := traffic{seed: 29, runs: 1, requests: 50}.table()
	in, err := tables([]string{"ttft:p50"}, a, a)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*compare.Options){
		"to slice by":              func(o *compare.Options) { o.By = []string{"nope"} },
		"to compare like for like": func(o *compare.Options) { o.Mix = []string{"nope"} },
	} {
		opt := compare.DefaultOptions()
		change(&opt)
		_, err := compare.Compare(t.Context(), in, opt)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "columns are run, region, tier") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A length that is named is cut into ranges, whether or not the lengths differ.
func TestNamedLength(t *testing.T) {
	a := drawn(30, 3, 500, 0.01, 1)
	lengths := column{name: "prompt_tokens"}
	for i := range a.len() {
		lengths.numbers = append(lengths.numbers, float64(100+i%900))
	}
	a.columns = append(a.columns, lengths)
	for _, mix := range [][]string{nil, {"prompt_tokens"}} {
		opt := compare.DefaultOptions()
		opt.Mix = mix
		c := compareTables(t, opt, []string{"latency:p50"}, a, a)
		if c.Mix == nil || c.Mix.Used != (mix != nil) || c.Mix.ByColumns {
			t.Errorf("mix %v: %+v", mix, c.Mix)
			continue
		}
		if n := len(c.Mix.Strata); n < 5 || n > 40 {
			t.Errorf("mix %v: %d strata", mix, n)
		}
		if like := c.Results[0].Like; (like != nil) != (mix != nil) || like != nil && math.Abs(like.Log.Value) > 1e-9 {
			t.Errorf("mix %v: like for like %+v", mix, like)
		}
	}
}
