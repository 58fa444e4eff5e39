package metric

import (
	"slices"
	"testing"
)

// Every number is dealt once, whoever asks, and a worker that asks alone gets its
// own stretch in order.
func TestShares(t *testing.T) {
	for _, n := range []int{0, 1, 5, 20} {
		for workers := 1; workers <= 7; workers++ {
			for _, ask := range []func(int) int{func(int) int { return workers - 1 }, func(i int) int { return i % workers }, func(i int) int { return i * i % workers }} {
				s := newShares(n, workers)
				var got []int
				for i := 0; ; i++ {
					q, ok := s.next(ask(i))
					if !ok {
						break
					}
					got = append(got, q)
				}
				first := n * ask(0) / workers
				if len(got) > 0 && n >= workers && got[0] != first {
					t.Errorf("%d for %d: began with %d, not %d", n, workers, got[0], first)
				}
				slices.Sort(got)
				for i, q := range got {
					if i != q {
						t.Fatalf("%d for %d: dealt %v", n, workers, got)
					}
				}
				if len(got) != n {
					t.Errorf("%d for %d: dealt %d", n, workers, len(got))
				}
			}
		}
	}
	s := newShares(10, 2)
	var own []int
	for range 5 {
		q, _ := s.next(1)
		own = append(own, q)
	}
	if !slices.Equal(own, []int{5, 6, 7, 8, 9}) {
		t.Errorf("own stretch %v", own)
	}
	if q, _ := s.next(1); q != 4 {
		t.Errorf("then %d, not the end of the other's", q)
	}
}
