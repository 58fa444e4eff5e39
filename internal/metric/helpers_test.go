package metric_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// csv opens texts as the files of a side.
func csv(t testing.TB, texts ...string) metric.Input {
	t.Helper()
	var in metric.Input
	for i, text := range texts {
		name := fmt.Sprintf("file-%d", i+1)
		src, err := textio.CSV.Open(ingest.File{Path: name, Size: int64(len(text)), ReaderAt: bytes.NewReader([]byte(text))})
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, open(t, name, src))
	}
	return in
}

func open(t testing.TB, name string, src ingest.Source) metric.File {
	t.Helper()
	l, err := ingest.Resolve(name, src.Columns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return metric.File{Path: name, Label: name, Source: src, Layout: l}
}

// made is a side of generated records.
func made(t testing.TB, spec fixtures.Spec) metric.Input {
	t.Helper()
	r, err := fixtures.Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	return metric.Input{Files: []metric.File{open(t, "made", r.Source())}}
}

// items selects what is asked of inputs.
func items(t testing.TB, ask []string, defined []*metric.Metric, inputs ...metric.Input) []metric.Item {
	t.Helper()
	var layouts []*ingest.Layout
	for _, in := range inputs {
		for _, f := range in.Files {
			layouts = append(layouts, f.Layout)
		}
	}
	out, err := metric.Select(ask, nil, defined, metric.Directions{}, layouts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// collect collects one side.
func collect(t testing.TB, in metric.Input, plan metric.Plan) *metric.Side {
	t.Helper()
	sides, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return sides[0]
}

// values returns the values of an item in a unit, sorted.
func values(u *metric.Unit, item int) []float64 { return u.Cells[item].Sketch.Sorted() }

func closeTo(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }
