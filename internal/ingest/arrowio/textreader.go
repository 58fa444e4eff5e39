package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// textReader reads a text column page by page: dictionary indices are handed
// on as they are, so that a row costs no string.
type textReader struct {
	conv   *converter
	pages  file.PageReader
	maxDef int16
	hasDic bool

	left    int // rows left in the page
	levels  hybrid
	indices hybrid
	plain   []byte // values of a plain page
	coded   bool   // the page holds indices

	ids     []int32
	defs    []int32
	present []bool
}

func (t *textReader) read(n int, out *ingest.Column) error {
	t.conv.begin(n)
	t.ids, t.present = resize(t.ids, n), resize(t.present, n)
	got, k := 0, 0
	for got < n {
		for t.left == 0 {
			if err := t.nextPage(); err != nil {
				return err
			}
		}
		m := min(t.left, n-got)
		v, err := t.readLevels(t.present[got : got+m])
		if err == nil {
			err = t.readValues(t.ids[k : k+v])
		}
		if err != nil {
			return err
		}
		t.left -= m
		got, k = got+m, k+v
	}
	t.conv.convertIDs(t.ids[:k])
	t.conv.spread(t.present, k)
	t.conv.end(n, out)
	return nil
}

// readLevels tells which of the next rows have a value, and how many.
func (t *textReader) readLevels(present []bool) (n int, err error) {
	if t.maxDef == 0 || t.levels.all(len(present), int32(t.maxDef)) {
		for i := range present {
			present[i] = true
		}
		return len(present), nil
	}
	t.defs = resize(t.defs, len(present))
	if err := t.levels.decode(t.defs); err != nil {
		return 0, fmt.Errorf("definition levels: %w", err)
	}
	for i, d := range t.defs {
		present[i] = d == int32(t.maxDef)
		if present[i] {
			n++
		}
	}
	return n, nil
}

func (t *textReader) readValues(ids []int32) error {
	if t.coded {
		if err := t.indices.decode(ids); err != nil {
			return fmt.Errorf("dictionary indices: %w", err)
		}
		t.conv.words.translate(ids)
		return nil
	}
	for i := range ids {
		if len(t.plain) < 4 {
			return errShort
		}
		n := binary.LittleEndian.Uint32(t.plain)
		if uint64(n) > uint64(len(t.plain)-4) {
			return fmt.Errorf("a text of %d bytes, %d are left", n, len(t.plain)-4)
		}
		ids[i] = t.conv.words.add(t.plain[4 : 4+n])
		t.plain = t.plain[4+n:]
	}
	return nil
}

// nextPage reads on to the next data page.
func (t *textReader) nextPage() error {
	if !t.pages.Next() {
		if err := t.pages.Err(); err != nil {
			return err
		}
		return errShort
	}
	switch p := t.pages.Page().(type) {
	case *file.DictionaryPage:
		page, err := readDictionary(p.Data(), int(p.NumValues()))
		if err != nil {
			return fmt.Errorf("dictionary: %w", err)
		}
		t.conv.words.setPage(page)
		t.hasDic = true
		return nil
	case *file.DataPageV1:
		values := p.Data()
		if t.maxDef > 0 {
			if len(values) < 4 {
				return errShort
			}
			n := binary.LittleEndian.Uint32(values)
			if uint64(n) > uint64(len(values)-4) {
				return fmt.Errorf("definition levels of %d bytes in a page of %d", n, len(values))
			}
			t.setLevels(values[4 : 4+n])
			values = values[4+n:]
		}
		return t.setValues(p, values)
	case *file.DataPageV2:
		values := p.Data()
		rep, def := int(p.RepetitionLevelByteLen()), int(p.DefinitionLevelByteLen())
		if rep < 0 || def < 0 || rep+def > len(values) {
			return fmt.Errorf("levels of %d + %d bytes in a page of %d", rep, def, len(values))
		}
		t.setLevels(values[rep : rep+def])
		return t.setValues(p, values[rep+def:])
	}
	return fmt.Errorf("page type %d", t.pages.Page().Type())
}

func (t *textReader) setLevels(b []byte) {
	t.levels = newHybrid(b, uint(bits.Len16(uint16(t.maxDef))), int(t.maxDef)+1)
}

func (t *textReader) setValues(p file.Page, b []byte) error {
	t.left = int(p.NumValues())
	t.coded = false
	switch parquet.Encoding(p.Encoding()) {
	case parquet.Encodings.Plain:
		t.plain = b
		return nil
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
	default:
		return fmt.Errorf("encoding %s", parquet.Encoding(p.Encoding()))
	}
	t.coded = true
	switch {
	case !t.hasDic:
		return errors.New("dictionary indices without a dictionary")
	case len(b) == 0: // a page of nulls
		t.indices = newHybrid(nil, 0, len(t.conv.words.page))
		return nil
	case b[0] > 32:
		return fmt.Errorf("dictionary indices of %d bits", b[0])
	}
	t.indices = newHybrid(b[1:], uint(b[0]), len(t.conv.words.page))
	return nil
}

// readDictionary cuts a dictionary page into its words, which share one string.
func readDictionary(b []byte, n int) ([]string, error) {
	all := string(b)
	sound := utf8.ValidString(all)
	words := make([]string, 0, min(n, len(b)/4))
	for pos := 0; len(words) < n; {
		if len(all)-pos < 4 {
			return nil, fmt.Errorf("%w: %d words found, %d expected", errShort, len(words), n)
		}
		size := binary.LittleEndian.Uint32(b[pos:])
		pos += 4
		if uint64(size) > uint64(len(all)-pos) {
			return nil, fmt.Errorf("a word of %d bytes, %d are left", size, len(all)-pos)
		}
		w := all[pos : pos+int(size)]
		if !sound {
			w = valid(w)
		}
		words = append(words, w)
		pos += int(size)
	}
	return words, nil
}

func (t *textReader) finish() error {
	if t.left > 0 {
		return errors.New("more values than rows")
	}
	if t.pages.Next() {
		return errors.New("more pages than rows")
	}
	return t.pages.Err()
}

func (t *textReader) close() { t.pages.Close() }
