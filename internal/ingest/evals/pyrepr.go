package evals

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// pythonDict reads a dict as Python's repr spells it, {'acc': 1, 'f1': nan},
// into JSON values: True, False, None, nan and inf, strings in either quotes,
// tuples and numbers that NumPy spells np.float64(0.5). An empty text is an
// empty dict.
func pythonDict(s string) (object, error) {
	if strings.TrimSpace(s) == "" || strings.TrimSpace(s) == "None" {
		return nil, nil
	}
	p := pyParser{s: s}
	p.space()
	if p.peek() != '{' {
		return nil, p.fault("a dict, '{'")
	}
	var b strings.Builder
	if err := p.value(&b, 0); err != nil {
		return nil, err
	}
	if p.space(); p.i < len(p.s) {
		return nil, p.fault("the end")
	}
	return value(b.String()).object(), nil
}

// pyParser turns Python's spelling of a value into JSON.
type pyParser struct {
	s string
	i int
}

const maxPyDepth = 100

func (p *pyParser) fault(expect string) error {
	return fmt.Errorf("%q: expected %s at byte %d", clip(p.s, 60), expect, p.i+1)
}

func (p *pyParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *pyParser) space() {
	for p.i < len(p.s) && isBlank(p.s[p.i]) {
		p.i++
	}
}

func (p *pyParser) value(b *strings.Builder, depth int) error {
	if depth > maxPyDepth {
		return p.fault(fmt.Sprintf("at most %d levels", maxPyDepth))
	}
	switch c := p.peek(); c {
	case '{':
		return p.nested(b, depth, '}', "{", "}")
	case '[':
		return p.nested(b, depth, ']', "[", "]")
	case '(':
		return p.nested(b, depth, ')', "[", "]")
	case '\'', '"':
		return p.text(b)
	default:
		return p.word(b, depth)
	}
}

// nested reads a dict, a list or a tuple.
func (p *pyParser) nested(b *strings.Builder, depth int, shut byte, begin, end string) error {
	p.i++
	b.WriteString(begin)
	for n := 0; ; n++ {
		p.space()
		if p.peek() == shut {
			p.i++
			b.WriteString(end)
			return nil
		}
		if n > 0 {
			b.WriteByte(',')
		}
		if shut == '}' {
			if err := p.key(b); err != nil {
				return err
			}
		}
		if err := p.value(b, depth+1); err != nil {
			return err
		}
		p.space()
		switch p.peek() {
		case ',':
			p.i++
		case shut:
		default:
			return p.fault("a comma or the end of the list")
		}
	}
}

// key reads a key, which need not be a string, and the colon.
func (p *pyParser) key(b *strings.Builder) error {
	if c := p.peek(); c == '\'' || c == '"' {
		if err := p.text(b); err != nil {
			return err
		}
	} else {
		start := p.i
		for p.i < len(p.s) && p.s[p.i] != ':' && p.s[p.i] != ',' && p.s[p.i] != '}' {
			p.i++
		}
		writeJSON(b, strings.TrimSpace(p.s[start:p.i]))
	}
	if p.space(); p.peek() != ':' {
		return p.fault("a colon")
	}
	p.i++
	p.space()
	b.WriteByte(':')
	return nil
}

func (p *pyParser) text(b *strings.Builder) error {
	quote := p.peek()
	var out strings.Builder
	for p.i++; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		if c == quote {
			p.i++
			writeJSON(b, out.String())
			return nil
		}
		if c != '\\' || p.i+1 == len(p.s) {
			out.WriteByte(c)
			continue
		}
		p.i++
		switch c = p.s[p.i]; c {
		case 'n':
			out.WriteByte('\n')
		case 't':
			out.WriteByte('\t')
		case 'r':
			out.WriteByte('\r')
		case 'x', 'u', 'U':
			out.WriteByte('\\') // as spelt: such texts are compared, not shown
			out.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return p.fault("the end of a string")
}

// word reads a number, a constant, or a call with one argument.
func (p *pyParser) word(b *strings.Builder, depth int) error {
	start := p.i
	for p.i < len(p.s) && !strings.ContainsRune(",:]})([{ \t\r\n'\"", rune(p.s[p.i])) {
		p.i++
	}
	w := p.s[start:p.i]
	if p.peek() == '(' && w != "" {
		p.i++
		p.space()
		if p.peek() == ')' {
			p.i++
			b.WriteString("null")
			return nil
		}
		if err := p.value(b, depth+1); err != nil {
			return err
		}
		for p.i < len(p.s) && p.s[p.i] != ')' { // dtype=float32 and the like
			p.i++
		}
		if p.peek() != ')' {
			return p.fault("')'")
		}
		p.i++
		return nil
	}
	switch w {
	case "True", "False":
		b.WriteString(strings.ToLower(w))
	case "None", "":
		if w == "" {
			return p.fault("a value")
		}
		b.WriteString("null")
	case "nan":
		b.WriteString("NaN")
	case "inf", "-inf":
		b.WriteString(strings.Replace(w, "inf", "Infinity", 1))
	default:
		if n := strings.TrimSuffix(w, "."); isNumber(n) { // NumPy spells 1.0 as 1.
			b.WriteString(n)
			return nil
		}
		writeJSON(b, w) // a name, as of an enumeration
	}
	return nil
}

func writeJSON(b *strings.Builder, s string) {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	q, err := json.Marshal(s)
	if err != nil {
		q = []byte(`""`)
	}
	b.Write(q)
}
