package arrowio

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// chunkWriter hands the cells of one column to the library: values without the
// nulls, and levels that say where the nulls and the list bounds are. Its
// buffers live as long as the writer.
type chunkWriter struct {
	defs, reps []int16
	floats     []float64
	ints       []int64
	ints32     []int32
	bools      []bool
	texts      []parquet.ByteArray
}

func (w *chunkWriter) write(g file.BufferedRowGroupWriter, i int, f OutField, c *OutColumn, lo, hi int) error {
	cw, err := g.Column(i)
	if err != nil {
		return err
	}
	var defs []int16
	if f.Nullable {
		defs = w.levels(c, lo, hi)
	}
	switch cw := cw.(type) {
	case *file.Float64ColumnChunkWriter:
		if f.Kind == FloatList {
			return w.writeLists(cw, f, c, lo, hi)
		}
		_, err = cw.WriteBatch(compact(&w.floats, c.Floats, c, lo, hi), defs, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = cw.WriteBatch(compact(&w.ints, c.Ints, c, lo, hi), defs, nil)
	case *file.Int32ColumnChunkWriter:
		w.ints32 = w.ints32[:0]
		for i := lo; i < hi; i++ {
			if c.valid(i) {
				w.ints32 = append(w.ints32, int32(c.Ints[i]))
			}
		}
		_, err = cw.WriteBatch(w.ints32, defs, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = cw.WriteBatch(compact(&w.bools, c.Bools, c, lo, hi), defs, nil)
	case *file.ByteArrayColumnChunkWriter:
		w.texts = w.texts[:0]
		for i := lo; i < hi; i++ {
			if c.valid(i) {
				w.texts = append(w.texts, parquet.ByteArray(c.text(i)))
			}
		}
		_, err = cw.WriteBatch(w.texts, defs, nil)
	default:
		return fmt.Errorf("no writer for %s", f.Kind)
	}
	return err
}

// levels returns the definition levels of a flat nullable column.
func (w *chunkWriter) levels(c *OutColumn, lo, hi int) []int16 {
	w.defs = w.defs[:0]
	for i := lo; i < hi; i++ {
		if c.valid(i) {
			w.defs = append(w.defs, 1)
		} else {
			w.defs = append(w.defs, 0)
		}
	}
	return w.defs
}

// compact returns the cells that have a value, in buf if some have none.
func compact[T any](buf *[]T, all []T, c *OutColumn, lo, hi int) []T {
	if c.Valid == nil {
		return all[lo:hi]
	}
	*buf = (*buf)[:0]
	for i := lo; i < hi; i++ {
		if c.Valid[i] {
			*buf = append(*buf, all[i])
		}
	}
	return *buf
}

// writeLists writes lists of required elements: an element has the highest
// definition level, an empty list one less, a null list 0.
func (w *chunkWriter) writeLists(cw *file.Float64ColumnChunkWriter, f OutField, c *OutColumn, lo, hi int) error {
	empty := int16(0)
	if f.Nullable {
		empty = 1
	}
	w.defs, w.reps, w.floats = w.defs[:0], w.reps[:0], w.floats[:0]
	for i := lo; i < hi; i++ {
		list := c.Floats[c.Offsets[i]:c.Offsets[i+1]]
		switch {
		case !c.valid(i):
			w.defs, w.reps = append(w.defs, 0), append(w.reps, 0)
		case len(list) == 0:
			w.defs, w.reps = append(w.defs, empty), append(w.reps, 0)
		default:
			for j, v := range list {
				w.defs, w.reps, w.floats = append(w.defs, empty+1), append(w.reps, int16(min(j, 1))), append(w.floats, v)
			}
		}
	}
	_, err := cw.WriteBatch(w.floats, w.defs, w.reps)
	return err
}
