package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Pairs is what belongs together across the sides.
type Pairs struct {
	Column string
	// Requests tells that requests of two single runs are matched, by words that
	// many of them have, and not runs.
	Requests bool
	Matched  int // pairs of runs, or words that both sides have
	// Alone is how many runs, or words, of each side have no partner and are left
	// out, AloneRuns the words of those runs.
	Alone     [2]int
	AloneRuns [2][]string
}

// pairedRuns tells which units of the two sides belong together: those with the
// same word.
type pairedRuns struct {
	Pairs
	words [2]map[string]string // of the paired runs, by label
}

var sideNames = [...]string{"baseline", "candidate"}

// pairUp finds out what the column of Options.Pair pairs, and leaves out of the
// inputs what has no partner. A side without a request is left as it is.
func (c *comparer) pairUp(ctx context.Context, in Inputs) error {
	column := c.opt.Pair
	if column == "" {
		return nil
	}
	if err := canPair(in.Sides, column); err != nil {
		return err
	}
	runs, err := metric.WordsOfRuns(ctx, in.Sides, column, in.Scan)
	if err != nil {
		return err
	}
	if len(runs[0]) == 0 || len(runs[1]) == 0 {
		return nil
	}
	if len(runs[0]) == 1 && len(runs[1]) == 1 && len(runs[0][0].Words)+len(runs[1][0].Words) > 2 {
		return c.matchRequests(ctx, in)
	}
	p := &pairedRuns{Pairs: Pairs{Column: column}}
	for side := range runs {
		if p.words[side], err = oneWordEach(column, sideNames[side], runs[side]); err != nil {
			return err
		}
	}
	if err := p.match(); err != nil {
		return err
	}
	matched := map[string]bool{}
	for _, word := range p.words[0] {
		matched[word] = true
	}
	for side := range in.Sides {
		in.Sides[side].Pairing = &metric.Pairing{Column: column, Matched: func(word string) bool { return matched[word] }}
	}
	c.pairs = p
	return nil
}

// canPair reports a file that has neither the column nor is a run by its name.
func canPair(sides []metric.Input, column string) error {
	var without []metric.Input
	for _, side := range sides {
		var files []metric.File
		for _, f := range side.Files {
			if !f.NamesRun(column) {
				files = append(files, f)
			}
		}
		without = append(without, metric.Input{Files: files})
	}
	return haveColumns(without, []string{column}, "to pair by")
}

// oneWordEach returns the word of each run of a side, by label. Each run has one,
// and no two the same.
func oneWordEach(column, side string, runs []metric.RunWords) (map[string]string, error) {
	words, of := map[string]string{}, map[string]string{}
	for _, r := range runs {
		switch {
		case len(r.Words) > 1:
			return nil, fmt.Errorf("--pair %s: run %q of the %s has several words in that column (%s), and runs are paired by one word each; name a column that holds one in every run, such as a night, a block or a host, or compare one run a side to match requests", column, r.Run, side, few(r.Words))
		case r.Missing > 0:
			return nil, fmt.Errorf("--pair %s: %s of run %q of the %s without a word in that column; fill it in, or leave the run out of the input", column, requests(r.Missing), r.Run, side)
		}
		word := r.Words[0]
		if other, twice := of[word]; twice {
			return nil, fmt.Errorf("--pair %s: runs %q and %q of the %s both have %s, and a pair is one run of each side; name a column that tells them apart, or give pieces of one run the same name in a run column", column, other, r.Run, side, few([]string{word}))
		}
		words[r.Run], of[word] = word, r.Run
	}
	return words, nil
}

// match leaves in the words of each side those that the other side has too, and
// notes the others.
func (p *pairedRuns) match() error {
	var all [2][]string
	for side, words := range p.words {
		for _, word := range words {
			all[side] = append(all[side], word)
		}
		slices.Sort(all[side])
	}
	for side, words := range p.words {
		for run, word := range words {
			if _, found := slices.BinarySearch(all[1-side], word); !found {
				delete(words, run)
				p.AloneRuns[side] = append(p.AloneRuns[side], word)
			}
		}
		slices.Sort(p.AloneRuns[side])
		p.Alone[side] = len(p.AloneRuns[side])
	}
	p.Matched = len(p.words[0])
	if p.Matched < 2 {
		found := [...]string{"no pair", "one pair alone"}[p.Matched]
		return fmt.Errorf("--pair %s: the runs of the baseline (%s) and of the candidate (%s) make %s, and how pairs vary is seen from two on, better five; measure more pairs, or leave --pair out",
			p.Column, few(all[0]), few(all[1]), found)
	}
	return nil
}

// few lists the first words of some, and the beginning of long ones.
func few(words []string) string {
	const most, longest = 5, 40
	var out []string
	for _, w := range words[:min(most, len(words))] {
		if r := []rune(w); len(r) > longest {
			w = string(r[:longest-1]) + "…"
		}
		out = append(out, fmt.Sprintf("%q", w))
	}
	if n := len(words) - most; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, ", ")
}

// lineUp puts the units of both sides in the order of their pairs.
func (c *comparer) lineUp() {
	if c.pairs == nil {
		return
	}
	c.sides = c.pairs.common(c.sides, func(*metric.Unit) bool { return true })
	succeeded := c.pairs.common(c.sides, func(u *metric.Unit) bool { return u.OK() > 0 })
	c.design.Baseline, c.design.Candidate = len(succeeded[0].Units), len(succeeded[1].Units)
	c.design.Pairs = &c.pairs.Pairs
}

// common returns the sides with those units alone whose partner has something
// too, in the order of the baseline: the sides themselves where that is so already.
func (p *pairedRuns) common(sides []*metric.Side, has func(*metric.Unit) bool) []*metric.Side {
	partner := map[string]*metric.Unit{}
	for _, u := range sides[1].Units {
		if has(u) {
			partner[p.words[1][u.Label]] = u
		}
	}
	var x, y []*metric.Unit
	for _, u := range sides[0].Units {
		if v := partner[p.words[0][u.Label]]; v != nil && has(u) {
			x, y = append(x, u), append(y, v)
		}
	}
	if slices.Equal(x, sides[0].Units) && slices.Equal(y, sides[1].Units) {
		return sides
	}
	a, b := *sides[0], *sides[1]
	a.Units, b.Units = x, y
	return []*metric.Side{&a, &b}
}

// together returns the sides of which a result is made: all units, or of pairs
// those that have something on both sides, and the result says how many have not.
// A side that has nothing at all leaves the other as it is.
func (c *comparer) together(r *Result, sides []*metric.Side, has func(*metric.Unit) bool) []*metric.Side {
	if c.pairs == nil {
		return sides
	}
	some := map[string]bool{}
	var n [2]int
	for s, side := range sides {
		for _, u := range side.Units {
			if has(u) {
				n[s]++
				some[c.pairs.words[s][u.Label]] = true
			}
		}
	}
	if n[0] == 0 || n[1] == 0 {
		return sides
	}
	sides = c.pairs.common(sides, has)
	if lost := len(some) - len(sides[0].Units); lost > 0 && !slices.ContainsFunc(r.Warnings, func(w stats.Warning) bool { return w.Code == "incomplete_pairs" }) {
		name := r.Metric.String()
		if c.slicing != "" {
			name += " of " + c.slicing
		}
		r.warn("incomplete_pairs", fmt.Sprintf("%s has values on one side alone in %d of %d pairs: they are left out on both", name, lost, len(some)))
	}
	return sides
}

// byPairs fills intervals from pairs of units, left out on both sides at once. The
// standard deviation of a unit is that of the change from pair to pair.
func (c *comparer) byPairs(r *Result, a, b *arm) {
	for _, log := range []bool{false, true} {
		va, x, okA := a.on(log, a.loo)
		vb, y, okB := b.on(log, b.loo)
		if !okA || !okB {
			continue
		}
		est, err := stats.JackknifeDifference(va, x, vb, y, c.opt.Level)
		if err != nil {
			continue
		}
		sd := stats.StandardError{SE: est.SE, DF: est.DF}.OfUnit(r.Baseline.Units).SE
		c.scale(r, log, est, sd, va, a.jackknifed(log), vb, b.jackknifed(log))
	}
}
