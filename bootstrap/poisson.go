package bootstrap

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/perfdiff/perfdiff/stats"
)

// fewForPoisson is the number of units below which the Poisson law of weights
// is no stand-in for the multinomial.
const fewForPoisson = 100

// PoissonMean accumulates Poisson bootstrap replicates of a mean, or of any
// ratio of sums, over a stream of units that is never held in memory: each unit
// gets an independent Poisson(1) weight in each replicate (Hanley & MacGibbon
// 2006; Chamandy et al. 2012).
//
// The weights of a unit depend on (seed, unit number) alone. So parts of one
// unit may arrive at different accumulators, in any order, and merge to the
// replicates that one accumulator would have (up to the rounding of sums in
// another order). It assumes independent units, at least 100 of them: below that
// intervals carry the warning [WarnFewUnits]. Use the whole run, user or session as
// the unit, not the request. The zero value is of no use; see
// [NewPoissonMean].
type PoissonMean struct {
	seed       uint64
	num, den   []float64 // per replicate
	sum, count float64
	units      int
	weights    []int // scratch
	rng        *rand.Rand
	pcg        *rand.PCG
}

// NewPoissonMean returns an accumulator of opt.Replicates replicates.
//
// Errors: [stats.ErrDomain] for bad options.
func NewPoissonMean(opt Options) (*PoissonMean, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	b := opt.replicates()
	pcg := new(rand.PCG)
	return &PoissonMean{
		seed: opt.Seed, num: make([]float64, b), den: make([]float64, b),
		weights: make([]int, b), pcg: pcg, rng: rand.New(pcg),
	}, nil
}

// Add adds the sum and the number of the values of a unit. Adding the same
// unit number again adds to that unit's part, but counts as one more unit in N.
//
// Errors: [stats.ErrDomain] for a sum or count that is not finite or a negative
// count; nothing is added then.
func (p *PoissonMean) Add(unit uint64, sum, count float64) error {
	if err := stats.CheckFinite([]float64{sum, count}); err != nil {
		return fmt.Errorf("unit %d: %w", unit, err)
	}
	if count < 0 {
		return fmt.Errorf("unit %d has count %v: want at least 0: %w", unit, count, stats.ErrDomain)
	}
	seedStream(p.pcg, p.seed, unit)
	for r := range p.weights {
		p.weights[r] = poissonOne(p.rng.Float64())
	}
	p.add(p.weights, sum, count)
	return nil
}

func (p *PoissonMean) add(weights []int, sum, count float64) {
	p.units++
	p.sum += sum
	p.count += count
	for r, w := range weights {
		p.num[r] += float64(float64(w) * sum)
		p.den[r] += float64(float64(w) * count)
	}
}

// Merge adds what other has accumulated.
//
// Errors: [stats.ErrMismatch] for another seed or number of replicates.
func (p *PoissonMean) Merge(other *PoissonMean) error {
	if p.seed != other.seed || len(p.num) != len(other.num) {
		return fmt.Errorf("seed %d with %d replicates and seed %d with %d do not merge: %w",
			p.seed, len(p.num), other.seed, len(other.num), stats.ErrMismatch)
	}
	p.units += other.units
	p.sum += other.sum
	p.count += other.count
	for r := range p.num {
		p.num[r] += other.num[r]
		p.den[r] += other.den[r]
	}
	return nil
}

// Law returns the law of the ratio of sums.
//
// Errors: [stats.ErrTooFew] for fewer than [MinUnits] units or a replicate in
// which every unit has weight 0 (common below ten units).
func (p *PoissonMean) Law() (Law, error) {
	if err := checkUnits(p.units); err != nil {
		return Law{}, err
	}
	means, err := p.means()
	if err != nil {
		return Law{}, err
	}
	return FromReplicates(p.sum/p.count, means, p.units)
}

// Percentile returns the percentile interval of the ratio of sums, with the
// warning [WarnFewUnits] below 100 units. Errors are those of [PoissonMean.Law] and
// [Law.Percentile].
func (p *PoissonMean) Percentile(level float64) (stats.Estimate, error) {
	l, err := p.Law()
	if err != nil {
		return stats.Estimate{}, err
	}
	e, err := l.Percentile(level)
	if err != nil {
		return e, err
	}
	e.Method = MethodPoisson
	if l.units >= FewUnits && l.units < fewForPoisson {
		e.Warnings = append(e.Warnings, fewUnits(l.units, fewForPoisson))
	}
	return e, nil
}

func (p *PoissonMean) means() ([]float64, error) {
	if p.count == 0 {
		return nil, fmt.Errorf("no values: %w", stats.ErrTooFew)
	}
	means := make([]float64, len(p.num))
	for r := range means {
		if p.den[r] == 0 {
			return nil, fmt.Errorf("replicate %d has no weight on any of %d units: %w", r, p.units, stats.ErrTooFew)
		}
		means[r] = p.num[r] / p.den[r]
	}
	return means, nil
}

// poissonOne inverts the distribution function of Poisson(1).
func poissonOne(u float64) int {
	term := math.Exp(-1)
	cum := term
	k := 0
	for u >= cum && k < 20 {
		k++
		term /= float64(k)
		cum += term
	}
	return k
}
