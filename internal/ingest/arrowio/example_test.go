package arrowio_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
)

// A file is written from slices and read back in base units: milliseconds
// become seconds.
func Example() {
	fields := []arrowio.OutField{
		{Name: "ttft_ms", Kind: arrowio.Float64},
		{Name: "run", Kind: arrowio.Text, Nullable: true},
	}
	cols := []arrowio.OutColumn{
		{Floats: []float64{182, 184.5, 190}},
		{Texts: []string{"run-1", "", "run-2"}, Valid: []bool{true, false, true}},
	}
	var buf bytes.Buffer
	if err := arrowio.WriteParquet(&buf, fields, cols, nil, arrowio.WriterOptions{}); err != nil {
		fmt.Println(err)
		return
	}

	f := ingest.File{Path: "runs.parquet", Size: int64(buf.Len()), ReaderAt: bytes.NewReader(buf.Bytes())}
	src, err := arrowio.Parquet.Open(f)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer src.Close()
	req := []ingest.Request{
		{Column: 0, Form: ingest.Number, Unit: ingest.Millisecond},
		{Column: 1, Form: ingest.Text},
	}
	for p := range src.Partitions() {
		err := src.Scan(context.Background(), p, req, func(b *ingest.Batch) error {
			for i := range b.N {
				fmt.Printf("%.4f s %q\n", b.Cols[0].Floats[i], b.Cols[1].Str(i))
			}
			return nil
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 0.1820 s "run-1"
	// 0.1845 s ""
	// 0.1900 s "run-2"
}
