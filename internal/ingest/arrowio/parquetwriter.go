package arrowio

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// DefaultRowGroupRows is the row-group size of a ParquetWriter that is not
// told another.
const DefaultRowGroupRows = 1_000_000

// createdBy stands in the footer of every written file. It does not change
// with the program's version, so that equal data give equal bytes.
const createdBy = "perfdiff version 1.0.0"

// WriterOptions are the choices of a written file.
type WriterOptions struct {
	// RowGroupRows is the number of rows of a row group (Parquet) or record
	// batch (IPC); 0 means DefaultRowGroupRows.
	RowGroupRows int
}

func (o WriterOptions) rowGroupRows() int {
	if o.RowGroupRows == 0 {
		return DefaultRowGroupRows
	}
	return o.RowGroupRows
}

// ParquetWriter writes columns to a Parquet file, zstd-compressed. The same
// calls give the same bytes: nothing in the file depends on a clock, a map or
// the machine.
type ParquetWriter struct {
	fields []OutField
	groups int
	file   *file.Writer
	cols   []chunkWriter
	group  file.BufferedRowGroupWriter
	filled int // rows in group
	err    error
}

// WriteParquet writes one file at once.
func WriteParquet(w io.Writer, fields []OutField, cols []OutColumn, meta []ingest.KeyValue, opts WriterOptions) error {
	p, err := NewParquetWriter(w, fields, meta, opts)
	if err != nil {
		return err
	}
	if err := p.Write(cols); err != nil {
		return err
	}
	return p.Close()
}

// NewParquetWriter starts a file with the given columns and key-value
// metadata. It does not close w.
func NewParquetWriter(w io.Writer, fields []OutField, meta []ingest.KeyValue, opts WriterOptions) (*ParquetWriter, error) {
	if err := checkFields(fields); err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	if opts.RowGroupRows < 0 {
		return nil, fmt.Errorf("parquet: row groups of %d rows: want 0 (default) or more", opts.RowGroupRows)
	}
	root, err := outSchema(fields)
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	kv := metadata.NewKeyValueMetadata()
	for _, m := range meta {
		if err := kv.Append(m.Key, m.Value); err != nil {
			return nil, fmt.Errorf("parquet: metadata %q: %w", m.Key, err)
		}
	}
	props := []parquet.WriterProperty{
		parquet.WithAllocator(memory.NewGoAllocator()),
		parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithCompression(compress.Codecs.Zstd),
		parquet.WithDictionaryDefault(false),
		parquet.WithMaxRowGroupLength(int64(opts.rowGroupRows())),
		parquet.WithCreatedBy(createdBy),
	}
	for _, f := range fields {
		if f.Kind == Text {
			props = append(props, parquet.WithDictionaryPath(parquet.ColumnPath{f.Name}, true))
		}
	}
	fw, err := file.NewParquetWriterWithError(onlyWriter{w}, root,
		file.WithWriterProps(parquet.NewWriterProperties(props...)), file.WithWriteMetadata(kv))
	if err != nil {
		return nil, fmt.Errorf("parquet: %w", err)
	}
	p := &ParquetWriter{fields: append([]OutField(nil), fields...), groups: opts.rowGroupRows(), file: fw}
	p.cols = make([]chunkWriter, len(fields))
	return p, nil
}

// Write appends rows. It neither changes nor keeps the columns.
func (p *ParquetWriter) Write(cols []OutColumn) error {
	if p.err != nil {
		return p.err
	}
	rows, err := checkColumns(p.fields, cols)
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	for lo := 0; lo < rows; {
		if p.group == nil || p.filled == p.groups {
			if p.group, p.err = p.file.AppendBufferedRowGroupChecked(); p.err != nil {
				return p.err
			}
			p.filled = 0
		}
		hi := min(rows, lo+p.groups-p.filled)
		for i := range cols {
			if p.err = p.cols[i].write(p.group, i, p.fields[i], &cols[i], lo, hi); p.err != nil {
				p.err = fmt.Errorf("parquet: column %q: %w", p.fields[i].Name, p.err)
				return p.err
			}
		}
		p.filled += hi - lo
		lo = hi
	}
	return nil
}

// Close writes the last row group and the footer.
func (p *ParquetWriter) Close() error {
	if p.err != nil {
		return p.err
	}
	if err := p.file.Close(); err != nil {
		p.err = fmt.Errorf("parquet: %w", err)
		return p.err
	}
	p.err = fmt.Errorf("parquet: the writer is closed")
	return nil
}

// onlyWriter hides a Close method, which the library would call.
type onlyWriter struct{ io.Writer }

// outSchema builds the stored schema.
func outSchema(fields []OutField) (*schema.GroupNode, error) {
	nodes := make(schema.FieldList, len(fields))
	for i, f := range fields {
		rep := parquet.Repetitions.Required
		if f.Nullable {
			rep = parquet.Repetitions.Optional
		}
		var err error
		if nodes[i], err = outNode(f, rep); err != nil {
			return nil, fmt.Errorf("column %q: %w", f.Name, err)
		}
	}
	return schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
}

func outNode(f OutField, rep parquet.Repetition) (schema.Node, error) {
	switch f.Kind {
	case Float64:
		return schema.NewFloat64Node(f.Name, rep, -1), nil
	case Int64:
		return schema.NewInt64Node(f.Name, rep, -1), nil
	case Int32:
		return schema.NewInt32Node(f.Name, rep, -1), nil
	case Text:
		return schema.NewPrimitiveNodeLogical(f.Name, rep, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)
	case Timestamp:
		return schema.NewPrimitiveNodeLogical(f.Name, rep,
			schema.NewTimestampLogicalType(true, schema.TimeUnitNanos), parquet.Types.Int64, -1, -1)
	case Bool:
		return schema.NewBooleanNode(f.Name, rep, -1), nil
	default:
		element := schema.NewFloat64Node("element", parquet.Repetitions.Required, -1)
		list, err := schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element}, -1)
		if err != nil {
			return nil, err
		}
		return schema.NewGroupNodeLogical(f.Name, rep, schema.FieldList{list}, schema.ListLogicalType{}, -1)
	}
}
