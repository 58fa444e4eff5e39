package ingest

// MaxDuplicateRows is the number of records up to which request ids are
// checked for duplicates; beyond it the check would cost more memory than the
// whole comparison.
const MaxDuplicateRows = 1 << 20

// Duplicates remembers the request ids of one side, by file and run. It is not
// safe for concurrent use.
type Duplicates struct {
	seen map[uint64]struct{}
}

// NewDuplicates returns an empty memory.
func NewDuplicates() *Duplicates { return &Duplicates{seen: map[uint64]struct{}{}} }

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
		h = hash64(h, ids.Dict[ids.IDs[i]])
		if _, dup := d.seen[h]; dup {
			f.Reasons[i] = DuplicateID
			continue
		}
		d.seen[h] = struct{}{}
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
