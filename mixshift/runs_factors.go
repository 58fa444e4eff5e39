package mixshift

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// MostFactors bounds the factors of a crossing: every one more doubles the
// evaluations of the statistic.
const MostFactors = 5

// Crossing says of strata that are combinations of factors which level of each
// factor they are: level[stratum][factor]. Levels are any integers.
type Crossing [][]int

// check returns the number of factors.
func (c Crossing) check(strata int) (int, error) {
	if len(c) != strata {
		return 0, fmt.Errorf("levels of %d strata, want %d: %w", len(c), strata, stats.ErrMismatch)
	}
	seen := map[string]bool{}
	for h, levels := range c {
		if len(levels) != len(c[0]) {
			return 0, fmt.Errorf("stratum %d has levels of %d factors, want %d: %w", h, len(levels), len(c[0]), stats.ErrMismatch)
		}
		key := fmt.Sprint(levels)
		if seen[key] {
			return 0, fmt.Errorf("two strata have the levels %v, want each combination once: %w", levels, stats.ErrDomain)
		}
		seen[key] = true
	}
	k := len(c[0])
	if k < 1 || k > MostFactors {
		return 0, fmt.Errorf("%d factors, want 1 to %d: %w", k, MostFactors, stats.ErrDomain)
	}
	return k, nil
}

// factoring makes mixes of which some factors are as in x and the others as in y.
type factoring struct {
	k      int
	group  [][]int // by set of factors (a bit each): the margin to which a stratum belongs
	single int     // the factors of a single level
}

func newFactoring(c Crossing, strata int) (*factoring, error) {
	k, err := c.check(strata)
	if err != nil {
		return nil, err
	}
	f := &factoring{k: k, group: make([][]int, 1<<k)}
	for set := range f.group {
		at := map[[MostFactors]int]int{}
		f.group[set] = make([]int, strata)
		for h, levels := range c {
			var key [MostFactors]int
			for j, l := range levels {
				if set>>j&1 == 1 {
					key[j] = l
				}
			}
			g, ok := at[key]
			if !ok {
				g = len(at)
				at[key] = g
			}
			f.group[set][h] = g
		}
		if bits.OnesCount(uint(set)) == 1 && len(at) == 1 {
			f.single |= set
		}
	}
	return f, nil
}

// margin returns the share of the margin to which each stratum belongs.
func (f *factoring) margin(share []float64, set int) []float64 {
	sum := make([]float64, len(share))
	for h, g := range f.group[set] {
		sum[g] += share[h]
	}
	out := make([]float64, len(share))
	for h, g := range f.group[set] {
		out[h] = sum[g]
	}
	return out
}

// smooth shrinks shares that n units tell towards what they would be with
// independent factors, by as much as the data ask for: a combination with a unit
// or two says little, and one that does not occur is not impossible. The shares
// of strata with a level that does not occur remain 0. Source: Fienberg and
// Holland 1973, JASA 68:683 (pseudo-Bayes estimates of cell shares).
func (f *factoring) smooth(share []float64, n float64) []float64 {
	independent := slices.Repeat([]float64{1}, len(share))
	for j := range f.k {
		for h, m := range f.margin(share, 1<<j) {
			independent[h] *= m
		}
	}
	squares, distance := 0.0, 0.0
	for h, s := range share {
		squares += s * s
		distance += (s - independent[h]) * (s - independent[h])
	}
	weight := 1.0 // of the data; with nothing to tell apart both are the same
	if prior := (1 - squares) / distance; prior > 0 && !math.IsInf(prior, 1) {
		weight = n / (n + prior)
	}
	out, sum := make([]float64, len(share)), 0.0
	for h, s := range share {
		out[h] = weight*s + (1-weight)*independent[h]
		sum += out[h]
	}
	for h := range out {
		out[h] /= sum
	}
	return out
}

// terms splits the logarithm of the share of every stratum over the factors: the
// term of a factor is its average contribution to log P(levels of a set of
// factors) over all orders in which the factors can be named. With independent
// factors e to the term is the factor's own share; with two it is
// √(P(ij)·P(i)/P(j)) and √(P(ij)·P(j)/P(i)). Strata of share 0 have NaN. Source:
// Das Gupta 1993.
func (f *factoring) terms(share []float64) [][]float64 {
	logs := make([][]float64, len(f.group))
	for set := range f.group {
		logs[set] = f.margin(share, set)
		for h, m := range logs[set] {
			logs[set][h] = math.Log(m)
		}
	}
	weight := orderWeights(f.k)
	terms := make([][]float64, f.k)
	for j := range terms {
		terms[j] = make([]float64, len(share))
		for h := range share {
			for set := range f.group {
				if set>>j&1 == 0 {
					terms[j][h] += weight[bits.OnesCount(uint(set))] * (logs[set|1<<j][h] - logs[set][h])
				}
			}
			if share[h] == 0 {
				terms[j][h] = math.NaN()
			}
		}
	}
	return terms
}

// mixes returns a mix for every set of factors: those of the set are as in y,
// the others as in x. They have the strata that y has units in and whose levels
// all occur in x. The last is y on these strata. nx and ny are the units behind
// the shares.
func (f *factoring) mixes(x, y []float64, nx, ny float64) [][]float64 {
	tx, ty := f.terms(f.smooth(x, nx)), f.terms(f.smooth(y, ny))
	out := make([][]float64, len(f.group))
	for set := range out {
		mix, sum := make([]float64, len(x)), 0.0
		for h := range mix {
			if y[h] == 0 || math.IsNaN(tx[0][h]) {
				continue
			}
			back := 0.0
			for j := range f.k {
				if set>>j&1 == 0 {
					back += tx[j][h] - ty[j][h]
				}
			}
			mix[h] = y[h] * math.Exp(back)
			sum += mix[h]
		}
		for h := range mix {
			mix[h] /= sum
		}
		out[set] = mix
	}
	return out
}

// SplitRunsBy is [SplitRuns] over strata that are combinations of factors; it
// also evaluates y at every mix that takes some factors from x and the others
// from y, so that [RunSplit.Parts] splits Mix over the factors.
//
// Taking a set S of factors from y and the others from x weighs the units of y in
// stratum h by the product, over the others, of A(x) / A(y). A is the share of
// the factor's level where factors are independent; otherwise A of all factors
// multiply to the share of h, and their dependence is divided equally. Shares of
// thin combinations are shrunk towards independence for it. The effect of a
// factor is the average change of the statistic over all orders of switching
// factors from x to y, so that no order is favoured.
//
// Special cases are: a combination that only y has is part of these mixes if x
// has each of its levels, in other combinations; OffSupport is then the rest of
// Mix: what combinations that only x has and levels that only y has bring. It is
// 0 where both sides have every combination. A factor of a single level brings 0.
// [RunSplit.FactorN] is the least effective number of units of y under any of
// the mixes.
//
// It also returns stats.ErrMismatch for a crossing of other strata, and
// stats.ErrDomain for a combination of levels that occurs twice or a number of
// factors outside 1 to [MostFactors]. Cost: up to 2^k evaluations of Statistic
// more for the whole and for each run. Source: Das Gupta 1993, US Census
// P23-186; Shorrocks 2013, Journal of Economic Inequality 11:99.
func SplitRunsBy(x, y Runs, by Crossing, pairedRuns bool) (RunSplit, error) {
	if len(y.Count) == 0 {
		return RunSplit{}, fmt.Errorf("split of runs: 0 runs of y, want 1 or more: %w", stats.ErrTooFew)
	}
	f, err := newFactoring(by, len(y.Count[0]))
	if err != nil {
		return RunSplit{}, fmt.Errorf("split of runs: %w", err)
	}
	return splitRuns(x, y, pairedRuns, f)
}

// ofMixes evaluates y at every mix of factors, without some runs. v holds what is
// known already; x and y are the mixes of both sides.
func (e evaluator) ofMixes(left without, v values, x, y []float64) (at []float64, leastN float64, err error) {
	if e.factors == nil {
		return nil, 0, nil
	}
	common := e.support.OnlyX == 0 && e.support.OnlyY == 0
	mixes := e.factors.mixes(x, y, total(e.x.Count, left.x), total(e.y.Count, left.y))
	at = make([]float64, len(mixes))
	leastN = math.Inf(1)
	last := (len(mixes) - 1) &^ e.factors.single
	for set, mix := range mixes {
		weight := spread(e.sy, left.y, mix)
		if !left.y.any {
			leastN = math.Min(leastN, effectiveN(weight, e.y.Count))
		}
		switch same := set &^ e.factors.single; {
		case same < set:
			at[set] = at[same]
			continue
		case common && set == last:
			at[set] = v.y
			continue
		case common && set == 0:
			at[set] = v.yLike
			continue
		}
		if at[set], err = e.y.Statistic(weight); err != nil {
			return nil, 0, err
		}
		if !finite(at[set]) {
			return nil, 0, fmt.Errorf("statistic %v, want a finite number: %w", at[set], stats.ErrDomain)
		}
	}
	return at, leastN, nil
}

// total is the number of units of a side, some runs of which may be left out.
func total(count [][]float64, left dealt) (n float64) {
	for r, row := range count {
		if !left.has(r) {
			for _, v := range row {
				n += v
			}
		}
	}
	return n
}

// FactorObjections lists what speaks against the split of Mix over factors: a
// mix of factors for which y has too few units. Without objections it is empty.
func (s RunSplit) FactorObjections(l Limits) []stats.Warning {
	if s.whole.mixes == nil || s.FactorN >= l.MinEffectiveShare*s.N {
		return nil
	}
	return []stats.Warning{{Code: WarnFewEffective, Text: fmt.Sprintf("with factors of the two samples mixed, %.4g units are worth %.4g: less than a share of %.3g", s.N, s.FactorN, l.MinEffectiveShare)}}
}

// effects returns the average contribution of each factor over all orders of
// switching, from the values by set of factors.
func effects(v []float64) []float64 {
	k := bits.Len(uint(len(v))) - 1
	out := make([]float64, k)
	weight := orderWeights(k)
	for j := range k {
		for s := range v {
			if s>>j&1 == 0 {
				out[j] += weight[bits.OnesCount(uint(s))] * (v[s|1<<j] - v[s])
			}
		}
	}
	return out
}

// orderWeights is m!(k−1−m)!/k! for m = 0 … k−1: the share of all orders of k
// factors in which a given factor comes right after m given others.
func orderWeights(k int) []float64 {
	weight := slices.Repeat([]float64{1 / float64(k)}, k)
	for m := 1; m < k; m++ {
		weight[m] = weight[m-1] * float64(m) / float64(k-m)
	}
	return weight
}
