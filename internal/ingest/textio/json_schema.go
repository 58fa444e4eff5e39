package textio

import (
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Bounds of what becomes a column. An object that goes beyond them is used as a
// map or a tree; what is beyond is not listed, and can still be read as text of
// the object it is in.
const (
	maxKeys    = 2000  // of one object
	maxLevels  = 32    // of nesting
	maxName    = 512   // bytes of a path
	maxListed  = 20000 // columns
	indexAbove = 16    // children: a map finds them
)

// schema is what the first records hold under one path.
type schema struct {
	key      string
	children []*schema
	index    map[string]*schema // the children by key, if there are many
	tally    tally
	objects  int // how often it was an object with members
	level    int
	width    int // bytes of the path
}

// sniffer collects the schema of a file.
type sniffer struct {
	lexer
	root    schema
	listed  int
	scratch []byte
	floats  []float64
}

// record takes in one object.
func (s *sniffer) record(b []byte, cut bool) error {
	p := recordParser{lexer: lexer{b: b}}
	if err := p.record(b, 0, cut); err != nil {
		return err
	}
	s.b = b
	s.members(s.space(0), 0, &s.root)
	return nil
}

func (s *sniffer) members(i, depth int, n *schema) int {
	n.objects++
	return s.object(i, depth, func(key []byte, escaped bool, i int) int {
		end := s.skip(i, depth+1)
		if c := s.child(n, key, escaped); end >= 0 && c != nil {
			s.value(i, end, depth+1, c)
		}
		return end
	})
}

// child returns the schema of a key, a new one if it is new, nil if it is not
// to be listed.
func (s *sniffer) child(n *schema, key []byte, escaped bool) *schema {
	if escaped || !utf8.Valid(key) {
		s.scratch = appendUnescaped(s.scratch[:0], key)
		key = s.scratch
	}
	if n.index != nil {
		if c := n.index[string(key)]; c != nil {
			return c
		}
	} else {
		for _, c := range n.children {
			if c.key == string(key) {
				return c
			}
		}
	}
	width := n.width + 1 + len(key)
	if s.listed >= maxListed || len(n.children) >= maxKeys || n.level >= maxLevels || width > maxName {
		return nil
	}
	s.listed++
	c := &schema{key: string(key), level: n.level + 1, width: width}
	n.children = append(n.children, c)
	if n.index != nil {
		n.index[c.key] = c
	} else if len(n.children) > indexAbove {
		n.index = make(map[string]*schema, 2*len(n.children))
		for _, c := range n.children {
			n.index[c.key] = c
		}
	}
	return c
}

// value takes in the value b[i:end].
func (s *sniffer) value(i, end, depth int, n *schema) {
	raw := s.b[i:end]
	switch raw[0] {
	case '"':
		text := stringText(raw, &s.scratch)
		if n.tally.addText(text, &s.floats) == kindNumber {
			n.tally.quoted = true
		}
	case 'n':
		n.tally.add(kindNull)
	case 't', 'f':
		n.tally.add(kindBool)
	case '[':
		n.tally.add(s.listKind(raw))
	case '{':
		if blanks(raw, 1) == len(raw)-1 {
			n.tally.add(kindNull)
		} else if !s.valueUnit(raw, n) {
			n.tally.add(kindObject)
			s.members(i, depth, n)
		}
	default:
		if _, special := parseSpecial(raw); special {
			n.tally.add(kindNaN)
		} else {
			n.tally.add(kindNumber)
		}
	}
}

func (s *sniffer) listKind(raw []byte) kind {
	var ok bool
	switch s.floats, ok = appendList(s.floats[:0], raw); {
	case !ok:
		return kindOther
	case len(s.floats) == 0:
		return kindEmpty
	}
	return kindList
}

// valueUnit takes in an object that is a number, or a list of numbers, with
// its unit.
func (s *sniffer) valueUnit(raw []byte, n *schema) bool {
	value, unit, ok := valueUnit(raw)
	if !ok {
		return false
	}
	k := kindNumber
	switch value[0] {
	case '"', '{', 't', 'f':
		return false
	case 'n':
		k = kindNull
	case '[':
		if k = s.listKind(value); k == kindOther {
			return false
		}
	default:
		if _, special := parseSpecial(value); special {
			k = kindNaN
		}
	}
	n.tally.add(k)
	text := trim(stringText(unit, &s.scratch))
	if _, known := parseUnit(text); known {
		n.tally.units = true
	} else if n.tally.other == "" {
		n.tally.other = string(text)
	}
	return true
}

// columns lists the paths in order of first appearance. Two paths that are
// spelt the same, {"a.b": 1} and {"a": {"b": 1}}, are one column.
func (s *sniffer) columns() (cols []ingest.ColumnInfo, paths [][][]string) {
	byName := map[string]int{}
	var walk func(n *schema, path []string)
	walk = func(n *schema, path []string) {
		for _, c := range n.children {
			full := append(path[:len(path):len(path)], c.key)
			absent := max(n.objects-c.tally.total, 0)
			c.tally.count[kindNull] += absent
			c.tally.total += absent
			name := strings.Join(full, ".")
			if i, ok := byName[name]; ok {
				paths[i] = append(paths[i], full)
			} else {
				byName[name] = len(cols)
				cols = append(cols, c.tally.info(name))
				paths = append(paths, [][]string{full})
			}
			walk(c, full)
		}
	}
	walk(&s.root, nil)
	return cols, paths
}
