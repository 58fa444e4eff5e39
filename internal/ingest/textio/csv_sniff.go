package textio

import (
	"bytes"
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// sniffDelimiter returns the separator of a CSV file that begins with head: of
// those that split the header, the one by which most records have as many
// fields as the header; then the one with most fields. A header that none
// splits is one column.
func sniffDelimiter(head []byte) byte {
	best, bestN, bestShare := byte(','), 1, -1.0
	for _, d := range []byte{',', ';', '\t'} {
		n, share := headerFields(head, d)
		if n > 1 && (share > bestShare || share == bestShare && n > bestN) {
			best, bestN, bestShare = d, n, share
		}
	}
	return best
}

// headerFields returns how many fields the header has with a delimiter, 0 if
// it cannot be read, and the share of further records that have as many.
func headerFields(head []byte, delim byte) (n int, share float64) {
	head = bytes.TrimPrefix(head, utf8BOM)
	f := ingest.File{Size: int64(len(head)), ReaderAt: bytes.NewReader(head)}
	r := csvReader{w: newWindow(context.Background(), f, 0), delim: delim, want: -1}
	if ok, err := r.next(); !ok || err != nil {
		return 0, 0
	}
	n = r.n
	same, total := 0, 0
	for total < sniffRecords {
		ok, err := r.next()
		if !ok || r.last && r.w.at() >= int64(len(head)) {
			break // the last line may be cut by the end of head
		}
		if err != nil {
			total++
			break
		}
		total++
		if r.n == n {
			same++
		}
	}
	if total == 0 {
		return n, 1
	}
	return n, float64(same) / float64(total)
}
