package stats

import (
	"fmt"
	"math"
	"slices"
)

// largestFill bounds the number of values that FillOmission may produce.
const largestFill = 100_000_000

// FillOmission returns the latencies, in ascending order, with those added that a
// closed-loop client did not send while it waited: a value v above the expected
// interval I adds v − I, v − 2I, … down to I. This is the correction of
// HdrHistogram.
//
// It assumes that the missing requests would have come at a uniform interval and
// waited for the same stall. The right remedy is to measure from the intended send
// time. Label corrected numbers, and never compare them with uncorrected ones.
//
// It returns ErrDomain for a negative or non-finite latency, an interval that is not
// positive, or more than 100,000,000 resulting values.
func FillOmission(latency []float64, interval float64) ([]float64, error) {
	if !(interval > 0) || math.IsInf(interval, 1) {
		return nil, fmt.Errorf("expected interval %v: want a finite positive number: %w", interval, ErrDomain)
	}
	total := 0.0
	for i, v := range latency {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("latency %v at index %d: want a finite number of at least 0: %w", v, i, ErrDomain)
		}
		total += math.Max(1, math.Floor(v/interval))
	}
	if total > largestFill {
		return nil, fmt.Errorf("about %.3g values with an interval of %v: want at most %d: %w", total, interval, largestFill, ErrDomain)
	}
	out := make([]float64, 0, int(total))
	for _, v := range latency {
		out = append(out, v)
		if v <= interval {
			continue
		}
		for k := 1.0; ; k++ {
			missing := v - k*interval
			// Rounding must not lose the last value where v is a multiple of the
			// interval.
			if missing < interval*(1-1e-9) {
				break
			}
			out = append(out, missing)
		}
	}
	slices.Sort(out)
	return out, nil
}
