package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// label is what a report calls an input; given tells that the user chose it.
type label struct {
	text  string
	given bool
	long  string // with a chosen model: the name of the input, and the model
}

// splitLabel splits label=INPUT; an existing path is never split.
func splitLabel(input string) (l label, path string) {
	if _, err := os.Stat(input); err != nil {
		if text, path, ok := strings.Cut(input, "="); ok && text != "" && path != "" {
			return label{text: text, given: true}, path
		}
	}
	return label{text: filepath.ToSlash(filepath.Clean(ingest.DisplayPath(input)))}, input
}

// splitInput splits label=INPUT#model=NAME. A chosen model names the input.
func splitInput(input string) (l label, path, model string) {
	path, model = ingest.SplitModel(input)
	l, path = splitLabel(path)
	if model != "" && !l.given {
		l = label{model, true, l.text + " (" + model + ")"}
	}
	return l, path, model
}

// shorten cuts from the labels that are paths the folders that all of them
// share, where there are two sides.
func shorten(sides [][]label) {
	var paths []*label
	for i := range sides {
		for j := range sides[i] {
			if l := &sides[i][j]; !l.given {
				paths = append(paths, l)
			}
		}
	}
	if len(sides) < 2 || len(paths) < 2 {
		return
	}
	for {
		first, _, ok := strings.Cut(paths[0].text, "/")
		for _, l := range paths {
			ok = ok && strings.HasPrefix(l.text, first+"/")
		}
		if !ok {
			return
		}
		for _, l := range paths {
			l.text = l.text[len(first)+1:]
		}
	}
}

// sideNames are the names of the sides. Where a chosen model would give both the
// same, the inputs are named, too.
func sideNames(sides [][]label) []string {
	shorten(sides)
	names := make([]string, len(sides))
	for i := range sides {
		names[i] = joined(sides[i])
	}
	if len(sides) != 2 || names[0] != names[1] {
		return names
	}
	for i := range sides {
		for j := range sides[i] {
			if l := &sides[i][j]; l.long != "" {
				l.text = l.long
			}
		}
		names[i] = joined(sides[i])
	}
	return names
}

// joined is the label of a side.
func joined(labels []label) string {
	var texts []string
	for _, l := range labels {
		texts = append(texts, l.text)
	}
	return strings.Join(texts, " + ")
}
