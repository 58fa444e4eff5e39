package cli

import (
	"context"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// labelled is a file of many records with the given run in each partition.
type labelled struct {
	ingest.Source
	rows int64
	runs []string
	read int
}

func (f *labelled) Rows() int64     { return f.rows }
func (f *labelled) Partitions() int { return len(f.runs) }
func (f *labelled) Scan(_ context.Context, p int, _ []ingest.Request, yield func(*ingest.Batch) error) error {
	f.read++
	return yield(&ingest.Batch{N: 2, Cols: []ingest.Column{{IDs: []int32{0, 0}, Dict: []string{f.runs[p]}}}})
}

// TestLoneRuns looks for a second run only where it is cheaper than to look at
// every quantile in the order of time, and no further than to the first one.
func TestLoneRuns(t *testing.T) {
	bound, free := &ingest.Layout{}, &ingest.Layout{}
	for i := range free.Fields {
		bound.Fields[i].Column, free.Fields[i].Column = -1, -1
	}
	bound.Fields[ingest.Run] = ingest.Binding{Name: "run"}
	for _, c := range []struct {
		why   string
		files []metric.File
		want  bool
		reads int
	}{
		{"one run in its column", []metric.File{{Source: &labelled{rows: manyRecords, runs: []string{"a", "a", "a"}}, Layout: bound}}, true, 3},
		{"two runs", []metric.File{{Source: &labelled{rows: manyRecords, runs: []string{"a", "b", "c"}}, Layout: bound}}, false, 2},
		{"few records", []metric.File{{Source: &labelled{rows: 100, runs: []string{"a"}}, Layout: bound}}, false, 0},
		{"a text file", []metric.File{{Source: &labelled{rows: -1, runs: []string{"a"}}, Layout: bound}}, false, 0},
		{"one file without runs", []metric.File{{Label: "x", Source: &labelled{rows: manyRecords}, Layout: free}}, true, 0},
		{"two files, two runs", []metric.File{{Label: "x", Source: &labelled{rows: manyRecords}, Layout: free}, {Label: "y", Source: &labelled{rows: 1}, Layout: free}}, false, 0},
		{"two parts of one run", []metric.File{{Source: &labelled{rows: manyRecords}, Layout: free}, {Source: &labelled{rows: 1}, Layout: free}}, true, 0},
	} {
		got, err := loneRuns(t.Context(), []metric.Input{{Files: c.files}})
		reads := 0
		for _, f := range c.files {
			reads += f.Source.(*labelled).read
		}
		if err != nil || got != c.want || reads != c.reads {
			t.Errorf("%s: %v after %d reads, want %v after %d; error %v", c.why, got, reads, c.want, c.reads, err)
		}
	}
}
