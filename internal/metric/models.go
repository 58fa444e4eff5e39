package metric

import (
	"context"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// ModelColumns are the columns that tell which model served a request; of
// several that a file has, the first counts.
var ModelColumns = []string{"model", "model_id", "model_name"}

// modelColumn is the index of the column of the model, −1 if there is none.
func (f *File) modelColumn() int {
	for _, name := range ModelColumns {
		if i := columnIndex(f.Source, f.Layout, name); i >= 0 {
			return i
		}
	}
	return -1
}

// MostModels is how many models of a file are listed.
const MostModels = 1000

// Models lists the models that a file names, in order: of more than MostModels
// the least of them. ok is false if no column tells.
func (f *File) Models(ctx context.Context) (names []string, ok bool, err error) {
	col := f.modelColumn()
	if col < 0 {
		return nil, false, nil
	}
	seen := map[string]bool{}
	for p := range f.Source.Partitions() {
		err := f.Source.Scan(ctx, p, []ingest.Request{{Column: col, Form: ingest.Text}}, func(b *ingest.Batch) error {
			c, last := &b.Cols[0], int32(-1)
			for i := range b.N {
				if c.StateAt(i) != ingest.Present || c.IDs[i] == last {
					continue
				}
				if last = c.IDs[i]; !seen[c.Dict[last]] {
					names, seen = keepLeast(names, seen, strings.Clone(c.Dict[last]))
				}
			}
			return nil
		})
		if err != nil {
			return nil, true, err
		}
	}
	return names, true, nil
}

// keepLeast adds a name to the sorted ones, and drops the last beyond
// MostModels.
func keepLeast(names []string, seen map[string]bool, name string) ([]string, map[string]bool) {
	at, _ := slices.BinarySearch(names, name)
	names = slices.Insert(names, at, name)
	seen[name] = true
	if len(names) > MostModels {
		delete(seen, names[MostModels])
		names = names[:MostModels]
	}
	return names, seen
}

// elsewhere reports whether no row is one of those that are compared: of other
// models than the chosen one, or without a partner. They make no run.
func (g *group) elsewhere(f *ingest.Frame) bool {
	return g.good.len() == 0 && !slices.ContainsFunc(g.bad, func(i int32) bool { return !f.Reasons[i].Elsewhere() })
}

// narrowed reports whether some records of a file are not among those compared.
func (in *Input) narrowed(file int) bool { return in.Files[file].Model != "" || in.Pairing != nil }

// Models lists the models that are chosen of the side's files, "" for all.
func (in *Input) Models() []string {
	var out []string
	for _, f := range in.Files {
		out = append(out, f.Model)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
