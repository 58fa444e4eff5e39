package harness

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// number reads the next value into a column of numbers, null as none.
func (r *jsonReader) number(w *row, c column, u ingest.Unit) {
	v, ok := r.float()
	switch {
	case r.err != nil:
	case !ok:
		w.setBad(c)
	case isMissing(v):
		w.clear(c)
	default:
		w.setNumber(c, u.ToBase(v))
	}
}

// time reads the next value into a column of times: a timestamp, or a number of
// units.
func (r *jsonReader) time(w *row, c column, u ingest.Unit) {
	switch t := r.value(); t.kind {
	case kindNumber, kindString:
		w.clear(c)
		w.parseTime(c, t.text, u)
	case kindNested:
		r.skip()
		w.setBad(c)
	case kindTrue, kindFalse:
		w.setBad(c)
	}
}

// nanos reads the next value as a time in nanoseconds, with ok false for null
// and for what is no time.
func (r *jsonReader) nanos(u ingest.Unit) (ns int64, ok bool) {
	switch t := r.value(); t.kind {
	case kindNumber, kindString:
		if ns, ok = textio.ParseNanos(t.text, u); !ok {
			ns, ok = textio.ParseTimestamp(t.text)
		}
	case kindNested:
		r.skip()
	}
	return ns, ok
}

// text reads the next value into a column of texts; a number is kept as it is
// spelt.
func (r *jsonReader) text(w *row, c column) {
	switch t := r.value(); t.kind {
	case kindString:
		w.clear(c)
		w.parseText(c, t.text)
	case kindNumber, kindTrue, kindFalse:
		w.setText(c, t.text)
	case kindNested:
		r.skip()
	}
}

// string reads the next value as a text: a string, or a scalar as it is spelt;
// "" for null and nested values.
func (r *jsonReader) string() string {
	switch t := r.value(); t.kind {
	case kindString, kindNumber, kindTrue, kindFalse:
		return string(t.text)
	case kindNested:
		r.skip()
	}
	return ""
}

// truth reads true or false; null and all else is false.
func (r *jsonReader) truth() bool {
	switch t := r.value(); t.kind {
	case kindTrue:
		return true
	case kindNested:
		r.skip()
	}
	return false
}

// times reads a list of times in nanoseconds. It reports false if the next
// value is no list, or one with something else in it.
func (r *jsonReader) times(dst []int64, u ingest.Unit) ([]int64, bool) {
	if r.peek() != '[' {
		r.skip()
		return dst, false
	}
	ok := true
	r.array(func() {
		ns, is := r.nanos(u)
		ok = ok && is
		if dst = append(dst, ns); len(dst) > maxGaps {
			r.fail(fmt.Sprintf("at most %d messages of a request", maxGaps))
		}
	})
	return dst, ok && r.err == nil
}

// floats reads a list of numbers in seconds. It reports false if the next value
// is no list, or one with something else in it.
func (r *jsonReader) floats(dst []float64, u ingest.Unit) ([]float64, bool) {
	if r.peek() != '[' {
		r.skip()
		return dst, false
	}
	ok := true
	r.array(func() {
		v, is := r.float()
		ok = ok && is && !isMissing(v)
		if dst = append(dst, u.ToBase(v)); len(dst) > maxGaps {
			r.fail(fmt.Sprintf("at most %d gaps of a request", maxGaps))
		}
	})
	return dst, ok && r.err == nil
}

// maxGaps is the most numbers that a list of one request may hold.
const maxGaps = 1 << 22
