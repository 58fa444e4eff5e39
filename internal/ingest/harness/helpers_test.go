package harness

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// sample reads a real file, of this package or of the fixtures.
func sample(tb testing.TB, name string) ingest.File {
	tb.Helper()
	for _, dir := range []string{"testdata", "../../../fixtures/real"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			tb.Fatal(err)
		}
		return memFile(name, b)
	}
	tb.Fatalf("no sample %s", name)
	return ingest.File{}
}

func memFile(name string, b []byte) ingest.File {
	return ingest.File{Path: name, Size: int64(len(b)), ReaderAt: bytes.NewReader(b)}
}

func textFile(s string) ingest.File { return memFile("mem", []byte(s)) }

// detect returns the format that recognises the file first.
func detect(f ingest.File) (ingest.Format, bool) {
	head := make([]byte, min(f.Size, 64<<10))
	f.ReadAt(head, 0)
	for _, fm := range Formats {
		if fm.Detect(head, f) {
			return fm, true
		}
	}
	return ingest.Format{}, false
}

// open detects and opens a file of the named format.
func open(tb testing.TB, format string, f ingest.File) ingest.Source {
	tb.Helper()
	fm, ok := detect(f)
	if !ok {
		tb.Fatalf("%s: not detected", f.Path)
	}
	if fm.Name != format {
		tb.Fatalf("%s: taken for %s, not %s", f.Path, fm.Name, format)
	}
	s, err := fm.Open(f)
	if err != nil {
		tb.Fatalf("%s: %v", f.Path, err)
	}
	return s
}

// refuse checks that a file is recognised and refused with an error that holds
// all the parts.
func refuse(tb testing.TB, format string, f ingest.File, parts ...string) {
	tb.Helper()
	fm, ok := detect(f)
	if !ok || fm.Name != format {
		tb.Fatalf("%s: taken for %q, not %s", f.Path, fm.Name, format)
	}
	_, err := fm.Open(f)
	if err == nil {
		tb.Fatalf("%s: opened", f.Path)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			tb.Errorf("%s: error %q does not speak of %q", f.Path, err, p)
		}
	}
}

// records is the checked content of a source, as the pipeline sees it.
type records struct {
	ingest.Counts
	cols    map[ingest.Field][]float64 // good rows; times in seconds
	all     map[ingest.Field][]string  // texts of all rows
	tpot    []float64                  // good rows with two tokens and more
	gaps    []float64                  // of good rows
	generic map[string][]float64
	layout  *ingest.Layout
	unknown []string
}

// load resolves a source's columns and reads all of it.
func load(tb testing.TB, src ingest.Source) *records {
	tb.Helper()
	out, err := loadErr(src)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func loadErr(src ingest.Source) (*records, error) {
	l, err := ingest.Resolve("file", src.Columns(), nil)
	if err != nil {
		return nil, err
	}
	if len(l.Notes) > 0 {
		return nil, fmt.Errorf("columns that are not used: %v", l.Notes)
	}
	var fields []ingest.Field
	for f := ingest.Field(0); f < ingest.NumFields; f++ {
		fields = append(fields, f)
	}
	r := ingest.NewReader("file", src, l, ingest.Wanted{Fields: fields, Generic: l.Generic}, ingest.Options{Service: true})
	out := &records{cols: map[ingest.Field][]float64{}, all: map[ingest.Field][]string{}, generic: map[string][]float64{}, layout: l}
	for p := range src.Partitions() {
		row := int64(0)
		t, err := r.Scan(context.Background(), p, func(f *ingest.Frame) error {
			if f.Row != row || f.N <= 0 || f.N > ingest.BatchRows {
				return fmt.Errorf("batch of %d rows at %d, want it at %d", f.N, f.Row, row)
			}
			row += int64(f.N)
			return out.add(f)
		})
		if err != nil {
			return nil, err
		}
		out.Counts.Add(&t.Counts)
		out.unknown = append(out.unknown, t.UnknownPhases...)
	}
	if n := src.Rows(); n >= 0 && n != out.Total() {
		return nil, fmt.Errorf("the source says %d rows and has %d", n, out.Total())
	}
	return out, nil
}

func (o *records) add(f *ingest.Frame) error {
	for field := ingest.Field(0); field < ingest.NumFields; field++ {
		col := f.Col(field)
		if col == nil {
			continue
		}
		if col.State != nil && len(col.State) != f.N {
			return fmt.Errorf("%s: %d states for %d rows", field, len(col.State), f.N)
		}
		for i := range f.N {
			if field.Form() == ingest.Text {
				o.all[field] = append(o.all[field], col.Str(i))
			}
			if f.Reasons[i] != ingest.Good || col.StateAt(i) != ingest.Present {
				continue
			}
			switch field.Form() {
			case ingest.Number:
				o.cols[field] = append(o.cols[field], col.Floats[i])
			case ingest.Time:
				o.cols[field] = append(o.cols[field], float64(col.Times[i])/1e9)
			case ingest.NumberList:
				o.gaps = append(o.gaps, col.List(i)...)
			}
		}
	}
	for k, g := range o.layout.Generic {
		for i := range f.N {
			if f.Reasons[i] == ingest.Good && f.Generic[k].StateAt(i) == ingest.Present {
				o.generic[g.Name] = append(o.generic[g.Name], f.Generic[k].Floats[i])
			}
		}
	}
	ttft, e2e, tok := f.Col(ingest.TTFT), f.Col(ingest.E2E), f.Col(ingest.OutputTokens)
	if ttft != nil && e2e != nil && tok != nil {
		for i := range f.N {
			if f.Reasons[i] == ingest.Good && ttft.StateAt(i) == ingest.Present && e2e.StateAt(i) == ingest.Present &&
				tok.StateAt(i) == ingest.Present && tok.Floats[i] >= 2 {
				o.tpot = append(o.tpot, (e2e.Floats[i]-ttft.Floats[i])/(tok.Floats[i]-1))
			}
		}
	}
	return nil
}

// lists reads a column of lists, all rows, nil where there is none.
func lists(tb testing.TB, s ingest.Source, name string) (out [][]float64) {
	tb.Helper()
	for p := range s.Partitions() {
		err := s.Scan(context.Background(), p, []ingest.Request{{Column: index(tb, s, name), Form: ingest.NumberList, Unit: ingest.Second}}, func(b *ingest.Batch) error {
			for i := range b.N {
				out = append(out, slices.Clone(b.Cols[0].List(i)))
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

func index(tb testing.TB, s ingest.Source, name string) int {
	tb.Helper()
	i := slices.IndexFunc(s.Columns(), func(c ingest.ColumnInfo) bool { return c.Name == name })
	if i < 0 {
		tb.Fatalf("no column %q in %v", name, names(s))
	}
	return i
}

func names(s ingest.Source) (out []string) {
	for _, c := range s.Columns() {
		out = append(out, c.Name)
	}
	return out
}

// notes lists the remarks for the user.
func notes(s ingest.Source) (out []string) {
	for _, kv := range s.Metadata() {
		if strings.HasPrefix(kv.Key, "perfdiff.note.") {
			out = append(out, kv.Value)
		}
	}
	return out
}

func meta(s ingest.Source, key string) string {
	for _, kv := range s.Metadata() {
		if kv.Key == key {
			return kv.Value
		}
	}
	return ""
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// near compares within half a unit of the last printed digit.
func near(tb testing.TB, what string, got, want, digit float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= digit/2*(1+1e-9)) {
		tb.Errorf("%s = %.9g, want %v", what, got, want)
	}
}

func noteWith(tb testing.TB, s ingest.Source, part string) {
	tb.Helper()
	if !slices.ContainsFunc(notes(s), func(n string) bool { return strings.Contains(n, part) }) {
		tb.Errorf("no note with %q in %q", part, notes(s))
	}
}

func equal[T comparable](tb testing.TB, what string, got, want T) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s = %v, want %v", what, got, want)
	}
}
