package metric

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Input is one side's files, ready to be read.
type Input struct {
	Readers []*ingest.Reader
	// Labels is the run label of each file, for records without a run column.
	Labels []string
	// Ordered has the partitions of all files read one after another by a
	// single worker, as the check for duplicates needs.
	Ordered bool
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

type job struct{ side, file, partition int }

// scan reads every partition of every file once. Each goroutine has its own
// worker; the caller merges what they hold. The error returned is that of the
// first failing job in input order, whatever the number of workers.
func (s Scan) scan(ctx context.Context, inputs []Input, newWorker func() worker) ([]worker, []tallies, error) {
	var queues [][]job // jobs of a queue are done in order by one goroutine
	all := make([]tallies, len(inputs))
	for i, in := range inputs {
		all[i] = make(tallies, len(in.Readers))
		var queue []job
		for j, r := range in.Readers {
			n := r.Src.Partitions()
			all[i][j] = make([]ingest.Tally, n)
			for p := range n {
				queue = append(queue, job{i, j, p})
				if !in.Ordered {
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
		next, failed atomic.Int64
		mu           sync.Mutex
		firstErr     error
		wg           sync.WaitGroup
	)
	failed.Store(int64(len(queues)))
	n := max(1, min(s.Workers, len(queues)))
	workers := make([]worker, n)
	for w := range workers {
		workers[w] = newWorker()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				q := next.Add(1) - 1
				if q >= int64(len(queues)) || q > failed.Load() {
					return
				}
				if err := s.run(ctx, inputs, queues[q], workers[w], all); err != nil {
					mu.Lock()
					if q < failed.Load() {
						failed.Store(q)
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

func (s Scan) run(ctx context.Context, inputs []Input, queue []job, w worker, all []tallies) (err error) {
	var at job
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: internal error: %v\n%s", inputs[at.side].Readers[at.file].Path, p, debug.Stack())
		}
	}()
	for _, at = range queue {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := inputs[at.side].Readers[at.file].Scan(ctx, at.partition, func(f *ingest.Frame) error {
			if s.Progress != nil {
				s.Progress(int64(f.N))
			}
			return w.frame(at.side, at.file, f)
		})
		if err != nil {
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
			for _, w := range parts[p].UnknownPhases {
				if !slices.Contains(s.UnknownPhases, w) {
					s.UnknownPhases = append(s.UnknownPhases, w)
				}
			}
		}
	}
	slices.Sort(s.UnknownPhases)
}
