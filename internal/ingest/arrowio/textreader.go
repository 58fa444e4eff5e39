package arrowio

import (
	"encoding/binary"
	"fmt"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// textReader reads a text column: dictionary indices are handed on as they
// are, so that a row costs no string.
type textReader struct {
	pageReader
	conv  *converter
	coded bool   // the page holds indices
	codes hybrid // of a page of indices
	texts []byte // what is left of a plain page
	ids   []int32
	few   bool // the cells of the batch so far are in bytes, not in ids
	bytes []uint8
}

func (t *textReader) read(n int, out *ingest.Column) error {
	t.conv.begin(n)
	if t.ids = resize(t.ids, n); t.conv.form == ingest.Text {
		t.ids = t.conv.ids
	}
	if t.few = t.conv.few; t.few {
		t.bytes = resize(t.bytes, n)
	}
	k, err := t.fill(t, n)
	if err != nil {
		return err
	}
	if t.few && k == n && t.conv.words.blanks == 0 {
		*out = ingest.Column{Few: t.bytes, Dict: t.conv.words.dict}
		return nil
	}
	t.widen(k)
	t.conv.convertIDs(t.ids[:k])
	t.conv.spread(t.present, k)
	t.conv.end(n, out)
	return nil
}

// widen moves the first k cells of the batch from bytes to ids, if they are there.
func (t *textReader) widen(k int) {
	if !t.few {
		return
	}
	t.few = false
	for i, id := range t.bytes[:k] {
		t.ids[i] = int32(id)
	}
}

func (t *textReader) page(e parquet.Encoding) (err error) {
	switch e {
	case parquet.Encodings.Plain:
		t.coded = false
		t.texts, err = t.body.take(t.body.left())
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		t.coded = true
		t.codes, err = t.index()
	default:
		err = fmt.Errorf("encoding %s", e)
	}
	return err
}

func (t *textReader) values(at, n int) error {
	if t.few && t.coded && t.codes.bits <= 8 && t.conv.words.few() {
		if err := t.codes.decodeFew(t.bytes[at : at+n]); err != nil {
			return fmt.Errorf("dictionary indices: %w", err)
		}
		return nil
	}
	t.widen(at)
	ids := t.ids[at : at+n]
	if t.coded {
		if err := t.codes.decode(ids); err != nil {
			return fmt.Errorf("dictionary indices: %w", err)
		}
		t.conv.words.translate(ids)
		return nil
	}
	for i := range ids {
		if len(t.texts) < 4 {
			return errShort
		}
		n := binary.LittleEndian.Uint32(t.texts)
		if uint64(n) > uint64(len(t.texts)-4) {
			return fmt.Errorf("a text of %d bytes, %d are left", n, len(t.texts)-4)
		}
		ids[i] = t.conv.words.add(t.texts[4 : 4+n])
		t.texts = t.texts[4+n:]
	}
	return nil
}

// dictionary cuts a dictionary page into its words, which share one string.
func (t *textReader) dictionary(b []byte, n int) error {
	all := string(b)
	sound := utf8.ValidString(all)
	words := make([]string, 0, min(n, len(b)/4))
	for pos := 0; len(words) < n; {
		if len(all)-pos < 4 {
			return fmt.Errorf("%w: %d words found, %d expected", errShort, len(words), n)
		}
		size := binary.LittleEndian.Uint32(b[pos:])
		pos += 4
		if uint64(size) > uint64(len(all)-pos) {
			return fmt.Errorf("a word of %d bytes, %d are left", size, len(all)-pos)
		}
		w := all[pos : pos+int(size)]
		if !sound {
			w = valid(w)
		}
		words = append(words, w)
		pos += int(size)
	}
	t.conv.words.setPage(words)
	return nil
}
