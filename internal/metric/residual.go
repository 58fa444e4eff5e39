package metric

import "math"

// Strata tell the pass over a side with one run in which part of a facet a
// record lies.
type Strata struct {
	Facet Facet
	Of    map[Key]int // numbers from 0; a record of another part adds nothing
}

// Residual is what every value adds to a sum over each batch: how far it moves
// an estimate, which depends on the stratum of its record.
type Residual struct {
	// A value adds AtOrBelow[stratum] up to the threshold and Above[stratum]
	// beyond it, or, with Slope, Slope[stratum]·(value − Center[stratum]).
	Threshold        float64
	AtOrBelow, Above []float64
	Center, Slope    []float64
	// Most is the largest magnitude that a value adds.
	Most float64
}

// unit is the step in which sums are kept: sums of whole steps do not depend on
// the order of the values.
func (r *Residual) unit() float64 { return r.Most / (1 << 32) }

func (r *Residual) perUnit() float64 {
	if u := r.unit(); u > 0 {
		return 1 / u
	}
	return 0
}

// residuals are those of a look, in whole steps. Slot 0 is that of records
// without a stratum, which add nothing; stratum h has slot h + 1.
type residuals struct {
	stepwise []stepwise
	linear   []linear
}

func newResiduals(list []Residual) (out residuals) {
	for i := range list {
		r := &list[i]
		if r.Slope != nil {
			out.linear = append(out.linear, newLinear(r, i))
			continue
		}
		if k := len(out.stepwise); k == 0 || out.stepwise[k-1].n == abreast {
			out.stepwise = append(out.stepwise, stepwise{steps: make([]slotSteps, len(r.Above)+1)})
		}
		out.stepwise[len(out.stepwise)-1].include(r, i)
	}
	return out
}

// sum sets what values bring to each residual. slots are those of the values, or
// the single one of them all.
func (r *residuals) sum(values []float64, slots []int32, into []int64) {
	for k := range r.stepwise {
		g := &r.stepwise[k]
		g.set(into, g.sum(values, slots))
	}
	for k := range r.linear {
		r.linear[k].sum(values, slots, into)
	}
}

// repeat sets what a value brings that occurs once in each slot.
func (r *residuals) repeat(value []float64, slots []int32, into []int64) {
	for k := range r.stepwise {
		g := &r.stepwise[k]
		var sums [abreast]int64
		for t, x := range g.thresholds[:g.n] {
			below := 0
			if value[0] <= x {
				below = 1
			}
			for _, s := range slots {
				sums[t] += g.steps[s][t][below]
			}
		}
		g.set(into, sums)
	}
	for k := range r.linear {
		l := &r.linear[k]
		total := int64(0)
		for i := range slots {
			l.sum(value, slots[i:i+1], into)
			total += into[l.at]
		}
		into[l.at] = total
	}
}

// abreast is how many thresholds a value is held against at a time.
const abreast = 3

// slotSteps are by threshold: what a value above it adds, and one at or below.
type slotSteps [abreast][2]int64

// stepwise is up to three residuals with thresholds.
type stepwise struct {
	n          int
	at         [abreast]int // the residual
	thresholds [abreast]float64
	limits     [abreast]int64 // bits of the thresholds
	signed     bool           // some are not above 0, so that bits do not order them
	steps      []slotSteps
}

func (g *stepwise) include(r *Residual, i int) {
	t := g.n
	g.n++
	g.at[t], g.thresholds[t], g.limits[t] = i, r.Threshold, int64(math.Float64bits(r.Threshold))
	g.signed = g.signed || !(r.Threshold > 0)
	for h := range r.Above {
		g.steps[h+1][t] = [2]int64{int64(math.RoundToEven(r.Above[h] * r.perUnit())), int64(math.RoundToEven(r.AtOrBelow[h] * r.perUnit()))}
	}
}

func (g *stepwise) set(into []int64, sums [abreast]int64) {
	for t, at := range g.at[:g.n] {
		into[at] = sums[t]
	}
}

func (g *stepwise) sum(values []float64, slots []int32) (sums [abreast]int64) {
	if g.signed || len(slots) != len(values) {
		for i, v := range values {
			slot := slots[0]
			if len(slots) == len(values) {
				slot = slots[i]
			}
			for t, x := range g.thresholds[:g.n] {
				below := 0
				if v <= x {
					below = 1
				}
				sums[t] += g.steps[slot][t][below]
			}
		}
		return sums
	}
	a, b, c := g.limits[0], g.limits[1], g.limits[2]
	var sa, sb, sc int64
	for i, v := range values {
		s := &g.steps[slots[i]]
		sa += s[0][notAbove(v, a)&1]
		sb += s[1][notAbove(v, b)&1]
		sc += s[2][notAbove(v, c)&1]
	}
	return [abreast]int64{sa, sb, sc}
}

// linear is a residual in proportion to the distance from the centre of the
// stratum.
type linear struct {
	at            int
	center, slope []float64 // by slot; slopes in steps
}

func newLinear(r *Residual, i int) linear {
	l := linear{at: i, center: append([]float64{0}, r.Center...), slope: []float64{0}}
	for _, s := range r.Slope {
		l.slope = append(l.slope, s*r.perUnit())
	}
	return l
}

func (l *linear) sum(values []float64, slots []int32, into []int64) {
	sum := int64(0)
	for i, v := range values {
		slot := slots[0]
		if len(slots) == len(values) {
			slot = slots[i]
		}
		sum += int64(math.RoundToEven(l.slope[slot] * (v - l.center[slot])))
	}
	into[l.at] = sum
}
