package textio

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// JSONL reads one JSON object a line. It detects a file whose first line that
// is not blank is a whole object.
//
// Columns are the paths of the first 1,000 records: a member of a nested
// object has the name "metadata.phase". An object of exactly {"value": 157,
// "unit": "ms"}, where the value may also be a list of numbers, is a column at
// its own path whose cells carry their unit. A path at which there are other
// objects is listed too, and read as Text gives their compact JSON.
//
// NaN, Infinity and -Infinity are numbers. Of a key that an object has twice
// the last value counts. A line may be 64 MiB long.
var JSONL = ingest.Format{Name: "jsonl", Detect: detectJSONL, Sure: sureJSONL, Open: openJSONL}

// JSON reads an array of JSON objects, laid out in any way, as JSONL reads
// lines. It detects a file that begins with a bracket and a whole object.
var JSON = ingest.Format{Name: "json", Detect: detectJSON, Open: openJSON}

// chunkBytes is the size of a partition of a JSONL file.
const chunkBytes = 8 << 20

// jsonSource is an opened JSONL or JSON file.
type jsonSource struct {
	file  ingest.File
	array bool
	body  int64 // offset of the text, behind a byte order mark
	chunk int64
	cols  []ingest.ColumnInfo
	paths [][][]string // the paths of each column
}

func detectJSONL(head []byte, f ingest.File) bool {
	c, _, ok := firstByte(head)
	return ok && c == '{' && firstRecord(&jsonSource{file: f, body: TextStart(f), chunk: chunkBytes})
}

// sureJSONL reports whether a file that may be JSON lines is a list of records
// and not a single document, such as the settings of a run: its name says so, or
// a second object follows the first.
func sureJSONL(head []byte, f ingest.File) bool {
	if !strings.HasSuffix(strings.ToLower(f.Path), ".json") {
		return true
	}
	s := &jsonSource{file: f, body: TextStart(f), chunk: chunkBytes}
	records := s.records(newWindow(context.Background(), f, s.body))
	for range 2 {
		if b, _, _, err := records.next(); err != nil || b == nil {
			return err != nil // Open will complain
		}
	}
	return true
}

func detectJSON(head []byte, f ingest.File) bool {
	c, _, ok := firstByte(head)
	return ok && c == '[' && firstRecord(&jsonSource{file: f, body: TextStart(f), array: true})
}

// firstRecord reports whether the first record is a valid object, or longer
// than can be read, about which Open will complain.
func firstRecord(s *jsonSource) bool {
	w := newWindow(context.Background(), s.file, s.body)
	b, _, cut, err := s.records(w).next()
	if err != nil {
		return len(w.rest()) > w.max
	}
	if b == nil {
		return false
	}
	p := recordParser{}
	return p.record(b, 0, cut) == nil
}

func openJSONL(f ingest.File) (ingest.Source, error) { return openRecords(f, false) }
func openJSON(f ingest.File) (ingest.Source, error)  { return openRecords(f, true) }

// openRecords reads the first records for their columns.
func openRecords(f ingest.File, array bool) (ingest.Source, error) {
	head := make([]byte, min(f.Size, 4096))
	if n, err := readFull(f, head, 0); n < len(head) {
		return nil, fmt.Errorf("reading the first record: %w", err)
	}
	if looksUTF16(head) {
		return nil, errUTF16
	}
	s := &jsonSource{file: f, array: array, body: TextStart(f), chunk: chunkBytes}
	r := s.records(newWindow(context.Background(), f, s.body))
	var sn sniffer
	for i := 0; i < sniffRecords; i++ {
		b, off, cut, err := r.next()
		if err != nil {
			return nil, locate(f, err)
		}
		if b == nil {
			break
		}
		if err := sn.record(b, cut); err != nil {
			return nil, locate(f, shifted(err, off))
		}
		if off-s.body > sniffBytes {
			break
		}
	}
	if sn.root.objects == 0 {
		return nil, errors.New("the file holds no record; expected JSON objects")
	}
	s.cols, s.paths = sn.columns()
	return s, nil
}

// shifted places a fault of the record at off.
func shifted(err error, off int64) error {
	if ft, ok := err.(*fault); ok {
		return ft.shift(off)
	}
	return err
}

// records returns the objects from the beginning of the window on.
func (s *jsonSource) records(w *window) records {
	if s.array {
		return &elements{w: w}
	}
	return &lines{w: w, end: s.file.Size}
}

func (s *jsonSource) Columns() []ingest.ColumnInfo { return s.cols }

// Rows returns −1: only a full read can tell.
func (s *jsonSource) Rows() int64 { return -1 }

// Partitions returns the number of 8 MiB pieces of a JSONL file. A line belongs
// to the piece in which it begins. An array is one piece.
func (s *jsonSource) Partitions() int {
	if s.array {
		return 1
	}
	return int(max(1, (s.file.Size+s.chunk-1)/s.chunk))
}

func (s *jsonSource) Metadata() []ingest.KeyValue { return nil }

func (s *jsonSource) Close() error { return nil }
