package arrowio

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// WriteIPC writes columns as an Arrow IPC file, or as a stream, compressed
// with zstd. Text becomes a dictionary. Like WriteParquet it is deterministic.
func WriteIPC(w io.Writer, fields []OutField, cols []OutColumn, meta []ingest.KeyValue, stream bool, opts WriterOptions) error {
	if err := checkFields(fields); err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	rows, err := checkColumns(fields, cols)
	if err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	if opts.RowGroupRows < 0 {
		return fmt.Errorf("arrow: record batches of %d rows: want 0 (default) or more", opts.RowGroupRows)
	}
	keys, values := make([]string, len(meta)), make([]string, len(meta))
	for i, m := range meta {
		keys[i], values[i] = m.Key, m.Value
	}
	kv := arrow.NewMetadata(keys, values)
	af := make([]arrow.Field, len(fields))
	arrays := make([]arrow.Array, len(fields))
	for i, f := range fields {
		arrays[i] = outArray(f.Kind, &cols[i], rows)
		af[i] = arrow.Field{Name: f.Name, Type: arrays[i].DataType(), Nullable: f.Nullable}
	}
	sc := arrow.NewSchema(af, &kv)
	record := array.NewRecordBatch(sc, arrays, int64(rows))

	options := []ipc.Option{ipc.WithSchema(sc), ipc.WithZstd(), ipc.WithCompressConcurrency(1)}
	var out recordWriter
	if stream {
		out = ipc.NewWriter(w, options...)
	} else if out, err = ipc.NewFileWriter(onlyWriter{w}, options...); err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	for lo := 0; lo < rows; lo += opts.rowGroupRows() {
		part := record.NewSlice(int64(lo), int64(min(rows, lo+opts.rowGroupRows())))
		if err := out.Write(part); err != nil {
			return fmt.Errorf("arrow: %w", err)
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("arrow: %w", err)
	}
	return nil
}

type recordWriter interface {
	Write(arrow.RecordBatch) error
	Close() error
}

// outArray builds the array of one column.
func outArray(k Kind, c *OutColumn, rows int) arrow.Array {
	mem := memory.NewGoAllocator()
	switch k {
	case Float64:
		b := array.NewFloat64Builder(mem)
		b.AppendValues(c.Floats, c.Valid)
		return b.NewArray()
	case Int64:
		b := array.NewInt64Builder(mem)
		b.AppendValues(c.Ints, c.Valid)
		return b.NewArray()
	case Int32:
		b := array.NewInt32Builder(mem)
		return appendCells(b, c, rows, func(i int) { b.Append(int32(c.Ints[i])) })
	case Timestamp:
		b := array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"})
		return appendCells(b, c, rows, func(i int) { b.Append(arrow.Timestamp(c.Ints[i])) })
	case Bool:
		b := array.NewBooleanBuilder(mem)
		b.AppendValues(c.Bools, c.Valid)
		return b.NewArray()
	case Text:
		return outDictionary(mem, c, rows)
	default:
		b := array.NewListBuilder(mem, arrow.PrimitiveTypes.Float64)
		v := b.ValueBuilder().(*array.Float64Builder)
		return appendCells(b, c, rows, func(i int) {
			b.Append(true)
			v.AppendValues(c.Floats[c.Offsets[i]:c.Offsets[i+1]], nil)
		})
	}
}

func appendCells(b array.Builder, c *OutColumn, rows int, add func(i int)) arrow.Array {
	for i := range rows {
		if c.valid(i) {
			add(i)
		} else {
			b.AppendNull()
		}
	}
	return b.NewArray()
}

// outDictionary builds a dictionary array, its words in the order they first
// appear.
func outDictionary(mem memory.Allocator, c *OutColumn, rows int) arrow.Array {
	words, ids := array.NewStringBuilder(mem), array.NewInt32Builder(mem)
	seen := map[string]int32{}
	indices := appendCells(ids, c, rows, func(i int) {
		word := c.text(i)
		id, ok := seen[word]
		if !ok {
			id = int32(len(seen))
			seen[word] = id
			words.Append(word)
		}
		ids.Append(id)
	})
	typ := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
	return array.NewDictionaryArray(typ, indices, words.NewArray())
}
