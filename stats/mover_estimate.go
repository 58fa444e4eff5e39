package stats

import "math"

// MOVER is the difference of two estimates that are known by their limits, with
// the standard errors that its interval amounts to on each side.
type MOVER struct {
	Value    float64
	Interval Interval
	// SELo and SEHi are the distances to the limits in units of Student's t
	// quantile with DF degrees of freedom; +Inf where a limit is unbounded.
	SELo, SEHi float64
	DF         float64
}

// MOVERKnown is MOVERDifference with an account of its error. known is the
// standard deviation of an independent error of the difference that neither
// interval knows of, such as an assumed spread between runs; it enters the
// interval as the half-width z·known. dfx and dfy are the degrees of freedom
// behind the intervals. Those of the difference follow Satterthwaite, with the
// known part contributing no uncertainty:
//
//	df = (dfx + dfy) / (1 − (z·known/h)²)²,  h the longer of the two half-widths.
//
// Special cases are: an unbounded limit gives an SE of +Inf on its side, and
// where nothing but the known part counts DF is +Inf.
//
// Errors: those of MOVERDifference; ErrDomain for degrees of freedom that are
// not positive or intervals without a level in (0, 1).
func MOVERKnown(x float64, xi Interval, dfx, y float64, yi Interval, dfy, known float64) (MOVER, error) {
	level := min(xi.Level, yi.Level)
	if err := CheckLevel(level); err != nil {
		return MOVER{}, err
	}
	for _, df := range []float64{dfx, dfy} {
		if _, err := (StandardError{DF: df}).Interval(0, level); err != nil {
			return MOVER{}, err
		}
	}
	extra := NormalQuantile((1+level)/2) * known
	iv, err := MOVERDifference(x, xi, y, yi, extra)
	if err != nil {
		return MOVER{}, err
	}
	m := MOVER{Value: y - x, Interval: iv, DF: math.Inf(1)}
	if half := math.Max(m.Value-iv.Lo, iv.Hi-m.Value); half > 0 && !math.IsInf(half, 0) {
		within := 1 - (extra/half)*(extra/half)
		if share := within * within; share > 0 {
			m.DF = (dfx + dfy) / share
		}
	}
	t := TQuantile((1+level)/2, m.DF)
	m.SELo, m.SEHi = (m.Value-iv.Lo)/t, (iv.Hi-m.Value)/t
	return m, nil
}
