package textio

import (
	"context"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// batcher hands the builders' columns to yield when they are full.
type batcher struct {
	builders []*builder
	yield    func(*ingest.Batch) error
	batch    ingest.Batch
	size     int64 // bytes of the file the batch comes from
}

func newBatcher(bs []*builder, yield func(*ingest.Batch) error) *batcher {
	return &batcher{builders: bs, yield: yield, batch: ingest.Batch{Cols: make([]ingest.Column, len(bs))}}
}

// record ends a record that took up so many bytes of the file: every builder
// has its cell.
func (b *batcher) record(ctx context.Context, size int64) error {
	b.batch.N++
	b.size += size
	if b.batch.N < ingest.BatchRows && b.size < maxBatchBytes {
		return nil
	}
	return b.flush(ctx)
}

// flush yields what there is, if anything.
func (b *batcher) flush(ctx context.Context) error {
	if b.batch.N == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i, c := range b.builders {
		b.batch.Cols[i] = c.column()
	}
	if err := b.yield(&b.batch); err != nil {
		return err
	}
	b.batch.Row += int64(b.batch.N)
	b.batch.N, b.size = 0, 0
	for _, c := range b.builders {
		c.reset()
	}
	return nil
}
