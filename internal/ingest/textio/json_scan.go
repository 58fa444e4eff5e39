package textio

import (
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Scan reads the requested columns of a partition.
func (s *jsonSource) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	if partition < 0 || partition >= s.Partitions() {
		return fmt.Errorf("partition %d of %d", partition, s.Partitions())
	}
	bs, err := newBuilders(s.cols, req)
	if err != nil {
		return err
	}
	p := recordParser{builders: bs}
	for i, q := range req {
		for _, path := range s.paths[q.Column] {
			p.want(path, bs[i])
		}
	}
	r, err := s.partition(ctx, partition)
	if err != nil {
		return err
	}
	b := newBatcher(bs, yield)
	for {
		text, off, cut, err := r.next()
		if err != nil {
			return locate(s.file, err)
		}
		if text == nil {
			return b.flush(ctx)
		}
		if err := p.record(text, b.batch.N, cut); err != nil {
			return locate(s.file, shifted(err, off))
		}
		if err := b.record(ctx, int64(len(text))); err != nil {
			return err
		}
	}
}

// partition returns the records of one partition.
func (s *jsonSource) partition(ctx context.Context, i int) (records, error) {
	if s.array {
		return &elements{w: newWindow(ctx, s.file, s.body)}, nil
	}
	start := int64(i) * s.chunk
	end := min(start+s.chunk, s.file.Size)
	if i == 0 {
		return &lines{w: newWindow(ctx, s.file, s.body), end: end}, nil
	}
	r := &lines{w: newWindow(ctx, s.file, start-1), end: end}
	return r, r.align()
}
