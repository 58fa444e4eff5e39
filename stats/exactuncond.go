package stats

import (
	"fmt"
	"math"
)

// maxExactArm is the largest sample the exact unconditional tests accept: their
// cost grows with the number of tables, and beyond it the score test is as good.
const maxExactArm = 100

// SuissaShuster tests p2 = p1 by the exact unconditional test that orders tables
// by the pooled z: the p-value is the largest probability, over the common
// success probability, of a table with a z at least as extreme. The size never
// exceeds the nominal one. Greater means p2 > p1; TwoSided orders by |z|.
// Statistic is the pooled z of p2 − p1.
//
// The supremum is taken over a grid of 2001 probabilities and refined around
// its peaks; local optimisers alone are known to miss it.
//
// Errors: ErrTooFew for a sample without trials, ErrDomain for counts outside
// [0, n] or more than 100 trials in a sample.
//
// Source: Barnard 1947; Suissa & Shuster 1985, JRSS A 148:317,
// doi:10.2307/2981892.
func SuissaShuster(x1, n1, x2, n2 int64, alt Alternative) (Test, error) {
	if err := checkExactArms(x1, n1, x2, n2); err != nil {
		return Test{}, err
	}
	sign := 1.0
	if alt == Less {
		sign = -1
	}
	order := func(i, j int64) float64 {
		z := sign * pooledZ(i, n1, j, n2)
		if alt == TwoSided {
			return math.Abs(z)
		}
		return z
	}
	observed := order(x1, x2) - 1e-9
	p := supremum(n1, n2, func(i, j int64) bool { return order(i, j) >= observed })
	return Test{Statistic: pooledZ(x1, n1, x2, n2), P: p, Alternative: alt, Method: MethodSuissaShuster}, nil
}

// Boschloo tests p2 = p1 by the exact unconditional test that orders tables by
// the one-sided p-value of Fisher's test, uniformly more powerful than that.
// Greater means p2 > p1; TwoSided doubles the smaller one-sided p-value.
// Statistic is Fisher's p-value in the direction taken. Errors are those of
// SuissaShuster.
//
// Source: Boschloo 1970, Statistica Neerlandica 24:1.
func Boschloo(x1, n1, x2, n2 int64, alt Alternative) (Test, error) {
	if err := checkExactArms(x1, n1, x2, n2); err != nil {
		return Test{}, err
	}
	if alt == TwoSided {
		less, err := Boschloo(x1, n1, x2, n2, Less)
		if err != nil {
			return Test{}, err
		}
		greater, err := Boschloo(x1, n1, x2, n2, Greater)
		if err != nil {
			return Test{}, err
		}
		t := less
		if greater.P < less.P {
			t = greater
		}
		t.P, t.Alternative = math.Min(1, 2*t.P), TwoSided
		return t, nil
	}
	fisher := fisherTable(n1, n2, alt)
	observed := fisher[x1][x2]
	p := supremum(n1, n2, func(i, j int64) bool { return fisher[i][j] <= observed*(1+1e-9) })
	return Test{Statistic: observed, P: p, Alternative: alt, Method: MethodBoschloo}, nil
}

func checkExactArms(x1, n1, x2, n2 int64) error {
	if err := checkTwoCounts(x1, n1, x2, n2); err != nil {
		return err
	}
	if n := max(n1, n2); n > maxExactArm {
		return fmt.Errorf("%d trials in a sample: the exact unconditional test takes at most %d: %w", n, maxExactArm, ErrDomain)
	}
	return nil
}

// pooledZ is (p̂2 − p̂1)/√(p̂q̂(1/n1+1/n2)), 0 where the pooled variance is 0.
func pooledZ(x1, n1, x2, n2 int64) float64 {
	f1, f2 := float64(n1), float64(n2)
	p := float64(x1+x2) / (f1 + f2)
	if p == 0 || p == 1 {
		return 0
	}
	return (float64(x2)/f2 - float64(x1)/f1) / math.Sqrt(p*(1-p)*(1/f1+1/f2))
}

// supremum is the largest probability over π of the tables that the rule picks.
func supremum(n1, n2 int64, extreme func(i, j int64) bool) float64 {
	rows := make([][]int, n1+1)
	for i := range rows {
		for j := range int(n2) + 1 {
			if extreme(int64(i), int64(j)) {
				rows[i] = append(rows[i], j)
			}
		}
	}
	probability := func(pi float64) float64 {
		f1, f2 := binomialRow(int(n1), pi), binomialRow(int(n2), pi)
		var sum float64
		for i, row := range rows {
			var inner float64
			for _, j := range row {
				inner += f2[j]
			}
			sum += f1[i] * inner
		}
		return sum
	}
	const steps = 2000
	grid := make([]float64, steps+1)
	best := 0.0
	for k := range grid {
		grid[k] = probability(float64(k) / steps)
		best = math.Max(best, grid[k])
	}
	for k := 1; k < steps; k++ {
		// Refine the peaks that could still win.
		if grid[k] >= grid[k-1] && grid[k] >= grid[k+1] && grid[k] > 0.9*best {
			best = math.Max(best, goldenMaximum(float64(k-1)/steps, float64(k+1)/steps, probability))
		}
	}
	return math.Min(best, 1)
}

// binomialRow returns the probabilities of 0 … n successes, by ratios of
// neighbours outwards from the mode.
func binomialRow(n int, p float64) []float64 {
	row := make([]float64, n+1)
	q := 1 - p
	mode := min(int(float64(n+1)*p), n)
	row[mode] = binomialTerm(float64(mode), float64(n-mode), p, q)
	for k := mode; k < n; k++ {
		row[k+1] = row[k] * float64(n-k) / float64(k+1) * (p / q)
	}
	for k := mode; k > 0; k-- {
		row[k-1] = row[k] * float64(k) / float64(n-k+1) * (q / p)
	}
	return row
}

// goldenMaximum is the maximum of f on [lo, hi], unimodal there, by golden
// section.
func goldenMaximum(lo, hi float64, f func(float64) float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for range 40 {
		if fa > fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		}
	}
	return math.Max(fa, fb)
}
