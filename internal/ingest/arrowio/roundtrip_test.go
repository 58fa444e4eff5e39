package arrowio

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestRoundTrip reads back what the writers wrote.
func TestRoundTrip(t *testing.T) {
	const rows = 20_000 // more than two batches
	fields, cols := sample(rows)
	meta := []ingest.KeyValue{{Key: "b", Value: "2"}, {Key: "a", Value: "1"}}
	var pq bytes.Buffer
	if err := WriteParquet(&pq, fields, cols, meta, WriterOptions{RowGroupRows: 9_000}); err != nil {
		t.Fatal(err)
	}
	src := open(t, Parquet, memFile("pq", pq.Bytes()))
	if got := src.Partitions(); got != 3 {
		t.Errorf("%d partitions, want 3", got)
	}
	checkSample(t, src, fields, cols, rows)

	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteIPC(&b, fields, cols, meta, stream, WriterOptions{RowGroupRows: 3_000}); err != nil {
			t.Fatal(err)
		}
		checkSample(t, open(t, IPC, memFile("ipc", b.Bytes())), fields, cols, rows)
	}
}

func checkSample(t *testing.T, src ingest.Source, fields []OutField, cols []OutColumn, rows int) {
	t.Helper()
	if src.Rows() >= 0 && src.Rows() != int64(rows) {
		t.Errorf("%d rows, want %d", src.Rows(), rows)
	}
	want := []ingest.KeyValue{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}
	if diff := cmp.Diff(want, src.Metadata()); diff != "" {
		t.Errorf("metadata: %s", diff)
	}
	forms := []ingest.Form{ingest.Number, ingest.Number, ingest.Time, ingest.Number, ingest.Text, ingest.Text, ingest.Time, ingest.Text, ingest.NumberList}
	units := []ingest.Unit{ingest.Millisecond, ingest.Millisecond, ingest.Nanosecond, {}, {}, {}, {}, {}, ingest.Millisecond}
	req := make([]ingest.Request, len(fields))
	for i, f := range fields {
		req[i] = ingest.Request{Column: column(t, src, f.Name), Form: forms[i], Unit: units[i]}
	}
	got, n, err := scanAll(src, req...)
	if err != nil || n != int64(rows) {
		t.Fatalf("%d rows, error %v", n, err)
	}
	for i := range fields {
		wantCol := expected(&cols[i], fields[i].Kind, forms[i], units[i], rows)
		sameColumn(t, fields[i].Name, wantCol, got[i])
	}
}

// expected converts a written column cell by cell.
func expected(c *OutColumn, k Kind, form ingest.Form, u ingest.Unit, rows int) (w tableColumn) {
	for i := range rows {
		s := ingest.Present
		if !c.valid(i) || k == Text && c.text(i) == "" {
			s = ingest.Missing
		}
		w.State = append(w.State, s)
		here := s == ingest.Present
		switch form {
		case ingest.Number:
			v := 0.0
			if here && k == Float64 {
				v = u.ToBase(c.Floats[i])
			} else if here {
				v = u.ToBase(float64(c.Ints[i]))
			}
			w.Floats = append(w.Floats, v)
		case ingest.Time:
			v := int64(0)
			if here {
				v = c.Ints[i]
			}
			w.Times = append(w.Times, v)
		case ingest.Text:
			v := ""
			if here && k == Bool {
				v = map[bool]string{true: "true", false: "false"}[c.Bools[i]]
			} else if here {
				v = c.text(i)
			}
			w.Texts = append(w.Texts, v)
		case ingest.NumberList:
			var list []float64
			if here {
				for _, v := range c.Floats[c.Offsets[i]:c.Offsets[i+1]] {
					list = append(list, u.ToBase(v))
				}
			}
			w.Lists = append(w.Lists, list)
		}
	}
	return w
}
