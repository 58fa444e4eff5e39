package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// unitOf is a unit whose requests start at the given times.
func unitOf(starts []int64) *Unit {
	u := newUnit("r", &Plan{})
	for _, t := range starts {
		u.Counts[ingest.Good]++
		u.HasTime = true
		u.FirstStart, u.LastStart = min(u.FirstStart, t), max(u.LastStart, t)
		u.days.add(t, t)
	}
	return u
}

// TestNoClock holds which starts are no reading of a clock, in whatever order and
// from however many workers they come.
func TestNoClock(t *testing.T) {
	const second, day = int64(1e9), int64(24 * 3600 * 1e9)
	now := 20000 * day
	run := func(from int64, n int, more ...int64) []int64 {
		for i := range n {
			more = append(more, from+int64(i)*second)
		}
		return more
	}
	zeros := slices.Repeat([]int64{0}, 40)
	var diary []int64
	for i := range int64(100) {
		diary = append(diary, now+i*7*day)
	}
	for _, c := range []struct {
		why         string
		starts      []int64
		first, last int64 // of those that a clock reads
		unclocked   int64
		from        int64 // the first of the others
	}{
		{"none", run(now, 100), now, now + 99*second, 0, 0},
		{"a zero", run(now, 100, 0), now, now + 99*second, 1, 0},
		{"zeros", run(now, 100, zeros...), now, now + 99*second, 40, 0},
		{"a zero and a year", run(now, 100, 0, now-365*day), now, now + 99*second, 2, 0},
		{"times since the start of the run", run(0, 100), 0, 99 * second, 0, 0},
		{"a pause of less than a day", run(now, 100, now-day), now - day, now + 99*second, 0, 0},
		{"a pause of more", run(now, 100, now-day-1e6), now, now + 99*second, 1, now - day - 1e6},
		{"more than half", run(now, 40, zeros...), 0, now + 39*second, 0, 0},
		{"two requests", []int64{0, now}, 0, now, 0, 0},
		{"a run over weeks", []int64{now, now + 2*day, now + 3*day, now + 5*day, now + 9*day}, now, now + 9*day, 0, 0},
		{"different starts long before", run(now, 100, 0, 1, 2, 3, 4, 5, 6, 7), now, now + 99*second, 8, 0},
		{"the future", run(now, 100, now+400*day), now, now + 99*second, 1, now + 400*day},
		{"a clock that is a year ahead", run(now, 100, run(now+366*day, 40)...), now, now + 99*second, 40, now + 366*day},
		{"both ways", run(now, 100, 0, now+400*day), now, now + 99*second, 2, 0},
		{"the same clock until midnight", run(now+day-50*second, 100, now-2*day), now + day - 50*second, now + day + 49*second, 1, now - 2*day},
		{"half of the run three days later", run(now, 100, run(now+3*day, 90)...), now, now + 3*day + 89*second, 0, 0},
		{"half of the run three days earlier", run(now, 100, run(now-3*day, 90)...), now - 3*day, now + 99*second, 0, 0},
		{"less than the others span", run(now, 60, append(run(now+day, 60), now+2*day+59*second, now+4*day)...), now, now + 4*day, 0, 0},
		{"a start a week for two years", append(diary, 0), 0, now + 99*7*day, 0, 0},
		{"far apart", []int64{math.MinInt64, math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 - 2}, math.MaxInt64 - 2, math.MaxInt64, 1, math.MinInt64},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			rng.Shuffle(len(c.starts), func(i, j int) { c.starts[i], c.starts[j] = c.starts[j], c.starts[i] })
			cut := rng.IntN(len(c.starts) + 1)
			u := unitOf(c.starts[:cut])
			if err := u.merge(unitOf(c.starts[cut:])); err != nil {
				t.Fatal(err)
			}
			from := u.settleStarts()
			if u.FirstStart != c.first || u.LastStart != c.last || u.Unclocked != c.unclocked || u.Untimed != c.unclocked || from != c.from {
				t.Errorf("%s: starts from %d to %d, %d unclocked, %d untimed, the first %d, want %d to %d, %d and %d", c.why, u.FirstStart, u.LastStart, u.Unclocked, u.Untimed, from, c.first, c.last, c.unclocked, c.from)
			}
			if u.Unclocked > 0 && u.LastEnd != c.last {
				t.Errorf("%s: the last end is %d, want %d", c.why, u.LastEnd, c.last)
			}
		}
	}
}
