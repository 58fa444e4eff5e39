package metric

import (
	"cmp"
	"math"
	"slices"
)

const (
	day  = 24 * 3600 * int64(1e9) // nanoseconds
	year = 365 * day
)

// maxDays is on how many days the requests of a unit may start for those that no
// clock reads to be told from the others.
const maxDays = 64

// dayOf is what was seen of the requests that start on one day.
type dayOf struct {
	number, n            int64 // days since 1970; requests
	first, last, lastEnd int64 // MinInt64 for no end
}

func (d *dayOf) merge(o dayOf) {
	d.n += o.n
	d.first, d.last, d.lastEnd = min(d.first, o.first), max(d.last, o.last), max(d.lastEnd, o.lastEnd)
}

// days are the days of a unit, in order: none any more where there were more than
// maxDays.
type days struct {
	list []dayOf
	many bool
	// at is the day that was met last, from and to its bounds.
	at       int
	from, to int64
}

// add counts a request by its start; end is MinInt64 where none is known.
func (d *days) add(start, end int64) {
	if d.from <= start && start <= d.to && len(d.list) > 0 {
		have := &d.list[d.at]
		have.n++
		have.first, have.last, have.lastEnd = min(have.first, start), max(have.last, start), max(have.lastEnd, end)
		return
	}
	d.join(dayOf{number: floorDiv(start, day), n: 1, first: start, last: start, lastEnd: end})
}

func (d *days) join(o dayOf) {
	if d.many {
		return
	}
	i, found := slices.BinarySearchFunc(d.list, o.number, func(x dayOf, n int64) int { return cmp.Compare(x.number, n) })
	switch {
	case found:
		d.list[i].merge(o)
	case len(d.list) == maxDays:
		d.list, d.many = nil, true
		return
	default:
		d.list = slices.Insert(d.list, i, o)
	}
	d.at, d.from, d.to = i, math.MinInt64, math.MaxInt64
	if o.number >= math.MinInt64/day {
		d.from = o.number * day
	}
	if o.number < math.MaxInt64/day {
		d.to = (o.number+1)*day - 1
	}
}

func (d *days) merge(o *days) {
	if d.many = d.many || o.many; d.many {
		d.list = nil
	}
	for _, x := range o.list {
		d.join(x)
	}
}

// fewUntimed is the share of a unit's requests that may be without a start for
// the others to tell when the unit ran and how hard it was driven.
const fewUntimed = 0.05

// Timed reports whether enough requests of a unit have a start to tell when it
// ran: all but 5 %.
func (u *Unit) Timed() bool {
	return u.HasTime && float64(u.Untimed) <= fewUntimed*float64(u.served())
}

// settleStarts takes out the starts that are no reading of a clock, such as a 0
// among the times of day: those further from more than half of the requests than
// these span, by more than a day where they are few, by more than a year where
// they are not. Their requests then count as requests without a start. It returns
// the first of those starts.
func (u *Unit) settleStarts() (from int64) {
	clusters := apart(u.days.list)
	u.days = days{}
	timed := u.served() - u.Untimed
	most := slices.IndexFunc(clusters, func(c dayOf) bool { return 2*c.n > timed })
	if most < 0 {
		return 0
	}
	lo, hi, n := around(clusters, most, day)
	if float64(timed-n) > fewUntimed*float64(timed) {
		lo, hi, n = around(clusters, most, year)
	}
	if n == timed {
		return 0
	}
	kept := clusters[lo]
	for _, c := range clusters[lo+1 : hi] {
		kept.merge(c)
	}
	u.FirstStart, u.LastStart, u.LastEnd = kept.first, kept.last, kept.lastEnd
	u.Unclocked = timed - n
	u.Untimed += u.Unclocked
	if lo > 0 {
		return clusters[0].first
	}
	return clusters[hi].first
}

// apart joins days that lie at most a day apart, from the last start to the first.
func apart(list []dayOf) (clusters []dayOf) {
	for _, d := range list {
		if n := len(clusters); n > 0 && float64(d.first)-float64(clusters[n-1].last) <= float64(day) {
			clusters[n-1].merge(d)
			continue
		}
		clusters = append(clusters, d)
	}
	return clusters
}

// around returns which clusters, from lo to before hi, belong to one of them: each
// that lies no further than gap from those that do, or than these span. n is how
// many requests they have.
func around(clusters []dayOf, at int, gap int64) (lo, hi int, n int64) {
	lo, hi, n = at, at+1, clusters[at].n
	for {
		first, last := float64(clusters[lo].first), float64(clusters[hi-1].last)
		reach := max(float64(gap), last-first)
		switch {
		case lo > 0 && first-float64(clusters[lo-1].last) <= reach:
			lo--
			n += clusters[lo].n
		case hi < len(clusters) && float64(clusters[hi].first)-last <= reach:
			n += clusters[hi].n
			hi++
		default:
			return lo, hi, n
		}
	}
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

// clockedSpans returns by side and run the first and the last start that is a
// reading of a clock, of the runs that have others.
func clockedSpans(known []*Side, n int) []map[string][2]int64 {
	out := make([]map[string][2]int64, n)
	for i, s := range known {
		out[i] = map[string][2]int64{}
		for _, u := range s.Units {
			if u.Unclocked > 0 && u.Part == "" {
				out[i][u.Label] = [2]int64{u.FirstStart, u.LastStart}
			}
		}
	}
	return out
}
