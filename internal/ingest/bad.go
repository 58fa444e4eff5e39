package ingest

// listBad fills in Bad. Most records are good, so it looks at eight at a time.
func (f *Frame) listBad() {
	bad, all := f.Bad[:0], f.Reasons
	i := 0
	for ; i+8 <= len(all); i += 8 {
		r := all[i : i+8 : i+8]
		if uint64(r[0])|uint64(r[1])<<8|uint64(r[2])<<16|uint64(r[3])<<24|
			uint64(r[4])<<32|uint64(r[5])<<40|uint64(r[6])<<48|uint64(r[7])<<56 == uint64(Good) {
			continue
		}
		for k, why := range r {
			if why != Good {
				bad = append(bad, int32(i+k))
			}
		}
	}
	for ; i < len(all); i++ {
		if all[i] != Good {
			bad = append(bad, int32(i))
		}
	}
	f.Bad = bad
}

// Count adds the reasons of all records of the frame to c.
func (f *Frame) Count(c *Counts) {
	c[Good] += int64(f.N - len(f.Bad))
	for _, i := range f.Bad {
		c[f.Reasons[i]]++
	}
}
