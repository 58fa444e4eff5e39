package arrowio

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Parquet reads Parquet files. A partition is a row group.
//
// Lists of numbers are read without their null elements. Times of day count
// from midnight, dates from 1970, and local timestamps are taken for UTC. Data
// pages of version 1 and 2, all encodings and the codecs snappy, gzip, zstd,
// lz4_raw and brotli are read; LZO, the old LZ4 framing and encryption are not.
var Parquet = ingest.Format{Name: "parquet", Detect: detectParquet, Open: openParquet}

const (
	magic          = "PAR1"
	magicEncrypted = "PARE"
	footerTail     = 8 // length of the footer, magic
)

func detectParquet(head []byte, _ ingest.File) bool {
	return bytes.HasPrefix(head, []byte(magic)) || bytes.HasPrefix(head, []byte(magicEncrypted))
}

// parquetSource is an opened Parquet file.
type parquetSource struct {
	file   ingest.File
	end    int64 // where the footer begins
	reader *file.Reader
	leaves []leaf
	infos  []ingest.ColumnInfo
	meta   []ingest.KeyValue
	pool   *pool
}

func openParquet(f ingest.File) (_ ingest.Source, err error) {
	defer guard(&err)
	s := &parquetSource{file: f, pool: &pool{}}
	if err := s.checkFooter(); err != nil {
		return nil, err
	}
	s.reader, err = file.NewParquetReader(io.NewSectionReader(f, 0, f.Size), file.WithReadProps(s.properties()))
	if err != nil {
		return nil, fmt.Errorf("the footer cannot be read: %w", err)
	}
	if err := s.checkRows(); err != nil {
		return nil, err
	}
	stored, err := s.readMeta()
	if err != nil {
		return nil, err
	}
	s.leaves = listLeaves(s.reader.MetaData().Schema, stored)
	s.infos = make([]ingest.ColumnInfo, len(s.leaves))
	for i := range s.leaves {
		s.infos[i] = s.info(i)
		if s.infos[i].Class == ingest.NullClass {
			s.leaves[i].typ = cellType{kind: nullCell}
		}
	}
	return s, nil
}

func (s *parquetSource) properties() *parquet.ReaderProperties {
	p := parquet.NewReaderProperties(s.pool)
	p.BufferedStreamEnabled = true
	p.MaxCompressedPageSize, p.MaxUncompressedPageSize = maxPageBytes, maxPageBytes
	return p
}

// checkFooter verifies the frame of the file and every length in the footer.
func (s *parquetSource) checkFooter() error {
	f := s.file
	if f.Size < int64(len(magic))+footerTail {
		return fmt.Errorf("%d bytes, too few for a Parquet file", f.Size)
	}
	var head [len(magic)]byte
	var tail [footerTail]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return err
	}
	if n, err := f.ReadAt(tail[:], f.Size-footerTail); n < len(tail) {
		return err
	}
	switch {
	case string(head[:]) == magicEncrypted || string(tail[4:]) == magicEncrypted:
		return errors.New("the file is encrypted; encrypted files are not read")
	case string(head[:]) != magic:
		return fmt.Errorf("it begins with %q, a Parquet file with %q", head, magic)
	case string(tail[4:]) != magic:
		return fmt.Errorf("it ends in %q, a Parquet file in %q: it is cut short or still being written", tail[4:], magic)
	}
	size := int64(binary.LittleEndian.Uint32(tail[:]))
	s.end = f.Size - footerTail - size
	if size == 0 || s.end < int64(len(magic)) {
		return fmt.Errorf("a footer of %d bytes in a file of %d", size, f.Size)
	}
	footer := make([]byte, size)
	if n, err := f.ReadAt(footer, s.end); n < len(footer) {
		return fmt.Errorf("the footer cannot be read: %w", err)
	}
	t := &thrift{b: footer}
	if t.structure(0); t.err != nil {
		return fmt.Errorf("the footer cannot be read: %w", t.err)
	}
	return nil
}

// checkRows compares the row counts and column counts of the footer.
func (s *parquetSource) checkRows() error {
	m := s.reader.MetaData()
	if m.IsSetEncryptionAlgorithm() {
		return errors.New("the file is encrypted; encrypted files are not read")
	}
	sum := int64(0)
	for i := range m.NumRowGroups() {
		g := m.RowGroups[i]
		if g.NumRows < 0 || g.NumRows > m.NumRows {
			return at(groupName(i), "", fmt.Errorf("%d rows, the file has %d", g.NumRows, m.NumRows))
		}
		if n, want := len(g.Columns), m.Schema.NumColumns(); n != want {
			return at(groupName(i), "", fmt.Errorf("%d columns, the schema has %d", n, want))
		}
		sum += g.NumRows
	}
	if sum != m.NumRows {
		return fmt.Errorf("the row groups have %d rows together, the footer says %d", sum, m.NumRows)
	}
	return nil
}

// readMeta lists the key-value metadata and reads the Arrow schema in it.
func (s *parquetSource) readMeta() (stored arrowSchema, err error) {
	const key = "ARROW:schema"
	kv := s.reader.MetaData().KeyValueMetadata()
	keys, values := kv.Keys(), kv.Values()
	for i, k := range keys {
		if k == key {
			if stored, err = storedArrowSchema(values[i]); err != nil {
				return stored, fmt.Errorf("metadata %q: %w", key, err)
			}
			continue
		}
		s.meta = append(s.meta, ingest.KeyValue{Key: k, Value: values[i]})
	}
	slices.SortStableFunc(s.meta, func(a, b ingest.KeyValue) int { return cmp.Compare(a.Key, b.Key) })
	return stored, nil
}

// info describes column i. Statistics of the first row group with values tell
// columns of nulls, and texts that are numbers or times.
func (s *parquetSource) info(i int) ingest.ColumnInfo {
	l := &s.leaves[i]
	info := ingest.ColumnInfo{Name: l.name, Type: l.typeName, Class: l.typ.class(), CellUnits: l.typ.kind == durationCell}
	if l.maxRep > 0 || l.typ.kind == nullCell {
		return info
	}
	m := s.reader.MetaData()
	for g := range m.NumRowGroups() {
		c, err := m.RowGroup(g).ColumnChunk(i)
		if err != nil {
			return info
		}
		st, err := c.Statistics()
		if err != nil || st == nil {
			return info
		}
		if st.HasNullCount() && st.NullCount() == c.NumValues() {
			continue
		}
		if b, ok := st.(*metadata.ByteArrayStatistics); ok && l.typ.kind == textCell && b.HasMinMax() {
			info.Class, info.CellUnits = textClass(string(b.Min()), string(b.Max()))
		}
		return info
	}
	if m.NumRows > 0 {
		info.Class = ingest.NullClass
	}
	return info
}

// textClass tells what a text column holds, judged by some of its words.
func textClass(words ...string) (class ingest.Class, units bool) {
	numbers, own, times := 0, 0, 0
	for _, w := range words {
		if _, u, ok := splitNumber(w); ok {
			numbers++
			if u.Known() {
				own++
			}
		}
		if _, ok := parseTimestamp(w); ok {
			times++
		}
	}
	switch n := len(words); {
	case n == 0:
		return ingest.TextClass, false
	case times == n:
		return ingest.InstantClass, false
	case numbers == n:
		return ingest.NumericClass, own == n
	}
	return ingest.TextClass, false
}

func groupName(i int) string { return fmt.Sprintf("row group %d", i) }

func (s *parquetSource) Columns() []ingest.ColumnInfo { return s.infos }
func (s *parquetSource) Rows() int64                  { return s.reader.NumRows() }
func (s *parquetSource) Partitions() int              { return s.reader.NumRowGroups() }
func (s *parquetSource) Metadata() []ingest.KeyValue  { return s.meta }
func (s *parquetSource) Close() error                 { return nil }
