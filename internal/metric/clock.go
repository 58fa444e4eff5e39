package metric

import "math"

// fewStarts is how many different earliest starts of a unit are kept.
const fewStarts = 8

// earliest holds the few earliest starts of a unit, ascending, and how many
// requests have each.
type earliest struct {
	n      int
	at     [fewStarts]int64
	counts [fewStarts]int64
}

// limit is the latest start that add would keep.
func (e *earliest) limit() int64 {
	if e.n < fewStarts {
		return math.MaxInt64
	}
	return e.at[fewStarts-1]
}

// add counts requests that start at t.
func (e *earliest) add(t, count int64) {
	i := 0
	for i < e.n && e.at[i] < t {
		i++
	}
	switch {
	case i < e.n && e.at[i] == t:
		e.counts[i] += count
	case i < fewStarts:
		e.n = min(e.n+1, fewStarts)
		copy(e.at[i+1:e.n], e.at[i:])
		copy(e.counts[i+1:e.n], e.counts[i:])
		e.at[i], e.counts[i] = t, count
	}
}

func (e *earliest) merge(o *earliest) {
	for i := range o.n {
		e.add(o.at[i], o.counts[i])
	}
}

// fewUntimed is the share of a unit's requests that may be without a start for
// the others to tell when the unit ran and how hard it was driven.
const fewUntimed = 0.05

// Timed reports whether enough requests of a unit have a start to tell when it
// ran: all but 5 %.
func (u *Unit) Timed() bool {
	return u.HasTime && float64(u.Untimed) <= fewUntimed*float64(u.Requests())
}

// clockGap is by how much a start has to precede all later ones, in nanoseconds,
// to be no reading of a clock.
const clockGap = 24 * 3600 * 1e9

// settleStarts takes out the starts that are no reading of a clock, such as a 0
// among the times of day: those of less than half of the requests that lie more
// than a day before all others of the run, while the others span less than that
// distance. Their requests then count as requests without a start.
func (u *Unit) settleStarts() {
	e := &u.early
	timed, before := u.Requests()-u.Untimed, int64(0)
	for i := 0; i+1 < e.n; i++ {
		before += e.counts[i]
		next := float64(e.at[i+1])
		gap := next - float64(e.at[i])
		if gap > clockGap && float64(u.LastStart)-next < gap && 2*before < timed {
			u.FirstStart, u.Unclocked = e.at[i+1], before
		}
	}
	u.Untimed += u.Unclocked
}

// unclocked adds requests whose start is no reading of a clock.
func (s *Side) unclocked(n, from int64) {
	switch {
	case n == 0:
		return
	case s.Unclocked == 0:
		s.UnclockedFrom = from
	}
	s.Unclocked += n
	s.UnclockedFrom = min(s.UnclockedFrom, from)
}

// firstStarts returns by side and run the first start that is a reading of a
// clock, of the runs that have others.
func firstStarts(known []*Side, n int) []map[string]int64 {
	out := make([]map[string]int64, n)
	for i, s := range known {
		out[i] = map[string]int64{}
		for _, u := range s.Units {
			if u.Unclocked > 0 && u.Part == "" {
				out[i][u.Label] = u.FirstStart
			}
		}
	}
	return out
}
