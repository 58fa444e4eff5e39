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
		if t <= u.early.limit() {
			u.early.add(t, 1)
		}
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
	for _, c := range []struct {
		why       string
		starts    []int64
		first     int64
		unclocked int64
	}{
		{"none", run(now, 100), now, 0},
		{"a zero", run(now, 100, 0), now, 1},
		{"zeros", run(now, 100, zeros...), now, 40},
		{"a zero and a year", run(now, 100, 0, now-365*day), now, 2},
		{"times since the start of the run", run(0, 100), 0, 0},
		{"a pause of less than a day", run(now, 100, now-day), now - day, 0},
		{"a pause of more", run(now, 100, now-day-1e6), now, 1},
		{"more than half", run(now, 40, zeros...), 0, 0},
		{"two requests", []int64{0, now}, 0, 0},
		{"a run over weeks", []int64{now, now + 2*day, now + 3*day, now + 5*day, now + 9*day}, now, 0},
		{"more different starts than are kept", run(now, 100, 0, 1, 2, 3, 4, 5, 6, 7), 0, 0},
		{"far apart", []int64{math.MinInt64, math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 - 2}, math.MaxInt64 - 2, 1},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 5 {
			rng.Shuffle(len(c.starts), func(i, j int) { c.starts[i], c.starts[j] = c.starts[j], c.starts[i] })
			cut := rng.IntN(len(c.starts) + 1)
			u := unitOf(c.starts[:cut])
			if err := u.merge(unitOf(c.starts[cut:])); err != nil {
				t.Fatal(err)
			}
			u.settleStarts()
			if u.FirstStart != c.first || u.Unclocked != c.unclocked || u.Untimed != c.unclocked {
				t.Errorf("%s: first start %d, %d unclocked, %d untimed, want %d and %d", c.why, u.FirstStart, u.Unclocked, u.Untimed, c.first, c.unclocked)
			}
		}
	}
}
