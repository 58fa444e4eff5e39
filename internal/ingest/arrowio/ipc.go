package arrowio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// IPC reads Arrow IPC, the file format (Feather 2) and the stream. A partition
// of a file is a group of record batches of 64 Ki rows or more; a stream is one
// partition.
//
// The messages are decoded here, not by the library: its reader decodes every
// column, and trusts the lengths in the metadata. Text, numbers, times, lists
// of numbers and structures of them are read; unions, maps and run-end-encoded
// columns are not.
var IPC = ingest.Format{Name: "arrow", Detect: detectIPC, Open: openIPC}

const (
	ipcMagic      = "ARROW1"
	ipcTail       = 4 + len(ipcMagic) // length of the footer, magic
	partitionRows = 64 << 10
)

func detectIPC(head []byte, f ingest.File) bool {
	if bytes.HasPrefix(head, []byte(ipcMagic)) {
		return true
	}
	if len(head) < 8 {
		return false
	}
	size, at := int64(binary.LittleEndian.Uint32(head)), int64(4)
	if size == continuation {
		size, at = int64(binary.LittleEndian.Uint32(head[4:])), 8
	}
	if size < 16 || size > f.Size-at {
		return false
	}
	if at == 8 && size > int64(len(head))-at {
		return true
	}
	// The old stream format has no mark; it must make sense to be believed.
	if size > int64(len(head))-at {
		return false
	}
	kind, header, _, err := parseMessage(head[at : at+size])
	if err != nil || kind != messageSchema {
		return false
	}
	_, err = parseArrowSchema(header)
	return err == nil
}

// message is an encapsulated message: where it lies and what it is.
type message struct {
	off, body  int64 // of the metadata, of the body
	size       int64 // of the metadata, prefix included
	bodySize   int64
	kind       byte
	rows       int64 // of a record batch or dictionary
	dict       int64 // id of the dictionary
	delta      bool  // the dictionary grows
	unionNulls bool  // unions have validity: format versions before 5
	batch      int   // number of the record batch
}

// ipcSource is an opened file or stream.
type ipcSource struct {
	file    ingest.File
	stream  bool
	schema  arrowSchema
	columns []ipcColumn
	infos   []ingest.ColumnInfo
	dicts   map[int64]*arrowField // what the values of a dictionary are

	messages []message // record batches and dictionaries, in order
	parts    [][]int   // messages of each partition
	rows     int64

	mu     sync.Mutex
	loaded map[int64]*dictionary // of a file: complete from the start
	zstd   sync.Pool             // *zstd.Decoder
}

func openIPC(f ingest.File) (_ ingest.Source, err error) {
	defer guard(&err)
	s := &ipcSource{file: f, loaded: map[int64]*dictionary{}, dicts: map[int64]*arrowField{}}
	head := make([]byte, min(f.Size, int64(len(ipcMagic))))
	if _, err := f.ReadAt(head, 0); err != nil && f.Size < int64(len(head)) {
		return nil, err
	}
	s.stream = string(head) != ipcMagic
	if s.stream {
		err = s.indexStream()
	} else {
		err = s.indexFile()
	}
	if err != nil {
		return nil, err
	}
	s.partition()
	s.classify()
	return s, nil
}

// setSchema takes over the schema.
func (s *ipcSource) setSchema(t table) (err error) {
	if s.schema, err = parseArrowSchema(t); err != nil {
		return fmt.Errorf("the schema cannot be read: %w", err)
	}
	s.columns = listColumns(s.schema.fields)
	s.infos = make([]ingest.ColumnInfo, len(s.columns))
	for i, c := range s.columns {
		s.infos[i] = ingest.ColumnInfo{
			Name: c.name, Type: c.typeName, Class: c.typ.class(), CellUnits: c.typ.kind == durationCell && !c.typ.list,
		}
	}
	return s.addDictionaries(s.schema.fields)
}

func (s *ipcSource) addDictionaries(fields []arrowField) error {
	for i := range fields {
		f := &fields[i]
		if f.dict {
			s.dicts[f.dictID] = f
		}
		if err := s.addDictionaries(f.children); err != nil {
			return err
		}
	}
	return nil
}

// indexFile lists the messages by the footer of a file.
func (s *ipcSource) indexFile() error {
	f := s.file
	if f.Size < int64(8+ipcTail) {
		return fmt.Errorf("%d bytes, too few for an Arrow file", f.Size)
	}
	tail := make([]byte, ipcTail)
	if n, err := f.ReadAt(tail, f.Size-int64(ipcTail)); n < len(tail) {
		return err
	}
	if string(tail[4:]) != ipcMagic {
		return fmt.Errorf("it ends in %q, an Arrow file in %q: it is cut short or still being written", tail[4:], ipcMagic)
	}
	size := int64(int32(binary.LittleEndian.Uint32(tail)))
	end := f.Size - int64(ipcTail) - size
	if size <= 0 || end < 8 {
		return fmt.Errorf("a footer of %d bytes in a file of %d", size, f.Size)
	}
	buf := make([]byte, size)
	if n, err := f.ReadAt(buf, end); n < len(buf) {
		return fmt.Errorf("the footer cannot be read: %w", err)
	}
	fb := &flatbuf{b: buf}
	footer := fb.root()
	if err := s.setSchema(footer.sub(1)); err != nil {
		return err
	}
	for _, field := range []int{2, 3} { // dictionaries, record batches
		pos, n := footer.vector(field, 24)
		for i := range n {
			p := pos + 24*i
			off, meta, body := fb.i64(p), int64(fb.i32(p+8)), fb.i64(p+16)
			if off < 8 || meta < 8 || body < 0 || off > end || meta > end-off || body > end-off-meta {
				return fmt.Errorf("block %d: %d + %d bytes at %d, the footer begins at %d", i, meta, body, off, end)
			}
			m, _, err := s.readMessage(off, meta)
			if err == nil && m.bodySize != body {
				err = fmt.Errorf("a body of %d bytes, the footer says %d", m.bodySize, body)
			}
			if err == nil && m.kind != byte(field) { // the numbers happen to agree
				err = fmt.Errorf("message of type %d, %d expected", m.kind, field)
			}
			if err != nil {
				return fmt.Errorf("block %d: %w", i, err)
			}
			s.add(m)
		}
	}
	if fb.bad {
		return fmt.Errorf("the footer cannot be read: %w", errFlatbuf)
	}
	return nil
}

// indexStream lists the messages of a stream by walking it.
func (s *ipcSource) indexStream() error {
	f := s.file
	var prefix [8]byte
	for off, i := int64(0), 0; off < f.Size; i++ {
		n, err := f.ReadAt(prefix[:], off)
		if n < 4 {
			return fmt.Errorf("message %d: %w: %w", i, errShort, err)
		}
		size, head := int64(binary.LittleEndian.Uint32(prefix[:])), int64(4)
		if size == continuation {
			if n < 8 {
				return fmt.Errorf("message %d: %w", i, errShort)
			}
			size, head = int64(binary.LittleEndian.Uint32(prefix[4:])), 8
		}
		if size == 0 { // end of stream
			break
		}
		if size < 16 || size > f.Size-off-head {
			return fmt.Errorf("message %d: metadata of %d bytes, %d are left", i, size, f.Size-off-head)
		}
		m, header, err := s.readMessage(off, head+size)
		switch {
		case err != nil:
			return fmt.Errorf("message %d: %w", i, err)
		case m.bodySize > f.Size-m.body:
			return fmt.Errorf("message %d: a body of %d bytes, %d are left", i, m.bodySize, f.Size-m.body)
		case (i == 0) != (m.kind == messageSchema):
			return fmt.Errorf("message %d: message of type %d; the schema, and only it, comes first", i, m.kind)
		case i == 0:
			if err := s.setSchema(header); err != nil {
				return err
			}
		default:
			s.add(m)
		}
		off = m.body + m.bodySize
	}
	if s.columns == nil && s.infos == nil {
		return errors.New("a stream without a schema")
	}
	return nil
}

func (s *ipcSource) add(m message) {
	if m.kind == messageBatch {
		m.batch = 0
		for i := len(s.messages) - 1; i >= 0; i-- {
			if s.messages[i].kind == messageBatch {
				m.batch = s.messages[i].batch + 1
				break
			}
		}
		s.rows += m.rows
	}
	s.messages = append(s.messages, m)
}

// readMessage reads the metadata of the message at off.
func (s *ipcSource) readMessage(off, size int64) (m message, header table, err error) {
	buf := make([]byte, size)
	if n, err := s.file.ReadAt(buf, off); n < len(buf) {
		return m, header, fmt.Errorf("its metadata cannot be read: %w", err)
	}
	m = message{off: off, size: size, body: off + size}
	head, length := 4, int64(binary.LittleEndian.Uint32(buf))
	if length == continuation {
		head, length = 8, int64(binary.LittleEndian.Uint32(buf[4:]))
	}
	if length > size-int64(head) {
		return m, header, fmt.Errorf("metadata of %d bytes, %d are there", length, size-int64(head))
	}
	if m.kind, header, m.bodySize, err = parseMessage(buf[head : int64(head)+length]); err != nil {
		return m, header, err
	}
	version := (&flatbuf{b: header.f.b}).root().short(0, 0)
	if version < 3 || version > 4 {
		return m, header, fmt.Errorf("metadata of version %d are not read, only 4 and 5", version+1)
	}
	m.unionNulls = version < 4
	batch := header
	if m.kind == messageDictionary {
		m.dict, m.delta = header.long(0), header.bool(2)
		batch = header.sub(1)
	}
	if m.kind == messageDictionary || m.kind == messageBatch {
		if m.rows = batch.long(0); m.rows < 0 || batch.f == nil || header.f.bad {
			return m, header, errFlatbuf
		}
	}
	return m, batch, nil
}

// partition groups the record batches. Dictionaries of a stream stay in their
// places among them.
func (s *ipcSource) partition() {
	var part []int
	rows := int64(0)
	for i, m := range s.messages {
		if m.kind == messageDictionary && !s.stream {
			continue
		}
		part = append(part, i)
		if rows += m.rows; rows >= partitionRows && !s.stream {
			s.parts = append(s.parts, part)
			part, rows = nil, 0
		}
	}
	if len(part) > 0 {
		s.parts = append(s.parts, part)
	}
}

func (s *ipcSource) Columns() []ingest.ColumnInfo { return s.infos }
func (s *ipcSource) Rows() int64                  { return s.rows }
func (s *ipcSource) Partitions() int              { return len(s.parts) }
func (s *ipcSource) Metadata() []ingest.KeyValue  { return s.schema.meta }
func (s *ipcSource) Close() error                 { return nil }
