package textio

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// caseFile reads a file of testdata.
func caseFile(tb testing.TB, name string) ingest.File {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return ingest.File{Path: name, Size: int64(len(b)), ReaderAt: bytes.NewReader(b)}
}

func textFile(s string) ingest.File { return memFile([]byte(s)) }

// open detects and opens a file, as the commands do.
func open(tb testing.TB, f ingest.File) ingest.Source {
	tb.Helper()
	head := make([]byte, min(f.Size, 64<<10))
	if _, err := readFull(f, head, 0); err != nil && f.Size > 0 {
		tb.Fatal(err)
	}
	for _, format := range []ingest.Format{JSONL, JSON, CSV} {
		if format.Detect(head, f) {
			s, err := format.Open(f)
			if err != nil {
				tb.Fatalf("%s: %v", format.Name, err)
			}
			return s
		}
	}
	tb.Fatalf("%s: not detected", f.Path)
	return nil
}

// cells is one column of a whole file.
type cells struct {
	State  []ingest.State
	Floats []float64
	Times  []int64
	Texts  []string
	Lists  [][]float64
}

// scan reads columns of all partitions in order and checks the batches.
func scan(s ingest.Source, req []ingest.Request) ([]cells, error) {
	out := make([]cells, len(req))
	for p := range s.Partitions() {
		row := int64(0)
		err := s.Scan(context.Background(), p, req, func(b *ingest.Batch) error {
			if b.Row != row || b.N <= 0 || b.N > ingest.BatchRows || len(b.Cols) != len(req) {
				panic("batch out of order")
			}
			row += int64(b.N)
			for i := range req {
				out[i].add(req[i].Form, &b.Cols[i], b.N)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *cells) add(form ingest.Form, col *ingest.Column, n int) {
	if col.State != nil && len(col.State) != n {
		panic("states of another length")
	}
	for i := range n {
		st := col.StateAt(i)
		c.State = append(c.State, st)
		switch form {
		case ingest.Number:
			v := col.Floats[:n][i]
			if st != ingest.Present {
				v = 0
			}
			c.Floats = append(c.Floats, v)
		case ingest.Time:
			v := col.Times[:n][i]
			if st != ingest.Present {
				v = 0
			}
			c.Times = append(c.Times, v)
		case ingest.Text:
			_ = col.IDs[:n]
			c.Texts = append(c.Texts, col.Str(i))
		case ingest.NumberList:
			_ = col.Offsets[:n+1]
			c.Lists = append(c.Lists, slices.Clone(col.List(i)))
		}
	}
}

// column reads one column.
func column(tb testing.TB, s ingest.Source, name string, form ingest.Form, u ingest.Unit) cells {
	tb.Helper()
	out, err := scan(s, []ingest.Request{{Column: index(tb, s, name), Form: form, Unit: u}})
	if err != nil {
		tb.Fatal(err)
	}
	return out[0]
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

// good returns the finite present values.
func (c cells) good() (v []float64) {
	for i, st := range c.State {
		if st == ingest.Present && !math.IsNaN(c.Floats[i]) && !math.IsInf(c.Floats[i], 0) {
			v = append(v, c.Floats[i])
		}
	}
	return v
}

func (c cells) count(st ingest.State) (n int) {
	for _, s := range c.State {
		if s == st {
			n++
		}
	}
	return n
}

// quantile is Hyndman and Fan's type 7.
func quantile(v []float64, q float64) float64 {
	v = slices.Sorted(slices.Values(v))
	h := q * float64(len(v)-1)
	i := min(int(h), len(v)-2)
	return v[i] + (h-float64(i))*(v[i+1]-v[i])
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func near(tb testing.TB, what string, got, want float64) {
	tb.Helper()
	const tolerance = 1e-6 // relative
	if !(math.Abs(got-want) <= tolerance*max(math.Abs(want), 1e-12)) {
		tb.Errorf("%s = %v, want %v", what, got, want)
	}
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }
