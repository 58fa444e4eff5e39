package ingest

import (
	"sort"
	"strings"
)

// Unit is the unit a column stores its numbers in. The zero Unit is unknown.
type Unit struct {
	Name     string  // as printed: "ms"
	num, den float64 // base = stored × num ÷ den
}

// Known reports whether the unit is known.
func (u Unit) Known() bool { return u.Name != "" }

// ToBase converts a stored number into the base unit (seconds for times).
// One of multiplication and division is always by 1, so the result is
// correctly rounded.
func (u Unit) ToBase(v float64) float64 {
	if u.den > 1 {
		return v / u.den
	}
	if u.num > 1 {
		return v * u.num
	}
	return v
}

// Factors returns num and den of base = stored × num ÷ den, for loops that
// convert whole columns.
func (u Unit) Factors() (num, den float64) {
	if !u.Known() {
		return 1, 1
	}
	return u.num, u.den
}

// Nanoseconds returns how many nanoseconds one stored unit is.
func (u Unit) Nanoseconds() float64 { return 1e9 * u.num / u.den }

var (
	Second      = Unit{"s", 1, 1}
	Millisecond = Unit{"ms", 1, 1e3}
	Microsecond = Unit{"us", 1, 1e6}
	Nanosecond  = Unit{"ns", 1, 1e9}
	Minute      = Unit{"min", 60, 1}
	Hour        = Unit{"h", 3600, 1}
	// One is the unit of counts, tokens and ratios.
	One = Unit{"1", 1, 1}
)

var unitWords = map[string]Unit{
	"s": Second, "sec": Second, "secs": Second, "second": Second, "seconds": Second,
	"ms": Millisecond, "msec": Millisecond, "millis": Millisecond, "millisecond": Millisecond, "milliseconds": Millisecond,
	"us": Microsecond, "µs": Microsecond, "μs": Microsecond, "usec": Microsecond, "micros": Microsecond, "microsecond": Microsecond, "microseconds": Microsecond,
	"ns": Nanosecond, "nsec": Nanosecond, "nanos": Nanosecond, "nanosecond": Nanosecond, "nanoseconds": Nanosecond,
	"min": Minute, "mins": Minute, "minute": Minute, "minutes": Minute,
	"h": Hour, "hour": Hour, "hours": Hour,
}

// ParseUnit returns the time unit that a word names ("ms", "seconds").
func ParseUnit(word string) (Unit, bool) {
	u, ok := unitWords[strings.ToLower(strings.TrimSpace(word))]
	return u, ok
}

// UnitWords lists the short names ParseUnit accepts, for error messages.
func UnitWords() []string {
	seen := map[string]bool{}
	var out []string
	for _, u := range unitWords {
		if !seen[u.Name] {
			seen[u.Name] = true
			out = append(out, u.Name)
		}
	}
	sort.Strings(out)
	return out
}

// SplitUnit splits a normalised column name into its stem and the unit its
// last word names: "ttft_ms" gives "ttft" and milliseconds. A name without a
// unit is returned whole with the zero Unit. "min" and "h" alone are common
// words ("ttft_min" is a minimum), so they are not read as suffixes, and
// "tokens_per_s" is a rate.
func SplitUnit(name string) (stem string, u Unit) {
	i := strings.LastIndexByte(name, '_')
	if i <= 0 {
		return name, Unit{}
	}
	u, ok := unitWords[name[i+1:]]
	stem = name[:i]
	if !ok || u == Minute || u == Hour || strings.HasSuffix(stem, "_per") {
		return name, Unit{}
	}
	stem = strings.TrimSuffix(stem, "_in") // latency_in_ms
	return stem, u
}

// NormalName folds a stored column name to lower_snake_case: "TTFT (ms)",
// "ttftMs" and "ttft-ms" all become "ttft_ms". Dots separate struct fields and
// stay.
func NormalName(name string) string {
	var b strings.Builder
	prevLower, pendingSep := false, false
	for _, r := range foldE2E(strings.TrimSpace(name)) {
		switch {
		case r >= 'A' && r <= 'Z':
			if (prevLower || pendingSep) && b.Len() > 0 && !strings.HasSuffix(b.String(), ".") {
				b.WriteByte('_')
			}
			b.WriteRune(r + 'a' - 'A')
			prevLower, pendingSep = false, false
		case r == '.':
			b.WriteByte('.')
			prevLower, pendingSep = false, false
		case r == '_' || r == '-' || r == ' ' || r == '(' || r == ')' || r == '[' || r == ']' || r == '/' || r == ':':
			pendingSep = b.Len() > 0
			prevLower = false
		default:
			if pendingSep && !strings.HasSuffix(b.String(), ".") {
				b.WriteByte('_')
			}
			b.WriteRune(r)
			prevLower, pendingSep = r >= 'a' && r <= 'z' || r >= '0' && r <= '9', false
		}
	}
	return b.String()
}

// foldE2E writes E2E, which is one word, and E2EL in small letters, with a
// separator before a word that follows them without one.
func foldE2E(name string) string {
	letter := func(i int) bool { return i >= 0 && i < len(name) && (name[i]|' ' >= 'a' && name[i]|' ' <= 'z') }
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if i+3 > len(name) || !strings.EqualFold(name[i:i+3], "e2e") || letter(i-1) {
			b.WriteByte(name[i])
			continue
		}
		b.WriteString("e2e")
		i += 2
		switch next := i + 1; {
		case letter(next) && name[next]|' ' == 'l' && !letter(next+1):
			b.WriteByte('l')
			i++
		case letter(next) && name[next] <= 'Z':
			b.WriteByte('_')
		}
	}
	return b.String()
}
