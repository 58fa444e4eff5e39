package metric

import "github.com/perfdiff/perfdiff/internal/ingest"

// stretch is good rows of a frame that lie one behind the other and in the same
// buckets. Of spans, lo and hi are rows; of a list, places in it.
type stretch struct{ lo, hi, order, when int }

// placer finds the buckets of records: by their number in the side and by their
// start. Both rise with what they are made from, so that what lies between two
// records of one bucket lies there too.
type placer struct {
	rows    int64 // of the side
	base    int64 // number of the frame's first record
	timed   bool
	first   int64 // start
	last    int64
	buckets int  // by time; by number there are orderBuckets
	unknown int  // the bucket by time of a record without a start
	partly  bool // some records have no start, or one before the first or after the last that is no reading of a clock

	order      int
	orderUntil int64 // first record beyond the order bucket
	when       int
	from, to   int64 // starts from…to lie in the bucket when
	out        []stretch
}

// begin prepares for a frame whose first record has a number.
func (p *placer) begin(base int64) { p.base, p.orderUntil = base, -1 }

// orderOf returns the bucket of a record by its number.
func (p *placer) orderOf(row int64) int { return bucketOf(float64(row)/float64(p.rows), orderBuckets) }

// whenOf returns the bucket of a record by its start, −1 for none.
func (p *placer) whenOf(start *ingest.Column, i int) int {
	switch {
	case !p.timed:
		return -1
	case start == nil || start.StateAt(i) != ingest.Present, p.partly && (start.Times[i] < p.first || start.Times[i] > p.last):
		return p.unknown
	}
	return p.bucketAt(start.Times[i])
}

func (p *placer) bucketAt(t int64) int {
	return bucketOf(float64(t-p.first)/float64(p.last-p.first), p.buckets)
}

// seek sets order and orderUntil for a record of the frame.
func (p *placer) seek(row int64) {
	p.order = p.orderOf(row)
	until := int64(float64(p.order+1) / orderBuckets * float64(p.rows))
	until = max(until, row+1)
	for until > row+1 && p.orderOf(until-1) != p.order {
		until--
	}
	for until < p.rows && p.orderOf(until) == p.order {
		until++
	}
	p.orderUntil = until
}

// turn sets when, from and to for a start.
func (p *placer) turn(t int64) {
	p.when = p.bucketAt(t)
	width := float64(p.last-p.first) / float64(p.buckets)
	from := p.first + int64(float64(p.when)*width) + 1
	to := p.first + int64(float64(p.when+1)*width) - 1
	if from <= t && t <= to && p.bucketAt(from) == p.when && p.bucketAt(to) == p.when {
		p.from, p.to = from, to
		return
	}
	p.from, p.to = t, t
}

// stretches cuts the good rows of a frame; the result is good until the next
// call. Unless partly is set all of them have a start, if the placer goes by time
// and there is a column.
func (p *placer) stretches(start *ingest.Column, good rows) []stretch {
	p.out = p.out[:0]
	p.from, p.to = 1, 0
	if p.timed && p.partly {
		return p.single(start, good)
	}
	var times []int64
	none := -1
	if p.timed {
		if none = p.unknown; start != nil {
			times = start.Times
		}
	}
	for _, s := range good.spans {
		for i := s.lo; i < s.hi; {
			end := p.end(i, s.hi)
			if times == nil {
				p.out = append(p.out, stretch{i, end, p.order, none})
				i = end
				continue
			}
			if t := times[i]; t < p.from || t > p.to {
				p.turn(t)
			}
			j := i + 1
			for span := uint64(p.to - p.from); j < end && uint64(times[j]-p.from) <= span; {
				j++
			}
			p.out = append(p.out, stretch{i, j, p.order, p.when})
			i = j
		}
	}
	for k, i := range good.list {
		p.end(int(i), int(i)+1)
		when := none
		if times != nil {
			if t := times[i]; t < p.from || t > p.to {
				p.turn(t)
			}
			when = p.when
		}
		if n := len(p.out); n > 0 && p.out[n-1].order == p.order && p.out[n-1].when == when {
			p.out[n-1].hi = k + 1
			continue
		}
		p.out = append(p.out, stretch{k, k + 1, p.order, when})
	}
	return p.out
}

// single is stretches where some rows have no start: each is one.
func (p *placer) single(start *ingest.Column, good rows) []stretch {
	for _, s := range good.spans {
		for i := s.lo; i < s.hi; i++ {
			p.end(i, i+1)
			p.out = append(p.out, stretch{i, i + 1, p.order, p.whenOf(start, i)})
		}
	}
	for k, i := range good.list {
		p.end(int(i), int(i)+1)
		p.out = append(p.out, stretch{k, k + 1, p.order, p.whenOf(start, int(i))})
	}
	return p.out
}

// end returns where the rows from i on, but before hi, leave the order bucket of
// row i, which becomes order.
func (p *placer) end(i, hi int) int {
	row := p.base + int64(i)
	if row >= p.orderUntil {
		p.seek(row)
	}
	return int(min(int64(hi), p.orderUntil-p.base))
}

// bucketOf returns the bucket of a share among n.
func bucketOf(share float64, n int) int { return min(max(int(share*float64(n)), 0), n-1) }
