package arrowio

import (
	"errors"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// listReader reads a column of lists of numbers. Null elements are left out.
type listReader[T any] struct {
	typed[T]
	values int64 // levels in the chunk
	seen   int64 // levels read

	defs, reps []int16
	nums       []float64 // converted values that belong to the levels
	pos, next  int       // next level, next number

	floats  []float64
	offsets []int32
	state   []ingest.State
}

func (l *listReader[T]) read(n int, out *ingest.Column) error {
	l.floats, l.offsets = l.floats[:0], resize(l.offsets, n+1)[:0]
	l.state = resize(l.state, n)
	clear(l.state)
	missing := false
	for {
		if l.pos == len(l.defs) {
			if l.seen == l.values {
				break
			}
			if err := l.fill(); err != nil {
				return err
			}
		}
		d := l.defs[l.pos]
		if l.reps[l.pos] == 0 {
			if len(l.offsets) == n {
				break
			}
			l.offsets = append(l.offsets, int32(len(l.floats)))
			if d < l.leaf.listDef-1 {
				l.state[len(l.offsets)-1] = ingest.Missing
				missing = true
			}
		} else if len(l.offsets) == 0 {
			return errors.New("a list that continues and was never begun")
		}
		if d == l.leaf.maxDef {
			if l.next == len(l.nums) {
				return fmt.Errorf("%w: fewer values than the levels call for", errShort)
			}
			l.floats = append(l.floats, l.nums[l.next])
			l.next++
		}
		l.pos++
	}
	if len(l.offsets) < n {
		return fmt.Errorf("%w: %d rows found, %d expected", errShort, len(l.offsets), n)
	}
	*out = ingest.Column{Floats: l.floats, Offsets: append(l.offsets, int32(len(l.floats)))}
	if missing {
		out.State = l.state
	}
	return nil
}

// fill reads and converts the next levels and values.
func (l *listReader[T]) fill() error {
	n := int(min(ingest.BatchRows, l.values-l.seen))
	l.buf, l.defs, l.reps = resize(l.buf, n), resize(l.defs, n), resize(l.reps, n)
	lv, read, err := l.typed.values(n, l.buf, l.defs, l.reps)
	if err != nil {
		return err
	}
	l.conv.begin(read)
	l.convert(l.buf[:read])
	l.defs, l.reps, l.nums = l.defs[:lv], l.reps[:lv], l.conv.floats[:read]
	l.pos, l.next = 0, 0
	l.seen += int64(lv)
	return nil
}

func (l *listReader[T]) finish() error {
	if l.pos < len(l.defs) || l.seen < l.values {
		return errors.New("more lists than rows")
	}
	return l.typed.finish()
}
