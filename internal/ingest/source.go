package ingest

import (
	"context"
	"io"
)

// Class is what a column can be read as, seen from its stored type.
type Class uint8

// The classes. A text reader decides the class from the first records.
const (
	OtherClass    Class = iota // cannot be read as a field: a map, a list of structs, …
	NumericClass               // integers, floats, decimals
	DurationClass              // a typed duration: its unit is part of the type
	InstantClass               // a typed or textual timestamp
	BoolClass
	TextClass
	ListClass // a list of numbers
	NullClass // no value seen
)

// ColumnInfo describes a stored column. Struct fields are listed flat, by
// dotted path.
type ColumnInfo struct {
	Name  string
	Type  string // as stored, for messages: "DECIMAL(18,3)", "text"
	Class Class
	// CellUnits reports that cells carry their own unit ("157ms"), or that the
	// type does (a duration), so a time needs no unit from the name.
	CellUnits bool
}

// KeyValue is a pair of file metadata.
type KeyValue struct{ Key, Value string }

// Source is one opened file. Columns, Rows, Partitions and Metadata are cheap
// and constant. Scan may be called at the same time for different partitions.
type Source interface {
	// Columns lists the stored columns in file order.
	Columns() []ColumnInfo
	// Rows returns how many records the file says it has, −1 if it does not say.
	Rows() int64
	// Partitions returns into how many independently readable pieces the file
	// falls. It depends on the file alone.
	Partitions() int
	// Scan reads the requested columns of a partition in order and calls yield
	// for every batch. The batch is valid until yield returns. An error of
	// yield or of ctx stops the scan and is returned. Errors of the data name
	// the place (row group and column, or line) and what was expected.
	Scan(ctx context.Context, partition int, req []Request, yield func(*Batch) error) error
	// Metadata returns the file's key-value metadata, sorted by key.
	Metadata() []KeyValue
	// Close releases what Open allocated; it does not close the File.
	Close() error
}

// Ranger is a Source that knows the range of a column without reading it.
type Ranger interface {
	// Range returns the least and the greatest value of a column of instants
	// in a partition, in nanoseconds; ok is false where the file does not say.
	// The unit is that of a bare number.
	Range(partition, column int, unit Unit) (lo, hi int64, ok bool)
}

// Previewer is a Source that reads the beginning of a partition for less than
// what the whole of it costs.
type Previewer interface {
	// Preview is Scan of the first rows of a partition.
	Preview(ctx context.Context, partition, rows int, req []Request, yield func(*Batch) error) error
}

// File is an input's bytes.
type File struct {
	Path string // as the user named it; "-" is standard input
	Size int64
	io.ReaderAt
}

// Format is a file format that can be recognised by its content.
type Format struct {
	Name string // as --reader takes it: "parquet"
	// Detect looks at up to 64 KiB of the file's beginning, and its whole size.
	Detect func(head []byte, f File) bool
	// Sure, if not nil, looks more strictly at a file that Detect took and that
	// nobody named by itself: a directory may hold a text beside the records. A
	// file that it is not sure of is passed over.
	Sure func(head []byte, f File) bool
	// Open reads what is needed to know the columns.
	Open func(f File) (Source, error)
}
