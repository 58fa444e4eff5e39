package evals_test

import (
	"context"
	"fmt"
	"os"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/evals"
)

// One side of a comparison is a folder as lm-evaluation-harness writes it.
func ExampleLoader_Load() {
	var l evals.Loader
	side, err := l.Load(context.Background(), "testdata/lm-eval/copa/sshleifer__tiny-gpt2", ingest.AnswerOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	right := 0.0
	for _, a := range side.Answers {
		right += a.Score
	}
	fmt.Println(side.Files[0].Format, side.Model)
	fmt.Println(side.Answers[0].Task, side.Answers[0].Metric, right, "of", len(side.Answers))
	// Output:
	// lm-eval sshleifer/tiny-gpt2
	// copa acc 12 of 20
}

// The ids that should be there may come from any file that lists them.
func ExampleLoader_Universe() {
	var l evals.Loader
	ids, err := l.Universe(context.Background(), "testdata/written/swe/org__agent.run7.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(ids), ids[0][1])
	// Output: 6 django__django-1
}

// A format is recognised by the content of a file.
func Example_formats() {
	data, err := os.ReadFile("testdata/written/arena/model-x.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	f := ingest.File{Path: "anything", Size: int64(len(data)), ReaderAt: readerAt(data)}
	for _, format := range evals.Formats {
		if format.Detect(data, f) {
			set, err := format.Read(context.Background(), f, ingest.AnswerOptions{})
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Println(format.Name, set.Model, len(set.Answers))
			break
		}
	}
	// Output: arena-hard model-x 4
}

type readerAt []byte

func (r readerAt) ReadAt(p []byte, off int64) (int, error) { return copy(p, r[off:]), nil }
