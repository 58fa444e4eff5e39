package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Incomplete is a [Table] together with the items that lack an outcome on one
// side or on both, because they failed, timed out or are absent there.
type Incomplete struct {
	Complete Table
	RightX   int // right in x, no outcome in y
	WrongX   int // wrong in x, no outcome in y
	RightY   int // right in y, no outcome in x
	WrongY   int // wrong in y, no outcome in x
	Unknown  int // no outcome on either side
}

// Missing returns the number of items that lack at least one outcome.
func (t Incomplete) Missing() int { return t.RightX + t.WrongX + t.RightY + t.WrongY + t.Unknown }

// N returns the number of items, complete or not.
func (t Incomplete) N() int { return t.Complete.N() + t.Missing() }

// Coverage returns the share of items with both outcomes. Special cases are: 0
// without items.
func (t Incomplete) Coverage() float64 {
	if t.N() == 0 {
		return 0
	}
	return float64(t.Complete.N()) / float64(t.N())
}

// AsWrong returns the table in which every absent outcome counts as wrong.
func (t Incomplete) AsWrong() Table {
	return t.Complete.Add(Table{OnlyX: t.RightX, OnlyY: t.RightY, Neither: t.WrongX + t.WrongY + t.Unknown})
}

// Lowest returns the completion with the lowest difference y − x: absent
// outcomes are right in x and wrong in y.
func (t Incomplete) Lowest() Table {
	return t.Complete.Add(Table{Both: t.RightY, OnlyX: t.RightX + t.WrongY + t.Unknown, Neither: t.WrongX})
}

// Highest returns the completion with the highest difference y − x: absent
// outcomes are wrong in x and right in y.
func (t Incomplete) Highest() Table {
	return t.Complete.Add(Table{Both: t.RightX, OnlyY: t.WrongX + t.RightY + t.Unknown, Neither: t.WrongY})
}

// Swap returns the counts with the roles of x and y exchanged.
func (t Incomplete) Swap() Incomplete {
	return Incomplete{t.Complete.Swap(), t.RightY, t.WrongY, t.RightX, t.WrongX, t.Unknown}
}

// Validate returns stats.ErrDomain for a count that is negative or above 2⁵⁰
// and stats.ErrTooFew without items.
func (t Incomplete) Validate() error {
	for _, c := range [...]int{t.RightX, t.WrongX, t.RightY, t.WrongY, t.Unknown} {
		if c < 0 || int64(c) > largestCount {
			return fmt.Errorf("incomplete table %+v: count %d, want 0 to %d: %w", t, c, int64(largestCount), stats.ErrDomain)
		}
	}
	if t.N() > 0 && t.Complete == (Table{}) {
		return nil
	}
	return t.Complete.Validate()
}

// Bounds is what an answer would be at the extremes of what is not known.
type Bounds struct {
	Lowest, Highest stats.Estimate
	// Interval covers both extremes: whatever the absent outcomes would have
	// been, the interval of the full table lies within it.
	Interval stats.Interval
}

// TangoBounds returns the [TangoScore] estimates of the two extreme
// completions of a table with absent outcomes. Without absent outcomes both
// are the estimate itself.
//
// It returns stats.ErrTooFew without items and stats.ErrDomain for a negative
// count or a level outside (0, 1). Method: worst-case bounds in the sense of
// Manski 1989, Journal of Human Resources 24:343; no assumption about why
// outcomes are absent.
func TangoBounds(t Incomplete, level float64) (Bounds, error) {
	if err := t.Validate(); err != nil {
		return Bounds{}, fmt.Errorf("bounds for absent outcomes: %w", err)
	}
	lo, err := TangoScore(t.Lowest(), level)
	if err != nil {
		return Bounds{}, fmt.Errorf("bounds for absent outcomes: %w", err)
	}
	hi, err := TangoScore(t.Highest(), level)
	if err != nil {
		return Bounds{}, fmt.Errorf("bounds for absent outcomes: %w", err)
	}
	return Bounds{lo, hi, stats.Interval{Lo: lo.Interval.Lo, Hi: hi.Interval.Hi, Level: level}}, nil
}
