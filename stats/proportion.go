package stats

import (
	"fmt"
	"math"
)

// checkCount returns an error unless 0 ≤ x ≤ n and n ≥ 1.
func checkCount(x, n int64) error {
	if n < 1 {
		return fmt.Errorf("%d trials: want at least 1: %w", n, ErrTooFew)
	}
	if x < 0 || x > n {
		return fmt.Errorf("%d successes in %d trials: want a count in [0, %d]: %w", x, n, n, ErrDomain)
	}
	return nil
}

// checkTwoCounts is checkCount for both samples.
func checkTwoCounts(x1, n1, x2, n2 int64) error {
	if err := checkCount(x1, n1); err != nil {
		return fmt.Errorf("first sample: %w", err)
	}
	if err := checkCount(x2, n2); err != nil {
		return fmt.Errorf("second sample: %w", err)
	}
	return nil
}

// checkOneProportion checks the arguments of the one-sample intervals.
func checkOneProportion(x, n int64, level float64) error {
	if err := CheckLevel(level); err != nil {
		return err
	}
	return checkCount(x, n)
}

// proportionEstimate is the frame of the one-sample answers. Their intervals do
// not come from a standard error, so SE is NaN.
func proportionEstimate(x, n int64, lo, hi, level, df float64, method string) Estimate {
	return Estimate{
		Value:    float64(x) / float64(n),
		SE:       math.NaN(),
		DF:       df,
		Interval: Interval{Lo: lo, Hi: hi, Level: level},
		N:        int(n),
		Method:   method,
	}
}

// differenceEstimate is the frame of the two-sample answers, for p2 − p1.
func differenceEstimate(x1, n1, x2, n2 int64, lo, hi, level float64, method string) Estimate {
	return Estimate{
		Value:    float64(x2)/float64(n2) - float64(x1)/float64(n1),
		SE:       math.NaN(),
		DF:       math.Inf(1),
		Interval: Interval{Lo: math.Max(lo, -1), Hi: math.Min(hi, 1), Level: level},
		N:        int(n1 + n2),
		Method:   method,
	}
}

// bisect returns the point where f, not increasing on [lo, hi], passes from
// positive to non-positive: lo if f(lo) ≤ 0, hi if f stays positive. False
// position (Illinois) with a bisection every third step, until neighbouring
// floats remain; f may be infinite.
func bisect(lo, hi float64, f func(float64) float64) float64 {
	fLo, fHi := f(lo), f(hi)
	if !(fLo > 0) {
		return lo
	}
	if fHi > 0 {
		return hi
	}
	side := 0
	for step := 1; step < 3300; step++ { // enough to reach the smallest float from 1
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi || hi-lo <= 1e-16*math.Abs(hi) {
			break
		}
		t := lo + (hi-lo)*(fLo/(fLo-fHi))
		if step%3 == 0 || !(t > lo && t < hi) {
			t = mid
		}
		switch y := f(t); {
		case y > 0:
			lo, fLo = t, y
			if side > 0 {
				fHi /= 2
			}
			side = 1
		case y == 0:
			return t
		default:
			hi, fHi = t, y
			if side < 0 {
				fLo /= 2
			}
			side = -1
		}
	}
	return hi
}
