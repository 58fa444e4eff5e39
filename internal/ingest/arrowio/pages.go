package arrowio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxPageBytes is the largest page that is read, packed or unpacked.
	// Writers that make one page of a large row group come near it.
	maxPageBytes = 512 << 20
	// sizeSlack is how far a page may exceed the chunk's total size: some
	// writers leave headers out of the total.
	sizeSlack = 64 << 10
	// maxPageHeader bounds a page's header, statistics included.
	maxPageHeader = 4 << 20
)

// chunk is a column of a row group as the footer describes it.
type chunk struct {
	start, length int64 // its pages in the file
	values        int64 // cells and list bounds in all its pages
	unpacked      int64 // size of all its pages unpacked
	codec         compress.Compression
	flat          bool // not within a list
	width         int  // bytes of a value, 0 if they differ
}

// pageHeader is the part of a page's header that is checked.
type pageHeader struct {
	typ                file.PageType
	unpacked, packed   int64
	crc                uint32
	hasCRC             bool
	values, rows       int64
	encoding, defEnc   int64
	defBytes, repBytes int64
	compressed         bool
	body               bool // the structure for its type was there
}

// chunkPages tells what the pages of a chunk hold.
type chunkPages struct {
	encodings encodingSet // of the data pages
	runLevels bool        // all definition levels are run-length coded
}

// encodingSet is a set of encodings.
type encodingSet uint64

func setOf(es ...parquet.Encoding) (s encodingSet) {
	for _, e := range es {
		s |= 1 << (uint(e) & 63)
	}
	return s
}

// within reports whether o has all of s.
func (s encodingSet) within(o encodingSet) bool { return s&^o == 0 }

// checkPages walks the page headers of a chunk without unpacking a page. It
// verifies that pages lie one behind the other within the chunk, that sizes
// and counts agree with the footer, and checksums where the writer stored them:
// so that the decoder that comes after is never asked for memory or time that
// the file does not warrant.
func checkPages(r io.ReaderAt, c chunk) (chunkPages, error) {
	w := &window{r: r, end: c.start + c.length}
	out := chunkPages{runLevels: true}
	pos, seen := c.start, int64(0)
	for page := 0; seen < c.values; page++ {
		if pos >= w.end {
			return out, fmt.Errorf("%w: %d values in its pages, %d in the footer", errShort, seen, c.values)
		}
		h, size, err := readPageHeader(w, pos)
		if err == nil {
			pos += size
			err = c.checkHeader(&h, page, c.values-seen, w.end-pos)
		}
		if err == nil {
			err = c.checkBody(w, &h, pos)
		}
		if err != nil {
			return out, fmt.Errorf("page %d: %w", page, err)
		}
		pos += h.packed
		if h.typ == file.PageTypeDictionaryPage {
			continue
		}
		seen += h.values
		out.encodings |= setOf(parquet.Encoding(h.encoding))
		if h.typ == file.PageTypeDataPage && parquet.Encoding(h.defEnc) != parquet.Encodings.RLE {
			out.runLevels = false
		}
	}
	return out, nil
}

// checkHeader verifies a page's header against what is left of the chunk.
func (c *chunk) checkHeader(h *pageHeader, page int, values, bytes int64) error {
	switch {
	case h.packed < 0 || h.packed > bytes:
		return fmt.Errorf("%d bytes, the chunk has %d left", h.packed, bytes)
	case h.packed > maxPageBytes:
		return fmt.Errorf("%d bytes, at most %d are read", h.packed, maxPageBytes)
	case h.unpacked < 0 || h.unpacked > c.unpacked+sizeSlack:
		return fmt.Errorf("%d bytes unpacked, the whole chunk has %d", h.unpacked, c.unpacked)
	case h.unpacked > maxPageBytes:
		return fmt.Errorf("%d bytes unpacked, at most %d are read", h.unpacked, maxPageBytes)
	case h.values < 0:
		return fmt.Errorf("%d values", h.values)
	case !h.body:
		return fmt.Errorf("page type %d without its header", h.typ)
	case h.encoding < 0 || h.encoding > 63:
		return fmt.Errorf("encoding %d", h.encoding)
	}
	if h.typ == file.PageTypeDictionaryPage {
		switch {
		case page > 0:
			return errors.New("a dictionary that is not the first page")
		case h.values*int64(max(c.width, 1)) > h.unpacked:
			return fmt.Errorf("a dictionary of %d values in %d bytes", h.values, h.unpacked)
		}
		return nil
	}
	if h.values > values {
		return fmt.Errorf("%d values, the chunk has %d left", h.values, values)
	}
	if h.typ == file.PageTypeDataPageV2 {
		switch {
		case h.defBytes < 0 || h.repBytes < 0 || h.defBytes+h.repBytes > min(h.packed, h.unpacked):
			return fmt.Errorf("levels of %d + %d bytes in a page of %d", h.repBytes, h.defBytes, h.packed)
		case h.rows < 0 || h.rows > h.values || c.flat && h.rows != h.values:
			return fmt.Errorf("%d rows with %d values", h.rows, h.values)
		case !h.compressed && h.packed != h.unpacked:
			return fmt.Errorf("%d bytes stored, %d unpacked, and no compression", h.packed, h.unpacked)
		}
	}
	return nil
}

// checkBody verifies the checksum, if there is one, and the unpacked size that
// the compressed data themselves claim: decoders allocate by it.
func (c *chunk) checkBody(w *window, h *pageHeader, pos int64) error {
	if h.hasCRC {
		sum, err := w.checksum(pos, h.packed)
		if err != nil {
			return err
		}
		if sum != h.crc {
			return fmt.Errorf("checksum %08x, the header says %08x", sum, h.crc)
		}
	}
	size, levels := h.unpacked, int64(0)
	if h.typ == file.PageTypeDataPageV2 {
		if !h.compressed {
			return nil
		}
		levels = h.defBytes + h.repBytes
		size -= levels
	}
	if h.packed == levels {
		return nil
	}
	switch c.codec {
	case compress.Codecs.Zstd, compress.Codecs.Snappy:
	default:
		return nil
	}
	head, err := w.peek(pos+levels, int(min(h.packed-levels, zstd.HeaderMaxSize)))
	if err != nil {
		return err
	}
	claim := uint64(size)
	if c.codec == compress.Codecs.Zstd {
		var z zstd.Header
		if err := z.Decode(head); err != nil {
			return fmt.Errorf("zstd: %w", err)
		}
		if z.HasFCS {
			claim = z.FrameContentSize
		}
	} else {
		claim, _ = binary.Uvarint(head)
	}
	if claim > uint64(size) {
		return fmt.Errorf("compressed data of %d bytes unpacked, the header says %d", claim, size)
	}
	return nil
}

// readPageHeader reads the header at pos and returns its size.
func readPageHeader(w *window, pos int64) (h pageHeader, size int64, err error) {
	for want := 256; ; want *= 4 {
		buf, err := w.peek(pos, want)
		if err != nil {
			return h, 0, err
		}
		t := &thrift{b: buf}
		h = parsePageHeader(t)
		if t.err == nil {
			return h, int64(t.pos), nil
		}
		if t.err != errThriftShort || len(buf) < want || want >= maxPageHeader {
			return h, 0, fmt.Errorf("its header cannot be read: %w", t.err)
		}
	}
}

func parsePageHeader(t *thrift) (h pageHeader) {
	h.typ, h.packed, h.unpacked, h.compressed = -1, -1, -1, true
	t.fields(func(id int16, typ byte) {
		switch {
		case typ == thriftI32 && id == 1:
			h.typ = file.PageType(t.int())
		case typ == thriftI32 && id == 2:
			h.unpacked = int64(int32(t.int()))
		case typ == thriftI32 && id == 3:
			h.packed = int64(int32(t.int()))
		case typ == thriftI32 && id == 4:
			h.crc, h.hasCRC = uint32(t.int()), true
		case typ == thriftStruct && (id == 5 || id == 7 || id == 8):
			h.parseBody(t, id)
		default:
			t.skip(typ, 1)
		}
	})
	return h
}

// parseBody reads the structure that belongs to a type of page: 5 data,
// 7 dictionary, 8 data of version 2.
func (h *pageHeader) parseBody(t *thrift, part int16) {
	want := map[int16]file.PageType{5: file.PageTypeDataPage, 7: file.PageTypeDictionaryPage, 8: file.PageTypeDataPageV2}[part]
	if h.typ != want {
		t.skip(thriftStruct, 1)
		return
	}
	h.body = true
	h.values, h.encoding = -1, -1
	t.fields(func(id int16, typ byte) {
		if part == 8 && id == 7 && (typ == thriftTrue || typ == thriftFalse) {
			h.compressed = typ == thriftTrue
			return
		}
		if typ != thriftI32 || id > 6 {
			t.skip(typ, 2)
			return
		}
		v := int64(int32(t.int()))
		switch {
		case id == 1:
			h.values = v
		case id == 2 && part != 8, id == 4 && part == 8:
			h.encoding = v
		case id == 3 && part == 5:
			h.defEnc = v
		case id == 3 && part == 8:
			h.rows = v
		case id == 5 && part == 8:
			h.defBytes = v
		case id == 6 && part == 8:
			h.repBytes = v
		}
	})
}

// window reads parts of a chunk through a small buffer.
type window struct {
	r   io.ReaderAt
	end int64
	buf []byte
	off int64 // of buf in the file
}

// peek returns up to n bytes at pos, fewer at the end of the chunk.
func (w *window) peek(pos int64, n int) ([]byte, error) {
	n = int(min(int64(n), w.end-pos))
	if n <= 0 {
		return nil, nil
	}
	if pos < w.off || pos+int64(n) > w.off+int64(len(w.buf)) {
		size := int(min(max(int64(n), 4096), w.end-pos))
		w.buf = resize(w.buf, size)
		w.off = pos
		if _, err := io.ReadFull(io.NewSectionReader(w.r, pos, int64(size)), w.buf); err != nil {
			w.buf = w.buf[:0]
			return nil, err
		}
	}
	at := int(pos - w.off)
	return w.buf[at : at+n], nil
}

func (w *window) checksum(pos, n int64) (uint32, error) {
	sum := uint32(0)
	buf := make([]byte, min(n, 64<<10))
	for n > 0 {
		part := buf[:min(int64(len(buf)), n)]
		if _, err := io.ReadFull(io.NewSectionReader(w.r, pos, int64(len(part))), part); err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, crc32.IEEETable, part)
		pos, n = pos+int64(len(part)), n-int64(len(part))
	}
	return sum, nil
}
