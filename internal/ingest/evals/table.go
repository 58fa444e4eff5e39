package evals

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// table is a file of records with columns, whatever its format.
type table struct {
	src    ingest.Source
	format string
	cols   []ingest.ColumnInfo
	req    []ingest.Request
}

// tableFormats are the formats of records, in the order they are asked.
func tableFormats() []ingest.Format {
	return []ingest.Format{arrowio.Parquet, arrowio.IPC, textio.JSONL, textio.JSON, textio.CSV}
}

// openTable opens a file of records. The error is ingest.ErrNoRecords if it is
// none.
func openTable(f ingest.File) (*table, error) {
	head := make([]byte, min(f.Size, headBytes))
	if _, err := f.ReadAt(head, 0); err != nil && int64(len(head)) < f.Size {
		return nil, err
	}
	for _, format := range tableFormats() {
		if !format.Detect(head, f) {
			continue
		}
		src, err := format.Open(f)
		if err != nil && format.Name == textio.CSV.Name && !strings.HasSuffix(f.Path, "sv") {
			return nil, fmt.Errorf("%w: read as CSV: %w", ErrNoAnswers, err) // any text looks like CSV
		}
		if err != nil {
			return nil, err
		}
		return &table{src: src, format: format.Name, cols: src.Columns()}, nil
	}
	return nil, ingest.ErrNoRecords
}

const headBytes = 64 << 10

// find returns the index of the column with the name, −1 if there is none.
func (t *table) find(name string) int {
	return slices.IndexFunc(t.cols, func(c ingest.ColumnInfo) bool { return c.Name == name })
}

// ask requests a column and returns where it will be in each batch, −1 for a
// column that is not there or cannot be read so.
func (t *table) ask(col int, form ingest.Form) int {
	if col < 0 {
		return -1
	}
	switch t.cols[col].Class {
	case ingest.ListClass:
		if form != ingest.NumberList {
			return -1
		}
	case ingest.OtherClass:
		return -1
	case ingest.NullClass:
	default:
		if form == ingest.NumberList {
			return -1
		}
	}
	t.req = append(t.req, ingest.Request{Column: col, Form: form})
	return len(t.req) - 1
}

// scan reads all partitions in order.
func (t *table) scan(ctx context.Context, yield func(b *ingest.Batch) error) error {
	row := int64(0)
	for p := range t.src.Partitions() {
		err := t.src.Scan(ctx, p, t.req, func(b *ingest.Batch) error {
			err := yield(b)
			var at *rowError
			if errors.As(err, &at) {
				return fmt.Errorf("record %d: %w", row+int64(at.row)+1, at.err)
			}
			row += int64(b.N)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rowError is an error of one row of a batch.
type rowError struct {
	row int
	err error
}

func (e *rowError) Error() string { return e.err.Error() }

// cell returns the text of a requested column, "" where there is none.
func cell(b *ingest.Batch, at, row int) string {
	if at < 0 {
		return ""
	}
	return b.Cols[at].Str(row)
}

// close releases the source.
func (t *table) close(err error) error { return errors.Join(err, t.src.Close()) }
