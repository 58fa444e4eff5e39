package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// pageReader steps through the pages of a flat column and decodes its
// definition levels. What else is in them is decoded by its users, for the
// encodings and types that matter for speed.
type pageReader struct {
	pageStream
	maxDef int16

	left   int // rows left in the page
	levels hybrid
	defs   []int32

	levelBytes []byte // memory for levels
	present    []bool // of the rows of the batch, up to date if some has no value
	hasDict    bool
	dictLen    int
}

// pagedReader is a cellReader of pages. It can go on to another chunk.
type pagedReader interface {
	cellReader
	begin(r io.ReaderAt, c chunk, head int) error
}

// pageUser decodes the values of pages.
type pageUser interface {
	dictionary(b []byte, n int) error
	page(e parquet.Encoding) error
	values(at, n int) error // the next n values, the first of which is number at of the batch
}

// fill reads the next n rows and returns how many of them have a value.
func (p *pageReader) fill(u pageUser, n int) (k int, err error) {
	p.present = resize(p.present, n)
	for got := 0; got < n; {
		for p.left == 0 {
			if err := p.nextPage(u); err != nil {
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

// begin starts at the first page of a chunk; head is how many of its rows are
// wanted, 0 for all.
func (p *pageReader) begin(r io.ReaderAt, c chunk, head int) error {
	p.left, p.hasDict, p.dictLen = 0, false, 0
	return p.pageStream.begin(r, c, head)
}

// nextPage reads on to the next page.
func (p *pageReader) nextPage(u pageUser) error {
	if err := p.end(); err != nil {
		return err
	}
	h, err := p.next()
	if err == io.EOF {
		return errShort
	}
	if err != nil {
		return err
	}
	switch h.typ {
	case file.PageTypeDictionaryPage:
		if err := p.open(&h, 0); err != nil {
			return err
		}
		p.hasDict, p.dictLen = true, int(h.values)
		if err := u.dictionary(p.body.b, p.dictLen); err != nil {
			return fmt.Errorf("dictionary: %w", err)
		}
		return nil
	case file.PageTypeDataPage:
		if err := p.open(&h, 0); err != nil {
			return err
		}
		if p.maxDef > 0 {
			if err := p.levelsOfBody(); err != nil {
				return err
			}
		}
	case file.PageTypeDataPageV2:
		levels, err := p.raw(p.levelBytes, h.repBytes+h.defBytes)
		if err != nil {
			return err
		}
		p.levelBytes = levels
		p.setLevels(levels[h.repBytes:])
		if err := p.open(&h, int64(len(levels))); err != nil {
			return err
		}
	default:
		return fmt.Errorf("page type %d", h.typ)
	}
	p.left = int(h.values)
	return u.page(parquet.Encoding(h.encoding))
}

// levelsOfBody takes the definition levels from the front of the body.
func (p *pageReader) levelsOfBody() error {
	b, err := p.body.take(4)
	if err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(b)
	if int64(n) > int64(p.body.left()) {
		return fmt.Errorf("definition levels of %d bytes in a page of %d", n, p.body.left()+4)
	}
	if b, err = p.body.take(int(n)); err != nil {
		return err
	}
	if p.body.src != nil { // what comes after takes the place of b
		p.levelBytes = append(p.levelBytes[:0], b...)
		b = p.levelBytes
	}
	p.setLevels(b)
	return nil
}

func (p *pageReader) setLevels(b []byte) {
	p.levels = newHybrid(b, uint(bits.Len16(uint16(p.maxDef))), int(p.maxDef)+1)
}

// index begins the dictionary indices of a page.
func (p *pageReader) index() (hybrid, error) {
	if !p.hasDict {
		return hybrid{}, errors.New("dictionary indices without a dictionary")
	}
	b, err := p.indices()
	switch {
	case err != nil:
		return hybrid{}, err
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
	if err := p.end(); err != nil {
		return err
	}
	if _, err := p.next(); err != io.EOF {
		return errors.New("more pages than rows")
	}
	return nil
}

func (p *pageReader) close() { p.release() }
