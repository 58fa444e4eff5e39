package metric

import "sync"

// shares deals numbers from 0 on to workers: each has a stretch of its own, since
// neighbours hold records of the same runs, and takes from the end of the longest
// one that is left when its own is done.
type shares struct {
	mu   sync.Mutex
	left [][2]int // of each worker: from, until
}

func newShares(n, workers int) *shares {
	s := &shares{left: make([][2]int, workers)}
	for w := range s.left {
		s.left[w] = [2]int{n * w / workers, n * (w + 1) / workers}
	}
	return s
}

// next returns the next number of a worker; ok is false when none is left.
func (s *shares) next(worker int) (i int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := &s.left[worker]; own[0] < own[1] {
		own[0]++
		return own[0] - 1, true
	}
	longest := 0
	for w, l := range s.left {
		if l[1]-l[0] > s.left[longest][1]-s.left[longest][0] {
			longest = w
		}
	}
	l := &s.left[longest]
	if l[0] == l[1] {
		return 0, false
	}
	l[1]--
	return l[1], true
}
