package metric

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// File is one opened file of a side.
type File struct {
	Path   string
	Label  string // run label of records without a run column
	Source ingest.Source
	Layout *ingest.Layout
	Model  string // the one model whose records count, "" for all
}

// Input is one side's files, ready to be read.
type Input struct {
	Files []File
	// Warmup drops requests that started less than this many nanoseconds after
	// the first of their run.
	Warmup int64
	// Service measures latencies from the actual start even where a scheduled
	// start is recorded.
	Service bool
	// Duplicates rejects records whose request id occurred before; the side is
	// then read by a single worker.
	Duplicates bool
	// Pairing leaves out the records without a partner on the other side; nil
	// keeps all.
	Pairing *Pairing

	// From the pass that finds where the warm-up of each run ends.
	runStarts                map[string]int64
	unclocked, unclockedFrom int64
}

// everyRecord returns the sides without a warm-up cut and without a look for
// duplicates: a pass that asks what the records say needs neither.
func everyRecord(sides []Input) []Input {
	out := slices.Clone(sides)
	for i := range out {
		out[i].Warmup, out[i].Duplicates = 0, false
	}
	return out
}

// options are those of file i.
func (in *Input) options(i int, seen *ingest.Duplicates) ingest.Options {
	opt := ingest.Options{Warmup: in.Warmup, Service: in.Service, RunStart: in.runStarts, Duplicates: seen}
	f := in.Files[i]
	if f.Model != "" {
		opt.Model, opt.ModelColumn = f.Model, f.modelColumn()
	}
	switch p := in.Pairing; {
	case p == nil:
	case f.NamesRun(p.Column):
		opt.Unpaired = !p.Matched(f.runName())
	default:
		opt.Paired, opt.PairColumn = p.Matched, columnIndex(f.Source, f.Layout, p.Column)
	}
	if !f.Layout.Fields[ingest.Run].Bound() && in.Warmup > 0 {
		opt.RunStart = map[string]int64{}
		if first, ok := in.runStarts[f.Label]; ok {
			opt.RunStart[""] = first
		}
	}
	return opt
}

// readers prepares a pass of a plan over the side.
func (in *Input) readers(p *Plan) []*ingest.Reader {
	var seen *ingest.Duplicates
	if in.Duplicates {
		seen = ingest.NewDuplicates()
	}
	var out []*ingest.Reader
	for i, f := range in.Files {
		opt := in.options(i, seen)
		opt.Head = p.Head
		out = append(out, ingest.NewReader(f.Path, f.Source, f.Layout, p.wanted(f.Source, f.Layout), opt))
	}
	return out
}

// Scan tuning that changes no result.
type Scan struct {
	Workers  int                 // at least 1
	Progress func(records int64) // called from any worker after each batch; may be nil
}

// worker takes the frames that one goroutine reads.
type worker interface {
	frame(side, file int, f *ingest.Frame) error
}

// errEnough ends the scan of a partition early, without fault.
var errEnough = errors.New("metric: enough of this partition")

type job struct{ side, file, partition int }

// scan reads every partition of every file once. Each goroutine has its own
// worker; the caller merges what they hold. The error returned is that of the
// first failing job in input order, whatever the number of workers.
func (s Scan) scan(ctx context.Context, inputs []Input, plan *Plan, newWorker func() worker) ([]worker, []tallies, error) {
	var queues [][]job // jobs of a queue are done in order by one goroutine
	all := make([]tallies, len(inputs))
	readers := make([][]*ingest.Reader, len(inputs))
	for i := range inputs {
		readers[i] = inputs[i].readers(plan)
		all[i] = make(tallies, len(readers[i]))
		var queue []job
		for j, r := range readers[i] {
			n := r.Src.Partitions()
			all[i][j] = make([]ingest.Tally, n)
			for p := range n {
				queue = append(queue, job{i, j, p})
				if !inputs[i].Duplicates {
					queues = append(queues, queue)
					queue = nil
				}
			}
		}
		if len(queue) > 0 {
			queues = append(queues, queue)
		}
	}
	var (
		failed   atomic.Int64
		mu       sync.Mutex
		firstErr error
		wg       sync.WaitGroup
	)
	failed.Store(int64(len(queues)))
	n := max(1, min(s.Workers, len(queues)))
	shares := newShares(len(queues), n)
	workers := make([]worker, n)
	for w := range workers {
		workers[w] = newWorker()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for q, ok := shares.next(w); ok; q, ok = shares.next(w) {
				if int64(q) > failed.Load() {
					continue
				}
				if err := s.run(ctx, readers, queues[q], workers[w], all); err != nil {
					mu.Lock()
					if int64(q) < failed.Load() {
						failed.Store(int64(q))
						firstErr = err
					}
					mu.Unlock()
				}
			}
		}()
	}
	wg.Wait()
	return workers, all, firstErr
}

// tallies are by file and partition.
type tallies [][]ingest.Tally

func (s Scan) run(ctx context.Context, readers [][]*ingest.Reader, queue []job, w worker, all []tallies) (err error) {
	var at job
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: internal error: %v\n%s", readers[at.side][at.file].Path, p, debug.Stack())
		}
	}()
	for _, at = range queue {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := readers[at.side][at.file].Scan(ctx, at.partition, func(f *ingest.Frame) error {
			if s.Progress != nil {
				s.Progress(int64(f.N))
			}
			return w.frame(at.side, at.file, f)
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
		all[at.side][at.file][at.partition] = t
	}
	return nil
}

// fill adds the tallies of a side's files.
func (s *Side) fill(t tallies) {
	s.Files = make([]FileTally, len(t))
	for i, parts := range t {
		s.Files[i].PartitionRows = make([]int64, len(parts))
		for p := range parts {
			s.Counts.Add(&parts[p].Counts)
			n := parts[p].Total()
			s.Files[i].PartitionRows[p] = n
			s.Files[i].Rows += n
			for _, w := range parts[p].UnknownStatus {
				if !slices.Contains(s.UnknownStatus, w) {
					s.UnknownStatus = append(s.UnknownStatus, w)
				}
			}
			for _, w := range parts[p].UnknownPhases {
				if !slices.Contains(s.UnknownPhases, w) {
					s.UnknownPhases = append(s.UnknownPhases, w)
				}
			}
		}
	}
	slices.Sort(s.UnknownStatus)
	slices.Sort(s.UnknownPhases)
}
