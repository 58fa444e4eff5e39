package textio

import "hash/maphash"

const (
	// A dictionary that is larger than this when a batch begins is replaced,
	// so that a column of unique texts does not grow without bound.
	maxWords     = 1 << 16
	maxWordBytes = 8 << 20
	// A batch ends early when its records take up this much of the file.
	maxBatchBytes = 8 << 20
)

// dict maps texts to numbers in order of first appearance. It is a hash table
// with open addressing over words.
type dict struct {
	words []string
	size  int // bytes of words
	seed  maphash.Seed
	slots []int32 // 1 + index of word, 0: free; the length is a power of two
	last  int32   // the previous answer, valid if words is not empty
}

// fresh starts a new dictionary if the old one has grown large. The old words
// are left to whoever holds them.
func (d *dict) fresh() {
	if len(d.words) >= maxWords || d.size >= maxWordBytes {
		*d = dict{}
	}
}

// id returns the number of the text, a new one if it is new.
func (d *dict) id(b []byte) int32 {
	if len(d.words) > 0 && d.words[d.last] == string(b) {
		return d.last
	}
	if 2*len(d.words) >= len(d.slots) {
		d.grow()
	}
	mask := len(d.slots) - 1
	i := int(maphash.Bytes(d.seed, b)) & mask
	for d.slots[i] != 0 {
		if w := d.slots[i] - 1; d.words[w] == string(b) {
			d.last = w
			return w
		}
		i = (i + 1) & mask
	}
	d.last = int32(len(d.words))
	d.words = append(d.words, string(b))
	d.slots[i] = d.last + 1
	d.size += len(b)
	return d.last
}

func (d *dict) grow() {
	if d.slots == nil {
		d.seed = maphash.MakeSeed()
	}
	d.slots = make([]int32, max(64, 4*len(d.slots)))
	mask := len(d.slots) - 1
	for w, s := range d.words {
		i := int(maphash.String(d.seed, s)) & mask
		for d.slots[i] != 0 {
			i = (i + 1) & mask
		}
		d.slots[i] = int32(w) + 1
	}
}
