package ingest

// MaxDuplicateRows is the number of records up to which request ids are
// checked for duplicates; beyond it reading the ids would cost more than the
// whole comparison.
const MaxDuplicateRows = 1 << 18

// Duplicates remembers the request ids of one side, by file and run. It is not
// safe for concurrent use.
type Duplicates struct {
	// An open-addressing set of hashes; 0 marks a free slot. The number of
	// slots is a power of two and at least twice the number of entries.
	slots []uint64
	n     int
}

// NewDuplicates returns an empty memory.
func NewDuplicates() *Duplicates { return &Duplicates{slots: make([]uint64, 1<<10)} }

// check marks every good record whose id occurred before. The same id in
// another file or another run is another request.
func (d *Duplicates) check(path string, f *Frame) {
	ids, run := f.cols[RequestID], f.cols[Run]
	base := hash64(fnvOffset, path)
	for i := range f.N {
		if f.Reasons[i] != Good || ids.StateAt(i) != Present {
			continue
		}
		h := base
		if run != nil {
			h = hash64(h, run.Str(i))
		}
		if !d.add(hash64(h, ids.Dict[ids.IDs[i]])) {
			f.Reasons[i] = DuplicateID
		}
	}
}

// add reports whether the hash is new.
func (d *Duplicates) add(h uint64) bool {
	h |= 1 // never 0; one bit less
	if 2*(d.n+1) > len(d.slots) {
		d.grow()
	}
	if !insert(d.slots, h) {
		return false
	}
	d.n++
	return true
}

func (d *Duplicates) grow() {
	old := d.slots
	d.slots = make([]uint64, 2*len(old))
	for _, h := range old {
		if h != 0 {
			insert(d.slots, h)
		}
	}
}

func insert(slots []uint64, h uint64) bool {
	mask := uint64(len(slots) - 1)
	for at := (h * 0x9e3779b97f4a7c15) >> 20 & mask; ; at = (at + 1) & mask {
		switch slots[at] {
		case 0:
			slots[at] = h
			return true
		case h:
			return false
		}
	}
}

const fnvOffset, fnvPrime = 14695981039346656037, 1099511628211

// hash64 is FNV-1a over s and a separator: the same on every machine, so that
// a report does not depend on a random hash seed.
func hash64(h uint64, s string) uint64 {
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return (h ^ 0xff) * fnvPrime
}
