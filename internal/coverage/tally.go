package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// answer is what one method said in one replicate.
type answer struct {
	refused  bool // no interval, or one without any bound
	labelled bool // the answer carries a warning that doubts it
	miss     int8 // −1: the truth lies below the interval, 1: above it
	excludes bool // the interval leaves out the value of no change
	width    float32
}

// read turns an interval and its warnings into an answer. none is the value of no
// change, NaN if there is none. The width is relative to scale.
func read(iv stats.Interval, warnings []stats.Warning, err error, truth, none, scale float64) answer {
	if err != nil {
		return answer{refused: true, labelled: true}
	}
	a := answer{labelled: len(warnings) > 0, width: float32((iv.Hi - iv.Lo) / scale)}
	a.refused = math.IsInf(iv.Lo, -1) && math.IsInf(iv.Hi, 1)
	switch {
	case truth < iv.Lo:
		a.miss = -1
	case truth > iv.Hi:
		a.miss = 1
	}
	a.excludes = none < iv.Lo || none > iv.Hi
	return a
}

// tally sums up the answers of one method.
type tally struct {
	n, refused, labelled, below, above, excludes int
	widths                                       []float64
}

func tallied(answers [][]answer, method int) (t tally) {
	for _, all := range answers {
		t.add(all[method])
	}
	return t
}

func (t *tally) add(a answer) {
	t.n++
	if a.labelled {
		t.labelled++
	}
	if a.refused {
		t.refused++
		return
	}
	t.widths = append(t.widths, float64(a.width))
	if a.miss < 0 {
		t.below++
	}
	if a.miss > 0 {
		t.above++
	}
	if a.excludes {
		t.excludes++
	}
}

func (t tally) given() int { return t.n - t.refused }

func (t tally) coverage() float64 {
	return 1 - float64(t.below+t.above)/float64(t.given())
}

func (t tally) rejected() float64 { return float64(t.excludes) / float64(t.given()) }

// cells are the columns of an interval: coverage, truth above the upper and below
// the lower limit, median width, refused, labelled.
func (t tally) cells() []string {
	if t.given() == 0 {
		return []string{"–", "–", "–", "–", rate(t.refused, t.n), rate(t.labelled, t.n)}
	}
	slices.Sort(t.widths)
	return []string{
		fixed(t.coverage()), fixed(float64(t.above) / float64(t.given())), fixed(float64(t.below) / float64(t.given())),
		width(t.widths[len(t.widths)/2]), rate(t.refused, t.n), rate(t.labelled, t.n),
	}
}

var intervalColumns = []string{"coverage", "truth above", "truth below", "median width", "refused", "labelled"}

// fixed prints a probability to three digits, as .948.
func fixed(p float64) string {
	if math.IsNaN(p) {
		return "–"
	}
	s := fmt.Sprintf("%.3f", p)
	if s[0] == '0' {
		return s[1:]
	}
	return s
}

// rate prints a share with as many digits as tell it from none and from all.
func rate(k, n int) string {
	switch k {
	case 0:
		return "0"
	case n:
		return "1"
	}
	return fixed(math.Min(0.999, math.Max(0.001, float64(k)/float64(n))))
}

func width(v float64) string {
	if math.IsInf(v, 0) {
		return "∞"
	}
	return fmt.Sprintf("%.3g", v)
}
