package metric_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/metric"
)

const sliced = `run,region,tier,prompt_tokens,latency_s,status
a,eu,gold,10,1,ok
a,us,gold,20,2,ok
a,eu,,30,3,ok
b,eu,gold,40,4,ok
b,,gold,,5,ok
b,eu,gold,10,0,error
`

// planOf is the plan of the mean latency with facets.
func planOf(t *testing.T, in metric.Input, facets ...metric.Facet) metric.Plan {
	t.Helper()
	plan := metric.NewPlan(items(t, []string{"latency:mean"}, nil, in))
	for _, f := range facets {
		f.Bits = 8
		plan.Facets = append(plan.Facets, f)
	}
	return plan
}

// parts lists the values of every part of a facet by run and key.
func parts(side *metric.Side, facet int) map[string][]float64 {
	out := map[string][]float64{}
	for _, u := range side.Units {
		for _, key := range metric.Keys([]*metric.Side{side}, facet) {
			if p := u.Facets[facet][key]; p != nil {
				name := strings.Join(key.Words(), "/")
				if key.Text == "" {
					name = fmt.Sprint(key.Bin)
				}
				out[u.Label+" "+name] = append(out[u.Label+" "+name], p.Cells[0].Sketch.Sorted()...)
			}
		}
	}
	return out
}

func TestFacets(t *testing.T) {
	in := csv(t, sliced)
	decade := func(v float64) (int, bool) { return int(v / 20), v < 40 }
	side := collect(t, in, planOf(t, in,
		metric.Facet{Columns: []string{"region"}},
		metric.Facet{Columns: []string{"region", "tier"}},
		metric.Facet{Length: metric.PromptLength, Bin: decade}))
	for i, want := range []map[string][]float64{
		{"a eu": {1, 3}, "a us": {2}, "b eu": {4}, "b 0": {5}},
		{"a eu/gold": {1}, "a us/gold": {2}, "a eu/": {3}, "b eu/gold": {4}, "b /gold": {5}},
		{"a 0": {1}, "a 1": {2, 3}, "b 0": nil, fmt.Sprint("b ", metric.Unbinned): {4, 5}},
	} {
		if d := cmp.Diff(want, parts(side, i)); d != "" {
			t.Errorf("facet %d (-want +got)\n%s", i, d)
		}
	}
	// Parts keep the counts of what failed.
	eu := side.Units[1].Facets[0][metric.Key{Text: "eu"}]
	if eu.OK() != 1 || eu.Requests() != 2 {
		t.Errorf("eu in b: %d of %d", eu.OK(), eu.Requests())
	}
	slice := side.Slice(0, metric.Key{Text: "eu"})
	if slice.Records() != 4 || slice.OK() != 3 || len(slice.Units) != 2 {
		t.Errorf("slice: %d records, %d ok, %d runs", slice.Records(), slice.OK(), len(slice.Units))
	}
	if s := side.Slice(0, metric.Key{Text: "us"}); len(s.Units) != 1 {
		t.Errorf("us is in %d runs", len(s.Units))
	}
}

// A slice and its rest are all there is, and neither changes the parts.
func TestRests(t *testing.T) {
	in := csv(t, sliced)
	side := collect(t, in, planOf(t, in, metric.Facet{Columns: []string{"region"}}))
	keys := metric.Keys([]*metric.Side{side}, 0)
	before := parts(side, 0)
	rests, err := side.Rests(0, keys)
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		others := slices.DeleteFunc(slices.Clone(keys), func(k metric.Key) bool { return k == key })
		gathered, err := side.Gather(0, others)
		if err != nil {
			t.Fatal(err)
		}
		for name, rest := range map[string]*metric.Side{"Rests": rests[i], "Gather": gathered} {
			slice := side.Slice(0, key)
			if got := slice.Records() + rest.Records(); got != side.Records() {
				t.Errorf("%s: %q and the rest are %d of %d records", name, key.Text, got, side.Records())
			}
			var all []float64
			sum := 0.0
			for _, s := range []*metric.Side{slice, rest} {
				for _, u := range s.Units {
					all = append(all, values(u, 0)...)
					sum += u.Cells[0].Sum.Value()
				}
			}
			slices.Sort(all)
			if d := cmp.Diff([]float64{1, 2, 3, 4, 5}, all); d != "" || sum != 15 {
				t.Errorf("%s: %q and the rest: sum %v\n%s", name, key.Text, sum, d)
			}
		}
	}
	if d := cmp.Diff(before, parts(side, 0)); d != "" {
		t.Errorf("the parts changed:\n%s", d)
	}
	if s, err := side.Gather(0, nil); err != nil || len(s.Units) != 0 {
		t.Errorf("nothing gathered: %v, %v", s, err)
	}
}

// A column of ids is an error, unless the facet may be left out; then it is,
// whichever worker met them.
func TestTooManyParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,region,latency_s\n")
	for i := range 30 {
		fmt.Fprintf(&b, "x%d,eu,1\n", i)
	}
	in := csv(t, b.String(), "id,region,latency_s\ny1,us,1\ny2,us,2\n")
	oneRun := csv(t, b.String(), "id,region,latency_s\ny1,us,1\ny2,us,2\n")
	for i := range oneRun.Files {
		oneRun.Files[i].Label = "run"
	}
	for _, workers := range []int{1, 2, 4} {
		for most, in := range map[int]metric.Input{20: in, 31: oneRun} { // in one file; only in both
			_, err := metric.Collect(t.Context(), []metric.Input{in}, planOf(t, in, metric.Facet{Columns: []string{"id"}, Most: most}), metric.Scan{Workers: workers})
			if want := fmt.Sprintf("column id has more than %d values: it identifies records and does not slice them", most); err == nil || err.Error() != want {
				t.Errorf("%d workers: error %v, want %s", workers, err, want)
			}
		}
	}
	for _, workers := range []int{1, 2, 4} {
		for _, most := range []int{20, 31, 32} { // in one file; only in both; all
			plan := planOf(t, in, metric.Facet{Columns: []string{"id"}, Most: most, Optional: true}, metric.Facet{Columns: []string{"region"}, Optional: true})
			sides, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			side := sides[0]
			dropped := most < 32
			if d := cmp.Diff([]bool{dropped, false}, side.Dropped); d != "" {
				t.Errorf("%d workers, at most %d: dropped %s", workers, most, d)
			}
			want := 32
			if dropped {
				want = 0
			}
			if n := len(metric.Keys(sides, 0)); n != want {
				t.Errorf("%d workers, at most %d: %d parts", workers, most, n)
			}
			if n := len(metric.Keys(sides, 1)); n != 2 {
				t.Errorf("%d workers: %d regions", workers, n)
			}
		}
	}
}

func TestColumnsByName(t *testing.T) {
	in := csv(t, "req_id,region,ttft_ms,input_len,output_tokens\nx,eu,1,2,3\n")
	f := &in.Files[0]
	for name, want := range map[string]bool{"region": true, "request_id": true, "req_id": true, "prompt_tokens": true, "session": false, "nope": false} {
		if f.HasColumn(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for name, want := range map[string]metric.Length{"input_len": metric.PromptLength, "prompt_tokens": metric.PromptLength, "output_tokens": metric.OutputLength} {
		if l, ok := f.LengthNamed(name); !ok || l != want {
			t.Errorf("%s: length %v, %v", name, l, ok)
		}
	}
	if l, ok := f.LengthNamed("region"); ok {
		t.Errorf("region is length %v", l)
	}
	if got, want := f.ColumnNames(), "req_id, region, ttft_ms, input_len, output_tokens"; got != want {
		t.Errorf("columns %q", got)
	}
	if l := metric.LengthOf([]metric.Input{in}); l != metric.PromptLength {
		t.Errorf("the length of traffic with prompts is %v", l)
	}
	if l := metric.LengthOf([]metric.Input{in, csv(t, "latency_s\n1\n")}); l != metric.OutputLength {
		t.Errorf("the length of traffic without is %v", l)
	}
}

func TestSliceColumns(t *testing.T) {
	a := csv(t, "request_id,run,pod,region,stream,load_stage,status,prompt_id,ttft_ms\nx,1,p,eu,true,s1,ok,q,1\n", "region,stream,pod,run,load_stage,ttft_ms\neu,true,p,1,s,1\n")
	got := metric.SliceColumns([]metric.Input{a}, nil)
	if d := cmp.Diff([]string{"region", "stream", "load_stage"}, got); d != "" {
		t.Errorf("slices (-want +got)\n%s", d)
	}
	// By the name of the column, or of the field.
	got = metric.SliceColumns([]metric.Input{a}, []string{"pod", "run"})
	if d := cmp.Diff([]string{"pod", "region", "stream", "load_stage"}, got); d != "" {
		t.Errorf("asked for (-want +got)\n%s", d)
	}
	if got := metric.SliceColumns([]metric.Input{a, csv(t, "stream,ttft_ms\ntrue,1\n")}, nil); !slices.Equal(got, []string{"stream"}) {
		t.Errorf("common to both sides: %v", got)
	}
}

func TestPeek(t *testing.T) {
	var b strings.Builder
	b.WriteString("user,region,ttft_ms\n")
	for i := range 300 {
		fmt.Fprintf(&b, "u%d,r%d,1\n", i%60, i%5)
	}
	in := []metric.Input{csv(t, "user,region,ttft_ms\nu1,eu,1\n", b.String()), csv(t, "region,ttft_ms\neu,1\n")}
	for most, want := range map[int][]string{3: {"user", "region"}, 5: {"user"}, 59: {"user"}, 60: nil} {
		got, err := metric.Peek(t.Context(), in, []string{"user", "region"}, most)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("more than %d values (-want +got)\n%s", most, d)
		}
	}
}

func TestSubsetPoolAndBlocks(t *testing.T) {
	in := csv(t, "run,start_s,latency_s\na,100,1\nb,200,2\nb,210,3\nc,300,4\n")
	half := func(ns float64) (int, bool) { return int(ns/1e9) / 205, true }
	side := collect(t, in, planOf(t, in, metric.Facet{Length: metric.StartTime, Bin: half}))
	sub := side.Subset([]int{2, 0})
	if len(sub.Units) != 2 || sub.Units[0].Label != "a" || sub.Records() != 2 || sub.FirstStart != 100e9 || sub.LastStart != 300e9 {
		t.Errorf("subset: %d units, %d records, %d to %d", len(sub.Units), sub.Records(), sub.FirstStart, sub.LastStart)
	}
	all := metric.Pool(side.Units)
	if d := cmp.Diff([]float64{1, 2, 3, 4}, values(all, 0)); d != "" || all.Requests() != 4 || all.FirstStart != 100e9 {
		t.Errorf("pooled: %s", d)
	}
	if n := len(values(side.Units[0], 0)); n != 1 {
		t.Errorf("pooling changed a unit: %d values", n)
	}
	if metric.Pool(side.Units[:1]) != side.Units[0] {
		t.Error("a single unit is copied")
	}
	blocks := side.Blocks(0)
	if len(blocks.Units) != 4 || blocks.Records() != 4 {
		t.Fatalf("%d blocks, %d records", len(blocks.Units), blocks.Records())
	}
	if u := blocks.Units[0]; u.Label != "0000" || u.HasTime {
		t.Errorf("block %q, with time %v", u.Label, u.HasTime)
	}
}

// Lengths are crossed with columns as the numbers of their bins.
func TestFacetOfCutsAndColumns(t *testing.T) {
	in := csv(t, sliced)
	decade := func(v float64) (int, bool) { return int(v / 20), v < 40 }
	side := collect(t, in, planOf(t, in,
		metric.Facet{Cuts: []metric.Cut{{Length: metric.PromptLength, Bin: decade}}, Columns: []string{"region"}},
		metric.Facet{Cuts: []metric.Cut{{Length: metric.PromptLength, Bin: decade}, {Length: metric.OutputLength, Bin: decade}}}))
	for i, want := range []map[string][]float64{
		{"a 0/eu": {1}, "a 1/us": {2}, "a 1/eu": {3}, "b /eu": {4}, "b /": {5}, "b 0/eu": nil},
		{"a 0/": {1}, "a 1/": {2, 3}, "b /": {4, 5}, "b 0/": nil}, // no file tells the length of the answers
	} {
		if d := cmp.Diff(want, parts(side, i)); d != "" {
			t.Errorf("facet %d (-want +got)\n%s", i, d)
		}
	}
	plan := planOf(t, in, metric.Facet{Cuts: []metric.Cut{{Length: metric.PromptLength, Bin: decade}}, Columns: []string{"region"}, Most: 2})
	_, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: 1})
	if want := "columns prompt_tokens, region have more than 2 combinations of values, which is too many to slice by: name fewer columns"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
