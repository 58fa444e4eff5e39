package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The counts of values up to thresholds are the same by bits, by comparison and
// by search.
func TestUpTo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []float64{0, math.Copysign(0, -1), 1, -1, 5e-324, -5e-324, 1e300, -1e300, math.MaxFloat64}
	for range 1000 {
		values = append(values, math.Round(rng.NormFloat64()*20)/4)
	}
	thresholds := []float64{-1e300, -3, -0.25, 0, 0, 0.25, 1, 2.1, 7, math.MaxFloat64}
	want := make([]int64, len(thresholds))
	for k, x := range thresholds {
		for _, v := range values {
			if v <= x {
				want[k]++
			}
		}
	}
	got := make([]int64, len(thresholds))
	if upTo(values, thresholds, got); !slices.Equal(got, want) {
		t.Errorf("upTo: %v, want %v", got, want)
	}
	if upToRising(values, thresholds, got); !slices.Equal(got, want) {
		t.Errorf("upToRising: %v, want %v", got, want)
	}
}

// A sum in steps is that of each value rounded by math.Round.
func TestSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := []float64{0.5, 1.5, 2.5, -0.5, -1.5, 0.49999999999999994, -0.49999999999999994, 3, 0}
	for range 1000 {
		values = append(values, rng.NormFloat64()*1e6, math.Round(rng.NormFloat64()*100)/2)
	}
	for _, step := range []float64{1, 2, 0.3} {
		for _, center := range []float64{0, 0.5, 17.25} {
			var want int64
			for _, v := range values {
				want += int64(math.Round((v - center) * step))
			}
			if got := steps(values, center, step); got != want {
				t.Errorf("steps of %v about %v: %d, want %d", step, center, got, want)
			}
		}
	}
}

// Every good row is in one stretch, with the buckets that it has by itself.
func TestStretches(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 300 {
		n := 1 + rng.IntN(500)
		p := placer{
			rows: int64(n) + rng.Int64N(1<<20), timed: trial%4 != 0, first: rng.Int64N(1e9), buckets: 1 + rng.IntN(5000), unknown: rng.IntN(2) - 1,
		}
		p.last = p.first + 1 + rng.Int64N(1e12)
		var start *ingest.Column
		if trial%5 != 0 {
			start = &ingest.Column{}
			at := p.first
			for range n {
				if at += rng.Int64N((p.last-p.first)/int64(n) + 1); trial%3 == 0 {
					at = p.first + rng.Int64N(p.last-p.first+1)
				}
				start.Times = append(start.Times, min(at, p.last))
			}
		}
		var bad, list []int32
		for i := range n {
			switch rng.IntN(1 + trial%7) {
			case 0:
				list = append(list, int32(i))
			case 1:
				bad = append(bad, int32(i))
			}
		}
		p.begin(rng.Int64N(p.rows - int64(n) + 1))
		spans := rows{spans: between(nil, n, bad)}
		checkStretches(t, &p, start, spans)
		p.begin(p.base)
		checkStretches(t, &p, start, rows{list: list})
	}
}

func checkStretches(t *testing.T, p *placer, start *ingest.Column, good rows) {
	t.Helper()
	var want, got []int
	good.each(func(i int) { want = append(want, i) })
	for _, s := range p.stretches(start, good) {
		for i := s.lo; i < s.hi; i++ {
			row := i
			if good.list != nil {
				row = int(good.list[i])
			}
			got = append(got, row)
			if order := p.orderOf(p.base + int64(row)); order != s.order {
				t.Fatalf("row %d is in bucket %d by order, want %d", row, s.order, order)
			}
			if when := p.whenOf(start, row); when != s.when {
				t.Fatalf("row %d is in bucket %d by time, want %d", row, s.when, when)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("rows %v, want %v", got, want)
	}
}

// Rows have one number if, and only if, they have the same words, and numbers
// come in the order of the rows.
func TestNumbering(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var b numbering
	for trial := range 200 {
		n := rng.IntN(200)
		cols := make([]*ingest.Column, 1+trial%3)
		for k := range cols {
			if rng.IntN(10) == 0 {
				continue // the file has no such column
			}
			words := 1 + rng.IntN(5)
			if trial%20 == 19 {
				words = 1 << 10 // three of them are too many for a table
			}
			c := &ingest.Column{Dict: make([]string, words)}
			for range n {
				c.IDs = append(c.IDs, rng.Int32N(int32(words)))
				if trial%2 == 0 {
					c.State = append(c.State, ingest.State(rng.IntN(2)))
				}
			}
			cols[k] = c
		}
		at := make([]int32, n)
		b.number(at, cols...)
		seen := map[[3]int32]int32{}
		for i := range at {
			var key [3]int32
			for k, c := range cols {
				key[k] = code(c, i)
			}
			number, ok := seen[key]
			if !ok {
				number = int32(len(seen))
				seen[key] = number
			}
			if at[i] != number {
				t.Fatalf("row %d of words %v has number %d, want %d", i, key, at[i], number)
			}
			for k := range cols {
				if got := b.code(int(number), k); got != key[k] {
					t.Fatalf("combination %d has word %d in column %d, want %d", number, got, k, key[k])
				}
			}
		}
		if b.n != len(seen) {
			t.Fatalf("%d combinations, want %d", b.n, len(seen))
		}
	}
}

// A record without a start lies in no stretch of time, and one whose start is no
// reading of a clock lies neither in the first nor in the last.
func TestStretchesWithoutStarts(t *testing.T) {
	start := &ingest.Column{Times: []int64{100, 0, 0, 150, 200, 300}, State: []ingest.State{ingest.Present, ingest.Missing, ingest.Present, ingest.Present, ingest.Present, ingest.Present}}
	p := placer{rows: 6, timed: true, partly: true, first: 100, last: 200, buckets: 2, unknown: -1}
	for _, good := range []rows{{spans: []span{{0, 6}}}, {list: []int32{0, 1, 2, 3, 4, 5}}} {
		p.begin(0)
		checkStretches(t, &p, start, good)
		var got []int
		for _, s := range p.stretches(start, good) {
			got = append(got, s.when)
		}
		if want := []int{0, -1, -1, 1, 1, -1}; !slices.Equal(got, want) {
			t.Errorf("buckets %v, want %v", got, want)
		}
	}
}
