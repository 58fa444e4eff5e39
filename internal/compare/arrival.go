package compare

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Arrival compares how evenly the requests of two sides came, in windows of time of
// one length.
type Arrival struct {
	// Window is how many requests came in a window on average.
	Window float64
	// Burst is how much the number in a window varied, of each side the mean over
	// runs: the standard deviation ÷ the root of the mean. It is 1 for requests
	// that come independently of each other (a Poisson process), 0 for ones that
	// come evenly, and more for bursts.
	Burst [2]float64
	// P is the p-value of the difference, times the number of lengths tried.
	P float64
}

const (
	// minArrivals is how many requests a run needs for its arrivals to be
	// compared.
	minArrivals = 50
	// arrivalBlocks is how many stretches of a run are left out in turn to see how
	// sure its value is; each has a window at least.
	arrivalBlocks = 20
	// grainsPerWindow is how many steps of the clock a window must have: starts in
	// whole seconds come in bursts only as they were written down.
	grainsPerWindow = 4
)

// arrivalWindows are the requests a window holds on average: a short one sees
// requests that come in pairs, a long one loads that swell and ebb.
var arrivalWindows = [...]float64{1, 8, 64, 512}

// arrivalsOf compares two sides at every length of window that all their runs have
// enough of, the shortest first.
func (c *comparer) arrivalsOf(sides [2][]pulse) (out []Arrival) {
	for k, size := range arrivalWindows {
		of := func(r *pulse) (float64, stats.StandardError, bool) {
			b := r.bursts[k]
			return b.value, b.StandardError, b.ok
		}
		a, okA := over(sides[0], of)
		b, okB := over(sides[1], of)
		if okA && okB {
			out = append(out, Arrival{Window: size, Burst: [2]float64{a.mean, b.mean}, P: a.against(b, c.opt.Level)})
		}
	}
	for i := range out {
		out[i].P = math.Min(1, out[i].P*float64(len(out)))
	}
	return out
}

// loadChance is the p-value that the requests of both sides came at one mean rate,
// NaN where the runs do not tell. A run of n requests knows the log of its rate with
// the error that their bursts give, burst ÷ √n.
func (c *comparer) loadChance(sides [2][]pulse) float64 {
	a, okA := over(sides[0], logRate)
	b, okB := over(sides[1], logRate)
	if !okA || !okB {
		return math.NaN()
	}
	return a.against(b, c.opt.Level)
}

// logRate is the log of the requests a second of a run.
func logRate(r *pulse) (v float64, e stats.StandardError, ok bool) {
	for _, b := range r.bursts {
		if b.ok {
			ok = true
			e = stats.StandardError{SE: math.Max(e.SE, b.value), DF: b.DF}
		}
	}
	e.SE = stats.LogRateSE(e.SE, r.requests)
	return math.Log((r.requests - 1) / r.span), e, ok
}

// Apart is how far the bursts of the sides are apart, as a share of the larger or,
// where both come more evenly than at random, of what is random.
func (a Arrival) Apart() float64 {
	return math.Abs(a.Burst[0]-a.Burst[1]) / math.Max(1, math.Max(a.Burst[0], a.Burst[1]))
}

// burst is how much the number of requests in windows of one length varied in a run,
// with its error.
type burst struct {
	ok    bool
	value float64
	stats.StandardError
}

// burstOf finds it for windows of a size.
func burstOf(a *metric.Arrivals, size float64) (b burst) {
	n := a.Requests()
	if n < minArrivals {
		return b
	}
	each := int(math.Round(size * float64(len(a.Counts)) / float64(n))) // of the narrow windows
	if each < 1 || len(a.Counts)/each < arrivalBlocks || float64(each)*a.Width() < grainsPerWindow*float64(a.Grain) {
		return b
	}
	counts := make([]float64, len(a.Counts)/each)
	for w := range counts {
		for _, k := range a.Counts[w*each : (w+1)*each] {
			counts[w] += float64(k)
		}
	}
	var err error
	b.value, b.StandardError, err = stats.Burstiness(counts, arrivalBlocks)
	b.ok = err == nil
	return b
}
