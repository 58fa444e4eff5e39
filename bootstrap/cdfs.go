package bootstrap

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Vote says how the distributions of several units are merged into one.
type Vote int8

const (
	// OneVote gives every unit the same weight, however many values it has.
	OneVote Vote = iota
	// ByCount gives every value the same weight.
	ByCount
)

// String returns "one vote" or "by count".
func (v Vote) String() string {
	if v == ByCount {
		return "by count"
	}
	return "one vote"
}

// CDFs holds the binned distributions of the units of one sample, for the
// cluster bootstrap of quantiles of their merged distribution. A resample of
// units is a vector of multiplicities; its quantile is found by bisection on the
// weighted sum of the cumulative counts, without merging histograms. CDFs is
// immutable and safe for concurrent use.
type CDFs struct {
	edges []float64
	cum   []float64 // cum[bin·units + unit]
	units int
	bins  int
	vote  Vote
}

// NewCDFs copies the binned distributions of some units. Bin b reaches from
// edges[b] to edges[b+1], so edges has one value more than there are bins.
// cumulative[u][b] is the number, or weight, of the values of unit u in bins 0
// to b. Values are taken to be spread evenly inside a bin: the error of a
// quantile is below one bin width.
//
// Errors: [stats.ErrTooFew] for no units, no bins or a unit without values;
// [stats.ErrMismatch] for a row that does not have one value per bin;
// [stats.ErrDomain] for edges that are not finite and ascending, or counts that are
// not finite, negative or falling.
func NewCDFs(edges []float64, cumulative [][]float64, vote Vote) (*CDFs, error) {
	bins, units := len(edges)-1, len(cumulative)
	if bins < 1 || units < 1 {
		return nil, fmt.Errorf("%d bin edges and %d units: want at least 2 and 1: %w", len(edges), units, stats.ErrTooFew)
	}
	if err := stats.CheckFinite(edges); err != nil {
		return nil, fmt.Errorf("bin edges: %w", err)
	}
	for i := range bins {
		if !(edges[i] < edges[i+1]) {
			return nil, fmt.Errorf("bin edge %v at index %d is not below its successor %v: %w", edges[i], i, edges[i+1], stats.ErrDomain)
		}
	}
	if vote != OneVote && vote != ByCount {
		return nil, fmt.Errorf("vote %d: want OneVote or ByCount: %w", vote, stats.ErrDomain)
	}
	c := &CDFs{edges: append([]float64(nil), edges...), cum: make([]float64, bins*units), units: units, bins: bins, vote: vote}
	largest := 0.0
	for u, row := range cumulative {
		if err := checkCumulative(row, bins); err != nil {
			return nil, fmt.Errorf("unit %d: %w", u, err)
		}
		largest = math.Max(largest, row[bins-1])
	}
	// A power of two keeps counts exact; near 1 no sum over units overflows.
	_, exponent := math.Frexp(largest)
	for u, row := range cumulative {
		for b, v := range row {
			if vote == OneVote {
				c.cum[b*units+u] = v / row[bins-1]
			} else {
				c.cum[b*units+u] = math.Ldexp(v, -exponent)
			}
		}
		if c.cum[(bins-1)*units+u] == 0 {
			return nil, fmt.Errorf("unit %d has weight %v beside one of %v: too little to count: %w", u, row[bins-1], largest, stats.ErrDomain)
		}
	}
	return c, nil
}

func checkCumulative(row []float64, bins int) error {
	if len(row) != bins {
		return fmt.Errorf("%d cumulative counts for %d bins: %w", len(row), bins, stats.ErrMismatch)
	}
	if err := stats.CheckFinite(row); err != nil {
		return err
	}
	last := 0.0
	for b, v := range row {
		if v < last {
			return fmt.Errorf("cumulative count %v in bin %d after %v: want no fall: %w", v, b, last, stats.ErrDomain)
		}
		last = v
	}
	if last == 0 {
		return fmt.Errorf("no values: %w", stats.ErrTooFew)
	}
	return nil
}

// Units returns the number of units.
func (c *CDFs) Units() int { return c.units }

// Quantiles returns the quantiles of the merged distribution, in the unit of
// the edges.
//
// Errors: [stats.ErrDomain] for a q outside (0, 1).
func (c *CDFs) Quantiles(qs []float64) ([]float64, error) {
	if err := checkQs(qs); err != nil {
		return nil, err
	}
	out := make([]float64, len(qs))
	c.quantiles(c.once(), qs, out)
	return out, nil
}

// once is the multiplicity vector of the sample itself.
func (c *CDFs) once() []float64 {
	m := make([]float64, c.units)
	for i := range m {
		m[i] = 1
	}
	return m
}

// quantiles fills out with the qs-quantiles of units merged with these
// multiplicities, at least one of which is positive.
func (c *CDFs) quantiles(multiplicity, qs, out []float64) {
	total := c.weighted(c.bins-1, multiplicity)
	for i, q := range qs {
		// Invariant: weight at or below bin lo < target ≤ weight at or below bin hi.
		target := math.Max(q*total, math.SmallestNonzeroFloat64)
		lo, hi := -1, c.bins-1
		below, upto := 0.0, total
		for hi-lo > 1 {
			mid := (lo + hi) / 2
			if w := c.weighted(mid, multiplicity); w < target {
				lo, below = mid, w
			} else {
				hi, upto = mid, w
			}
		}
		left, right := c.edges[hi], c.edges[hi+1]
		out[i] = left + float64((target-below)/(upto-below)*(right-left))
	}
}

// weighted returns Σ multiplicity·cumulative count of a bin. The conversions
// forbid fused multiply-add, so that all architectures agree.
func (c *CDFs) weighted(bin int, multiplicity []float64) float64 {
	row := c.cum[bin*c.units : (bin+1)*c.units]
	m := multiplicity[:len(row)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(row); i += 4 {
		s0 += float64(m[i] * row[i])
		s1 += float64(m[i+1] * row[i+1])
		s2 += float64(m[i+2] * row[i+2])
		s3 += float64(m[i+3] * row[i+3])
	}
	for ; i < len(row); i++ {
		s0 += float64(m[i] * row[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func checkQs(qs []float64) error {
	for i, q := range qs {
		if !(q > 0 && q < 1) || math.IsNaN(q) {
			return fmt.Errorf("quantile level %v at index %d: want a number in (0, 1): %w", q, i, stats.ErrDomain)
		}
	}
	return nil
}
