package harness

import (
	"context"
	"fmt"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// A batch ends early when its lists of gaps hold so many numbers.
const batchGaps = 1 << 20

// builder fills the requested columns of one batch after another from rows.
type builder struct {
	cols  []column
	req   []ingest.Request
	dicts []words
	state [][]ingest.State
	batch ingest.Batch
	gaps  int
	spelt []byte
	yield func(*ingest.Batch) error
}

// newBuilder checks the requests against the columns that a source lists.
func newBuilder(listed []column, req []ingest.Request, yield func(*ingest.Batch) error) (*builder, error) {
	b := &builder{req: req, yield: yield, dicts: make([]words, len(req)), state: make([][]ingest.State, len(req))}
	b.batch.Cols = make([]ingest.Column, len(req))
	for _, q := range req {
		if q.Column < 0 || q.Column >= len(listed) {
			return nil, fmt.Errorf("column %d requested, the file has %d", q.Column, len(listed))
		}
		c := listed[q.Column]
		if q.Form != c.form() && (q.Form != ingest.Text || c.form() == ingest.NumberList) {
			return nil, fmt.Errorf("column %s is asked for as %s and holds %s", specs[c].name, formName(q.Form), formName(c.form()))
		}
		b.cols = append(b.cols, c)
	}
	b.reset()
	return b, nil
}

func formName(f ingest.Form) string {
	switch f {
	case ingest.Number:
		return "numbers"
	case ingest.Time:
		return "times"
	case ingest.Text:
		return "texts"
	}
	return "lists of numbers"
}

// wanted returns the set of the requested columns.
func (b *builder) wanted() columnSet { return setOf(b.cols...) }

// add appends a row and yields the batch when it is full.
func (b *builder) add(ctx context.Context, w *row) error {
	n := b.batch.N
	for i, c := range b.cols {
		col := &b.batch.Cols[i]
		st := ingest.Missing
		switch {
		case w.has.has(c):
			st = ingest.Present
		case w.bad.has(c):
			st = ingest.Malformed
		}
		switch b.req[i].Form {
		case ingest.Number:
			col.Floats = append(col.Floats, w.num[c])
		case ingest.Time:
			col.Times = append(col.Times, w.at[c])
		case ingest.Text:
			var id int32
			switch {
			case st != ingest.Present:
			case c.form() == ingest.Number:
				b.spelt = strconv.AppendFloat(b.spelt[:0], w.num[c], 'g', -1, 64)
				id = b.dicts[i].id(b.spelt)
			case c.form() == ingest.Time:
				b.spelt = strconv.AppendInt(b.spelt[:0], w.at[c], 10)
				id = b.dicts[i].id(b.spelt)
			default:
				id = b.dicts[i].id(w.text[c])
			}
			col.IDs = append(col.IDs, id)
		case ingest.NumberList:
			if st == ingest.Present {
				col.Floats = append(col.Floats, w.gaps...)
				b.gaps += len(w.gaps)
			}
			col.Offsets = append(col.Offsets, int32(len(col.Floats)))
		}
		b.setState(i, n, st)
	}
	b.batch.N++
	if b.batch.N < ingest.BatchRows && b.gaps < batchGaps {
		return nil
	}
	return b.flush(ctx)
}

// setState notes the state of cell n; the list of states is begun only with the
// first cell that is not Present.
func (b *builder) setState(i, n int, st ingest.State) {
	if s := b.state[i]; len(s) > 0 {
		b.state[i] = append(s, st)
	} else if st != ingest.Present {
		for range n {
			s = append(s, ingest.Present)
		}
		b.state[i] = append(s, st)
	}
}

// flush yields what there is, if anything.
func (b *builder) flush(ctx context.Context) error {
	if b.batch.N == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range b.cols {
		col := &b.batch.Cols[i]
		col.Dict = b.dicts[i].list
		col.State = nil
		if len(b.state[i]) > 0 {
			col.State = b.state[i]
		}
	}
	if err := b.yield(&b.batch); err != nil {
		return err
	}
	b.batch.Row += int64(b.batch.N)
	b.reset()
	return nil
}

func (b *builder) reset() {
	b.batch.N, b.gaps = 0, 0
	for i, c := range b.cols {
		col := &b.batch.Cols[i]
		col.Floats, col.Times, col.IDs = col.Floats[:0], col.Times[:0], col.IDs[:0]
		if c.form() == ingest.NumberList {
			col.Offsets = append(col.Offsets[:0], 0)
		}
		b.state[i] = b.state[i][:0]
		b.dicts[i].fresh()
	}
}
