package textio

import (
	"math"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// isNull reports whether a cell that should be a number, a time or a list says
// that there is none.
func isNull(s []byte) bool {
	switch len(s) {
	case 0:
		return true
	case 2:
		return s[0] == '\\' && s[1] == 'N' // what COPY of PostgreSQL and MySQL writes
	case 4:
		return fold(s, "null") || fold(s, "none")
	}
	return false
}

// isNullText reports the same of a text. Only the spellings that programs
// write: "none" and "NA" may be words of a category.
func isNullText(s []byte) bool {
	switch string(s) {
	case `\N`, "null", "NULL", "None":
		return true
	}
	return false
}

// parseSpecial parses NaN and infinity as strconv does, in any case.
func parseSpecial(s []byte) (float64, bool) {
	t, sign := s, 1
	if len(t) > 0 && (t[0] == '-' || t[0] == '+') {
		if t[0] == '-' {
			sign = -1
		}
		t = t[1:]
	}
	switch {
	case fold(t, "inf") || fold(t, "infinity"):
		return math.Inf(sign), true
	case fold(s, "nan"):
		return math.NaN(), true
	}
	return 0, false
}

// parseBool parses true and false into 1 and 0.
func parseBool(s []byte) (float64, bool) {
	switch {
	case fold(s, "true"):
		return 1, true
	case fold(s, "false"):
		return 0, true
	}
	return 0, false
}

// isNA reports whether a text says that there is no answer, in words that are
// no evidence of what the column holds.
func isNA(s []byte) bool { return fold(s, "na") || fold(s, "n/a") || fold(s, "nil") || fold(s, "-") }

// fold reports whether s is the lower-case ASCII word in any case.
func fold(s []byte, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i := range s {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// unitList names the units for a message.
func unitList() string { return strings.Join(ingest.UnitWords(), ", ") }
