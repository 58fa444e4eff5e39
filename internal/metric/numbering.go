package metric

import (
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// maxDense is up to how many combinations of words have a place in a table.
const maxDense = 1 << 16

// numbering gives rows the number of the combination of words that columns
// hold, in the order in which combinations are first met.
type numbering struct {
	n     int     // combinations
	width int     // columns
	codes []int32 // of combination j: the word of each column, −1 for none
	old   []int32 // codes of one column less
	table []int32 // number + 1
	known map[int64]int32
}

// code returns the word of a column in combination j, −1 for none.
func (b *numbering) code(j, column int) int32 { return b.codes[j*b.width+column] }

// number fills at with the number of each row.
func (b *numbering) number(at []int32, cols ...*ingest.Column) {
	clear(at)
	b.n, b.width, b.codes = min(len(at), 1), 0, b.codes[:0]
	for _, c := range cols {
		b.codes, b.old = b.old[:0], b.codes
		b.refine(at, c)
		b.width++
	}
}

// refine splits the combinations of the columns before by one column more.
func (b *numbering) refine(at []int32, c *ingest.Column) {
	words := 1
	if c != nil {
		words += len(c.Dict)
	}
	size := b.n * words
	b.n = 0
	if size > maxDense {
		b.refineMany(at, c, words)
		return
	}
	b.table = slices.Grow(b.table[:0], size)[:size]
	clear(b.table)
	table := b.table
	switch {
	case c != nil && c.State == nil && b.width == 0:
		for i, id := range c.IDs[:len(at)] {
			k := table[id+1]
			if k == 0 {
				k = b.add(0, id) + 1
				table[id+1] = k
			}
			at[i] = k - 1
		}
		return
	case c != nil && c.State == nil:
		for i, id := range c.IDs[:len(at)] {
			slot := int(at[i])*words + int(id) + 1
			k := table[slot]
			if k == 0 {
				k = b.add(at[i], id) + 1
				table[slot] = k
			}
			at[i] = k - 1
		}
		return
	}
	for i, parent := range at {
		id := code(c, i)
		slot := int(parent)*words + int(id) + 1
		if table[slot] == 0 {
			table[slot] = b.add(parent, id) + 1
		}
		at[i] = table[slot] - 1
	}
}

// refineMany is refine for more combinations than a table should have.
func (b *numbering) refineMany(at []int32, c *ingest.Column, words int) {
	if b.known == nil {
		b.known = map[int64]int32{}
	}
	clear(b.known)
	last, number := int64(-1), int32(0)
	for i, parent := range at {
		id := code(c, i)
		if slot := int64(parent)*int64(words) + int64(id) + 1; slot != last {
			k, ok := b.known[slot]
			if !ok {
				k = b.add(parent, id)
				b.known[slot] = k
			}
			last, number = slot, k
		}
		at[i] = number
	}
}

// add makes a combination of one of those before and a word.
func (b *numbering) add(parent, id int32) int32 {
	b.codes = append(b.codes, b.old[int(parent)*b.width:int(parent+1)*b.width]...)
	b.codes = append(b.codes, id)
	b.n++
	return int32(b.n - 1)
}

// code returns the word that a column holds in a row, −1 for none.
func code(c *ingest.Column, i int) int32 {
	if c == nil || c.StateAt(i) != ingest.Present {
		return -1
	}
	return c.IDs[i]
}
