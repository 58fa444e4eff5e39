package arrowio

import (
	"math"
	"strconv"
	"time"
)

// speller returns how integer cells of the type are written as text.
func (t cellType) speller() func([]byte, int64) []byte {
	switch t.kind {
	case uintCell:
		return func(b []byte, v int64) []byte { return strconv.AppendUint(b, uint64(v), 10) }
	case decimalCell:
		return func(b []byte, v int64) []byte {
			return append(b, decimalText(strconv.FormatInt(v, 10), t.scale)...)
		}
	case boolCell:
		return func(b []byte, v int64) []byte { return strconv.AppendBool(b, v != 0) }
	case instantCell:
		return t.clockSpeller(time.RFC3339Nano)
	case dateCell:
		return t.clockSpeller(time.DateOnly)
	case clockCell:
		return t.clockSpeller("15:04:05.999999999")
	case durationCell:
		return func(b []byte, v int64) []byte { return append(strconv.AppendInt(b, v, 10), t.unit.Name...) }
	}
	return func(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }
}

func (t cellType) clockSpeller(layout string) func([]byte, int64) []byte {
	per := int64(t.unit.Nanoseconds())
	second := 1_000_000_000 / per
	return func(b []byte, v int64) []byte {
		whole, rest := v/second, v%second
		return time.Unix(whole, rest*per).UTC().AppendFormat(b, layout)
	}
}

// spellFloat writes whole numbers as integers are written: numbers of runs
// become floats where one is missing.
func spellFloat(b []byte, v float64, size int) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(b, v, 'f', -1, size)
	}
	return strconv.AppendFloat(b, v, 'g', -1, size)
}
