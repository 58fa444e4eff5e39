package metric

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// neverSliced are fields of words that are no slices: ids, and what came of a
// request. Those in runFields are slices only where somebody asks.
var (
	neverSliced = []ingest.Field{ingest.RequestID, ingest.PromptID, ingest.Session, ingest.Status, ingest.HTTPStatus, ingest.Error}
	runFields   = []ingest.Field{ingest.Run, ingest.Replica}
)

// SliceColumns lists the columns of words and of truth values that every file of
// the inputs has and that may be slices of the traffic, in the order of the
// first file. asked names columns that are wanted whatever they carry.
func SliceColumns(inputs []Input, asked []string) []string {
	var out []string
	first := true
	for _, in := range inputs {
		for i := range in.Files {
			f := &in.Files[i]
			if first {
				out, first = f.sliceColumns(asked), false
				continue
			}
			out = slices.DeleteFunc(out, func(name string) bool { return !f.HasColumn(name) })
		}
	}
	return out
}

func (f *File) sliceColumns(asked []string) []string {
	var out []string
	for i, c := range f.Source.Columns() {
		if c.Class != ingest.TextClass && c.Class != ingest.BoolClass {
			continue
		}
		field, carries := f.fieldOf(i)
		wanted := slices.Contains(asked, c.Name) || carries && slices.Contains(asked, field.String())
		if !wanted && carries && (slices.Contains(neverSliced, field) || slices.Contains(runFields, field)) {
			continue
		}
		out = append(out, c.Name)
	}
	return out
}

// fieldOf returns the field that a column carries.
func (f *File) fieldOf(column int) (field ingest.Field, ok bool) {
	for field = range ingest.NumFields {
		if b := f.Layout.Fields[field]; b.Bound() && b.Column == column {
			return field, true
		}
	}
	return 0, false
}

// peekFiles is how many files of a side Peek looks into.
const peekFiles = 2

// Peek returns those of the columns of words that have more than most values
// among the first records of some files, so that reading them whole is spared.
func Peek(ctx context.Context, inputs []Input, columns []string, most int) ([]string, error) {
	many := make([]bool, len(columns))
	for _, in := range inputs {
		for i := range min(peekFiles, len(in.Files)) {
			f := &in.Files[i]
			if f.Source.Partitions() == 0 {
				continue
			}
			wanted := ingest.Wanted{}
			for _, name := range columns {
				wanted.Words = append(wanted.Words, columnIndex(f.Source, f.Layout, name))
			}
			seen := make([]map[string]bool, len(columns))
			r := ingest.NewReader(f.Path, f.Source, f.Layout, wanted, ingest.Options{})
			rows := 0
			_, err := r.Scan(ctx, 0, func(fr *ingest.Frame) error {
				for k, col := range fr.Words {
					if col == nil || many[k] {
						continue
					}
					if seen[k] == nil {
						seen[k] = map[string]bool{}
					}
					many[k] = addWords(seen[k], col, fr.N, most)
				}
				if rows += fr.N; rows >= sampleRows {
					return errEnough
				}
				return nil
			})
			if err != nil && !errors.Is(err, errEnough) {
				return nil, err
			}
		}
	}
	var out []string
	for k, name := range columns {
		if many[k] {
			out = append(out, name)
		}
	}
	return out, nil
}

// addWords notes the words of a column, and reports whether there are more than
// most of them.
func addWords(seen map[string]bool, col *ingest.Column, n, most int) bool {
	last := int32(-2)
	for i := range n {
		id := code(col, i)
		if id == last {
			continue
		}
		last = id
		if word := col.Str(i); !seen[word] {
			seen[strings.Clone(word)] = true // a reader may reuse the memory of its words
			if len(seen) > most {
				return true
			}
		}
	}
	return false
}
