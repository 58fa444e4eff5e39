package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// MergedRuns is the distribution of the merged runs of a side, made once for all
// its quantiles.
type MergedRuns struct {
	mix    *sketch.Mixture
	places []place // of the parts of mix
}

type place struct{ run, stratum int }

// NewMergedRuns merges parts[run][stratum], nil or empty where a run has no
// values in a stratum. It returns sketch.ErrEmpty without values.
func NewMergedRuns(parts [][]*sketch.Sketch) (*MergedRuns, error) {
	m := &MergedRuns{}
	var flat []*sketch.Sketch
	for r, row := range parts {
		for h, p := range row {
			if p != nil && p.N() > 0 {
				flat, m.places = append(flat, p), append(m.places, place{r, h})
			}
		}
	}
	var err error
	m.mix, err = sketch.NewMixture(flat, nil)
	return m, err
}

// RelativeError bounds the relative error of a quantile.
func (m *MergedRuns) RelativeError() float64 { return m.mix.RelativeError() }

// Quantile returns the Statistic of [Runs] that is the q quantile. The function
// returns an error for weights of other runs or strata, a weight on a part
// without values, or q outside [0, 1].
func (m *MergedRuns) Quantile(q float64) func(weight [][]float64) (float64, error) {
	weights := make([]float64, len(m.places))
	return func(w [][]float64) (float64, error) {
		for i, p := range m.places {
			if p.run >= len(w) || p.stratum >= len(w[p.run]) {
				return 0, fmt.Errorf("no weight of run %d, stratum %d: %w", p.run, p.stratum, stats.ErrMismatch)
			}
			weights[i] = w[p.run][p.stratum]
		}
		re, err := m.mix.Reweight(weights)
		if err != nil {
			return 0, err
		}
		return re.Quantile(q)
	}
}

// MeanOfRuns returns the Statistic of [Runs] that is the weighted mean of
// value[run][stratum]. Values without weight are not read, and may be NaN. The
// function returns stats.ErrMismatch for weights of other runs or strata.
func MeanOfRuns(value [][]float64) func(weight [][]float64) (float64, error) {
	return func(w [][]float64) (float64, error) {
		sum := 0.0
		if len(w) != len(value) {
			return 0, fmt.Errorf("weights of %d runs, want %d: %w", len(w), len(value), stats.ErrMismatch)
		}
		for r, row := range value {
			if len(w[r]) != len(row) {
				return 0, fmt.Errorf("weights of %d strata of run %d, want %d: %w", len(w[r]), r, len(row), stats.ErrMismatch)
			}
			for h, v := range row {
				if w[r][h] != 0 {
					sum += w[r][h] * v
				}
			}
		}
		return sum, nil
	}
}

// ByStratum returns the statistic of each stratum alone, every run that has
// units in it with one vote: NaN for a stratum without units, or where the
// statistic is an error, and nil for runs that [SplitRuns] refuses.
func (r Runs) ByStratum() []float64 {
	if _, err := runShares("runs", r); err != nil {
		return nil
	}
	out := make([]float64, len(r.Count[0]))
	for h := range out {
		out[h] = math.NaN()
		votes := float64(runsWith(r.Count, h))
		if votes == 0 {
			continue
		}
		weight := make([][]float64, len(r.Count))
		for k, counts := range r.Count {
			weight[k] = make([]float64, len(counts))
			if counts[h] > 0 {
				weight[k][h] = 1 / votes
			}
		}
		if v, err := r.Statistic(weight); err == nil {
			out[h] = v
		}
	}
	return out
}

func runsWith(shares [][]float64, h int) int {
	n := 0
	for _, share := range shares {
		if share[h] > 0 {
			n++
		}
	}
	return n
}

// Contributions returns what each cell brings to the two parts of
// [LikeForLike], from shares and rates: NaN where a side has no rate. It returns
// stats.ErrMismatch for lists of different lengths.
func Contributions(shareX, shareY, rateX, rateY []float64) (rate, mix []float64, err error) {
	n := len(shareX)
	if len(shareY) != n || len(rateX) != n || len(rateY) != n {
		return nil, nil, fmt.Errorf("%d and %d shares, %d and %d rates: want as many: %w", n, len(shareY), len(rateX), len(rateY), stats.ErrMismatch)
	}
	for h := range shareX {
		rate = append(rate, shareX[h]*(rateY[h]-rateX[h]))
		mix = append(mix, (shareY[h]-shareX[h])*rateY[h])
		if math.IsNaN(rateX[h]) {
			mix[h] = math.NaN()
		}
	}
	return rate, mix, nil
}

// Widening is by how much an interval of y as it is must widen to hold for y
// reweighted: the square root of N over EffectiveN, at least 1.
func (o Overlap) Widening() float64 {
	if o.EffectiveN > 0 && o.N > o.EffectiveN {
		return math.Sqrt(o.N / o.EffectiveN)
	}
	return 1
}
