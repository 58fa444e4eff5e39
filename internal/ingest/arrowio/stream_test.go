package arrowio

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// largePages is a file with a page a column and row group: those of plain
// values are unpacked piece by piece.
func largePages(t *testing.T, rows int, version parquet.DataPageVersion) []byte {
	t.Helper()
	return writeEncodings(t, rows, compress.Codecs.Zstd, version, 64<<20)
}

func TestLargePages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rows = 140_000 // two row groups of pages above minStreamed
	for _, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
		t.Run(fmt.Sprintf("v%d", version+1), func(t *testing.T) {
			src := open(t, Parquet, memFile("large", largePages(t, rows, version)))
			for k, c := range encodingCases() {
				for col, nullable := range map[int]bool{k: false, k + len(encodingCases()): true} {
					checkEncoding(t, src, c, col, nullable, rows)
				}
			}
		})
	}
}

// preview reads the first rows of every partition.
func preview(src ingest.Source, rows int, req ingest.Request) (parts []tableColumn, err error) {
	for p := range src.Partitions() {
		var part tableColumn
		err := src.(ingest.Previewer).Preview(context.Background(), p, rows, []ingest.Request{req}, func(b *ingest.Batch) error {
			return part.add(&b.Cols[0], b.N, req.Form)
		})
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// A preview gives the first rows of each partition as a scan does, and leaves
// nothing behind that changes a scan after it.
func TestPreview(t *testing.T) {
	files := map[string][]byte{
		"small pages": writeEncodings(t, 9_000, compress.Codecs.Zstd, parquet.DataPageV2, 4<<10),
		"snappy":      writeEncodings(t, 9_000, compress.Codecs.Snappy, parquet.DataPageV1, 4<<10),
	}
	if !testing.Short() {
		files["large pages"] = largePages(t, 140_000, parquet.DataPageV2)
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			src := open(t, Parquet, memFile(name, data))
			for k, c := range append(encodingCases(), encodingCases()...) {
				req := ingest.Request{Column: k, Form: ingest.Number, Unit: ingest.Millisecond}
				if c.width == 16 || c.phys == parquet.Types.ByteArray {
					req.Form = ingest.Text
				}
				if c.phys == parquet.Types.Int96 {
					req.Form = ingest.Time
				}
				before, _, err := scanAll(src, req)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range []int{1, 100, 1 << 13, 1 << 14} {
					parts, err := preview(src, n, req)
					if err != nil {
						t.Fatalf("%s, column %d: %d rows: %v", c.name(k >= len(encodingCases())), k, n, err)
					}
					at := 0
					for p, part := range parts {
						m := len(part.State)
						rows := int(src.(*parquetSource).reader.RowGroup(p).NumRows())
						if m != min(n, rows) {
							t.Fatalf("column %d: %d rows of %d in a preview of %d", k, m, rows, n)
						}
						if want := slice(before[0], at, at+m, req.Form); !reflect.DeepEqual(want, part) {
							sameColumn(t, c.name(k >= len(encodingCases())), want, part)
						}
						at += rows
					}
				}
				after, _, err := scanAll(src, req)
				if err != nil {
					t.Fatal(err)
				}
				sameColumn(t, "after a preview", before[0], after[0])
			}
		})
	}
}

func slice(c tableColumn, lo, hi int, form ingest.Form) tableColumn {
	out := tableColumn{State: c.State[lo:hi]}
	switch form {
	case ingest.Number:
		out.Floats = c.Floats[lo:hi]
	case ingest.Time:
		out.Times = c.Times[lo:hi]
	case ingest.Text:
		out.Texts = c.Texts[lo:hi]
	}
	return out
}

// A page that is unpacked piece by piece must be sound to its end.
func TestLargePagesDamaged(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	d := damageFile(t, Parquet, largePages(t, 132_000, parquet.DataPageV1), 16, 6)
	t.Logf("%d errors (%d caught panics), %d read, at most %.1f MB and %v", d.errors, d.panics, d.sound, float64(d.bytes)/1e6, d.time)
	if d.errors == 0 {
		t.Error("no damage was found")
	}
}

// An error leaves no reader behind that is used again.
func TestReadersAfterErrors(t *testing.T) {
	src := open(t, Parquet, loadFile(t, "P21", "before.parquet"))
	req := ingest.Request{Column: column(t, src, "latency_ms"), Form: ingest.Number, Unit: ingest.Millisecond}
	want, _, err := scanAll(src, req)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	for range 3 {
		err := src.Scan(context.Background(), 0, []ingest.Request{req}, func(*ingest.Batch) error { return stop })
		if !errors.Is(err, stop) {
			t.Fatal(err)
		}
		got, _, err := scanAll(src, req)
		if err != nil {
			t.Fatal(err)
		}
		sameColumn(t, "latency_ms", want[0], got[0])
	}
}
