package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/report"
)

// explainRows is how many records are shown of each file.
const explainRows = 3

// explain says of every input what it was taken for: the reader, which column
// became which field in which unit, what is not used, and the first records as
// they were understood.
func (a *app) explain(ctx context.Context, inputs [][]string, in *inputFlags) (err error) {
	s, err := open(a.env, inputs, in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	w := a.env.Stdout
	for i, side := range s.sides {
		for j, f := range side.Files {
			if err := explainFile(ctx, w, f, s.meta[i].Files[j].Reader); err != nil {
				return err
			}
		}
	}
	for _, n := range s.notes {
		if _, err := fmt.Fprintln(w, report.Printable(n.Text)); err != nil {
			return err
		}
	}
	return nil
}

func explainFile(ctx context.Context, out io.Writer, f metric.File, reader string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: read as %s", report.Printable(f.Path), reader)
	if n := f.Source.Rows(); n >= 0 {
		fmt.Fprintf(&b, ", %d records", n)
	}
	b.WriteString("\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "field\tcolumn\tstored as\tunit")
	cols := f.Source.Columns()
	used := make([]bool, len(cols))
	var req []ingest.Request
	var shown []ingest.Field
	for field := ingest.Field(0); field < ingest.NumFields; field++ {
		b := f.Layout.Fields[field]
		if !b.Bound() {
			continue
		}
		used[b.Column] = true
		unit := b.Unit.Name
		if cols[b.Column].CellUnits {
			unit = "of each cell"
		}
		if unit == ingest.One.Name {
			unit = ""
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", field, report.Printable(b.Name), cols[b.Column].Type, unit)
		req = append(req, ingest.Request{Column: b.Column, Form: field.Form(), Unit: b.Unit})
		shown = append(shown, field)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var spare []string
	for i, c := range cols {
		if !used[i] {
			spare = append(spare, report.Printable(c.Name))
		}
	}
	if len(spare) > 0 {
		fmt.Fprintf(&b, "\ncarry no field: %s\n", strings.Join(spare, ", "))
	}
	if h, ok := f.Source.(ingest.HistogramSource); ok {
		if err := explainHistograms(&b, h); err != nil {
			return err
		}
	}
	if err := firstRecords(ctx, &b, f, req, shown); err != nil {
		return err
	}
	b.WriteString("\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// errShown ends a scan once the first records are there.
var errShown = errors.New("shown")

// firstRecords shows the first records in base units.
func firstRecords(ctx context.Context, b *strings.Builder, f metric.File, req []ingest.Request, shown []ingest.Field) error {
	if f.Source.Partitions() == 0 || len(req) == 0 {
		return nil
	}
	b.WriteString("\nfirst records, times in seconds\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for i, field := range shown {
		if i > 0 {
			fmt.Fprint(w, "\t")
		}
		fmt.Fprint(w, field)
	}
	fmt.Fprintln(w)
	err := f.Source.Scan(ctx, 0, req, func(batch *ingest.Batch) error {
		for i := range min(explainRows, batch.N) {
			for k, field := range shown {
				if k > 0 {
					fmt.Fprint(w, "\t")
				}
				fmt.Fprint(w, report.Printable(cell(&batch.Cols[k], field.Form(), i)))
			}
			fmt.Fprintln(w)
		}
		return errShown
	})
	if err != nil && !errors.Is(err, errShown) {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return w.Flush()
}

// cell prints one cell as it was understood.
func cell(c *ingest.Column, form ingest.Form, i int) string {
	const longest = 24
	switch c.StateAt(i) {
	case ingest.Missing:
		return "–"
	case ingest.Malformed:
		return "unreadable"
	}
	text := ""
	switch form {
	case ingest.Number:
		text = strconv.FormatFloat(c.Floats[i], 'g', 6, 64)
	case ingest.Time:
		text = fmt.Sprintf("%.6f", float64(c.Times[i])/1e9)
	case ingest.NumberList:
		text = fmt.Sprintf("%d values", len(c.List(i)))
	case ingest.Text:
		text = c.Str(i)
	}
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest-1]) + "…"
	}
	return text
}
