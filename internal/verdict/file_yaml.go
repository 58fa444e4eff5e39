package verdict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"
)

// decode reads YAML strictly. The library panics on some malformed texts; that
// is an error of the text.
func decode(name string, data []byte, f *File) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: the text is no YAML that can be read: %v", name, p)
		}
	}()
	if depth := nesting(data); depth > maxNesting {
		return fmt.Errorf("%s: %d levels of nesting: a policy has at most %d", name, depth, maxNesting)
	}
	d := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict(), yaml.DisallowUnknownField())
	switch err := d.Decode(f); {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("%s: the policy is empty; it begins with version: 1", name)
	case err != nil:
		return fmt.Errorf("%s: %s", name, plainYAML(err, data))
	}
	var more any
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: a second document begins after the first; a policy is one document", name)
	}
	return nil
}

// plainYAML turns a decoding error into a line and a sentence.
func plainYAML(err error, data []byte) string {
	text := yaml.FormatError(err, false, false)
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "["); ok {
		if at, msg, ok := strings.Cut(rest, "] "); ok {
			line, _, _ := strings.Cut(at, ":")
			msg = plainType(msg)
			var unknown *yaml.UnknownFieldError
			if errors.As(err, &unknown) {
				msg += placesOf(data).besides(unknown.Token.Position)
			}
			return "line " + line + ": " + msg
		}
	}
	return text
}

// plainType says a mismatch of types without the names of Go.
func plainType(msg string) string {
	rest, ok := strings.CutPrefix(msg, "cannot unmarshal ")
	got, into, found := strings.Cut(rest, " into Go ")
	if !ok || !found {
		return msg
	}
	switch {
	case strings.HasPrefix(got, "[]"):
		got = "list"
	case strings.HasPrefix(got, "map["):
		got = "map of keys"
	}
	want := "a list"
	switch of := into[strings.LastIndexByte(into, ' ')+1:]; {
	case strings.HasPrefix(of, "float"), strings.HasPrefix(of, "int"):
		want = "a number"
	case of == "string":
		want = "text"
	case strings.HasPrefix(of, "verdict."), strings.Contains(of, "Map"):
		want = "keys with values"
	}
	return "found a " + got + ", want " + want
}

// maxNesting is far more than the keys of a policy need.
const maxNesting = 32

// nesting is an upper bound of how deep lists and maps lie in each other, found
// without reading them: the library takes time and memory out of proportion for
// very deep ones.
func nesting(data []byte) int {
	deepest, open := 0, 0
	for line := range bytes.Lines(data) {
		for _, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(0, open-1)
			}
			deepest = max(deepest, open)
		}
		if rest := bytes.TrimLeft(line, "- \t?:"); len(line)-len(rest) > 2*maxNesting {
			deepest = max(deepest, (len(line)-len(rest))/2)
		}
	}
	return deepest
}
