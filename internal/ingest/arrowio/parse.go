package arrowio

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// parseNumber reads a number that is stored as text, in the base unit: a bare
// number is in unit, "157ms" names its own.
func parseNumber(s string, unit ingest.Unit) (float64, ingest.State) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "", "null", "none":
		return 0, ingest.Missing
	case "true":
		return 1, ingest.Present
	case "false":
		return 0, ingest.Present
	}
	v, own, ok := splitNumber(s)
	if !ok {
		return 0, ingest.Malformed
	}
	if own.Known() {
		unit = own
	}
	return unit.ToBase(v), ingest.Present
}

// splitNumber parses a decimal number with an optional unit of time. Out of
// range gives ±Inf.
func splitNumber(s string) (v float64, unit ingest.Unit, ok bool) {
	end := strings.LastIndexAny(s, "0123456789.") + 1
	if word := strings.TrimSpace(s[end:]); end > 0 && word != "" {
		if unit, ok = ingest.ParseUnit(word); !ok {
			return 0, unit, false
		}
		s = s[:end]
	}
	if strings.ContainsAny(s, "xX_") {
		return 0, unit, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if ne, is := err.(*strconv.NumError); is && ne.Err == strconv.ErrRange {
		err = nil
	}
	return v, unit, err == nil
}

// parseTime reads a time that is stored as text: RFC 3339, with or without
// zone (none means UTC), or a number with a unit.
func parseTime(s string, unit ingest.Unit) (int64, ingest.State) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "", "null", "none":
		return 0, ingest.Missing
	}
	if t, ok := parseTimestamp(s); ok {
		return t, ingest.Present
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && timeUnit(unit) {
		if ns, ok := mulNanos(n, int64(unit.Nanoseconds())); ok {
			return ns, ingest.Present
		}
		return 0, ingest.Malformed
	}
	v, own, ok := splitNumber(s)
	if own.Known() {
		unit = own
	}
	if !ok || !timeUnit(unit) {
		return 0, ingest.Malformed
	}
	if ns, ok := floatNanos(v, unit.Nanoseconds()); ok {
		return ns, ingest.Present
	}
	return 0, ingest.Malformed
}

func timeUnit(u ingest.Unit) bool { return u.Known() && u != ingest.One }

var timeLayouts = [...]string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02T15:04:05.999999999Z07",
}

// parseTimestamp parses RFC 3339 text, a blank allowed for the T, the zone
// optional.
func parseTimestamp(s string) (int64, bool) {
	if len(s) < len("2006-01-02T15:04:05") || s[4] != '-' {
		return 0, false
	}
	if s[10] == ' ' {
		s = s[:10] + "T" + strings.Replace(s[11:], " ", "", 1)
	}
	s = strings.TrimSuffix(s, "UTC")
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return instantNanos(t)
		}
	}
	return 0, false
}

// instantNanos returns the nanoseconds since 1970, if an int64 holds them.
func instantNanos(t time.Time) (int64, bool) {
	ns, ok := mulNanos(t.Unix(), 1e9)
	sum := ns + int64(t.Nanosecond())
	return sum, ok && sum >= ns
}

// mulNanos returns v × per, if an int64 holds it.
func mulNanos(v, per int64) (int64, bool) {
	p := v * per
	if per != 0 && p/per != v {
		return 0, false
	}
	return p, true
}

// floatNanos returns v × per to the nearest nanosecond, with the whole part
// and the fraction taken apart so that neither loses digits of the other.
func floatNanos(v, per float64) (int64, bool) {
	whole, frac := math.Modf(v)
	if !(math.Abs(whole) < math.MaxInt64/per) {
		return 0, false
	}
	return int64(whole)*int64(per) + int64(math.RoundToEven(frac*per)), true
}

// decimalNanos returns v ÷ 10^scale × per, rounded half away from zero.
func decimalNanos(v int64, scale int, per int64) (int64, bool) {
	if scale <= 0 {
		for ; scale < 0; scale++ {
			var ok bool
			if v, ok = mulNanos(v, 10); !ok {
				return 0, false
			}
		}
		return mulNanos(v, per)
	}
	if scale > 18 {
		return floatNanos(decimalFloat(v, scale), float64(per))
	}
	mag := uint64(v)
	if v < 0 {
		mag = -mag
	}
	den := uint64(1)
	for range scale {
		den *= 10
	}
	hi, lo := bits.Mul64(mag, uint64(per))
	if hi >= den {
		return 0, false
	}
	q, rem := bits.Div64(hi, lo, den)
	if rem >= den-rem {
		q++
	}
	if q > math.MaxInt64 {
		return 0, false
	}
	if v < 0 {
		return -int64(q), true
	}
	return int64(q), true
}
