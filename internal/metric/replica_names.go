package metric

import (
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// MaxReplicas is how many names of replicas are told apart; a column with more
// names something else.
const MaxReplicas = 1 << 14

// replicaNames are the distinct names of what served the requests of a side:
// at most MaxReplicas and one.
type replicaNames struct {
	names map[string]bool
	seen  []bool // by word of a frame
}

// note keeps the names in the rows that succeeded or failed.
func (r *replicaNames) note(f *ingest.Frame) {
	col := f.Col(ingest.Replica)
	if col == nil || len(r.names) > MaxReplicas {
		return
	}
	r.seen = slices.Grow(r.seen[:0], len(col.Dict))[:len(col.Dict)]
	clear(r.seen)
	last := int32(-1)
	for i, id := range col.IDs[:f.N] {
		if id == last || col.StateAt(i) != ingest.Present || f.Reasons[i] != ingest.Good && f.Reasons[i].Outcome() != ingest.Failed {
			continue
		}
		r.seen[id], last = true, id
	}
	for id, seen := range r.seen {
		if seen {
			r.add(col.Dict[id])
		}
	}
}

func (r *replicaNames) add(name string) {
	if r.names[name] || len(r.names) > MaxReplicas {
		return
	}
	if r.names == nil {
		r.names = map[string]bool{}
	}
	r.names[strings.Clone(name)] = true
}
