package arrowio

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestListShapes reads lists of two and three levels, within structures, with
// nulls at every level, and refuses what is no list of numbers.
func TestListShapes(t *testing.T) {
	type shape struct {
		name  string
		node  schema.Node
		defs  []int16
		reps  []int16
		vals  []float64
		class ingest.Class
		want  [][]float64
		state []ingest.State
	}
	opt, req, rep := parquet.Repetitions.Optional, parquet.Repetitions.Required, parquet.Repetitions.Repeated
	group := func(name string, r parquet.Repetition, logical schema.LogicalType, fields ...schema.Node) schema.Node {
		if _, plain := logical.(schema.NoLogicalType); plain {
			logical = nil
		}
		n, err := schema.NewGroupNodeLogical(name, r, fields, logical, -1)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	list, none := schema.ListLogicalType{}, schema.NoLogicalType{}
	const missing = ingest.Missing
	for _, s := range []shape{
		{
			name:  "itl",
			node:  group("itl", opt, list, group("list", rep, none, schema.NewFloat64Node("element", opt, -1))),
			defs:  []int16{3, 3, 0, 1, 2, 3, 2, 3},
			reps:  []int16{0, 1, 0, 0, 0, 0, 1, 1},
			vals:  []float64{1, 2, 3, 4},
			class: ingest.ListClass,
			want:  [][]float64{{1, 2}, nil, {}, {}, {3, 4}},
			state: []ingest.State{0, missing, 0, 0, 0},
		},
		{
			name:  "itl",
			node:  group("itl", req, list, schema.NewFloat64Node("array", rep, -1)), // two levels
			defs:  []int16{1, 1, 0, 1},
			reps:  []int16{0, 1, 0, 0},
			vals:  []float64{1, 2, 3},
			class: ingest.ListClass,
			want:  [][]float64{{1, 2}, {}, {3}},
			state: []ingest.State{0, 0, 0},
		},
		{
			name:  "itl",
			node:  schema.NewFloat64Node("itl", rep, -1), // no annotation at all
			defs:  []int16{0, 1, 1, 1},
			reps:  []int16{0, 0, 1, 1},
			vals:  []float64{1, 2, 3},
			class: ingest.ListClass,
			want:  [][]float64{{}, {1, 2, 3}},
			state: []ingest.State{0, 0},
		},
		{
			name:  "metrics.itl",
			node:  group("metrics", opt, none, group("itl", opt, list, group("bag", rep, none, schema.NewFloat64Node("array_element", req, -1)))),
			defs:  []int16{0, 1, 2, 3},
			reps:  []int16{0, 0, 0, 0},
			vals:  []float64{5},
			class: ingest.ListClass,
			want:  [][]float64{nil, nil, {}, {5}},
			state: []ingest.State{missing, missing, 0, 0},
		},
		{
			name: "requests.latency",
			node: group("requests", opt, list, group("list", rep, none,
				group("element", opt, none, schema.NewFloat64Node("latency", opt, -1)))),
			defs: []int16{4, 4}, reps: []int16{0, 1}, vals: []float64{1, 2},
			class: ingest.OtherClass,
		},
		{
			name: "deep",
			node: group("deep", opt, list, group("list", rep, none,
				group("element", opt, list, group("list", rep, none, schema.NewFloat64Node("element", opt, -1))))),
			defs: []int16{5}, reps: []int16{0}, vals: []float64{1},
			class: ingest.OtherClass,
		},
	} {
		root, err := schema.NewGroupNode("schema", req, schema.FieldList{s.node}, -1)
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		w := file.NewParquetWriter(onlyWriter{&buf}, root)
		g, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		c, err := g.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.(*file.Float64ColumnChunkWriter).WriteBatch(s.vals, s.defs, s.reps); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		src := open(t, Parquet, memFile("x", buf.Bytes()))
		info := src.Columns()[0]
		if info.Class != s.class {
			t.Errorf("%s: %+v, want class %d", s.name, info, s.class)
			continue
		}
		got, _, err := scanAll(src, ingest.Request{Form: ingest.NumberList, Unit: ingest.Second})
		if s.class == ingest.OtherClass {
			if err == nil {
				t.Errorf("%s: no error", s.name)
			}
			continue
		}
		if err != nil || info.Name != s.name {
			t.Fatalf("%s: named %s, error %v", s.name, info.Name, err)
		}
		sameColumn(t, fmt.Sprint(s.name, s.defs), tableColumn{Lists: s.want, State: s.state}, got[0])
	}
}

// TestLongLists checks that lists cut a batch short before they fill memory,
// and that a list may be longer than a batch.
func TestLongLists(t *testing.T) {
	const rows, length = 300, 10_000
	c := OutColumn{Offsets: []int32{0}}
	for i := range rows {
		for j := range length {
			c.Floats = append(c.Floats, float64(i*length+j))
		}
		c.Offsets = append(c.Offsets, int32(len(c.Floats)))
	}
	fields := []OutField{{Name: "itl_s", Kind: FloatList}}
	var pq, ipc bytes.Buffer
	if err := WriteParquet(&pq, fields, []OutColumn{c}, nil, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteIPC(&ipc, fields, []OutColumn{c}, nil, false, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, src := range []ingest.Source{open(t, Parquet, memFile("pq", pq.Bytes())), open(t, IPC, memFile("ipc", ipc.Bytes()))} {
		sum, batches := 0.0, 0
		err := src.Scan(t.Context(), 0, []ingest.Request{{Form: ingest.NumberList}}, func(b *ingest.Batch) error {
			batches++
			if n := len(b.Cols[0].Floats); n > 2*maxListValues {
				t.Errorf("a batch with %d numbers", n)
			}
			for _, v := range b.Cols[0].Floats {
				sum += v
			}
			return nil
		})
		const n = rows * length
		if err != nil || sum != n*(n-1)/2 || batches < 2 {
			t.Errorf("sum %v in %d batches, error %v", sum, batches, err)
		}
	}
}
