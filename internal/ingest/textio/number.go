package textio

import (
	"strconv"
	"unsafe"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// pow10 holds the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimal is a scanned number: ±mant × 10^exp, where mant has lost digits if
// big is set.
type decimal struct {
	mant uint64
	exp  int
	neg  bool
	big  bool
	n    int // bytes scanned, 0 if there is no number
}

// scanDecimal scans the longest decimal number that b begins with: digits with
// an optional sign, point and exponent. Hexadecimal and underscores, which
// strconv knows too, are not taken for numbers.
func scanDecimal(b []byte) (d decimal) {
	i := 0
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		d.neg = b[i] == '-'
		i++
	}
	digits, start := 0, i
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			break
		}
		if d.mant < 1e18 {
			d.mant = d.mant*10 + uint64(c)
		} else {
			d.exp++
			d.big = d.big || c != 0
		}
	}
	digits = i - start
	if i < len(b) && b[i] == '.' {
		i++
		start = i
		for ; i < len(b); i++ {
			c := b[i] - '0'
			if c > 9 {
				break
			}
			if d.mant < 1e18 {
				d.mant = d.mant*10 + uint64(c)
				d.exp--
			} else {
				d.big = d.big || c != 0
			}
		}
		digits += i - start
	}
	if digits == 0 {
		return decimal{}
	}
	d.n = i
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		neg := false
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			neg = b[i] == '-'
			i++
		}
		e, start := 0, i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			if e < 1e6 {
				e = e*10 + int(b[i]-'0')
			}
		}
		if i > start {
			if neg {
				e = -e
			}
			d.exp += e
			d.n = i
		}
	}
	return d
}

// float returns the value strconv.ParseFloat gives b, the text d was scanned
// from. Out of range gives ±Inf.
func (d decimal) float(b []byte) float64 {
	if !d.big && d.mant < 1<<53 && d.exp >= -22 && d.exp <= 22 {
		v := float64(d.mant)
		if d.neg {
			v = -v
		}
		if d.exp < 0 {
			return v / pow10[-d.exp]
		}
		return v * pow10[d.exp]
	}
	v, _ := strconv.ParseFloat(view(b), 64)
	return v
}

// parseFloat parses a whole decimal number.
func parseFloat(b []byte) (float64, bool) {
	d := scanDecimal(b)
	if d.n == 0 || d.n != len(b) {
		return 0, false
	}
	return d.float(b), true
}

// view lends b as a string to a callee that does not keep it.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// parseUnit is ingest.ParseUnit with the common words first.
func parseUnit(b []byte) (ingest.Unit, bool) {
	switch string(b) {
	case "ms":
		return ingest.Millisecond, true
	case "s":
		return ingest.Second, true
	case "us", "µs":
		return ingest.Microsecond, true
	case "ns":
		return ingest.Nanosecond, true
	}
	if len(b) == 0 || len(b) > 16 {
		return ingest.Unit{}, false
	}
	return ingest.ParseUnit(string(b))
}

// quantity is a number with an optional unit of time.
type quantity struct {
	dec  decimal
	text []byte // the number alone
	unit ingest.Unit
}

// parseQuantity parses "157", "157ms", "157 ms" and, as Go prints a long
// duration, "1h2m3.5s". The unit of the last is nanoseconds.
func parseQuantity(b []byte) (q quantity, ok bool) {
	d := scanDecimal(b)
	if d.n == 0 {
		return q, false
	}
	q.dec, q.text = d, b[:d.n]
	if d.n == len(b) {
		return q, true
	}
	suffix := trim(b[d.n:])
	if q.unit, ok = parseUnit(suffix); ok {
		return q, true
	}
	if ns, ok := parseClock(b); ok {
		q.text = strconv.AppendInt(nil, ns, 10)
		q.dec, q.unit = scanDecimal(q.text), ingest.Nanosecond
		return q, true
	}
	return q, false
}

// trim cuts blanks from both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}
