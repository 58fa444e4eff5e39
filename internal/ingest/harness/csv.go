package harness

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// maxRecord is the longest record of a CSV file that is read.
const maxRecord = 64 << 20

// csvLayout says how a CSV file is laid out.
type csvLayout struct {
	names  []string // of the columns of a file without a line of names; nil: the first line has them
	ragged bool     // records may have fewer fields than there are names
	need   []string // columns that must be there
	limit  int      // bytes of a record; 0: maxRecord
}

// csvRecord is one record of a CSV file.
type csvRecord struct {
	names  []string
	index  map[string]int
	fields []string
	buf    []byte
}

// cell returns the text of a column, empty if there is no such column. It is
// valid until the next call.
func (c *csvRecord) cell(name string) []byte {
	i, ok := c.index[name]
	if !ok || i >= len(c.fields) {
		return nil
	}
	c.buf = append(c.buf[:0], c.fields[i]...)
	return c.buf
}

// text returns the text of a column.
func (c *csvRecord) text(name string) string {
	i, ok := c.index[name]
	if !ok || i >= len(c.fields) {
		return ""
	}
	return c.fields[i]
}

// csv walks over the records of a CSV file. each fills the scan's row and calls
// emit.
func (s *scan) csv(l csvLayout, each func(s *scan, rec *csvRecord) error) error {
	limit := l.limit
	if limit == 0 {
		limit = maxRecord
	}
	in := &boundedReader{left: limit, r: io.NewSectionReader(s.file, s.from, s.file.Size-s.from)}
	r := csv.NewReader(in)
	r.ReuseRecord = true
	names := l.names
	if names == nil {
		head, err := r.Read()
		if err != nil {
			return csvError(err)
		}
		for _, n := range head {
			names = append(names, strings.TrimSpace(n))
		}
	}
	rec := &csvRecord{names: names, index: make(map[string]int, len(names))}
	for i, n := range names {
		if _, dup := rec.index[n]; dup {
			return fmt.Errorf("the column %q occurs twice", n)
		}
		rec.index[n] = i
	}
	for _, n := range l.need {
		if _, ok := rec.index[n]; !ok {
			return fmt.Errorf("there is no column %q, which the files of %s have; columns are %s", n, s.harness, strings.Join(names[:min(len(names), 20)], ", "))
		}
	}
	r.FieldsPerRecord = len(names)
	if l.ragged {
		r.FieldsPerRecord = -1
	}
	for n := 0; ; n++ {
		if n&1023 == 0 {
			if err := s.ctx.Err(); err != nil {
				return err
			}
		}
		in.left = limit
		var err error
		if rec.fields, err = r.Read(); err == io.EOF {
			return nil
		} else if errors.Is(err, csv.ErrFieldCount) {
			line, _ := r.FieldPos(0)
			return &textio.Error{Line: int64(line), Msg: fmt.Sprintf("found %d fields, expected %d: %s", len(rec.fields), len(names), strings.Join(names[:min(len(names), 6)], ","))}
		} else if err != nil {
			return csvError(err)
		}
		if err := each(s, rec); err != nil {
			return err
		}
	}
}

// csvError words the errors of encoding/csv.
func csvError(err error) error {
	var pe *csv.ParseError
	switch {
	case err == io.EOF:
		return errors.New("the file is empty; expected a line of column names")
	case !errors.As(err, &pe):
		return err
	}
	e := &textio.Error{Line: int64(pe.Line), Byte: int64(pe.Column)}
	switch {
	case errors.Is(pe.Err, csv.ErrBareQuote):
		e.Msg = "found a quote in a field that does not begin with one, expected it doubled in quotes"
	case errors.Is(pe.Err, csv.ErrQuote):
		e.Msg = "a quote is opened and not closed, or something follows the closing quote"
	case errors.Is(pe.Err, errLongRecord):
		e.Byte, e.Msg = 0, errLongRecord.Error()
	default:
		return err
	}
	return e
}

var errLongRecord = errors.New("the record is longer than the limit of 64 MiB; a quote may be opened and not closed")

// boundedReader fails when more than left bytes are read for one record.
type boundedReader struct {
	r    io.Reader
	left int
}

func (b *boundedReader) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLongRecord
	}
	n, err := b.r.Read(p)
	b.left -= n
	return n, err
}
