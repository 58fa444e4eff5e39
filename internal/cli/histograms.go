package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/report"
)

// isHistogram reports whether a file holds histograms and no record.
func isHistogram(in *ingest.Input) bool {
	_, ok := in.Source.(ingest.HistogramSource)
	return ok
}

// needRecords reports a file of histograms where records are needed.
func (s *session) needRecords(what string) error {
	if i := slices.IndexFunc(s.opened, isHistogram); i >= 0 {
		return noRecords(s.opened[i], what)
	}
	return nil
}

func noRecords(in *ingest.Input, what string) error {
	return usage("%s: %s needs a record of every request, and the file (read as %s) holds histograms: counts by range, of no single request", ingest.DisplayPath(in.Path), what, in.Format)
}

// histogramFlags reports a flag that splits or cuts records, for a file that has
// none.
func histogramFlags(in *ingest.Input, f *inputFlags) error {
	if !isHistogram(in) {
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--warmup", f.warmup > 0},
		{"--by", len(f.by) > 0},
		{"--critical", len(f.crit) > 0},
		{"--mix", len(f.mix) > 0 && !slices.Equal(f.mix, []string{"none"})},
		{"--movers", f.movers},
		{"--pair", f.pair != ""},
		{"--unit " + f.unit, f.unit == "replica" || f.unit == "session" || f.unit == "block"},
		{"--timeouts " + f.timeouts, f.timeouts != "drop" && f.timeouts != ""},
	} {
		if flag.given {
			return noRecords(in, flag.name)
		}
	}
	return nil
}

// oneKind reports a side that holds both histograms and records.
func oneKind(files []*ingest.Input) error {
	for _, f := range files {
		if isHistogram(f) == isHistogram(files[0]) {
			continue
		}
		h, r := files[0], f
		if isHistogram(f) {
			h, r = f, files[0]
		}
		return usage("%s holds histograms and %s records of requests: a side is of one kind", ingest.DisplayPath(h.Path), ingest.DisplayPath(r.Path))
	}
	return nil
}

// explainHistograms lists the histograms of a file, in the units they are in.
func explainHistograms(b *strings.Builder, h ingest.HistogramSource) error {
	b.WriteString("\nhistograms, no records of requests\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "column\tvalues\tbuckets\tfrom\tto")
	each := h.Histograms()
	edge := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i, c := range h.Columns() {
		lo, hi := each[i].Span()
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\n", report.Printable(c.Name), each[i].Total(), len(each[i].Buckets), edge(lo), edge(hi))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if ok, failed, known := h.Outcomes(); known {
		fmt.Fprintf(b, "\nrequests by its counters: %d succeeded, %d failed\n", ok, failed)
	} else {
		b.WriteString("\nno counter tells how many requests failed\n")
	}
	return nil
}
