package textio

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// node is a key that leads to requested columns.
type node struct {
	key      string
	children []*node
	readers  []*builder // of the columns whose path ends here
	stamp    int64      // of the record that had it last
}

// child returns the node of a key, nil if nothing is wanted of it.
func (n *node) child(key []byte) *node {
	for _, c := range n.children {
		if c.key == string(key) {
			return c
		}
	}
	return nil
}

// want makes the parser give the values under a path to a builder.
func (p *recordParser) want(path []string, b *builder) {
	n := &p.root
	for _, key := range path {
		p.lossy = p.lossy || strings.ContainsRune(key, utf8.RuneError)
		c := n.child([]byte(key))
		if c == nil {
			c = &node{key: key}
			n.children = append(n.children, c)
		}
		n = c
	}
	n.readers = append(n.readers, b)
}

// recordParser reads the wanted values of one object after another and walks
// over the others.
type recordParser struct {
	lexer
	root     node
	builders []*builder
	rows     int   // cells of every builder before this record
	stamp    int64 // of this record
	lossy    bool  // a wanted key holds U+FFFD, which invalid UTF-8 is read as
	key      []byte
	scratch  []byte
	err      error // of a builder
}

// record appends a cell to every builder.
func (p *recordParser) record(b []byte, rows int, cut bool) error {
	p.b, p.rows = b, rows
	p.stamp++
	i := p.space(0)
	if i < len(b) && b[i] == '{' {
		i = p.members(i, 0, &p.root)
	} else {
		i = p.fail(i, "an object, '{'")
	}
	if i >= 0 {
		if i = p.space(i); i < len(b) {
			i = p.fail(i, "the end of the line (one object a line)")
		}
	}
	if i < 0 {
		if p.err != nil {
			return p.err
		}
		return p.fault(cut)
	}
	for _, c := range p.builders {
		if c.n == rows {
			c.absent(ingest.Missing)
		}
	}
	return nil
}

// members walks over the object at i for what is wanted below n.
func (p *recordParser) members(i, depth int, n *node) int {
	return p.object(i, depth, func(key []byte, escaped bool, i int) int {
		if escaped || p.lossy {
			p.key = appendUnescaped(p.key[:0], key)
			key = p.key
		}
		if c := n.child(key); c != nil {
			return p.value(i, depth+1, c)
		}
		return p.skip(i, depth+1)
	})
}

// value walks over the value at i, wanted by the readers of n or below it. Of
// a key that an object has twice the last value counts.
func (p *recordParser) value(i, depth int, n *node) int {
	if n.stamp == p.stamp {
		p.forget(n)
	}
	n.stamp = p.stamp
	end := -1
	if len(n.children) > 0 && i < len(p.b) && p.b[i] == '{' {
		end = p.members(i, depth, n)
	} else {
		end = p.skip(i, depth)
	}
	if end < 0 {
		return end
	}
	for _, r := range n.readers {
		if r.n > p.rows {
			r.undo()
		}
		if err := p.read(r, p.b[i:end]); err != nil {
			p.err = err
			return -1
		}
	}
	return end
}

// forget takes back what this record has given to n and below.
func (p *recordParser) forget(n *node) {
	for _, r := range n.readers {
		if r.n > p.rows {
			r.undo()
		}
	}
	for _, c := range n.children {
		p.forget(c)
	}
}

// read appends a valid value to a builder.
func (p *recordParser) read(r *builder, raw []byte) error {
	switch raw[0] {
	case '"':
		return r.cell(stringText(raw, &p.scratch), true)
	case '[', '{':
		return p.readNested(r, raw)
	}
	return r.cell(raw, false)
}

// readNested appends a list or an object.
func (p *recordParser) readNested(r *builder, raw []byte) error {
	if r.form == ingest.Text {
		if blanks(raw, 1) == len(raw)-1 {
			r.absent(ingest.Missing)
			return nil
		}
		p.scratch = appendCompact(p.scratch[:0], raw)
		return r.text(p.scratch)
	}
	if raw[0] == '[' {
		if r.form == ingest.NumberList {
			return r.list(raw, ingest.Unit{})
		}
		r.absent(ingest.Malformed)
		return nil
	}
	value, unit, ok := valueUnit(raw)
	if !ok {
		r.absent(ingest.Malformed)
		return nil
	}
	u, isTime := parseUnit(trim(stringText(unit, &p.scratch)))
	switch c := value[0]; {
	case c == 'n':
		r.absent(ingest.Missing)
	case !isTime && (r.form == ingest.Time || r.per != 0):
		r.absent(ingest.Malformed) // "tokens" where a time is wanted
	case c == '[' && r.form == ingest.NumberList:
		if !isTime {
			u = ingest.One
		}
		return r.list(value, u)
	case c == '[' || c == '{' || c == '"' || c == 't' || c == 'f' || r.form == ingest.NumberList:
		r.absent(ingest.Malformed)
	case !isTime:
		return r.cell(value, false)
	default:
		return r.valueWithUnit(value, u, raw)
	}
	return nil
}

// valueWithUnit appends a number token with the unit beside it.
func (b *builder) valueWithUnit(s []byte, u ingest.Unit, raw []byte) error {
	if v, ok := parseSpecial(s); ok {
		if b.form == ingest.Number {
			return b.float(v)
		}
		b.absent(ingest.Malformed)
		return nil
	}
	d := scanDecimal(s)
	if b.form == ingest.Number {
		return b.withUnit(d.float(s), u, bytes.TrimSpace(raw))
	}
	ns, ok := d.nanos(s, perUnit(u))
	if !ok {
		b.absent(ingest.Malformed)
		return nil
	}
	b.col.Times = append(b.col.Times, ns)
	b.end(ingest.Present)
	return nil
}
