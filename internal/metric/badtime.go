package metric

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// BadTime is a time of a file that cannot be read.
type BadTime struct {
	Record int64 // of the file, counted from 1
	Field  string
	Column string
	Value  string // as stored; "" where that is not known

	unit ingest.Unit // of a bare number
}

// Range is the unit of a bare number, and the most that it can be: as a time since
// 1970 in 64 bits of nanoseconds it ends in 2262. ok is false for a value that is no
// number, or a column without a unit.
func (b *BadTime) Range() (unit string, most float64, ok bool) {
	_, err := strconv.ParseFloat(b.Value, 64)
	return b.unit.Name, math.Floor(math.MaxInt64 / b.unit.Nanoseconds()), b.unit.Known() && err == nil
}

// Likely is the unit in which the number is a time of this century, in nanoseconds
// since 1970.
func (b *BadTime) Likely() (unit string, at int64, ok bool) {
	const from, to = float64(ownClock), 3 * float64(ownClock) // 2000 and 2059
	v, err := strconv.ParseFloat(b.Value, 64)
	for _, u := range []ingest.Unit{ingest.Second, ingest.Millisecond, ingest.Microsecond, ingest.Nanosecond} {
		if ns := v * u.Nanoseconds(); err == nil && ns >= from && ns < to {
			return u.Name, int64(ns), true
		}
	}
	return "", 0, false
}

// readBadTimes looks up the first time of each file that the pass could not read.
func (s *Side) readBadTimes(ctx context.Context, in *Input, t tallies) error {
	for i, parts := range t {
		before := int64(0)
		for p := range parts {
			if at := parts[p].BadTime; at != nil {
				b := in.Files[i].Layout.Fields[at.Field]
				bad := &BadTime{Record: before + at.Row + 1, Field: at.Field.String(), Column: b.Name, unit: b.Unit}
				s.Files[i].BadTime = bad
				var err error
				if bad.Value, err = cellText(ctx, in.Files[i].Source, p, b.Column, at.Row); err != nil {
					return err
				}
				break
			}
			before += s.Files[i].PartitionRows[p]
		}
	}
	return nil
}

// cellText is what is stored in a cell, as text.
func cellText(ctx context.Context, src ingest.Source, partition, column int, row int64) (text string, err error) {
	err = src.Scan(ctx, partition, []ingest.Request{{Column: column, Form: ingest.Text}}, func(b *ingest.Batch) error {
		i := row - b.Row
		if i >= int64(b.N) {
			return nil
		}
		if c := &b.Cols[0]; i >= 0 && c.StateAt(int(i)) == ingest.Present {
			text = strings.Clone(c.Dict[c.IDs[i]])
		}
		return errEnough
	})
	if err == errEnough || ctx.Err() == nil {
		return text, nil // a column that is no text is no fault here
	}
	return "", err
}
