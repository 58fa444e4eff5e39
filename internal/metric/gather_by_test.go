package metric_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// Parts that are gathered from a facet crossed with another column are those that
// records sent to either alone would have made, bit for bit.
func TestGatherBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	tenants := []string{"", "t0", "t1", "t\x1e1", "t\x1f2"}
	var text strings.Builder
	text.WriteString("run,tenant,tier,ttft_s,status\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "r%d,%s,%s,%v,%s\n", i/10_000, tenants[rng.IntN(5)],
			[]string{"gold", "free", "trial"}[rng.IntN(3)], rng.ExpFloat64(), []string{"ok", "error"}[rng.IntN(50)/49])
	}
	in := csv(t, text.String())
	plan := metric.NewPlan(items(t, []string{"ttft:p50", "ttft:mean"}, nil, in))
	facet := func(columns ...string) metric.Facet { return metric.Facet{Columns: columns, Limit: 500, Bits: 9} }
	some := facet("tier", "tenant")
	some.Only, some.OnlyBy = []metric.Key{metric.WordsKey("gold"), metric.WordsKey("trial")}, 1
	plan.Facets = []metric.Facet{facet("tier"), facet("tier", "tenant"), some}
	side := collect(t, in, plan)
	for _, key := range metric.Keys([]*metric.Side{side}, 2) {
		if key.Words()[0] == "free" {
			t.Errorf("%q was not asked for", key.Words())
		}
	}
	gold := slices.DeleteFunc(metric.Keys([]*metric.Side{side}, 2), func(k metric.Key) bool { return k.Words()[0] != "gold" })
	slice, err := side.GatherBy(2, gold, func(k metric.Key) int { return slices.Index(tenants, k.Words()[1]) })
	if err != nil {
		t.Fatal(err)
	}
	together, err := side.GatherBy(2, gold, func(metric.Key) int { return 7 })
	if err != nil {
		t.Fatal(err)
	}
	want := side.Slice(0, metric.WordsKey("gold"))
	for u, unit := range want.Units {
		strata := map[metric.Key]*metric.Part{}
		for i, tenant := range tenants {
			strata[metric.Key{Bin: i}] = side.Units[u].Facets[1][metric.WordsKey("gold", tenant)]
		}
		whole := func(u *metric.Unit) map[metric.Key]*metric.Part {
			return map[metric.Key]*metric.Part{{}: {Counts: u.Counts, Cells: u.Cells}}
		}
		unit.Facets = []map[metric.Key]*metric.Part{strata, whole(unit), {{Bin: 7}: whole(unit)[metric.Key{}]}}
		slice.Units[u].Facets = append(slice.Units[u].Facets, whole(slice.Units[u]), together.Units[u].Facets[0])
	}
	sameParts(t, slice, want)
}
