package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// pageReader steps through the pages of a flat column and decodes its
// definition levels. The library unpacks the pages; what is in them is decoded
// by its users here, for the encodings and types that matter for speed.
type pageReader struct {
	pages  file.PageReader
	maxDef int16

	left    int // rows left in the page
	levels  hybrid
	defs    []int32
	present []bool // of the rows of the batch, up to date if some has no value
	hasDict bool
	dictLen int
}

// pageUser decodes the values of pages.
type pageUser interface {
	dictionary(b []byte, n int) error
	page(e parquet.Encoding, b []byte) error
	values(at, n int) error // the next n values, the first of which is number at of the batch
}

// fill reads the next n rows and returns how many of them have a value.
func (p *pageReader) fill(u pageUser, n int) (k int, err error) {
	p.present = resize(p.present, n)
	for got := 0; got < n; {
		for p.left == 0 {
			if err := p.next(u); err != nil {
				return k, err
			}
		}
		m := min(p.left, n-got)
		v, err := p.readLevels(got, m, k == got)
		if err == nil && v > 0 {
			err = u.values(k, v)
		}
		if err != nil {
			return k, err
		}
		p.left -= m
		got, k = got+m, k+v
	}
	return k, nil
}

// readLevels tells which of the next m rows have a value, and how many; whole
// says that all rows of the batch before them had one.
func (p *pageReader) readLevels(got, m int, whole bool) (n int, err error) {
	if p.maxDef == 0 || p.levels.all(m, int32(p.maxDef)) {
		if !whole {
			setAll(p.present[got : got+m])
		}
		return m, nil
	}
	p.defs = resize(p.defs, m)
	if err := p.levels.decode(p.defs); err != nil {
		return 0, fmt.Errorf("definition levels: %w", err)
	}
	present := p.present[got : got+m]
	for i, d := range p.defs {
		present[i] = d == int32(p.maxDef)
		if present[i] {
			n++
		}
	}
	if whole {
		setAll(p.present[:got])
	}
	return n, nil
}

func setAll(b []bool) {
	for i := range b {
		b[i] = true
	}
}

// next reads on to the next page.
func (p *pageReader) next(u pageUser) error {
	if !p.pages.Next() {
		if err := p.pages.Err(); err != nil {
			return err
		}
		return errShort
	}
	var b []byte
	switch page := p.pages.Page().(type) {
	case *file.DictionaryPage:
		p.hasDict, p.dictLen = true, int(page.NumValues())
		if err := u.dictionary(page.Data(), p.dictLen); err != nil {
			return fmt.Errorf("dictionary: %w", err)
		}
		return nil
	case *file.DataPageV1:
		b = page.Data()
		if p.maxDef > 0 {
			if len(b) < 4 {
				return errShort
			}
			n := binary.LittleEndian.Uint32(b)
			if uint64(n) > uint64(len(b)-4) {
				return fmt.Errorf("definition levels of %d bytes in a page of %d", n, len(b))
			}
			p.setLevels(b[4 : 4+n])
			b = b[4+n:]
		}
	case *file.DataPageV2:
		b = page.Data()
		rep, def := int(page.RepetitionLevelByteLen()), int(page.DefinitionLevelByteLen())
		if rep < 0 || def < 0 || rep+def > len(b) {
			return fmt.Errorf("levels of %d + %d bytes in a page of %d", rep, def, len(b))
		}
		p.setLevels(b[rep : rep+def])
		b = b[rep+def:]
	default:
		return fmt.Errorf("page type %d", page.Type())
	}
	p.left = int(p.pages.Page().NumValues())
	return u.page(parquet.Encoding(p.pages.Page().Encoding()), b)
}

func (p *pageReader) setLevels(b []byte) {
	p.levels = newHybrid(b, uint(bits.Len16(uint16(p.maxDef))), int(p.maxDef)+1)
}

// indices begins the dictionary indices of a page.
func (p *pageReader) indices(b []byte) (hybrid, error) {
	switch {
	case !p.hasDict:
		return hybrid{}, errors.New("dictionary indices without a dictionary")
	case len(b) == 0: // a page of nulls
		return newHybrid(nil, 0, p.dictLen), nil
	case b[0] > 32:
		return hybrid{}, fmt.Errorf("dictionary indices of %d bits", b[0])
	}
	return newHybrid(b[1:], uint(b[0]), p.dictLen), nil
}

func (p *pageReader) finish() error {
	if p.left > 0 {
		return errors.New("more values than rows")
	}
	if p.pages.Next() {
		return errors.New("more pages than rows")
	}
	return p.pages.Err()
}

func (p *pageReader) close() { p.pages.Close() }
