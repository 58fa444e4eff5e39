package evals

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// docHash returns the hash that identifies a document. Versions before 0.4.3
// do not store it: it is made as later ones do, so that files of both pair.
func docHash(o object, doc value) string {
	if h := o.get("doc_hash").str(); h != "" {
		return h
	}
	if doc == nil {
		return ""
	}
	var b strings.Builder
	pythonDump(&b, doc, 0)
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// pythonDump writes a value as json.dumps(v, indent=2, ensure_ascii=False)
// does. Numbers are written as they are spelt.
func pythonDump(b *strings.Builder, v value, depth int) {
	indent := func(n int) {
		b.WriteByte('\n')
		for range n {
			b.WriteString("  ")
		}
	}
	sep := ""
	switch v.kind() {
	case '{':
		for k, m := range v.members() {
			if sep == "" {
				b.WriteByte('{')
			}
			b.WriteString(sep)
			indent(depth + 1)
			pythonString(b, k)
			b.WriteString(": ")
			pythonDump(b, m, depth+1)
			sep = ","
		}
		if sep == "" {
			b.WriteString("{}")
			return
		}
		indent(depth)
		b.WriteByte('}')
	case '[':
		for e := range v.elements() {
			if sep == "" {
				b.WriteByte('[')
			}
			b.WriteString(sep)
			indent(depth + 1)
			pythonDump(b, e, depth+1)
			sep = ","
		}
		if sep == "" {
			b.WriteString("[]")
			return
		}
		indent(depth)
		b.WriteByte(']')
	case '"':
		pythonString(b, unquote(v))
	default:
		b.Write(v)
	}
}

// pythonString writes a string in quotes with the escapes that Python uses
// where it need not be ASCII.
func pythonString(b *strings.Builder, s string) {
	const hexDigits = "0123456789abcdef"
	b.WriteByte('"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf || c >= ' ' && c != '"' && c != '\\' {
			b.WriteByte(c)
			i++
			continue
		}
		switch c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n', '\r', '\t', '\b', '\f':
			q := strconv.Quote(string(c))
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteString(`\u00`)
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
		i++
	}
	b.WriteByte('"')
}
