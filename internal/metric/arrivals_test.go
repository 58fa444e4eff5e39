package metric_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// arrivals are those of every unit of a side, with any number of workers.
func arrivals(t *testing.T, in metric.Input) (*metric.Side, []metric.Arrivals) {
	t.Helper()
	plan := metric.NewPlan(items(t, nil, nil, in))
	side := collect(t, in, plan)
	var want []metric.Arrivals
	for _, workers := range []int{1, 3} {
		_, got, err := metric.CoursesOfUnits(t.Context(), in, side, plan, make([][]metric.Look, len(side.Units)), 10, metric.Scan{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		for i := range got {
			if !slices.Equal(got[i].Counts, want[i].Counts) || got[i].Grain != want[i].Grain {
				t.Errorf("%d workers: %v of %v, want %v of %v", workers, got[i].Counts, got[i].Grain, want[i].Counts, want[i].Grain)
			}
		}
	}
	return side, want
}

// Requests are counted where they started, those that failed too, and those
// without a start or with one that no clock reads are not.
func TestArrivals(t *testing.T) {
	row := func(start, status string) string { return start + ",1," + status + "\n" }
	const head = "start_s,latency_s,status\n"
	even := func(n int, start string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(fmt.Sprintf(start, i), "ok"))
		}
		return b.String()
	}
	for _, c := range []struct {
		why, text string
		want      []int32
		grain     int64
	}{
		{"evenly spaced", head + even(5, "17000000%02d"), []int32{1, 1, 1, 1, 1}, 1e9},
		{"some fail", head + even(4, "17000000%02d") + row("1700000004", "error"), []int32{1, 1, 1, 1, 1}, 1e9},
		{"at once but for two", head + row("1700000000.5", "ok") + row("1700000010.5", "ok") + strings.Repeat(row("1700000005.625", "ok"), 3), []int32{1, 0, 3, 0, 1}, 1e6},
		{"one without a start", head + even(21, "17000000%02d") + row("", "ok"), slices.Repeat([]int32{1}, 21), 1e9},
		{"one of the year 1970", head + even(21, "17000000%02d") + row("0", "ok"), slices.Repeat([]int32{1}, 21), 1e9},
		{"one start for all", head + strings.Repeat(row("1700000000", "ok"), 5), nil, 0},
		{"no start", head + strings.Repeat(row("", "ok"), 5), nil, 0},
	} {
		_, got := arrivals(t, csv(t, c.text))
		if len(got) != 1 || !slices.Equal(got[0].Counts, c.want) || got[0].Grain != c.grain {
			t.Errorf("%s: %+v, want %v of %v", c.why, got, c.want, c.grain)
		}
	}
}

func TestArrivalsByRun(t *testing.T) {
	spec := fixtures.Default()
	spec.Runs, spec.RequestsPerRun = 3, 4000
	side, got := arrivals(t, made(t, spec))
	for i, u := range side.Units {
		if n := got[i].Requests(); n != u.Requests() || n != 4000 {
			t.Errorf("run %s: %d of %d requests", u.Label, n, u.Requests())
		}
		if want := float64(u.LastStart-u.FirstStart) / 4000; got[i].Width() != want {
			t.Errorf("run %s: windows of %v ns, want %v", u.Label, got[i].Width(), want)
		}
	}
}
