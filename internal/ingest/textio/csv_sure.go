package textio

import (
	"bytes"
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// sureCSV reports whether a file that begins with head, and may be CSV, holds
// records: its header names a number or a time that is known, so that any fault
// further down must be seen; or all records have as many fields as the header,
// and one of the columns holds numbers.
func sureCSV(head []byte, f ingest.File) bool {
	if looksUTF16(head) {
		return true // to be refused by Open with a better message
	}
	head = bytes.TrimPrefix(head, utf8BOM)
	whole := int64(len(head)) >= f.Size-int64(len(utf8BOM))
	r := csvReader{w: newWindow(context.Background(), ingest.File{Size: int64(len(head)), ReaderAt: bytes.NewReader(head)}, 0), delim: sniffDelimiter(head), want: maxColumns}
	if ok, err := r.next(); !ok || err != nil {
		return false
	}
	for _, fd := range r.fields {
		if ingest.Measured(string(trim(fd.b))) {
			return true
		}
	}
	tallies := make([]tally, r.n)
	var scratch []float64
	for range sniffRecords {
		ok, err := r.next()
		if !ok && err == nil || !whole && (err != nil || r.w.at() >= int64(len(head))) {
			break // the last record may be cut by the end of head
		}
		if err != nil || r.n != len(tallies) {
			return false
		}
		for c := range tallies {
			tallies[c].addText(r.fields[c].b, &scratch)
		}
	}
	for c := range tallies {
		if class := tallies[c].info("").Class; tallies[c].total > 0 && (class == ingest.NumericClass || class == ingest.DurationClass) {
			return true
		}
	}
	return false
}
