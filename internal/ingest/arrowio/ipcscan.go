package arrowio

import (
	"context"
	"errors"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// dictionary is what the indices of a column stand for.
type dictionary struct {
	words []string
	nulls []bool // nil: no word is null
}

// Scan reads the requested columns of a partition.
func (s *ipcSource) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	if partition < 0 || partition >= len(s.parts) {
		return fmt.Errorf("there is no partition %d, the file has %d", partition, len(s.parts))
	}
	sc := &ipcScan{s: s, dicts: map[int64]*dictionary{}}
	if err := sc.open(req); err != nil {
		return err
	}
	b := &ingest.Batch{Cols: make([]ingest.Column, len(req))}
	for _, i := range s.parts[partition] {
		m := s.messages[i]
		if m.kind == messageDictionary {
			if err := sc.replace(m); err != nil {
				return err
			}
			continue
		}
		step, err := sc.openBatch(m)
		if err != nil {
			return err
		}
		for lo := int64(0); lo < m.rows; lo += int64(b.N) {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.N = int(min(int64(step), m.rows-lo))
			if err := sc.read(int(lo), b); err != nil {
				return err
			}
			if err := yield(b); err != nil {
				return err
			}
			b.Row += int64(b.N)
		}
	}
	return nil
}

// ipcScan is the scan of one partition.
type ipcScan struct {
	s     *ipcSource
	cols  []*ipcReader
	dicts map[int64]*dictionary // of a stream, as they are now
	want  map[int64]bool        // dictionaries that requested columns use

	part string
	at   int // column being worked on, for messages
}

func (sc *ipcScan) here(err *error) {
	name := ""
	if sc.at < len(sc.cols) {
		name = sc.cols[sc.at].col.name
	}
	*err = at(sc.part, name, *err)
}

func (sc *ipcScan) open(req []ingest.Request) error {
	sc.want = map[int64]bool{}
	for _, r := range req {
		if r.Column < 0 || r.Column >= len(sc.s.columns) {
			return fmt.Errorf("there is no column %d, the file has %d", r.Column, len(sc.s.columns))
		}
		c := &sc.s.columns[r.Column]
		if why := c.typ.readable(r.Form, r.Unit); why != "" {
			return at("", c.name, fmt.Errorf("%s, the column holds %s", why, c.typeName))
		}
		if c.field.dict {
			sc.want[c.field.dictID] = true
		}
		sc.cols = append(sc.cols, newIPCReader(c, r))
	}
	return nil
}

// openBatch loads the requested columns of a record batch and returns how many
// rows to read at a time.
func (sc *ipcScan) openBatch(m message) (step int, err error) {
	sc.part, sc.at = fmt.Sprintf("record batch %d", m.batch), len(sc.cols)
	defer sc.here(&err)
	defer guard(&err)
	b, err := sc.s.openBatch(m, sc.s.schema.fields)
	if err != nil {
		return 0, err
	}
	step = ingest.BatchRows
	for i, c := range sc.cols {
		sc.at = i
		if err := c.open(b, sc.s.schema.fields, sc.dictionary); err != nil {
			return 0, err
		}
		step = min(step, c.listRows())
	}
	return step, nil
}

func (sc *ipcScan) read(lo int, b *ingest.Batch) (err error) {
	defer sc.here(&err)
	defer guard(&err)
	for i, c := range sc.cols {
		sc.at = i
		if err := c.read(lo, b.N, &b.Cols[i]); err != nil {
			return err
		}
	}
	return nil
}

// dictionary returns a dictionary: of a stream what it is at this place, of a
// file the whole.
func (sc *ipcScan) dictionary(id int64) (*dictionary, error) {
	if !sc.s.stream {
		return sc.s.wholeDictionary(id)
	}
	if d := sc.dicts[id]; d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("there is no dictionary %d", id)
}

// replace takes in a dictionary message of a stream.
func (sc *ipcScan) replace(m message) (err error) {
	if !sc.want[m.dict] {
		return nil
	}
	sc.part, sc.at = fmt.Sprintf("dictionary %d", m.dict), len(sc.cols)
	defer sc.here(&err)
	defer guard(&err)
	old := &dictionary{}
	if m.delta {
		if old = sc.dicts[m.dict]; old == nil {
			return errors.New("it grows and was never begun")
		}
	}
	sc.dicts[m.dict], err = sc.s.readDictionary(m, old)
	return err
}

// wholeDictionary reads a dictionary of a file once.
func (s *ipcSource) wholeDictionary(id int64) (*dictionary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.loaded[id]; d != nil {
		return d, nil
	}
	d, found := &dictionary{}, false
	for _, m := range s.messages {
		if m.kind != messageDictionary || m.dict != id {
			continue
		}
		if found && !m.delta {
			return nil, fmt.Errorf("dictionary %d is there twice", id)
		}
		var err error
		if d, err = s.readDictionary(m, d); err != nil {
			return nil, fmt.Errorf("dictionary %d: %w", id, err)
		}
		found = true
	}
	if !found {
		return nil, fmt.Errorf("there is no dictionary %d", id)
	}
	s.loaded[id] = d
	return d, nil
}

// readDictionary returns old grown by the words of a message. Values that are
// no text are spelt as text.
func (s *ipcSource) readDictionary(m message, old *dictionary) (*dictionary, error) {
	f := s.dicts[m.dict]
	if f == nil {
		return nil, errors.New("no column uses it")
	}
	values := *f
	values.dict = false
	fields := []arrowField{values}
	b, err := s.openBatch(m, fields)
	if err != nil {
		return nil, err
	}
	col := ipcColumn{name: f.name, typ: values.cellType(), field: &values, path: []int{0}}
	if why := col.typ.readable(ingest.Text, ingest.Unit{}); why != "" || col.typ.kind == nullCell {
		return nil, fmt.Errorf("its values are %s: %s", values.String(), why)
	}
	r := newIPCReader(&col, ingest.Request{Form: ingest.Text})
	if err := r.open(b, fields, nil); err != nil {
		return nil, err
	}
	d := &dictionary{words: old.words[:len(old.words):len(old.words)], nulls: old.nulls}
	var c ingest.Column
	for lo := 0; lo < r.rows; lo += ingest.BatchRows {
		n := min(ingest.BatchRows, r.rows-lo)
		if err := r.read(lo, n, &c); err != nil {
			return nil, err
		}
		for i := range n {
			d.add(c.Str(i), !r.present[i])
		}
	}
	return d, nil
}

func (d *dictionary) add(word string, null bool) {
	d.words = append(d.words, word)
	if null && d.nulls == nil {
		d.nulls = make([]bool, len(d.words)-1)
	}
	if d.nulls != nil {
		for len(d.nulls) < len(d.words)-1 {
			d.nulls = append(d.nulls, false)
		}
		d.nulls = append(d.nulls, null)
	}
}

var errEnough = errors.New("enough seen")

// classify looks at the first words of text columns: texts that are all
// numbers or times are told as such. A fault found here is left for the scan.
func (s *ipcSource) classify() {
	if len(s.parts) == 0 {
		return
	}
	const enough = 100
	for i := range s.columns {
		if s.columns[i].typ.kind != textCell || s.columns[i].typ.list {
			continue
		}
		var words []string
		err := s.Scan(context.Background(), 0, []ingest.Request{{Column: i, Form: ingest.Text}}, func(b *ingest.Batch) error {
			for r := range min(b.N, enough) {
				if w := b.Cols[0].Str(r); w != "" {
					words = append(words, w)
				}
			}
			return errEnough
		})
		if err == nil || errors.Is(err, errEnough) {
			s.infos[i].Class, s.infos[i].CellUnits = textClass(words...)
		}
	}
}
