package textio

import "github.com/perfdiff/perfdiff/internal/ingest"

// ScanFloat returns the decimal number that b begins with, as
// strconv.ParseFloat gives it, and how many bytes it takes; 0 if b begins with
// no number.
func ScanFloat(b []byte) (v float64, n int) {
	d := scanDecimal(b)
	if d.n == 0 {
		return 0, 0
	}
	return d.float(b[:d.n]), d.n
}

// ParseFloat parses a whole cell: a decimal number, NaN or infinity in any
// case, with blanks around it. Anything else, "1,234" and "" included, is none.
func ParseFloat(b []byte) (float64, bool) {
	b = trim(b)
	if v, ok := parseFloat(b); ok {
		return v, true
	}
	return parseSpecial(b)
}

// ParseNanos parses a decimal number of units of time into nanoseconds without
// passing through a float64. It fails beyond the range of int64.
func ParseNanos(b []byte, u ingest.Unit) (int64, bool) {
	b = trim(b)
	d := scanDecimal(b)
	if d.n == 0 || d.n != len(b) {
		return 0, false
	}
	return d.nanos(b, perUnit(u))
}

// ParseTimestamp parses an RFC 3339 timestamp, as a Time cell may hold it, into
// nanoseconds since 1970. Without a zone it is UTC.
func ParseTimestamp(b []byte) (int64, bool) { return parseTimestamp(trim(b)) }

// ParseList appends the numbers of a list in brackets, as JSON and Python write
// it.
func ParseList(dst []float64, b []byte) ([]float64, bool) { return appendList(dst, trim(b)) }

// CheckJSON walks over the JSON value that b begins with. It is as strict as
// encoding/json but for the numbers NaN, Infinity and -Infinity, which Python
// writes. It returns the length of the value, or where something else was
// expected, and what; "" if nothing was.
func CheckJSON(b []byte) (n int, expect string) {
	x := lexer{b: b}
	if n = x.skip(0, 0); n < 0 {
		return x.badAt, x.expect
	}
	return n, ""
}

// AppendUnescaped appends the text of a JSON string whose inside is raw and
// has been found valid.
func AppendUnescaped(dst, raw []byte) []byte { return appendUnescaped(dst, raw) }
