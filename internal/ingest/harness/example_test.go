package harness_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/harness"
)

// A file is recognised by its content; its columns carry canonical names.
func Example() {
	const text = `{"date": "20260901-101112", "backend": "openai", "model_id": "m", "tokenizer_id": "m",
		"num_prompts": 3, "request_rate": "inf", "max_concurrency": 8, "completed": 3,
		"input_lens": [10, 20, 30], "output_lens": [3, 0, 2], "ttfts": [0.1, 0.0, 0.2],
		"itls": [[0.01, 0.03], [], [0.05]], "errors": ["", "Internal Server Error", ""]}`
	file := ingest.File{Path: "bench.json", Size: int64(len(text)), ReaderAt: strings.NewReader(text)}
	for _, format := range harness.Formats {
		if !format.Detect([]byte(text), file) {
			continue
		}
		src, err := format.Open(file)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(format.Name)
		var req []ingest.Request
		for i, c := range src.Columns() {
			if c.Name == "status" || c.Name == "ttft_s" {
				fmt.Println("column", c.Name)
				form := ingest.Text
				if c.Class == ingest.NumericClass {
					form = ingest.Number
				}
				req = append(req, ingest.Request{Column: i, Form: form, Unit: ingest.Second})
			}
		}
		err = src.Scan(context.Background(), 0, req, func(b *ingest.Batch) error {
			for i := range b.N {
				if b.Cols[1].StateAt(i) == ingest.Present {
					fmt.Println(b.Cols[0].Str(i), b.Cols[1].Floats[i])
				} else {
					fmt.Println(b.Cols[0].Str(i), "-")
				}
			}
			return nil
		})
		if err != nil {
			fmt.Println(err)
		}
		for _, kv := range src.Metadata() {
			if strings.HasPrefix(kv.Key, "perfdiff.note.") || kv.Key == "fingerprint.model" {
				fmt.Printf("%s: %s\n", kv.Key, kv.Value)
			}
		}
		return
	}
	// Output:
	// vllm
	// column status
	// column ttft_s
	// ok 0.1
	// error -
	// ok 0.2
	// fingerprint.model: m
	// perfdiff.note.1: the file says that 3 requests completed; by their errors, lengths and times 2 of 3 did
}
