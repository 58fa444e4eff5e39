package metric_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// Parts that alone are wanted are those that all parts would have had among them: of
// one column with few words and with many, with words missing, of two columns; where
// the rows of a part are sorted and where they are sent one by one.
func TestOnlySomeParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	var text strings.Builder
	text.WriteString("run,kind,tenant,region,ttft_s,status\n")
	for i := range 40_000 {
		region := fmt.Sprintf("g%d", rng.IntN(4))
		if rng.IntN(4) == 0 {
			region = ""
		}
		fmt.Fprintf(&text, "r%d,k%d,t%d,%s,%v,%s\n", i/20_000+rng.IntN(2), rng.IntN(3), rng.IntN(700), region, rng.ExpFloat64(), []string{"ok", "error"}[rng.IntN(40)/39])
	}
	in := csv(t, text.String())
	var only []metric.Key
	for i := range 300 {
		only = append(only, metric.WordsKey(fmt.Sprint("t", 2*i)))
	}
	for _, what := range []string{"p50", "mean"} {
		for _, c := range []struct {
			columns []string
			only    []metric.Key
		}{
			{[]string{"kind"}, []metric.Key{metric.WordsKey("k1")}},
			{[]string{"tenant"}, []metric.Key{metric.WordsKey("t7"), metric.WordsKey("t699"), metric.WordsKey("nobody")}},
			{[]string{"tenant"}, only},
			{[]string{"region"}, []metric.Key{metric.WordsKey("g2"), metric.WordsKey("")}},
			{[]string{"kind", "region"}, []metric.Key{metric.WordsKey("k0", "g1"), metric.WordsKey("k2", "")}},
		} {
			plan := metric.NewPlan(items(t, []string{"ttft:" + what}, nil, in))
			plan.Facets = []metric.Facet{{Columns: c.columns, Limit: 100, Bits: 9}}
			all := collect(t, in, plan)
			plan.Facets[0].Only = c.only
			some := collect(t, in, plan)
			wanted := map[metric.Key]bool{}
			for _, k := range c.only {
				wanted[k] = true
			}
			left := 0
			for _, u := range all.Units {
				for k := range u.Facets[0] {
					if !wanted[k] {
						delete(u.Facets[0], k)
						left++
					}
				}
			}
			if left == 0 {
				t.Fatalf("%v: all parts are wanted", c.columns)
			}
			sameParts(t, some, all)
		}
	}
}

// Parts that nobody wants are no reason to refuse a column.
func TestOnlySomePartsOfMany(t *testing.T) {
	var text strings.Builder
	text.WriteString("run,tenant,ttft_s\n")
	for i := range 3 * metric.MaxParts {
		fmt.Fprintf(&text, "r,t%d,%v\n", i, 1+i)
	}
	in := csv(t, text.String())
	plan := metric.NewPlan(items(t, []string{"ttft:p50"}, nil, in))
	plan.Facets = []metric.Facet{{Columns: []string{"tenant"}, Limit: 100, Bits: 9}}
	if _, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: 1}); err == nil {
		t.Error("a column with a word a record slices")
	}
	plan.Facets[0].Only = []metric.Key{metric.WordsKey("t12")}
	side := collect(t, in, plan)
	if parts := side.Units[0].Facets[0]; len(parts) != 1 || parts[metric.WordsKey("t12")].Cells[0].Sketch.N() != 1 {
		t.Errorf("%d parts", len(parts))
	}
}

// Nor are they where no file has more than a few of them.
func TestOnlySomePartsOfManyFiles(t *testing.T) {
	var texts []string
	for i := range metric.MaxParts + 10 {
		texts = append(texts, fmt.Sprintf("tenant,ttft_s\nt%d,%v\nt12,1\n", i, 1+i))
	}
	in := csv(t, texts...)
	for i := range in.Files {
		in.Files[i].Label = "run"
	}
	plan := metric.NewPlan(items(t, []string{"ttft:p50"}, nil, in))
	plan.Facets = []metric.Facet{{Columns: []string{"tenant"}, Only: []metric.Key{metric.WordsKey("t12")}, Limit: 100, Bits: 9}}
	sides, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := int64(len(texts) + 1)
	if parts := sides[0].Units[0].Facets[0]; len(parts) != 1 || parts[metric.WordsKey("t12")].Cells[0].Sketch.N() != want {
		t.Errorf("%d parts", len(parts))
	}
}
