package harness

import (
	"bytes"
	"context"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// shape is what the beginning of a file looks like.
type shape struct {
	head  []byte
	first byte // the first byte that is not blank, 0 if there is none
	// keys holds the paths of JSON members, as far as the beginning goes:
	// "metadata.start", and "requests[].id" for the first element of an array.
	// An array of objects at the top is "[].id".
	keys map[string]bool
	// header holds the fields of the first line, split at commas, of a text
	// that is not JSON.
	header []string
}

const (
	shapeDepth = 6
	shapeKeys  = 2000
)

// look examines the beginning of a file.
func look(head []byte) shape {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	s := shape{head: head}
	rest := bytes.TrimLeft(head, " \t\r\n")
	if len(rest) == 0 {
		return s
	}
	s.first = rest[0]
	if s.first == '{' || s.first == '[' {
		s.keys = map[string]bool{}
		r := newJSON(context.Background(), ingest.File{Size: int64(len(head)), ReaderAt: bytes.NewReader(head)}, 0)
		s.value(r, "")
		return s
	}
	line, _, _ := bytes.Cut(rest, []byte{'\n'})
	if len(line) < 64<<10 {
		for f := range strings.SplitSeq(strings.TrimSuffix(string(line), "\r"), ",") {
			s.header = append(s.header, strings.Trim(strings.TrimSpace(f), `"`))
		}
	}
	return s
}

// value collects the paths below one value. The end of the beginning stops it,
// as a fault of the reader.
func (s *shape) value(r *jsonReader, path string) {
	if strings.Count(path, ".") >= shapeDepth {
		return
	}
	switch r.peek() {
	case '{':
		r.object(func(key []byte) {
			p := string(key)
			if path != "" {
				p = path + "." + p
			}
			if len(s.keys) < shapeKeys {
				s.keys[p] = true
			}
			s.value(r, p)
		})
	case '[':
		n := 0
		r.array(func() {
			if n++; n == 1 {
				s.value(r, path+"[]")
			}
		})
	}
}

// has reports whether the beginning holds all the paths.
func (s *shape) has(paths ...string) bool {
	for _, p := range paths {
		if !s.keys[p] {
			return false
		}
	}
	return len(paths) > 0
}

// inArray returns the shape of the first element of an array at the top, and any
// other shape as it is.
func (s shape) inArray() shape {
	if s.first != '[' {
		return s
	}
	keys := map[string]bool{}
	for k := range s.keys {
		if rest, ok := strings.CutPrefix(k, "[]."); ok {
			keys[rest] = true
		}
	}
	if len(keys) > 0 {
		s.first, s.keys = '{', keys
	}
	return s
}

// hasAny reports whether the beginning holds one of the paths.
func (s *shape) hasAny(paths ...string) bool {
	for _, p := range paths {
		if s.keys[p] {
			return true
		}
	}
	return false
}

// columns reports whether the first line of a CSV file names all the columns.
func (s *shape) columns(names ...string) bool {
	for _, n := range names {
		found := false
		for _, h := range s.header {
			found = found || h == n
		}
		if !found {
			return false
		}
	}
	return len(names) > 0
}

// containsAll reports whether b holds all the texts.
func containsAll(b []byte, texts ...string) bool {
	for _, t := range texts {
		if !bytes.Contains(b, []byte(t)) {
			return false
		}
	}
	return true
}
