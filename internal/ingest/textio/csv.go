package textio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// CSV reads records with a header line, separated by commas, semicolons or
// tabs. Quoting follows RFC 4180 as encoding/csv reads it; blank lines are
// skipped; a row with more or fewer fields than the header is an error.
// It detects any text that is not JSON or markup, so it should be asked last.
var CSV = ingest.Format{Name: "csv", Detect: detectCSV, Sure: sureCSV, Open: openCSV}

func detectCSV(head []byte, f ingest.File) bool {
	if looksUTF16(head) {
		return true // to be refused by Open with a better message
	}
	c, _, ok := firstByte(head)
	if !ok || strings.IndexByte("{[<:#-", c) >= 0 || !isText(head, f.Size) {
		return false
	}
	n, share := headerFields(head, sniffDelimiter(head))
	if n == 1 {
		return share > 0.9 && isName(head)
	}
	return n > 1
}

// isName reports whether the first line can be the name of a file's only
// column, rather than prose or YAML.
func isName(head []byte) bool {
	_, i, _ := firstByte(head)
	line, _, _ := bytes.Cut(head[i:], []byte{'\n'})
	line = bytes.TrimSpace(line)
	return len(line) <= 64 && !bytes.HasSuffix(line, []byte{':'}) && !bytes.Contains(line, []byte(": "))
}

// csvSource is an opened CSV file.
type csvSource struct {
	file  ingest.File
	delim byte
	body  int64 // offset of the first record
	cols  []ingest.ColumnInfo
}

func openCSV(f ingest.File) (ingest.Source, error) {
	head := make([]byte, min(f.Size, 64<<10))
	if n, err := readFull(f, head, 0); n < len(head) {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	if looksUTF16(head) {
		return nil, errUTF16
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errors.New("the file is binary, not CSV: it holds zero bytes")
	}
	if _, _, ok := firstByte(head); !ok {
		return nil, errors.New("the file is empty; expected a header line with column names")
	}
	s := &csvSource{file: f, delim: sniffDelimiter(head)}
	if err := s.sniff(); err != nil {
		return nil, locate(f, err)
	}
	return s, nil
}

// sniff reads the header and the first records.
func (s *csvSource) sniff() error {
	w := newWindow(context.Background(), s.file, TextStart(s.file))
	r := csvReader{w: w, delim: s.delim, want: maxColumns}
	if ok, err := r.next(); err != nil {
		return err
	} else if !ok {
		return errors.New("the file is empty; expected a header line with column names")
	}
	names, err := header(&r)
	if err != nil {
		return err
	}
	s.body = w.at()
	r.want = len(names) - 1
	tallies := make([]tally, len(names))
	var scratch []float64
	for i := 0; i < sniffRecords && w.at() < s.body+sniffBytes; i++ {
		ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if r.n != len(names) {
			return r.ragged(len(names))
		}
		for c := range tallies {
			tallies[c].addText(r.fields[c].b, &scratch)
		}
	}
	for c, name := range names {
		s.cols = append(s.cols, tallies[c].info(name))
	}
	return nil
}

// maxColumns is the most columns a CSV file can have.
const maxColumns = 1 << 16

// header takes the column names from the record just read.
func header(r *csvReader) ([]string, error) {
	at := func(format string, args ...any) error {
		return &fault{off: r.start, msg: fmt.Sprintf(format, args...)}
	}
	if r.n > maxColumns {
		return nil, at("the header has %d columns, the limit is %d", r.n, maxColumns)
	}
	if first, no := noHeader(r.fields); no {
		return nil, at("found numbers (%s), expected a header line with column names", first)
	}
	names := make([]string, r.n)
	seen := make(map[string]int, r.n)
	for i, fd := range r.fields {
		name := trim(fd.b)
		if len(name) == 0 {
			if r.n == 1 {
				return nil, at("the header is empty; expected column names")
			}
			hint := ""
			if i == 0 {
				hint = "; pandas writes its row numbers so, unless told index=False"
			}
			return nil, at("column %d of the header has no name%s", i+1, hint)
		}
		if bytes.IndexByte(name, '\r') >= 0 {
			return nil, at("lines end with a carriage return alone; expected LF or CRLF")
		}
		names[i] = strings.ToValidUTF8(string(name), "\uFFFD")
		if j, dup := seen[names[i]]; dup {
			return nil, at("columns %d and %d of the header are both called %q", j+1, i+1, names[i])
		}
		seen[names[i]] = i
	}
	return names, nil
}

// noHeader reports whether most of the names are numbers, and quotes the first
// three.
func noHeader(fields []field) (quoted string, no bool) {
	var numbers []string
	names := 0
	for _, fd := range fields {
		name := trim(fd.b)
		if len(name) > 0 {
			names++
		}
		if _, ok := parseFloat(name); ok {
			numbers = append(numbers, string(name))
		}
	}
	quoted = strings.Join(numbers[:min(len(numbers), 3)], ", ")
	return excerpt([]byte(quoted)), 2*len(numbers) > names
}

// ragged is the error of a record with a wrong number of fields.
func (r *csvReader) ragged(want int) error {
	plural, cut := "s", ""
	if r.n == 1 {
		plural = ""
	}
	if r.last && r.n < want {
		cut = "; the file seems cut off"
	}
	return &fault{off: r.start, msg: fmt.Sprintf("found %d field%s, expected %d as in the header%s", r.n, plural, want, cut)}
}

func (s *csvSource) Columns() []ingest.ColumnInfo { return s.cols }

// Rows returns −1: only a full read can tell.
func (s *csvSource) Rows() int64 { return -1 }

// Partitions returns 1: where a record begins cannot be told from the middle
// of a file, since a line may be inside quotes.
func (s *csvSource) Partitions() int { return 1 }

func (s *csvSource) Metadata() []ingest.KeyValue { return nil }

func (s *csvSource) Close() error { return nil }
