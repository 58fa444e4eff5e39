package metric

// span is the rows lo to hi − 1 of a frame.
type span struct{ lo, hi int }

// rows names rows of a frame in ascending order: those of a list or, where
// that is nil, spans. Most records are good, so that the good ones of a frame
// are few and long spans, which need no copy of what they hold.
type rows struct {
	list  []int32
	spans []span
}

// each calls fn for every row.
func (r rows) each(fn func(i int)) {
	for _, i := range r.list {
		fn(int(i))
	}
	for _, s := range r.spans {
		for i := s.lo; i < s.hi; i++ {
			fn(i)
		}
	}
}

// len returns the number of rows.
func (r rows) len() int {
	n := len(r.list)
	for _, s := range r.spans {
		n += s.hi - s.lo
	}
	return n
}

// gather appends the values of the rows to dst.
func (r rows) gather(dst, values []float64) []float64 {
	at := len(dst)
	dst = append(dst, make([]float64, r.len())...)
	out := dst[at:]
	for k, i := range r.list {
		out[k] = values[i]
	}
	for _, s := range r.spans {
		out = out[copy(out, values[s.lo:s.hi]):]
	}
	return dst
}

// between returns the spans of n rows that bad rows leave, in buf.
func between(buf []span, n int, bad []int32) []span {
	buf = buf[:0]
	from := 0
	for _, b := range bad {
		if int(b) > from {
			buf = append(buf, span{from, int(b)})
		}
		from = int(b) + 1
	}
	if n > from {
		buf = append(buf, span{from, n})
	}
	return buf
}
