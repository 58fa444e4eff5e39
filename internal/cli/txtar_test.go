package cli_test

import (
	"bytes"
	"strings"
)

// archive is a script with the files it works on, in the txtar format: the
// script comes first, then each file below a line "-- name --".
type archive struct {
	script []byte
	files  []file
}

type file struct {
	name string
	data []byte
}

func parseArchive(text []byte) (a archive) {
	into := &a.script
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		if name, ok := fileMarker(string(line)); ok {
			a.files = append(a.files, file{name: name})
			into = &a.files[len(a.files)-1].data
			continue
		}
		*into = append(*into, line...)
	}
	return a
}

// fileMarker returns the name in a line "-- name --".
func fileMarker(line string) (name string, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	name, ok = strings.CutPrefix(line, "-- ")
	if !ok {
		return "", false
	}
	name, ok = strings.CutSuffix(name, " --")
	return strings.TrimSpace(name), ok && strings.TrimSpace(name) != ""
}

func (a *archive) get(name string) []byte {
	for _, f := range a.files {
		if f.name == name {
			return f.data
		}
	}
	return nil
}

func (a *archive) set(name string, data []byte) {
	for i := range a.files {
		if a.files[i].name == name {
			a.files[i].data = data
			return
		}
	}
	a.files = append(a.files, file{name, data})
}

func (a *archive) format() []byte {
	out := bytes.Clone(a.script)
	for _, f := range a.files {
		out = append(out, "-- "+f.name+" --\n"...)
		out = append(out, f.data...)
	}
	return out
}
