package metric

import (
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// ShareReplica reports whether the beginnings of the parts of two sides show a
// replica of the same name on both, or records of both that name none. Where
// they do not, all records may still.
func ShareReplica(ctx context.Context, sides []Input, s Scan) (bool, error) {
	looked := everyRecord(sides)
	s.Progress = nil
	workers, _, err := s.scan(ctx, looked, &Plan{SkipTimes: true, Within: Within{By: Replicas}, Head: glanceRows}, func() worker {
		return &replicaWorker{names: make([]map[string]bool, len(sides))}
	})
	if err != nil {
		return false, err
	}
	seen := map[string]int{} // the side of a name + 1
	for _, w := range workers {
		for side, names := range w.(*replicaWorker).names {
			for name := range names {
				if at := seen[name]; at != 0 && at != side+1 {
					return true, nil
				}
				seen[name] = side + 1
			}
		}
	}
	return false, nil
}

// glanceRows is how much of each partition shows the names of replicas.
const glanceRows = 1 << 12

type replicaWorker struct {
	names []map[string]bool // by side
	at    []int32
	ids   numbering
}

func (w *replicaWorker) frame(side, _ int, f *ingest.Frame) error {
	if w.names[side] == nil {
		w.names[side] = map[string]bool{}
	}
	replica := f.Col(ingest.Replica)
	w.at = append(w.at[:0], make([]int32, f.N)...)
	w.ids.number(w.at, replica)
	for j := range w.ids.n {
		w.names[side][word(replica, w.ids.code(j, 0))] = true
	}
	if f.Row+int64(f.N) >= glanceRows {
		return errEnough
	}
	return nil
}
