// Command coverage measures what the methods and the command deliver: how often
// an interval holds the truth and on which side it misses, how often a change that
// is none is reported, how often noninferiority is shown exactly at the margin,
// how often a true change is found, how wide intervals are, and how often there is
// no answer.
//
//	go run ./internal/coverage -study end-to-end > docs/coverage.md
//	go run ./internal/coverage -study methods > docs/coverage-methods.md
//	go run ./internal/coverage -study quality > docs/coverage-quality.md
//
// The first sends the records of generated systems through the whole pipeline, the
// second asks the library, over the processes C1 to C17, one or more of which can
// be named instead, the third sends scores of items through theirs. Everything that can be computed by enumeration is. Each
// replicate has its own stream of random numbers, so that the same program prints
// the same tables with any number of workers.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
)

// study is a set of tables with a name.
type study struct {
	name   string
	tables []func(lab) error
}

var methods = []study{
	{"C1", []func(lab) error{exactQuantiles, quantiles, quantileChange}},
	{"C2", []func(lab) error{heavyMeans}},
	{"C4", []func(lab) error{series}},
	{"C6", []func(lab) error{runComparison}},
	{"C7", []func(lab) error{unequalSpread}},
	{"C8", []func(lab) error{mixShift}},
	{"C9", []func(lab) error{resolution}},
	{"C10", []func(lab) error{pairedBinary}},
	{"C11", []func(lab) error{clusteredItems}},
	{"C12", []func(lab) error{rareFailures}},
	{"C13", []func(lab) error{repeatedItems}},
	{"C14", []func(lab) error{nights}},
	{"C15", []func(lab) error{skewedScores}},
	{"C16", []func(lab) error{peeking}},
	{"C17", []func(lab) error{pairedRuns}},
}

// also maps processes to the study that has them.
var also = map[string]string{"C3": "C1", "C5": "C4"}

func main() {
	names := flag.String("study", "all", "end-to-end, methods, quality, all, or processes such as C6,C10")
	replicates := flag.Int("replicates", 4000, "replicates of a simulated cell of the methods; some tables take a part of them")
	pairs := flag.Int("pairs", 400, "pairs of systems a row, end to end")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "goroutines; they never change a table")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := bufio.NewWriter(os.Stdout)
	err := measure(ctx, out, strings.Split(*names, ","), *replicates, *pairs, *workers)
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(2)
	}
}

// measure prints the tables of the named studies.
func measure(ctx context.Context, w io.Writer, names []string, replicates, pairs, workers int) error {
	if replicates < 2 || pairs < 1 || workers < 1 {
		return fmt.Errorf("%d replicates, %d pairs, %d workers: want at least 2, 1 and 1", replicates, pairs, workers)
	}
	l := lab{ctx: ctx, w: w, replicates: replicates, workers: workers}
	var chosen []study
	endToEndToo := false
	for _, name := range names {
		if s, ok := also[name]; ok {
			name = s
		}
		at := slices.IndexFunc(methods, func(s study) bool { return s.name == name })
		switch {
		case name == "all":
			chosen, endToEndToo = methods, true
		case name == "methods":
			chosen = methods
		case name == "end-to-end":
			endToEndToo = true
		case name == "quality":
			if err := qualityStudy(l); err != nil {
				return fmt.Errorf("quality: %w", err)
			}
		case at >= 0:
			chosen = append(chosen, methods[at])
		default:
			return fmt.Errorf("no study %q: want end-to-end, methods, quality, all, or C1 to C17", name)
		}
	}
	if endToEndToo {
		if err := endToEnd(ctx, w, pairs, workers); err != nil {
			return err
		}
	}
	if len(chosen) > 0 {
		introduce(w, replicates)
	}
	for _, s := range chosen {
		for _, table := range s.tables {
			if err := table(l); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

func introduce(w io.Writer, replicates int) {
	fmt.Fprintf(w, `# What the methods deliver

Measured by `+"`go run ./internal/coverage -study methods > docs/coverage-methods.md`"+`
with %d replicates of a simulated cell unless a table says otherwise: the standard
error of a coverage of .95 is %.1f points at 4,000 and %.1f at 2,000, that of a size of
.05 the same. Intervals are two-sided at .95. "Truth above" is how often the truth
lies above the upper limit, "refused" how often there is no limit on either side,
"labelled" how often the answer carries a warning that doubts it or is refused; they
are shares of all replicates, the other columns shares of those with an interval.

A row marked ● must meet the requirement (coverage at least .93, unless said
otherwise). A row marked ○ is known to fail: it must be refused or labelled in at
least 95 %% of the replicates. Other rows are for the record.
`, replicates, 0.34, 0.49)
}
