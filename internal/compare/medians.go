package compare

import (
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// MediansApart reports whether two medians differ by more than chance: the intervals of
// the ranks that they may have (Woodruff 1952) at the level hold values that do not meet.
// It is false without values. Values are taken as independent.
func MediansApart(x, y *sketch.Sketch, level float64) bool {
	a, okX := medianInterval(x, level)
	b, okY := medianInterval(y, level)
	return okX && okY && (a.Hi < b.Lo || b.Hi < a.Lo)
}

func medianInterval(s *sketch.Sketch, level float64) (i stats.Interval, ok bool) {
	ranks, err := stats.Wilson(s.N()/2, s.N(), level)
	if err != nil {
		return i, false
	}
	lo, errLo := s.Quantile(ranks.Interval.Lo)
	hi, errHi := s.Quantile(ranks.Interval.Hi)
	return stats.Interval{Lo: lo, Hi: hi, Level: level}, errLo == nil && errHi == nil
}
