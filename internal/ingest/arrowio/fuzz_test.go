package arrowio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// fuzzRows bounds what a fuzzed file may make the reader do: a few bytes can
// honestly stand for a billion nulls.
const fuzzRows = 1 << 20

func fuzzScan(f ingest.Format, b []byte) {
	src, err := f.Open(memFile("x", b))
	if err != nil {
		return
	}
	defer src.Close()
	for i := range src.Columns() {
		for form := ingest.Number; form <= ingest.NumberList; form++ {
			for p := range min(src.Partitions(), 4) {
				rows := 0
				_ = src.Scan(context.Background(), p, []ingest.Request{{Column: i, Form: form, Unit: ingest.Nanosecond, Few: p%2 == 0}}, func(bt *ingest.Batch) error {
					c := &bt.Cols[0]
					for r := range bt.N {
						switch form {
						case ingest.Text:
							_ = c.Str(r)
						case ingest.NumberList:
							_ = c.List(r)
						}
					}
					if rows += bt.N; rows > fuzzRows {
						return errors.New("enough")
					}
					return nil
				})
			}
		}
	}
}

func addSeeds(f *testing.F, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

func FuzzParquet(f *testing.F) {
	fields, cols := sample(40)
	var b bytes.Buffer
	if err := WriteParquet(&b, fields, cols, nil, WriterOptions{RowGroupRows: 25}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	addSeeds(f, "testdata/P2?/*.parquet")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzScan(Parquet, b) })
}

func FuzzIPC(f *testing.F) {
	fields, cols := sample(40)
	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteIPC(&b, fields, cols, nil, stream, WriterOptions{RowGroupRows: 25}); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	addSeeds(f, "testdata/corpus/polars-*.arrow*")
	f.Fuzz(func(t *testing.T, b []byte) { fuzzScan(IPC, b) })
}
