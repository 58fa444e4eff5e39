package textio_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

func file(text string) ingest.File {
	return ingest.File{Path: "example", Size: int64(len(text)), ReaderAt: strings.NewReader(text)}
}

// Cells with a unit of their own come out in seconds.
func Example() {
	s, err := textio.CSV.Open(file("run,latency\nr1,157ms\nr1,0.2s\nr2,\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Columns() {
		fmt.Printf("%s: %s\n", c.Name, c.Type)
	}
	req := []ingest.Request{{Column: 0, Form: ingest.Text}, {Column: 1, Form: ingest.Number}}
	err = s.Scan(context.Background(), 0, req, func(b *ingest.Batch) error {
		for i := range b.N {
			if b.Cols[1].StateAt(i) == ingest.Present {
				fmt.Println(b.Cols[0].Str(i), b.Cols[1].Floats[i])
			} else {
				fmt.Println(b.Cols[0].Str(i), "missing")
			}
		}
		return nil
	})
	fmt.Println(err)
	// Output:
	// run: text
	// latency: number with unit
	// r1 0.157
	// r1 0.2
	// r2 missing
	// <nil>
}

// Nested objects are columns by dotted path.
func Example_jsonl() {
	s, err := textio.JSONL.Open(file(`{"metadata": {"phase": "warmup"}, "ttft": {"value": 12.5, "unit": "ms"}, "error": null}` + "\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Columns() {
		fmt.Printf("%s: %s\n", c.Name, c.Type)
	}
	// Output:
	// metadata: object
	// metadata.phase: text
	// ttft: number with unit
	// error: empty
}

// Faults of the data are named with their place.
func ExampleError() {
	_, err := textio.CSV.Open(file("run,latency\nr1,157\nr1\n"))
	fmt.Println(err)
	_, err = textio.JSONL.Open(file("{\"a\": 1}\n{\"a\": 1"))
	fmt.Println(err)
	// Output:
	// line 3: found 1 field, expected 2 as in the header
	// line 2, byte 8: found the end of the file, expected a comma or '}'; the file seems cut off
}

// A file that is not compressed is returned as it is.
func ExampleDecompress() {
	f, cleanup, err := textio.Decompress(file("run,latency\n"), os.TempDir())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer cleanup()
	fmt.Println(f.Size)
	// Output: 12
}
