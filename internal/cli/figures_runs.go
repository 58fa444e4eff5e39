package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// manyRecords is the number of records of a side from which it is worth the
// while to look for its runs before it is read.
const manyRecords = 1 << 20

// loneRuns reports whether both sides are large and a single run each, so that
// every quantile will be looked at in the order of time. It reads the column of
// runs until it meets a second one. A file that cannot say how many records it
// has is not read for this.
func loneRuns(ctx context.Context, sides []metric.Input) (bool, error) {
	for _, side := range sides {
		lone, err := loneRun(ctx, side)
		if !lone || err != nil {
			return false, err
		}
	}
	return true, nil
}

var errSecondRun = errors.New("a second run")

func loneRun(ctx context.Context, side metric.Input) (bool, error) {
	var records int64
	for _, f := range side.Files {
		if f.Source.Rows() < 0 || f.Label != side.Files[0].Label && !f.Layout.Fields[ingest.Run].Bound() {
			return false, nil
		}
		records += f.Source.Rows()
	}
	if records < manyRecords {
		return false, nil
	}
	var seen []string
	for _, f := range side.Files {
		if !f.Layout.Fields[ingest.Run].Bound() {
			continue
		}
		req := []ingest.Request{{Column: f.Layout.Fields[ingest.Run].Column, Form: ingest.Text}}
		for p := range f.Source.Partitions() {
			err := f.Source.Scan(ctx, p, req, func(b *ingest.Batch) error {
				c := &b.Cols[0]
				for i := range b.N {
					if s := c.Str(i); !slices.Contains(seen, s) {
						if seen = append(seen, s); len(seen) > 1 {
							return errSecondRun
						}
					}
				}
				return nil
			})
			if errors.Is(err, errSecondRun) {
				return false, nil
			}
			if err != nil {
				return false, err
			}
		}
	}
	return true, nil
}
