package stats

import (
	"fmt"
	"math"
)

// TPOT is the time per output token of requests.
type TPOT struct {
	// PerRequest[i] is (e2e − ttft)/(tokens − 1) of request i, in the unit of the
	// latencies; meaningful only where Defined[i].
	PerRequest []float64
	// Defined[i] is false for a request with fewer than two output tokens, whose
	// time per token is undefined, not 0.
	Defined   []bool
	Undefined int // number of requests without a time per token
	// RequestMean is the mean of the defined values: what a user sees.
	RequestMean float64
	// TokenMean is Σ(e2e − ttft)/Σ(tokens − 1) over the defined requests: what the
	// capacity is spent on.
	TokenMean float64
}

// TimePerToken computes the time per output token from the time to the first token,
// the end-to-end latency and the number of output tokens of each request. Count
// tokens, not streamed chunks: a chunk may hold several.
//
// Special cases are:
//
//	a request with 0 or 1 tokens: undefined, counted
//	no defined request: RequestMean and TokenMean 0, with Undefined = all
//	slices of different lengths: ErrMismatch; no requests: ErrTooFew
//	a non-finite or negative value, or e2e < ttft: ErrDomain
func TimePerToken(ttft, e2e []float64, tokens []int64) (TPOT, error) {
	if len(ttft) != len(e2e) || len(ttft) != len(tokens) {
		return TPOT{}, fmt.Errorf("%d first-token times, %d latencies, %d token counts: %w", len(ttft), len(e2e), len(tokens), ErrMismatch)
	}
	if len(ttft) == 0 {
		return TPOT{}, fmt.Errorf("0 requests: want at least 1: %w", ErrTooFew)
	}
	out := TPOT{PerRequest: make([]float64, len(ttft)), Defined: make([]bool, len(ttft))}
	var sum, time, count float64
	for i := range ttft {
		if !(ttft[i] >= 0) || !(e2e[i] >= ttft[i]) || math.IsInf(e2e[i], 1) || tokens[i] < 0 {
			return TPOT{}, fmt.Errorf("request %d: first token at %v, end at %v, %d tokens: want 0 ≤ first ≤ end, finite: %w", i, ttft[i], e2e[i], tokens[i], ErrDomain)
		}
		if tokens[i] < 2 {
			out.Undefined++
			continue
		}
		steps := float64(tokens[i] - 1)
		v := (e2e[i] - ttft[i]) / steps
		out.PerRequest[i], out.Defined[i] = v, true
		sum += v
		time += e2e[i] - ttft[i]
		count += steps
	}
	if defined := len(ttft) - out.Undefined; defined > 0 {
		out.RequestMean = sum / float64(defined)
		out.TokenMean = time / count
	}
	return out, nil
}

// LittlesLaw returns the mean number of requests in the system, arrival rate times
// mean latency, in matching units of time. It returns ErrDomain for a negative or
// non-finite argument.
func LittlesLaw(rate, latency float64) (float64, error) {
	for _, v := range []float64{rate, latency} {
		if !(v >= 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("value %v: want a finite number of at least 0: %w", v, ErrDomain)
		}
	}
	return rate * latency, nil
}

// LittleGap returns observed/(rate·latency) − 1, the relative gap between the
// observed mean number of requests in the system and Little's law. The law holds
// for any stationary window up to its edges, so a gap above a few percent means
// that a clock, the warm-up or the set of requests is wrong. It returns ErrDomain
// for a negative or non-finite argument or a product of 0.
func LittleGap(observed, rate, latency float64) (float64, error) {
	l, err := LittlesLaw(rate, latency)
	if err != nil {
		return 0, err
	}
	if !(observed >= 0) || math.IsInf(observed, 1) || l == 0 {
		return 0, fmt.Errorf("observed %v against %v: want a finite number of at least 0 against a positive one: %w", observed, l, ErrDomain)
	}
	return observed/l - 1, nil
}
