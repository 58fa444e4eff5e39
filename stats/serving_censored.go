package stats

import (
	"fmt"
	"math"
)

// CensoredQuantile is a quantile of latencies of which some were cut off by a
// timeout.
type CensoredQuantile struct {
	// Value is the quantile, or the limit that it exceeds if Identified is false.
	Value float64
	// Identified is false where so many requests timed out that the quantile lies
	// somewhere above the limit.
	Identified bool
	// TimedOut is the share of requests that timed out.
	TimedOut float64
}

// QuantileWithTimeouts returns the type-1 q-quantile of latencies when timedOut
// further requests were cut off at limit: those are counted as longer than every
// completed one. The quantile is identified where the share of timeouts is below 1
// − q. Dropping timeouts, or counting them at the limit, makes a worse system look
// better.
//
// It returns ErrTooFew for no requests at all, and ErrDomain for q outside (0, 1), a
// negative count, a limit that is not positive, or a completed latency that is not
// finite, negative or above the limit.
func QuantileWithTimeouts(completed []float64, timedOut int, limit, q float64) (CensoredQuantile, error) {
	if !(q > 0 && q < 1) {
		return CensoredQuantile{}, fmt.Errorf("quantile level %v: want a number in (0, 1): %w", q, ErrDomain)
	}
	if timedOut < 0 || !(limit > 0) {
		return CensoredQuantile{}, fmt.Errorf("%d timeouts at a limit of %v: want at least 0 at a positive limit: %w", timedOut, limit, ErrDomain)
	}
	n := len(completed) + timedOut
	if n == 0 {
		return CensoredQuantile{}, fmt.Errorf("0 requests: want at least 1: %w", ErrTooFew)
	}
	for i, v := range completed {
		if !(v >= 0 && v <= limit) || math.IsInf(v, 1) {
			return CensoredQuantile{}, fmt.Errorf("latency %v at index %d: want a finite number in [0, %v]: %w", v, i, limit, ErrDomain)
		}
	}
	out := CensoredQuantile{Value: limit, TimedOut: float64(timedOut) / float64(n)}
	rank := max(1, ceilRank(q, n))
	if rank <= len(completed) {
		out.Value, out.Identified = sortedValues(completed)[rank-1], true
	}
	return out, nil
}
