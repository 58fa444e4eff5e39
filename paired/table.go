package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Table counts the joint outcomes of items that were answered twice, right or
// wrong, first as x and then as y. The zero value is an empty table.
type Table struct {
	Both    int // right in x and in y
	OnlyX   int // right in x, wrong in y
	OnlyY   int // wrong in x, right in y
	Neither int // wrong in x and in y
}

// NewTable counts the outcomes of items paired by position; see [Match] for
// pairing by key. It returns stats.ErrMismatch if the lengths differ.
func NewTable(x, y []bool) (Table, error) {
	if len(x) != len(y) {
		return Table{}, fmt.Errorf("%d outcomes of x and %d of y: %w", len(x), len(y), stats.ErrMismatch)
	}
	var t Table
	for i := range x {
		t.Count(x[i], y[i])
	}
	return t, nil
}

// Count adds a pair: whether the first and the second of it are right.
func (t *Table) Count(x, y bool) {
	switch {
	case x && y:
		t.Both++
	case x:
		t.OnlyX++
	case y:
		t.OnlyY++
	default:
		t.Neither++
	}
}

// N returns the number of items.
func (t Table) N() int { return t.Both + t.OnlyX + t.OnlyY + t.Neither }

// Discordant returns the number of items whose two outcomes differ.
func (t Table) Discordant() int { return t.OnlyX + t.OnlyY }

// Swap returns the table with the roles of x and y exchanged.
func (t Table) Swap() Table {
	t.OnlyX, t.OnlyY = t.OnlyY, t.OnlyX
	return t
}

// Add returns the cell-wise sum of two tables.
func (t Table) Add(u Table) Table {
	return Table{t.Both + u.Both, t.OnlyX + u.OnlyX, t.OnlyY + u.OnlyY, t.Neither + u.Neither}
}

// Difference returns the share right in y minus the share right in x, in
// [−1, 1]. Special cases are: an empty table has the difference 0.
func (t Table) Difference() float64 {
	if t.N() == 0 {
		return 0
	}
	return float64(t.OnlyY-t.OnlyX) / float64(t.N())
}

// largestCount keeps sums and float64 arithmetic of counts exact.
const largestCount = 1 << 50

// Validate returns stats.ErrDomain for a count that is negative or above 2⁵⁰
// and stats.ErrTooFew for a table without items.
func (t Table) Validate() error {
	for _, c := range [...]int{t.Both, t.OnlyX, t.OnlyY, t.Neither} {
		if c < 0 || int64(c) > largestCount {
			return fmt.Errorf("table %+v: count %d, want 0 to %d: %w", t, c, int64(largestCount), stats.ErrDomain)
		}
	}
	if t.N() <= 0 {
		return fmt.Errorf("table of 0 items, want 1 or more: %w", stats.ErrTooFew)
	}
	return nil
}

// check validates a table together with a confidence level.
func (t Table) check(level float64) error {
	if err := t.Validate(); err != nil {
		return err
	}
	return stats.CheckLevel(level)
}
