package arrowio

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// memFile makes an ingest.File of bytes.
func memFile(name string, b []byte) ingest.File {
	return ingest.File{Path: name, Size: int64(len(b)), ReaderAt: bytes.NewReader(b)}
}

func loadFile(t testing.TB, path ...string) ingest.File {
	t.Helper()
	name := filepath.Join(append([]string{"testdata"}, path...)...)
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return memFile(name, b)
}

// table is a whole column read into memory.
type tableColumn struct {
	Floats []float64
	Times  []int64
	Texts  []string
	Lists  [][]float64
	State  []ingest.State
}

// scanAll reads the requested columns of all partitions. Texts are read again with
// bytes for the numbers of few words, which must change nothing.
func scanAll(src ingest.Source, req ...ingest.Request) ([]tableColumn, int64, error) {
	out, rows, err := scanOnce(src, req)
	few := slices.Clone(req)
	for i := range few {
		few[i].Few = few[i].Form == ingest.Text
	}
	if slices.Equal(few, req) {
		return out, rows, err
	}
	again, n, err2 := scanOnce(src, few)
	if n != rows || fmt.Sprint(err2) != fmt.Sprint(err) {
		return out, rows, fmt.Errorf("with bytes for words %d rows and error %v, without %d and %v", n, err2, rows, err)
	}
	for i := range out {
		if !slices.Equal(out[i].Texts, again[i].Texts) || !slices.Equal(out[i].State, again[i].State) {
			return out, rows, fmt.Errorf("column %d reads otherwise with bytes for words", req[i].Column)
		}
	}
	return out, rows, err
}

func scanOnce(src ingest.Source, req []ingest.Request) ([]tableColumn, int64, error) {
	out := make([]tableColumn, len(req))
	rows := int64(0)
	for p := range src.Partitions() {
		next := int64(0)
		err := src.Scan(context.Background(), p, req, func(b *ingest.Batch) error {
			if b.Row != next {
				return fmt.Errorf("partition %d: batch begins at row %d, want %d", p, b.Row, next)
			}
			next += int64(b.N)
			rows += int64(b.N)
			for i := range req {
				if err := out[i].add(&b.Cols[i], b.N, req[i].Form); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return out, rows, err
		}
	}
	return out, rows, nil
}

func (t *tableColumn) add(c *ingest.Column, n int, form ingest.Form) error {
	if c.State != nil && len(c.State) != n {
		return fmt.Errorf("%d states, %d rows", len(c.State), n)
	}
	for i := range n {
		s := c.StateAt(i)
		t.State = append(t.State, s)
		present := s == ingest.Present
		switch form {
		case ingest.Number:
			v := c.Floats[i]
			if !present {
				v = 0
			}
			t.Floats = append(t.Floats, v)
		case ingest.Time:
			v := c.Times[i]
			if !present {
				v = 0
			}
			t.Times = append(t.Times, v)
		case ingest.Text:
			t.Texts = append(t.Texts, c.Str(i))
		case ingest.NumberList:
			t.Lists = append(t.Lists, append([]float64(nil), c.List(i)...))
		}
	}
	return nil
}

// column returns the index of the named column.
func column(t testing.TB, src ingest.Source, name string) int {
	t.Helper()
	for i, c := range src.Columns() {
		if c.Name == name {
			return i
		}
	}
	t.Fatalf("no column %q in %v", name, src.Columns())
	return -1
}

// read reads one named column of a source.
func read(t testing.TB, src ingest.Source, name string, form ingest.Form, unit ingest.Unit) tableColumn {
	t.Helper()
	cols, rows, err := scanAll(src, ingest.Request{Column: column(t, src, name), Form: form, Unit: unit})
	if err != nil {
		t.Fatalf("column %q: %v", name, err)
	}
	if rows != src.Rows() && src.Rows() >= 0 {
		t.Fatalf("%d rows read, the file says %d", rows, src.Rows())
	}
	return cols[0]
}

func open(t testing.TB, f ingest.Format, file ingest.File) ingest.Source {
	t.Helper()
	head := make([]byte, min(file.Size, 64<<10))
	if _, err := file.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	if !f.Detect(head, file) {
		t.Fatalf("%s: not taken for %s", file.Path, f.Name)
	}
	src, err := f.Open(file)
	if err != nil {
		t.Fatalf("%s: %v", file.Path, err)
	}
	return src
}

// sameColumn compares two columns, NaN equal to NaN.
func sameColumn(t testing.TB, name string, want, got tableColumn) {
	t.Helper()
	if reflect.DeepEqual(want, got) { // much faster than cmp
		return
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("column %s: (-want +got) %.300s", name, diff)
	}
}
