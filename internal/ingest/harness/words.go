package harness

// words gives texts numbers in order of first appearance: the dictionary of a
// column of texts.
type words struct {
	list  []string
	index map[string]int32
	bytes int
}

const (
	// A dictionary that is larger than this when a batch begins is replaced,
	// so that a column of unique texts does not grow without bound.
	maxWords     = 1 << 16
	maxWordBytes = 8 << 20
)

// fresh starts a new dictionary if the old one has grown large. The old words
// are left to whoever holds them.
func (d *words) fresh() {
	if len(d.list) >= maxWords || d.bytes >= maxWordBytes {
		*d = words{}
	}
}

// id returns the number of the text, a new one if it is new.
func (d *words) id(b []byte) int32 {
	if n := len(d.list); n > 0 && d.list[n-1] == string(b) {
		return int32(n - 1)
	}
	if id, ok := d.index[string(b)]; ok {
		return id
	}
	if d.index == nil {
		d.index = map[string]int32{}
	}
	id, s := int32(len(d.list)), string(b)
	d.list = append(d.list, s)
	d.index[s] = id
	d.bytes += len(s)
	return id
}
