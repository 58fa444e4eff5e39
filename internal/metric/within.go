package metric

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Within is what the runs of a side are split into, to make the units. The zero
// value leaves runs whole.
type Within struct {
	By WithinKind
	// Groups is into how many groups the sessions of a run, or its matched
	// requests, are gathered by a hash of their names, 0 to make a unit of each
	// session; Blocks into how many stretches of equal time a run is cut.
	Groups, Blocks int
	// spans are the first and last start of each run of each side, of blocks.
	spans []map[string][2]int64
}

// WithinKind is what splits a run.
type WithinKind uint8

// The kinds.
const (
	WholeRuns WithinKind = iota
	Replicas
	Sessions
	TimeBlocks
	MatchedRequests // the same words of Input.Pairing in the same group on all sides
)

// field is what a record's part of the run is read from, NumFields if from none.
func (k WithinKind) field() ingest.Field {
	return [...]ingest.Field{ingest.NumFields, ingest.Replica, ingest.Session, ingest.Start, ingest.NumFields}[k]
}

// Sessions is how many sessions the records of every side name; the same name
// in two runs is two sessions. Records without one count as one session a run.
func SessionsOf(ctx context.Context, sides []Input, s Scan) ([]int, error) {
	looked := everyRecord(sides)
	s.Progress = nil
	plan := Plan{SkipTimes: true, Within: Within{By: Sessions}}
	workers, _, err := s.scan(ctx, looked, &plan, func() worker {
		return &sessionCounter{inputs: looked, seen: make([]map[uint64]struct{}, len(looked))}
	})
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(sides))
	for side := range sides {
		all := map[uint64]struct{}{}
		for _, w := range workers {
			for h := range w.(*sessionCounter).seen[side] {
				all[h] = struct{}{}
			}
		}
		counts[side] = len(all)
	}
	return counts, nil
}

// maxSessions is how many sessions of a side are told apart.
const maxSessions = 1 << 21

// sessionCounter is the worker of SessionsOf: it keeps a hash of each session.
type sessionCounter struct {
	inputs []Input
	seen   []map[uint64]struct{} // by side
	at     []int32
	ids    numbering
}

func (w *sessionCounter) frame(side, file int, f *ingest.Frame) error {
	if w.seen[side] == nil {
		w.seen[side] = map[uint64]struct{}{}
	}
	run, session := f.Col(ingest.Run), f.Col(ingest.Session)
	w.at = append(w.at[:0], make([]int32, f.N)...)
	w.ids.number(w.at, run, session)
	for j := range w.ids.n {
		label := word(run, w.ids.code(j, 0))
		if run == nil {
			label = w.inputs[side].Files[file].Label
		}
		w.seen[side][sessionHash(label, word(session, w.ids.code(j, 1)))] = struct{}{}
	}
	if len(w.seen[side]) > maxSessions {
		return fmt.Errorf("the records name more than %d sessions: the session column identifies requests, not conversations", maxSessions)
	}
	return nil
}

// sessionHash is the same in every process, so that the groups are.
func sessionHash(run, session string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(run + wordSeparator + session)) // never fails
	// The low bits of FNV are weak; see the finalizer of MurmurHash3.
	v := h.Sum64()
	v ^= v >> 33
	v *= 0xff51afd7ed558ccd
	return v ^ v>>33
}

// BlocksOf is a split of runs into blocks of equal time, from the first start of
// each run to its last, as a pass over whole runs has found them.
func BlocksOf(sides []*Side, n int) (Within, error) {
	w := Within{By: TimeBlocks, Blocks: n}
	for _, side := range sides {
		spans := map[string][2]int64{}
		for _, u := range side.Units {
			if u.Untimed > 0 || u.Requests() > 0 && !u.HasTime {
				return w, fmt.Errorf("some of the requests of run %q have no start (%d), so that they belong to no block of time", u.Label, max(u.Untimed, 1))
			}
			spans[u.Label] = [2]int64{u.FirstStart, u.LastStart}
		}
		w.spans = append(w.spans, spans)
	}
	return w, nil
}

// splitter makes the column of the part of the run that each record of a frame
// belongs to.
type splitter struct {
	of    *Within
	made  ingest.Column
	names []string
}

// column is what a frame's runs are split by; nil leaves them whole. file is the
// label of records that name no run.
func (s *splitter) column(f *ingest.Frame, side int, file string) *ingest.Column {
	switch {
	case s.of.By == Replicas:
		return f.Col(ingest.Replica)
	case s.of.By == Sessions && s.of.Groups == 0:
		return f.Col(ingest.Session)
	case s.of.By == Sessions:
		s.begin(f.N, s.of.Groups, "group")
		run, session := f.Col(ingest.Run), f.Col(ingest.Session)
		for i := range f.N {
			label := file
			if run != nil {
				label = run.Str(i)
			}
			s.made.IDs[i] = int32(sessionHash(label, session.Str(i)) % uint64(s.of.Groups))
		}
	case s.of.By == MatchedRequests:
		s.begin(f.N, s.of.Groups, "group")
		for i := range f.N {
			s.made.IDs[i] = int32(sessionHash("", f.Pair().Str(i)) % uint64(s.of.Groups))
		}
	case s.of.By == TimeBlocks:
		s.begin(f.N, s.of.Blocks, "block")
		run, start := f.Col(ingest.Run), f.Col(ingest.Start)
		for i := range f.N {
			label := file
			if run != nil {
				label = run.Str(i)
			}
			span, known := s.of.spans[side][label]
			if !known || start == nil || start.StateAt(i) != ingest.Present || span[1] <= span[0] {
				s.made.IDs[i] = 0 // a record that counts for nothing
				continue
			}
			share := float64(start.Times[i]-span[0]) / float64(span[1]-span[0])
			s.made.IDs[i] = int32(bucketOf(share, s.of.Blocks))
		}
	default:
		return nil
	}
	return &s.made
}

// begin makes room for n records in some parts.
func (s *splitter) begin(n, parts int, name string) {
	s.made.IDs = slices.Grow(s.made.IDs[:0], n)[:n]
	if len(s.names) != parts {
		s.names = nil
		for i := range parts {
			s.names = append(s.names, fmt.Sprintf("%s %04d", name, i+1))
		}
	}
	s.made.Dict = s.names
}
