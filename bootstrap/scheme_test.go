package bootstrap

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestSchemesDrawWhatTheySay(t *testing.T) {
	const n = 23
	for _, c := range []struct {
		name   string
		scheme Scheme
		length int  // of blocks; 0: random
		wrap   bool // blocks may wrap
		even   bool // each unit equally likely
	}{
		{"iid", IID{n}, 1, true, true},
		{"moving", MovingBlocks{n, 5}, 5, false, false},
		{"circular", CircularBlocks{n, 5}, 5, true, true},
		{"stationary", StationaryBlocks{n, 4}, 0, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.scheme.Validate(); err != nil {
				t.Fatal(err)
			}
			index := make([]int, c.scheme.Units())
			var count [n]int
			const draws = 20000
			jumps := 0
			for r := range uint64(draws) {
				c.scheme.Draw(Stream(1, r), index)
				for i, u := range index {
					count[u]++
					if i == 0 {
						continue
					}
					follows := u == index[i-1]+1 || c.wrap && u == (index[i-1]+1)%n
					if c.length > 0 && i%c.length != 0 && !follows {
						t.Fatalf("block is broken at %d: %v", i, index)
					}
					if !follows {
						jumps++
					}
				}
			}
			if c.even {
				for u, k := range count {
					// Blocks make counts of one unit vary more than binomially: at most ×length.
					if z := (float64(k) - draws) / math.Sqrt(5*draws); math.Abs(z) > 4.5 {
						t.Errorf("unit %d is drawn %d times of %d", u, k, draws)
					}
				}
			}
			if c.name == "stationary" {
				// A new block starts with probability 1/4 and happens to follow on in 1/n.
				want := draws * (n - 1) * 0.25 * (1 - 1.0/n)
				if math.Abs(float64(jumps)-want) > 5*math.Sqrt(want) {
					t.Errorf("%d jumps, want about %.0f", jumps, want)
				}
			}
		})
	}
}

func TestSchemesRefuse(t *testing.T) {
	for _, c := range []struct {
		scheme Scheme
		kind   error
	}{
		{IID{0}, stats.ErrTooFew}, {IID{1}, stats.ErrTooFew}, {IID{2}, stats.ErrTooFew}, {IID{-4}, stats.ErrTooFew},
		{MovingBlocks{2, 1}, stats.ErrTooFew}, {MovingBlocks{9, 0}, stats.ErrDomain}, {MovingBlocks{9, 9}, stats.ErrDomain},
		{CircularBlocks{9, -1}, stats.ErrDomain}, {CircularBlocks{9, 9}, stats.ErrDomain},
		{StationaryBlocks{9, 0.5}, stats.ErrDomain}, {StationaryBlocks{9, math.NaN()}, stats.ErrDomain},
		{StationaryBlocks{9, math.Inf(1)}, stats.ErrDomain}, {StationaryBlocks{1, 1}, stats.ErrTooFew},
	} {
		wantError(t, c.scheme.Validate(), c.kind, "Validate")
		_, err := ReplicateVectors(c.scheme, 1, nil, Options{})
		wantError(t, err, c.kind, "ReplicateVectors")
	}
}
