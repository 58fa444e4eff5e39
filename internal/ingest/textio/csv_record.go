package textio

import (
	"bytes"
	"fmt"
)

// field is a cell as it stands in a record.
type field struct {
	b      []byte
	quoted bool
}

// csvReader splits a CSV file into records by the rules of encoding/csv: RFC
// 4180, blank lines skipped, CRLF taken for LF, a quote inside an unquoted
// field refused.
type csvReader struct {
	w       *window
	delim   byte
	want    int     // fields after this index are counted and not kept
	fields  []field // the record: valid until the next call
	n       int     // fields of the record, those not kept included
	start   int64   // its offset in the file
	last    bool    // it ends the file without a newline
	scratch []byte  // text of the quoted fields
}

// next reads a record. It reports false at the end of the file.
func (r *csvReader) next() (bool, error) {
	for {
		r.start = r.w.at()
		line, err := r.w.line()
		if err != nil || line == nil {
			return false, err
		}
		body := r.chomp(line)
		if len(body) == 0 {
			continue
		}
		if bytes.IndexByte(body, '"') < 0 {
			r.plain(body)
			return true, nil
		}
		return true, r.withQuotes(len(line))
	}
}

// chomp cuts the line end, and as encoding/csv does a carriage return that
// ends the file.
func (r *csvReader) chomp(line []byte) []byte {
	n := len(line)
	r.last = n == 0 || line[n-1] != '\n'
	if !r.last {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n]
}

// plain splits a record without quotes.
func (r *csvReader) plain(line []byte) {
	r.fields = r.fields[:0]
	for {
		i := bytes.IndexByte(line, r.delim)
		if i < 0 {
			r.fields = append(r.fields, field{b: line})
			r.n = len(r.fields)
			return
		}
		r.fields = append(r.fields, field{b: line[:i]})
		line = line[i+1:]
		if len(r.fields) > r.want {
			r.n = len(r.fields) + 1 + bytes.Count(line, []byte{r.delim})
			return
		}
	}
}

// withQuotes splits the record that begins with a line of n bytes, just
// consumed. It takes in more lines while a quote is open.
func (r *csvReader) withQuotes(n int) error {
	w := r.w
	w.pos -= n
	for {
		end, open, ft := r.split(w.rest(), n)
		if ft != nil {
			return ft.shift(r.start)
		}
		if open < 0 {
			w.pos += end
			return nil
		}
		// The quote at open is not closed yet: take in further lines, twice as
		// much each time, so that the work stays linear.
		looked := n
		for n < 2*looked {
			i := bytes.IndexByte(w.rest()[n:], '\n')
			if i >= 0 {
				n += i + 1
				continue
			}
			ok, err := w.more()
			if tooLong, is := err.(*fault); is {
				tooLong.msg = fmt.Sprintf("a quote is opened and not closed within %d MiB, the limit for a record", w.max>>20)
			}
			if err != nil {
				return err
			}
			if !ok {
				if looked == len(w.rest()) {
					return (&fault{off: int64(open), byteOf: true,
						msg: "a quote is opened and not closed; the file seems cut off"}).shift(r.start)
				}
				n = len(w.rest())
				break
			}
		}
	}
}

// split splits the record at the start of b, looking at b[:n], which is whole
// lines. It returns the end of the record, or in open the index of a quote that
// is still open at n.
func (r *csvReader) split(b []byte, n int) (end, open int, ft *fault) {
	b = b[:n]
	r.fields, r.scratch, r.n = r.fields[:0], r.scratch[:0], 0
	i := 0
	for {
		r.n++
		keep := r.n <= r.want+1
		if i == len(b) || b[i] != '"' {
			// Up to the delimiter or the end of this line.
			j := i
			for j < len(b) && b[j] != r.delim && b[j] != '\n' {
				if b[j] == '"' {
					return 0, -1, &fault{off: int64(j), byteOf: true,
						msg: "found a quote in a field that does not begin with one; quote the field and double the quote"}
				}
				j++
			}
			if j < len(b) && b[j] == r.delim {
				if keep {
					r.fields = append(r.fields, field{b: b[i:j]})
				}
				i = j + 1
				continue
			}
			end = min(j+1, len(b))
			if keep {
				r.fields = append(r.fields, field{b: r.chomp(b[i:end])})
			} else {
				r.chomp(b[i:end])
			}
			return end, -1, nil
		}
		start, text := i, len(r.scratch)
		i++
		for {
			j := bytes.IndexByte(b[i:], '"')
			if j < 0 {
				return 0, start, nil
			}
			if keep {
				r.scratch = appendLF(r.scratch, b[i:i+j])
			}
			i += j + 1
			if i == len(b) || b[i] != '"' {
				break
			}
			r.scratch = append(r.scratch, '"')
			i++
		}
		if keep {
			r.fields = append(r.fields, field{b: r.scratch[text:len(r.scratch):len(r.scratch)], quoted: true})
		}
		if i < len(b) && b[i] == r.delim {
			i++
			continue
		}
		end = len(b)
		if j := bytes.IndexByte(b[i:], '\n'); j >= 0 {
			end = i + j + 1
		}
		if len(r.chomp(b[i:end])) > 0 {
			return 0, -1, &fault{off: int64(i), byteOf: true,
				msg: fmt.Sprintf("found %s after a closing quote, expected %s or the end of the line", Found(b, i), delimName(r.delim))}
		}
		return end, -1, nil
	}
}

// appendLF appends s with CRLF turned into LF.
func appendLF(dst, s []byte) []byte {
	for {
		i := bytes.Index(s, []byte("\r\n"))
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s = s[i+1:]
	}
}

func delimName(c byte) string {
	switch c {
	case ',':
		return "a comma"
	case ';':
		return "a semicolon"
	}
	return "a tab"
}
