package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// chunkBytes is the size of a partition of a file of lines.
const chunkBytes = 8 << 20

// scan is one walk over a file or a part of it.
type scan struct {
	ctx     context.Context
	file    ingest.File
	harness string
	from    int64 // offset of the first record
	stop    int64 // records that begin here or behind belong to another partition
	row     row
	info    *info // takes fingerprint and remarks; nil when the file is known already
	emit    func() error
}

// records walks over the objects of the scan, of an array or one after another.
func (s *scan) records(record func(r *jsonReader)) error {
	r := s.json()
	r.records(func() {
		at := r.pos()
		record(r)
		s.known(r, at)
		s.put(r)
	})
	return r.err
}

// known refuses a record at an offset that has filled nothing but its status:
// it is of another layout.
func (s *scan) known(r *jsonReader, at int64) {
	if r.err == nil && (s.row.has|s.row.bad)&^setOf(colStatus, colError, colRun) == 0 {
		r.err = &fault{off: at, msg: "the record has none of the fields that records of " + s.harness + " have"}
	}
}

// json returns a reader of the scan's text.
func (s *scan) json() *jsonReader {
	r := newJSON(s.ctx, s.file, s.from)
	r.stop = s.stop
	return r
}

// put hands the row over. It is to be called within a walk of r, which it stops
// where the receiver has had enough.
func (s *scan) put(r *jsonReader) {
	if r.err == nil {
		r.err = s.emit()
	}
}

// layout is how the records of a file are read.
type layout struct {
	harness string
	// each walks over the records of a scan: it fills s.row and calls emit for
	// every request. It keeps no state between scans.
	each func(s *scan) error
	// lines says that records are one per line, as far as the first ones go, so
	// that the file may be read in pieces.
	lines bool
	// from is the offset of the text, behind a byte order mark.
	from int64 // set on opening
	// empty says what a file without a record lacks.
	empty string
	// info holds what is known before the records are read.
	info info
}

// table is a source that reads rows one after another.
type table struct {
	file   ingest.File
	layout layout
	cols   []column
	gaps   string
	meta   []ingest.KeyValue
	rows   int64
	failed int64 // of the rows, where all were seen
	chunk  int64
}

// openTable surveys the file and returns its source.
func openTable(f ingest.File, l layout) (*table, error) {
	l.info.harness = l.harness
	if l.from = textio.TextStart(f); l.lines {
		l.lines = firstByte(f, l.from) == '{'
	}
	sv, err := surveyRecords(f, &l)
	if err != nil {
		return nil, place(f, err)
	}
	if sv.rows == 0 {
		if l.empty == "" {
			l.empty = "the file holds no request"
		}
		return nil, errors.New(l.empty)
	}
	t := &table{file: f, layout: l, rows: -1, chunk: chunkBytes, gaps: sv.gaps.name()}
	for c := column(0); c < numColumns; c++ {
		if sv.seen.has(c) {
			t.cols = append(t.cols, c)
		}
	}
	if sv.seen.has(colGaps) {
		sv.gaps.explain(&l.info)
		kind := "token"
		if t.gaps == chunkGaps {
			kind = "chunk"
		}
		l.info.print("gap_kind", kind)
	}
	slices.Sort(sv.counted)
	for _, who := range sv.counted {
		l.info.print("token_source", who)
	}
	if sv.whole {
		t.rows, t.failed = sv.rows, sv.failed
	}
	t.layout = l
	t.layout.lines = sv.lines
	t.meta = l.info.metadata()
	return t, nil
}

// crossCheck compares the successes that were read with the file's own count.
func (t *table) crossCheck(completed float64) {
	ok := t.rows - t.failed
	if t.rows < 0 || !finite(completed) || float64(ok) == completed {
		return
	}
	t.layout.info.note("the file says that %.0f requests completed; by their errors, lengths and times %d of %d did", completed, ok, t.rows)
	t.meta = t.layout.info.metadata()
}

// fillScheduled lets a request without an intended time, in a file that has
// them, count as scheduled when it was sent.
func fillScheduled(w *row) {
	if !w.has.has(colScheduled) && !w.bad.has(colScheduled) && w.has.has(colStart) {
		w.setTime(colScheduled, w.at[colStart])
	}
}

func (t *table) Columns() []ingest.ColumnInfo {
	out := make([]ingest.ColumnInfo, len(t.cols))
	for i, c := range t.cols {
		out[i] = c.info(t.gaps)
	}
	return out
}

func (t *table) Rows() int64                 { return t.rows }
func (t *table) Metadata() []ingest.KeyValue { return t.meta }
func (t *table) Close() error                { return nil }

// Partitions returns the number of 8 MiB pieces of a file of lines; a record
// belongs to the piece in which it begins. Any other file is one piece.
func (t *table) Partitions() int {
	if !t.layout.lines {
		return 1
	}
	return int(max(1, (t.file.Size+t.chunk-1)/t.chunk))
}

// Scan reads the requested columns of a partition.
func (t *table) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	if partition < 0 || partition >= t.Partitions() {
		return fmt.Errorf("partition %d of %d", partition, t.Partitions())
	}
	b, err := newBuilder(t.cols, req, yield)
	if err != nil {
		return err
	}
	s := &scan{ctx: ctx, file: t.file, harness: t.layout.harness, from: t.layout.from, stop: t.file.Size}
	if t.layout.lines {
		s.stop = min(int64(partition+1)*t.chunk, t.file.Size)
		if partition > 0 {
			if s.from, err = nextLine(t.file, int64(partition)*t.chunk-1); err != nil {
				return err
			}
		}
	}
	s.row.want = b.wanted()
	s.emit = func() error {
		fillScheduled(&s.row)
		err := b.add(ctx, &s.row)
		s.row.reset()
		return err
	}
	if err := t.layout.each(s); err != nil {
		return place(t.file, err)
	}
	return b.flush(ctx)
}

// firstByte returns the first byte that is not blank, 0 if there is none.
func firstByte(f ingest.File, from int64) byte {
	return newJSON(context.Background(), f, from).peek()
}

// nextLine returns the offset behind the first newline at or behind an offset.
func nextLine(f ingest.File, at int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for at < f.Size {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), f.Size-at)], at)
		for i, c := range buf[:n] {
			if c == '\n' {
				return at + int64(i) + 1, nil
			}
		}
		if at += int64(n); n == 0 {
			return 0, err
		}
	}
	return f.Size, nil
}
