package main

import (
	"fmt"
	"io"
	"strings"
)

// The marks of a row: what is required of it.
const (
	required = "●" // must meet the bound
	hard     = "○" // known to fail: must be refused or labelled
	recorded = ""  // for the record
)

// table prints rows as Markdown. The first column is left-aligned.
type table struct{ w io.Writer }

func newTable(w io.Writer, columns ...string) table {
	fmt.Fprintf(w, "\n| %s |\n|---|%s\n", strings.Join(columns, " | "), strings.Repeat("--:|", len(columns)-1))
	return table{w}
}

func (t table) row(cells ...string) {
	fmt.Fprintf(t.w, "| %s |\n", strings.Join(cells, " | "))
}

// meets says whether a row meets what its mark requires.
func meets(mark string, ok bool) string {
	switch {
	case mark == recorded:
		return ""
	case mark == hard && ok:
		return "○ labelled"
	case mark == hard:
		return "○ not labelled"
	case ok:
		return "● met"
	}
	return "● not met"
}

// leastCoverage is what a required row must reach.
const leastCoverage = 0.93

// covers is the verdict of a row about an interval: a required one must cover, a
// hard one be refused or labelled nearly always.
func covers(mark string, t tally) string {
	if mark == hard {
		return meets(mark, t.labelled >= t.n*95/100)
	}
	return meets(mark, t.given() > 0 && t.coverage() >= leastCoverage)
}

// section prints a heading and a paragraph.
func section(w io.Writer, title, text string, args ...any) {
	fmt.Fprintf(w, "\n## %s\n\n", title)
	fmt.Fprintf(w, strings.TrimSpace(text)+"\n", args...)
}
