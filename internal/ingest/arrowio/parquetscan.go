package arrowio

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// cellReader reads one column of one row group.
type cellReader interface {
	// read fills out with the next n rows.
	read(n int, out *ingest.Column) error
	// finish verifies that nothing is left.
	finish() error
	close()
}

// Scan reads the requested columns of a row group.
func (s *parquetSource) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	return s.scan(ctx, partition, 0, req, yield)
}

// Preview reads the first rows of a row group. Of the large pages that are left
// early, only the beginning is unpacked.
func (s *parquetSource) Preview(ctx context.Context, partition, rows int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	return s.scan(ctx, partition, max(rows, 1), req, yield)
}

// scan reads the first rows of a row group; head 0 stands for all.
func (s *parquetSource) scan(ctx context.Context, partition, head int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	if partition < 0 || partition >= s.Partitions() {
		return fmt.Errorf("there is no row group %d, the file has %d", partition, s.Partitions())
	}
	s.pool.enter(partition == s.Partitions()-1)
	defer s.pool.leave()
	g := &groupScan{part: groupName(partition), head: head, req: req, cols: make([]cellReader, len(req)), names: make([]string, len(req))}
	defer g.close(s.pool)
	if err := g.open(s, partition, req); err != nil {
		return err
	}
	b := &ingest.Batch{Cols: make([]ingest.Column, len(req))}
	for b.Row < g.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.N = int(min(g.batch, g.rows-b.Row))
		if err := g.read(b); err != nil {
			return err
		}
		if err := yield(b); err != nil {
			return err
		}
		b.Row += int64(b.N)
	}
	return g.finish()
}

// groupScan is the scan of one row group.
type groupScan struct {
	part  string
	head  int // rows that are wanted, 0 for all
	req   []ingest.Request
	names []string
	cols  []cellReader
	wrong bool // an error was met
	rows  int64
	batch int64 // rows a batch
	at    int   // column being worked on, for messages
}

// here gives an error the place of the scan.
func (g *groupScan) here(err *error) {
	if *err != nil {
		g.wrong = true
	}
	if g.at < len(g.names) {
		*err = at(g.part, g.names[g.at], *err)
	} else {
		*err = at(g.part, "", *err)
	}
}

func (g *groupScan) open(s *parquetSource, partition int, req []ingest.Request) (err error) {
	defer g.here(&err)
	defer guard(&err)
	group := s.reader.RowGroup(partition)
	g.rows, g.batch = group.NumRows(), ingest.BatchRows
	if g.head > 0 {
		g.rows = min(g.rows, int64(g.head))
	}
	for i, r := range req {
		if r.Column < 0 || r.Column >= len(s.leaves) {
			g.at = len(req)
			return fmt.Errorf("there is no column %d, the file has %d", r.Column, len(s.leaves))
		}
		g.at = i
		l := &s.leaves[r.Column]
		g.names[i] = l.name
		c, err := s.chunk(group.MetaData(), r.Column, l)
		if err != nil {
			return err
		}
		if g.cols[i], err = s.openColumn(group, r, l, c, g.head); err != nil {
			return err
		}
		if l.maxRep > 0 {
			g.batch = min(g.batch, max(maxListValues/max(c.values/max(group.NumRows(), 1), 1), 1))
		}
	}
	return nil
}

func (g *groupScan) read(b *ingest.Batch) (err error) {
	defer g.here(&err)
	defer guard(&err)
	for i, c := range g.cols {
		g.at = i
		if err := c.read(b.N, &b.Cols[i]); err != nil {
			return err
		}
	}
	return nil
}

func (g *groupScan) finish() (err error) {
	defer g.here(&err)
	defer guard(&err)
	if g.head > 0 {
		return nil
	}
	for i, c := range g.cols {
		g.at = i
		if err := c.finish(); err != nil {
			return err
		}
	}
	return nil
}

// close releases the readers, or keeps them for another row group.
func (g *groupScan) close(p *pool) {
	for i, c := range g.cols {
		if paged, ok := c.(pagedReader); ok && !g.wrong {
			p.keep(g.req[i], paged)
		} else if c != nil {
			closeReader(c)
		}
	}
}

// closeReader releases a reader's buffers, even if an earlier panic left it in
// disorder.
func closeReader(c cellReader) {
	var err error
	defer guard(&err)
	c.close()
}

// maxListValues is about how many numbers the lists of a batch may have in all.
const maxListValues = 1 << 18

// openColumn chooses how to read a column and checks its pages.
func (s *parquetSource) openColumn(group *file.RowGroupReader, r ingest.Request, l *leaf, c chunk, head int) (cellReader, error) {
	if why := l.typ.readable(r.Form, r.Unit); why != "" {
		return nil, fmt.Errorf("%s, the column holds %s", why, l.typeName)
	}
	pages, err := checkPages(s.file, c)
	if err != nil {
		return nil, err
	}
	conv := newConverter(l.typ, r)
	if own := l.ownEncodings(); l.maxRep == 0 && own != 0 && pages.encodings.within(own) && pages.runLevels {
		reader := s.pool.reader(r)
		if reader == nil {
			base := pageReader{pageStream: pageStream{mem: s.pool}, maxDef: l.maxDef}
			if l.phys == parquet.Types.ByteArray {
				reader = &textReader{pageReader: base, conv: conv}
			} else {
				reader = newNumReader(conv, base, l.phys)
			}
		}
		return reader, reader.begin(s.file, c, head)
	}
	cr, err := group.Column(r.Column)
	if err != nil {
		return nil, err
	}
	return newReader(conv, cr, l, c.values)
}

// ownEncodings lists the encodings of data pages for which the package has
// decoders of its own.
func (l *leaf) ownEncodings() encodingSet {
	switch {
	case l.typ.kind == nullCell:
		return 0
	case l.phys == parquet.Types.ByteArray && l.typ.kind == textCell:
		return setOf(parquet.Encodings.Plain, parquet.Encodings.PlainDict, parquet.Encodings.RLEDict)
	}
	return numEncodings(l.phys)
}

// chunk reads and checks what the footer says of a column chunk.
func (s *parquetSource) chunk(group *metadata.RowGroupMetaData, col int, l *leaf) (c chunk, err error) {
	m, err := group.ColumnChunk(col)
	if err != nil {
		return c, err
	}
	c = chunk{
		start: m.DataPageOffset(), length: m.TotalCompressedSize(), values: m.NumValues(),
		unpacked: m.TotalUncompressedSize(), codec: m.Compression(), flat: l.maxRep == 0, width: l.plainWidth(),
	}
	if m.HasDictionaryPage() && m.DictionaryPageOffset() > 0 && m.DictionaryPageOffset() < c.start {
		c.start = m.DictionaryPageOffset()
	}
	switch {
	case m.FilePath() != "":
		return c, fmt.Errorf("its data are in another file, %q", m.FilePath())
	case m.CryptoMetadata() != nil:
		return c, fmt.Errorf("it is encrypted; encrypted columns are not read")
	case m.Type() != l.phys:
		return c, fmt.Errorf("physical type %s, the schema says %s", m.Type(), l.phys)
	case c.start < int64(len(magic)) || c.length < 0 || c.length > s.end-c.start:
		return c, fmt.Errorf("%d bytes at %d, the footer begins at %d", c.length, c.start, s.end)
	case c.values < 0 || c.flat && c.values != group.NumRows() || c.values < group.NumRows():
		return c, fmt.Errorf("%d values, the row group has %d rows", c.values, group.NumRows())
	case c.unpacked < 0:
		return c, fmt.Errorf("%d bytes unpacked", c.unpacked)
	}
	if _, err := compress.GetCodec(c.codec); err != nil {
		return c, fmt.Errorf("compression %s is not read", c.codec)
	}
	return c, nil
}
