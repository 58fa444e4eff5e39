package sketch

import "github.com/perfdiff/perfdiff/stats"

// MediansApart reports whether two medians differ by more than chance: the intervals
// that their ranks may have at the two-sided level (Wilson 1927) hold values that do not
// meet. Values are taken as independent. Intervals of the level 0.83 fail to meet by
// chance in about one comparison of twenty, of 0.93 in one of a hundred.
//
// Special cases are: false without values, and for a level outside (0, 1).
//
// Source: Woodruff 1952, JASA 47:635, doi:10.1080/01621459.1952.10483443.
func MediansApart(x, y *Sketch, level float64) bool {
	a, okX := medianInterval(x, level)
	b, okY := medianInterval(y, level)
	return okX && okY && (a.Hi < b.Lo || b.Hi < a.Lo)
}

func medianInterval(s *Sketch, level float64) (i stats.Interval, ok bool) {
	ranks, err := stats.Wilson(s.N()/2, s.N(), level)
	if err != nil {
		return i, false
	}
	lo, errLo := s.Quantile(ranks.Interval.Lo)
	hi, errHi := s.Quantile(ranks.Interval.Hi)
	return stats.Interval{Lo: lo, Hi: hi, Level: level}, errLo == nil && errHi == nil
}
