package harness

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// promLabel is a label of a sample.
type promLabel struct{ name, value string }

// promSample is one line of the exposition format.
type promSample struct {
	name   string
	labels []promLabel // by name
	value  float64
	stamp  float64 // in the unit of the file; 0 without one
}

// label returns the value of a label, "" if there is none.
func (s *promSample) label(name string) string {
	for _, l := range s.labels {
		if l.name == name {
			return l.value
		}
	}
	return ""
}

// key names the series, without the labels of skip.
func (s *promSample) key(name string, skip string) string {
	var b strings.Builder
	b.WriteString(name)
	for _, l := range s.labels {
		if l.name != skip {
			b.WriteByte('\x00')
			b.WriteString(l.name)
			b.WriteByte('\x01')
			b.WriteString(l.value)
		}
	}
	return b.String()
}

// parsePromLine reads a sample of the text format 0.0.4 or of OpenMetrics,
// without its exemplar.
func parsePromLine(line []byte) (s promSample, err error) {
	rest := line
	i := 0
	for i < len(rest) && promNameByte(rest[i], i == 0) {
		i++
	}
	if i == 0 {
		return s, fmt.Errorf("want the name of a metric, found %s", textio.Found(rest, 0))
	}
	s.name, rest = string(rest[:i]), blanks(rest[i:])
	if len(rest) > 0 && rest[0] == '{' {
		if rest, err = s.parseLabels(rest[1:]); err != nil {
			return s, err
		}
	}
	fields := bytes.Fields(rest)
	if k := slices.IndexFunc(fields, func(f []byte) bool { return f[0] == '#' }); k >= 0 {
		fields = fields[:k] // an exemplar
	}
	if len(fields) < 1 || len(fields) > 2 {
		return s, fmt.Errorf("want a value and at most a timestamp behind %s, found %q", s.name, clip(rest))
	}
	if s.value, err = strconv.ParseFloat(string(fields[0]), 64); err != nil {
		return s, fmt.Errorf("want a number behind %s, found %q", s.name, clip(fields[0]))
	}
	if len(fields) == 2 {
		if s.stamp, err = strconv.ParseFloat(string(fields[1]), 64); err != nil || !finite(s.stamp) {
			return s, fmt.Errorf("want a timestamp behind the value of %s, found %q", s.name, clip(fields[1]))
		}
	}
	return s, nil
}

// parseLabels reads name="value" pairs up to the closing brace.
func (s *promSample) parseLabels(rest []byte) ([]byte, error) {
	for {
		rest = blanks(rest)
		if len(rest) > 0 && rest[0] == '}' {
			break
		}
		i := 0
		for i < len(rest) && promNameByte(rest[i], i == 0) && rest[i] != ':' {
			i++
		}
		l := promLabel{name: string(rest[:i])}
		if rest = blanks(rest[i:]); i == 0 || len(rest) < 2 || rest[0] != '=' {
			return nil, fmt.Errorf("want a label as name=\"value\" of %s, found %s", s.name, textio.Found(rest, 0))
		}
		rest = blanks(rest[1:])
		var ok bool
		if l.value, rest, ok = promQuoted(rest); !ok {
			return nil, fmt.Errorf("the value of label %s of %s is not in quotes", l.name, s.name)
		}
		s.labels = append(s.labels, l)
		if rest = blanks(rest); len(rest) > 0 && rest[0] == ',' {
			rest = rest[1:]
		} else if len(rest) == 0 || rest[0] != '}' {
			return nil, fmt.Errorf("want a comma or a brace behind label %s of %s, found %s", l.name, s.name, textio.Found(rest, 0))
		}
	}
	slices.SortFunc(s.labels, func(a, b promLabel) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(s.labels); i++ {
		if s.labels[i].name == s.labels[i-1].name {
			return nil, fmt.Errorf("label %s of %s is there twice", s.labels[i].name, s.name)
		}
	}
	return rest[1:], nil
}

// promQuoted reads a text in quotes, in which a backslash escapes itself, the
// quote and a line feed.
func promQuoted(b []byte) (text string, rest []byte, ok bool) {
	if len(b) == 0 || b[0] != '"' {
		return "", b, false
	}
	var out []byte
	for i := 1; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return strings.ToValidUTF8(string(out), "�"), b[i+1:], true
		case c == '\\' && i+1 < len(b):
			i++
			if c = b[i]; c == 'n' {
				c = '\n'
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return "", b, false
}

// promNameByte tells the bytes of a name; digits do not begin one.
func promNameByte(c byte, first bool) bool {
	return c|' ' >= 'a' && c|' ' <= 'z' || c == '_' || c == ':' || !first && c >= '0' && c <= '9'
}

func blanks(b []byte) []byte { return bytes.TrimLeft(b, " \t") }

// clip is the beginning of a text for a message.
func clip(b []byte) string {
	const most = 40
	if len(b) <= most {
		return string(b)
	}
	b = b[:most]
	for !utf8.Valid(b) && len(b) > most-utf8.UTFMax {
		b = b[:len(b)-1]
	}
	return string(b) + "…"
}
