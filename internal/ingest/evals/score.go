package evals

import (
	"math"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// score is what one answer was worth, or why it has no score.
type score struct {
	state ingest.AnswerState
	value float64
}

var (
	unscored = score{state: ingest.Unscored}
	errored  = score{state: ingest.Errored}
)

// points is a score; a number that is not finite is none.
func points(v float64) score {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return unscored
	}
	return score{value: v}
}

// flag is the score of a right or wrong answer.
func flag(right bool) score {
	if right {
		return score{value: 1}
	}
	return score{}
}

// grade reads a score as Inspect does: numbers, truth values, C for correct, I
// for incorrect, P for partly, N for no answer, yes and no, numbers in quotes.
// null and NaN are no score. ok is false for anything else: Inspect turns other
// words into 0 with a warning, which is no evidence of a wrong answer.
func grade(v value) (s score, ok bool) {
	switch v.kind() {
	case 0, 'n':
		return unscored, true
	case 't', 'f':
		return flag(v.kind() == 't'), true
	case '0':
		f, ok := v.number()
		return points(f), ok
	case '"':
		return gradeWord(v.str())
	}
	return unscored, false
}

// gradeWord reads a score that is spelt as text.
func gradeWord(word string) (score, bool) {
	w := strings.TrimSpace(word)
	switch w {
	case "C", "c":
		return flag(true), true
	case "I", "i", "N", "n":
		return flag(false), true
	case "P", "p":
		return score{value: 0.5}, true
	case "":
		return unscored, true
	}
	switch strings.ToLower(w) {
	case "yes", "true", "correct", "pass", "passed", "right":
		return flag(true), true
	case "no", "false", "incorrect", "fail", "failed", "wrong":
		return flag(false), true
	case "null", "none", "nan":
		return unscored, true
	}
	if strings.ContainsAny(w, "xX_") { // Go's hexadecimal and spaced numbers
		return unscored, false
	}
	f, err := strconv.ParseFloat(w, 64)
	if err != nil {
		return unscored, false
	}
	return points(f), true
}

// share is the mean of a list of truth values, such as the instructions that an
// answer follows.
func share(v value) (s score, ok bool) {
	n, yes := 0, 0
	for e := range v.elements() {
		t, ok := e.truth()
		if !ok {
			return unscored, false
		}
		n++
		if t {
			yes++
		}
	}
	if n == 0 {
		return unscored, false
	}
	return score{value: float64(yes) / float64(n)}, true
}
