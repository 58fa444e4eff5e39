package mixshift

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Influence is the recentred influence function of a quantile: RIF(v) = Low for
// values up to the quantile and High above it.
type Influence struct {
	Q         float64 // level, in (0, 1)
	Quantile  float64 // type 7, in the unit of the values
	Bandwidth float64 // of the Gaussian kernel, Silverman's rule of thumb
	Density   float64 // at the quantile
	Low, High float64
	MeanRIF   float64 // mean of RIF over the sample; the quantile, up to 1/(n·Density)
	SE        float64 // √(q(1−q)/n) / Density, for independent values
}

// RIF returns the recentred influence function of the q quantile of x, with the
// density summed exactly over a Gaussian kernel. Everything rests on the
// density at the quantile: in a thin tail or a gap of the distribution it is
// not to be trusted.
//
// It returns stats.ErrTooFew below two values and stats.ErrDomain for a value
// that is not finite, values without spread, a density of 0, or q outside
// (0, 1). Source: Firpo, Fortin and Lemieux 2009, Econometrica 77:953; bandwidth
// of Silverman 1986, equation 3.31.
func RIF(x []float64, q float64) (Influence, error) {
	if !(q > 0 && q < 1) {
		return Influence{}, fmt.Errorf("rif: level %v, want a number in (0, 1): %w", q, stats.ErrDomain)
	}
	_, variance, err := stats.MeanVariance(x)
	if err != nil {
		return Influence{}, fmt.Errorf("rif: %w", err)
	}
	at := make([]float64, 3)
	for i, p := range []float64{q, 0.25, 0.75} {
		if at[i], err = stats.Quantile(x, p, stats.HF7); err != nil {
			return Influence{}, fmt.Errorf("rif: %w", err)
		}
	}
	n := float64(len(x))
	spread := math.Sqrt(variance)
	if iqr := (at[2] - at[1]) / 1.34; iqr > 0 {
		spread = math.Min(spread, iqr)
	}
	if !(spread > 0) {
		return Influence{}, fmt.Errorf("rif: %d values without spread: %w", len(x), stats.ErrDomain)
	}
	f := Influence{Q: q, Quantile: at[0], Bandwidth: 0.9 * spread * math.Pow(n, -0.2)}
	below := 0.0
	for _, v := range x {
		f.Density += stats.NormalPDF((v-f.Quantile)/f.Bandwidth) / (n * f.Bandwidth)
		if v <= f.Quantile {
			below++
		}
	}
	if !(f.Density > 0) || math.IsInf(1/f.Density, 0) {
		return Influence{}, fmt.Errorf("rif: density %v at the quantile: %w", f.Density, stats.ErrDomain)
	}
	f.Low, f.High = f.Quantile-(1-q)/f.Density, f.Quantile+q/f.Density
	f.MeanRIF = f.Quantile + (q-below/n)/f.Density
	f.SE = math.Sqrt(q*(1-q)/n) / f.Density
	if err := stats.CheckFinite([]float64{f.Low, f.High, f.SE}); err != nil {
		return Influence{}, fmt.Errorf("rif: %w", err)
	}
	return f, nil
}

// At returns RIF(v).
func (f Influence) At(v float64) float64 {
	if v <= f.Quantile {
		return f.Low
	}
	return f.High
}

// RIFSplit is a first-order split of the change of a quantile.
type RIFSplit struct {
	X, Y    Influence
	Blinder // of the mean RIF values: Gap is Y.MeanRIF − X.MeanRIF
}

// RIFShift splits the change of the q quantile between two samples by
// covariates: [Oaxaca] on the recentred influence functions. It is a
// first-order answer: poor for large shifts, several modes or thin tails. With
// cells, use [QuantileShift].
//
// Errors: see [RIF] and [Oaxaca]. Source: see [RIF].
func RIFShift(x, y Sample, q float64, ref Reference) (RIFSplit, error) {
	fx, err := RIF(x.Outcome, q)
	if err != nil {
		return RIFSplit{}, fmt.Errorf("x: %w", err)
	}
	fy, err := RIF(y.Outcome, q)
	if err != nil {
		return RIFSplit{}, fmt.Errorf("y: %w", err)
	}
	b, err := Oaxaca(Sample{fx.values(x.Outcome), x.Covariates}, Sample{fy.values(y.Outcome), y.Covariates}, ref)
	if err != nil {
		return RIFSplit{}, fmt.Errorf("rif shift: %w", err)
	}
	return RIFSplit{fx, fy, b}, nil
}

func (f Influence) values(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f.At(v)
	}
	return out
}
