package arrowio

import (
	"bytes"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// record builds a record batch from JSON rows.
func record(t *testing.T, sc *arrow.Schema, json string) arrow.RecordBatch {
	t.Helper()
	r, _, err := array.RecordFromJSON(memory.NewGoAllocator(), sc, strings.NewReader(json))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writeRecords(t *testing.T, stream bool, sc *arrow.Schema, recs []arrow.RecordBatch, opts ...ipc.Option) []byte {
	t.Helper()
	var b bytes.Buffer
	opts = append(opts, ipc.WithSchema(sc))
	var w recordWriter = ipc.NewWriter(&b, opts...)
	if !stream {
		b.Reset()
		var err error
		if w, err = ipc.NewFileWriter(onlyWriter{&b}, opts...); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range recs {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSteppedOver puts columns that are not read before one that is: their
// nodes and buffers must be counted right.
func TestSteppedOver(t *testing.T) {
	f64 := arrow.PrimitiveTypes.Float64
	text := arrow.BinaryTypes.String
	mem := memory.NewGoAllocator()
	union := array.NewDenseUnionBuilder(mem, arrow.DenseUnionOf([]arrow.Field{{Name: "a", Type: f64}, {Name: "b", Type: text}}, []arrow.UnionTypeCode{0, 1}))
	sparse := array.NewSparseUnionBuilder(mem, arrow.SparseUnionOf([]arrow.Field{{Name: "a", Type: f64}}, []arrow.UnionTypeCode{0}))
	maps := array.NewMapBuilder(mem, text, f64, false)
	runs := array.NewRunEndEncodedBuilder(mem, arrow.PrimitiveTypes.Int32, text)
	fixed := array.NewFixedSizeBinaryBuilder(mem, &arrow.FixedSizeBinaryType{ByteWidth: 3})
	views := array.NewStringViewBuilder(mem)
	deep := array.NewListBuilder(mem, arrow.ListOf(f64))
	nulls := array.NewNullBuilder(mem)
	nested := array.NewStructBuilder(mem, arrow.StructOf(
		arrow.Field{Name: "in", Type: arrow.StructOf(arrow.Field{Name: "x", Type: f64, Nullable: true}), Nullable: true}))
	last := array.NewFloat64Builder(mem)
	for i := range 5 {
		union.Append(arrow.UnionTypeCode(i % 2))
		if i%2 == 0 {
			union.Child(0).(*array.Float64Builder).Append(1)
		} else {
			union.Child(1).(*array.StringBuilder).Append("u")
		}
		sparse.Append(0)
		sparse.Child(0).(*array.Float64Builder).Append(1)
		maps.Append(true)
		maps.KeyBuilder().(*array.StringBuilder).Append("k")
		maps.ItemBuilder().(*array.Float64Builder).Append(1)
		runs.Append(1)
		runs.ValueBuilder().(*array.StringBuilder).Append("r")
		fixed.Append([]byte("abc"))
		views.Append(strings.Repeat("long ", i*3))
		deep.Append(true)
		deep.ValueBuilder().(*array.ListBuilder).Append(true)
		nulls.AppendNull()
		if nested.Append(i != 1); i != 1 {
			inner := nested.FieldBuilder(0).(*array.StructBuilder)
			if inner.Append(i != 2); i != 2 {
				inner.FieldBuilder(0).(*array.Float64Builder).Append(float64(i))
			}
		}
		last.Append(float64(10 * i))
	}
	names := []string{"union", "sparse", "map", "runs", "fixed", "views", "deep", "nulls", "nested", "last"}
	var fields []arrow.Field
	var arrays []arrow.Array
	for i, b := range []array.Builder{union, sparse, maps, runs, fixed, views, deep, nulls, nested, last} {
		a := b.NewArray()
		fields = append(fields, arrow.Field{Name: names[i], Type: a.DataType(), Nullable: true})
		arrays = append(arrays, a)
	}
	sc := arrow.NewSchema(fields, nil)
	rec := array.NewRecordBatch(sc, arrays, 5)
	for _, stream := range []bool{false, true} {
		src := open(t, IPC, memFile("x", writeRecords(t, stream, sc, []arrow.RecordBatch{rec, rec}, ipc.WithLZ4())))
		for _, name := range []string{"union", "sparse", "map", "runs", "fixed", "deep"} {
			if c := src.Columns()[column(t, src, name)]; c.Class != ingest.OtherClass {
				t.Errorf("%s: %+v is not of another class", name, c)
			}
		}
		m := ingest.Missing
		one := tableColumn{Floats: []float64{0, 10, 20, 30, 40}, State: make([]ingest.State, 5)}
		sameColumn(t, "last", twice(one), read(t, src, "last", ingest.Number, ingest.Unit{}))
		one = tableColumn{Floats: []float64{0, 0, 0, 3, 4}, State: []ingest.State{0, m, m, 0, 0}}
		sameColumn(t, "nested", twice(one), read(t, src, "nested.in.x", ingest.Number, ingest.Unit{}))
		one = tableColumn{State: []ingest.State{m, 0, 0, 0, 0}}
		for i := range 5 {
			one.Texts = append(one.Texts, strings.Repeat("long ", i*3))
		}
		sameColumn(t, "views", twice(one), read(t, src, "views", ingest.Text, ingest.Unit{}))
	}
}

func twice(c tableColumn) tableColumn {
	return tableColumn{
		Floats: append(c.Floats, c.Floats...),
		Texts:  append(c.Texts, c.Texts...),
		State:  append(c.State, c.State...),
	}
}

// TestDictionaryMessages reads dictionaries that grow, are replaced, hold
// nulls, or are of numbers.
func TestDictionaryMessages(t *testing.T) {
	text := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	nums := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: arrow.PrimitiveTypes.Float64}
	sc := arrow.NewSchema([]arrow.Field{{Name: "w", Type: text, Nullable: true}, {Name: "v_ms", Type: nums}}, nil)
	grows := []arrow.RecordBatch{
		record(t, sc, `[{"w":"a","v_ms":1.5},{"w":"b","v_ms":2.5}]`),
		record(t, sc, `[{"w":"a","v_ms":1.5},{"w":"b","v_ms":2.5},{"w":"c","v_ms":0.1},{"w":null,"v_ms":0.1}]`),
	}
	replaced := []arrow.RecordBatch{
		record(t, sc, `[{"w":"a","v_ms":1.5},{"w":"b","v_ms":2.5}]`),
		record(t, sc, `[{"w":"x","v_ms":7.5},{"w":"b","v_ms":8.5},{"w":"x","v_ms":9.5},{"w":null,"v_ms":9.5}]`),
	}
	for _, c := range []struct {
		name   string
		stream bool
		recs   []arrow.RecordBatch
		opts   []ipc.Option
		words  string
		values []float64
	}{
		{"delta, stream", true, grows, []ipc.Option{ipc.WithDictionaryDeltas(true)}, "a b a b c -", []float64{1.5, 2.5, 1.5, 2.5, 0.1, 0.1}},
		{"replaced", true, replaced, nil, "a b x b x -", []float64{1.5, 2.5, 7.5, 8.5, 9.5, 9.5}},
	} {
		src := open(t, IPC, memFile("x", writeRecords(t, c.stream, sc, c.recs, c.opts...)))
		var words []string
		got := read(t, src, "w", ingest.Text, ingest.Unit{})
		for i, w := range got.Texts {
			if got.State[i] != ingest.Present {
				w = "-"
			}
			words = append(words, w)
		}
		if s := strings.Join(words, " "); s != c.words {
			t.Errorf("%s: %s, want %s", c.name, s, c.words)
		}
		want := tableColumn{State: make([]ingest.State, 6)}
		for _, v := range c.values {
			want.Floats = append(want.Floats, v/1e3)
		}
		sameColumn(t, c.name, want, read(t, src, "v_ms", ingest.Number, ingest.Millisecond))
	}
	// pyarrow writes growing dictionaries to files, too.
	got := read(t, open(t, IPC, loadFile(t, "deltas.arrow")), "w", ingest.Text, ingest.Unit{})
	if s := strings.Join(got.Texts, " "); s != "a b a b c d" {
		t.Errorf("deltas.arrow: %s", s)
	}
}

// TestPartitionsOfFiles checks that a file falls into groups of enough rows,
// and a stream into one.
func TestPartitionsOfFiles(t *testing.T) {
	fields, cols := sample(200_000)
	for _, c := range []struct {
		stream     bool
		rows, want int
	}{{false, 1_000, 4}, {false, 64 << 10, 4}, {false, 100_000, 2}, {true, 1_000, 1}} {
		var b bytes.Buffer
		if err := WriteIPC(&b, fields[:1], cols[:1], nil, c.stream, WriterOptions{RowGroupRows: c.rows}); err != nil {
			t.Fatal(err)
		}
		src := open(t, IPC, memFile("x", b.Bytes()))
		if got := src.Partitions(); got != c.want || src.Rows() != 200_000 {
			t.Errorf("batches of %d rows: %d partitions, %d rows, want %d", c.rows, got, src.Rows(), c.want)
		}
	}
}

// TestEmptyFiles reads files with no row and no record batch.
func TestEmptyFiles(t *testing.T) {
	fields, cols := sample(0)
	for _, stream := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteIPC(&b, fields, cols, nil, stream, WriterOptions{}); err != nil {
			t.Fatal(err)
		}
		if src := open(t, IPC, memFile("x", b.Bytes())); src.Rows() != 0 || src.Partitions() != 0 || len(src.Columns()) != len(fields) {
			t.Errorf("%d rows in %d partitions", src.Rows(), src.Partitions())
		}
	}
	var b bytes.Buffer
	if err := WriteParquet(&b, fields, cols, nil, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	if src := open(t, Parquet, memFile("x", b.Bytes())); src.Rows() != 0 || src.Partitions() != 0 {
		t.Errorf("%d rows in %d row groups", src.Rows(), src.Partitions())
	}
}
