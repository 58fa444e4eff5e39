package textio

import (
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Scan reads the requested columns of the file's only partition.
func (s *csvSource) Scan(ctx context.Context, partition int, req []ingest.Request, yield func(*ingest.Batch) error) error {
	if partition != 0 {
		return fmt.Errorf("partition %d of 1", partition)
	}
	bs, err := newBuilders(s.cols, req)
	if err != nil {
		return err
	}
	r := csvReader{w: newWindow(ctx, s.file, s.body), delim: s.delim, want: -1}
	for _, q := range req {
		r.want = max(r.want, q.Column)
	}
	b := newBatcher(bs, yield)
	for {
		ok, err := r.next()
		if err != nil {
			return locate(s.file, err)
		}
		if !ok {
			return b.flush(ctx)
		}
		if r.n != len(s.cols) {
			return locate(s.file, r.ragged(len(s.cols)))
		}
		for i, q := range req {
			fd := &r.fields[q.Column]
			if err := bs[i].cell(fd.b, fd.quoted); err != nil {
				if ft, ok := err.(*fault); ok {
					err = ft.shift(r.start)
				}
				return locate(s.file, err)
			}
		}
		if err := b.record(ctx, r.w.at()-r.start); err != nil {
			return err
		}
	}
}
