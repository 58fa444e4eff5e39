package pairing

import "fmt"

// Duplicates says what becomes of rows that name the same answer and disagree.
// Rows that agree are one row, whatever the rule.
type Duplicates uint8

// The rules.
const (
	Refuse Duplicates = iota // an error that names them
	First                    // the row that comes first
	Last                     // the row that comes last
	Mean                     // the mean of those with a score
)

var duplicateNames = [...]string{"error", "first", "last", "mean"}

// String returns the name that --duplicates takes.
func (d Duplicates) String() string { return duplicateNames[d] }

// ParseDuplicates reads a rule's name.
func ParseDuplicates(s string) (Duplicates, error) {
	for i, n := range duplicateNames {
		if n == s {
			return Duplicates(i), nil
		}
	}
	return 0, fmt.Errorf("unknown rule %q: want error, first, last or mean", s)
}

// Options say how answers are paired.
type Options struct {
	Duplicates Duplicates
	// Runs tells that the answer sets of a side are runs over the same items:
	// answers to one item in several sets are then repeats, else duplicates.
	Runs bool
	// Universe lists task and item of what should be there; an empty task stands
	// for every task. Items outside of it are left out and counted, items of it
	// without an answer are missing. Nil for what the files hold.
	Universe [][2]string
	// KeepMismatched keeps items whose question or expected answer differs
	// between the sides; else they are left out and counted.
	KeepMismatched bool
}

// ConflictError reports rows that name the same answer and disagree.
type ConflictError struct {
	Side   int // 0 for x, 1 for y
	Key    Key
	Repeat string
	Rows   [2]string // the scores of two of them, as text
	More   int       // further answers with conflicting rows
}

func (e *ConflictError) Error() string {
	s := fmt.Sprintf("%s has several rows that disagree: %s and %s", e.Key, e.Rows[0], e.Rows[1])
	if e.Repeat != "" {
		s = fmt.Sprintf("%s, repeat %s, has several rows that disagree: %s and %s", e.Key, e.Repeat, e.Rows[0], e.Rows[1])
	}
	if e.More > 0 {
		s += fmt.Sprintf(" (and %d more like it)", e.More)
	}
	return s
}
