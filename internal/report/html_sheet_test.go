package report

import "testing"

// Folded to cards, each row of a plan has its name: the metric that the grid
// names once, with its percentile, or a number with what it counts.
func TestPartsNameTheirRows(t *testing.T) {
	names := func(g grid) []string {
		var out []string
		for _, r := range partOf(part{grid: g}).Table.Rows {
			out = append(out, r.Cells[0].Text+" "+r.Cells[0].At)
		}
		return out
	}
	for _, c := range []struct {
		g    grid
		want []string
	}{
		{grid{head: []string{"metric", "at", "runs"}, right: []bool{false, false, true}, rows: [][]string{{"ttft", "p50", "3"}, {"", "p99", "9"}, {"ok", "rate", "1"}}}, []string{"ttft p50", "ttft p99", "ok rate"}},
		{grid{head: []string{"runs", "power"}, right: []bool{true, true}, rows: [][]string{{"3", "15 %"}, {"4", "25 %"}}}, []string{"3 runs", "4 runs"}},
	} {
		got := names(c.g)
		if len(got) != len(c.want) {
			t.Fatalf("%d rows", len(got))
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q, want %q", got[i], c.want[i])
			}
		}
	}
}
