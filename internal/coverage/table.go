package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/perfdiff/perfdiff/internal/verdict"
)

func printRow(w io.Writer, d design, outs []outcome) {
	fmt.Fprintf(w, "| %s |", d.name)
	for i := range quantiles {
		covered, judged := 0, 0
		for _, o := range outs {
			if o.judged[i] {
				judged++
				if o.covered[i] {
					covered++
				}
			}
		}
		fmt.Fprintf(w, " %s |", share(covered, judged))
	}
	for i := range quantiles {
		var widths []float64
		for _, o := range outs {
			if o.judged[i] {
				widths = append(widths, o.width[i])
			}
		}
		slices.Sort(widths)
		if len(widths) == 0 {
			fmt.Fprint(w, " – |")
			continue
		}
		fmt.Fprintf(w, " +%.1f %% |", 100*widths[len(widths)/2])
	}
	for _, v := range []verdict.Outcome{verdict.Pass, verdict.Fail, verdict.Inconclusive} {
		n := 0
		for _, o := range outs {
			if o.verdict == v {
				n++
			}
		}
		fmt.Fprintf(w, " %s |", share(n, len(outs)))
	}
	fmt.Fprintln(w)
}

func share(k, n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(k)/float64(n))
}
