package arrowio

import (
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// minStreamed is from how many bytes on a page is unpacked piece by piece where
// its encoding allows: it never lies in memory as a whole.
const minStreamed = 512 << 10

// pageStream reads the pages of a chunk one behind the other. Its memory is
// used again for the next page, and for the next chunk.
type pageStream struct {
	r     io.ReaderAt
	mem   *pool
	c     chunk
	codec compress.Codec
	head  int // rows that are wanted of the chunk, 0 for all

	w        window
	pos      int64 // of the next header
	from     int64 // of the body of the page
	seen     int64 // values of the pages so far
	pages    int
	unpacked []byte
	body     body
	inflate  inflater
}

// begin starts at the first page of a chunk.
func (s *pageStream) begin(r io.ReaderAt, c chunk, head int) (err error) {
	s.r, s.c, s.head = r, c, head
	s.w = window{r: r, end: c.start + c.length, buf: s.w.buf[:0]}
	s.pos, s.seen, s.pages = c.start, 0, 0
	s.body.whole(nil)
	s.codec, err = compress.GetCodec(c.codec)
	return err
}

// next reads the header of the next page; it returns io.EOF after the last.
func (s *pageStream) next() (h pageHeader, err error) {
	switch {
	case s.seen == s.c.values:
		return h, io.EOF
	case s.pos >= s.w.end:
		return h, errShort
	}
	h, size, err := readPageHeader(&s.w, s.pos)
	if err != nil {
		return h, err
	}
	s.from = s.pos + size
	if err := s.c.checkHeader(&h, s.pages, s.c.values-s.seen, s.w.end-s.from); err != nil {
		return h, err
	}
	s.pos = s.from + h.packed
	s.pages++
	if h.typ != file.PageTypeDictionaryPage {
		s.seen += h.values
	}
	return h, nil
}

// raw reads the n bytes at the beginning of the page's body as they are.
func (s *pageStream) raw(dst []byte, n int64) ([]byte, error) {
	dst = resize(dst, int(n))
	if _, err := io.ReadFull(io.NewSectionReader(s.r, s.from, n), dst); err != nil {
		return nil, err
	}
	return dst, nil
}

// open begins to unpack what follows the first skip bytes of the page.
func (s *pageStream) open(h *pageHeader, skip int64) error {
	size, packed := h.unpacked-skip, h.packed-skip
	stored := !h.compressed || s.c.codec == compress.Codecs.Uncompressed
	switch {
	case stored && size != packed:
		return fmt.Errorf("%d bytes stored, %d unpacked, and no compression", packed, size)
	case size == 0: // what is packed is nothing, which not every decoder can unpack
		s.body.whole(nil)
		return nil
	case s.streams(h, size):
		src, err := s.inflate.open(io.NewSectionReader(s.r, s.from+skip, packed))
		if src != nil || err != nil {
			s.body.stream(src, size)
			return err
		}
	}
	s.unpacked = s.mem.resize(s.unpacked, int(size))
	if stored {
		s.body.whole(s.unpacked)
		_, err := io.ReadFull(io.NewSectionReader(s.r, s.from+skip, packed), s.unpacked)
		return err
	}
	// The columns of a worker take turns with the memory for packed data.
	in := s.mem.Allocate(int(packed))
	defer s.mem.Free(in)
	if _, err := io.ReadFull(io.NewSectionReader(s.r, s.from+skip, packed), in); err != nil {
		return err
	}
	out, err := compress.Decode(s.codec, s.unpacked, in)
	switch {
	case err != nil:
		return err
	case int64(len(out)) != size:
		return fmt.Errorf("%d bytes unpacked, the header says %d", len(out), size)
	}
	s.body.whole(out)
	return nil
}

// streams reports whether a page is to be unpacked piece by piece: one of plain
// values if it is large, one of dictionary indices if most of it is not wanted.
func (s *pageStream) streams(h *pageHeader, size int64) bool {
	switch {
	case s.c.codec != compress.Codecs.Zstd || !h.compressed || h.typ == file.PageTypeDictionaryPage:
		return false
	case isIndex(parquet.Encoding(h.encoding)):
		return s.head > 0 && size > 2*int64(s.indexBytes())
	}
	return parquet.Encoding(h.encoding) == parquet.Encodings.Plain && s.c.width > 0 && size >= minStreamed
}

// indexBytes bounds what the dictionary indices of the wanted rows take: a run
// of one value is a byte and at most four more.
func (s *pageStream) indexBytes() int { return 5*s.head + 64 }

// indices returns the bytes of dictionary indices that are left in the page:
// all of them, or those of the wanted rows.
func (s *pageStream) indices() ([]byte, error) {
	if s.head > 0 {
		return s.body.take(min(s.indexBytes(), s.body.left()))
	}
	return s.body.take(s.body.left())
}

func isIndex(e parquet.Encoding) bool {
	return e == parquet.Encodings.PlainDict || e == parquet.Encodings.RLEDict
}

// release gives the memory of pages back.
func (s *pageStream) release() {
	s.mem.Free(s.unpacked)
	s.unpacked = nil
}

// end verifies that the page that was open is sound to its end.
func (s *pageStream) end() error {
	if s.head > 0 {
		return nil
	}
	return s.body.end()
}
