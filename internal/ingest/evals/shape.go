package evals

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
)

// container is how a file holds its records.
type container uint8

const (
	otherFile  container = iota
	jsonObject           // one object, or one a line
	jsonArray
	zipFile
	columnar // Parquet or Arrow
)

// shape is what a file looks like: enough to tell formats apart.
type shape struct {
	file    ingest.File
	in      container
	members []shapeMember // of the first object
	columns []string      // of a columnar file
}

// shapeMember is a member of the first object or, with a path of two keys, of
// an object in it.
type shapeMember struct {
	path string
	kind byte
	val  value // nil if it is long
}

// Bounds of what is looked at.
const (
	shapeBytes  = maxValue
	shapeKeys   = 80 // of the first object
	shapeNested = 24 // of an object in it
	shapeValue  = 16 << 10
	zipMagic    = "PK\x03\x04"
	zipEmpty    = "PK\x05\x06"
)

var errEnough = errors.New("enough")

// look finds out the shape of a file. head is its beginning.
func look(head []byte, f ingest.File) *shape {
	s := &shape{file: f}
	switch {
	case bytes.HasPrefix(head, []byte(zipMagic)) || bytes.HasPrefix(head, []byte(zipEmpty)):
		s.in = zipFile
		return s
	}
	for _, format := range []ingest.Format{arrowio.Parquet, arrowio.IPC} {
		if format.Detect(head, f) {
			s.listColumns(format)
			return s
		}
	}
	st := newStream(context.Background(), io.NewSectionReader(f, 0, min(f.Size, shapeBytes)))
	c, err := st.peek()
	if err != nil {
		return s
	}
	switch c {
	case '{':
		s.in = jsonObject
		s.read(st)
	case '[':
		s.in = jsonArray
		_ = st.array(func() error { // only the first element is looked at
			if c, err := st.peek(); err != nil || c != '{' {
				return errEnough
			}
			s.read(st)
			return errEnough
		})
	}
	return s
}

func (s *shape) listColumns(f ingest.Format) {
	s.in = columnar
	src, err := f.Open(s.file)
	if err != nil {
		return // the reader will say why
	}
	for _, c := range src.Columns() {
		s.columns = append(s.columns, c.Name)
	}
	src.Close() //nolint:errcheck // nothing was written
}

// read lists the members of the object that begins here. A fault ends the list.
func (s *shape) read(st *stream) {
	keys := 0
	_ = st.object(func(key string) error {
		if keys++; keys > shapeKeys {
			return errEnough
		}
		c, err := st.peek()
		if err != nil {
			return err
		}
		if c != '{' {
			return s.member(st, key, c)
		}
		s.members = append(s.members, shapeMember{path: key, kind: '{'})
		nested := 0
		return st.object(func(inner string) error {
			if nested++; nested > shapeNested {
				return st.skip()
			}
			c, err := st.peek()
			if err != nil {
				return err
			}
			return s.member(st, key+"."+inner, c)
		})
	})
}

func (s *shape) member(st *stream, path string, c byte) error {
	m := shapeMember{path: path, kind: value{c}.kind()}
	lim := st.lim
	st.lim = shapeValue
	v, err := st.raw()
	st.lim = lim
	var ft *fault
	switch {
	case err == nil && len(v) <= shapeValue:
		m.val = bytes.Clone(v)
	case err == nil:
	case errors.As(err, &ft):
		if err := st.skip(); err != nil {
			s.members = append(s.members, m)
			return err
		}
	default:
		return err
	}
	s.members = append(s.members, m)
	return nil
}

// has reports whether the first object has all the paths ("key" or "key.key").
func (s *shape) has(paths ...string) bool {
	for _, p := range paths {
		if s.kind(p) == 0 {
			return false
		}
	}
	return true
}

// any reports whether the first object has one of the paths.
func (s *shape) any(paths ...string) bool {
	for _, p := range paths {
		if s.kind(p) != 0 {
			return true
		}
	}
	return false
}

// kind returns the kind of value under a path, 0 if there is none.
func (s *shape) kind(path string) byte {
	for _, m := range s.members {
		if m.path == path {
			return m.kind
		}
	}
	return 0
}

// under returns the members of an object of the first object.
func (s *shape) under(key string) []shapeMember {
	var out []shapeMember
	for _, m := range s.members {
		if len(m.path) > len(key) && m.path[:len(key)] == key && m.path[len(key)] == '.' {
			out = append(out, m)
		}
	}
	return out
}

// records reports whether the file is made of JSON objects.
func (s *shape) records() bool { return s.in == jsonObject || s.in == jsonArray }
