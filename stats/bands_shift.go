package stats

import (
	"fmt"
	"math"
	"sort"
)

// ShiftBandKS returns the shift function of two independent samples with its
// Kolmogorov–Smirnov band: at each sorted value a of x, by how much x would have
// to move at a to have the distribution of y, Q_y(F_x(a)) − a. The limits hold at
// all points at once with the given asymptotic level. Center is the type-1
// quantile of y at F_x(a), minus a. Limits that the data do not set, at the ends,
// are ±Inf.
//
// It assumes independent observations on both sides, so it describes one run
// against one run; with several runs compare quantiles run by run.
//
// Special cases are:
//
//	an empty sample: ErrTooFew
//	a non-finite value or a level outside (0, 1): ErrDomain
//
// Source: Doksum & Sievers 1976, Biometrika 63:421, doi:10.1093/biomet/63.3.421.
func ShiftBandKS(x, y []float64, level float64) (Band, error) {
	if err := CheckLevel(level); err != nil {
		return Band{}, err
	}
	b, err := ShiftBandAt(x, y, KSTwoSampleCritical(len(x), len(y), KolmogorovQuantile(level)))
	b.Level = level
	return b, err
}

// KSTwoSampleCritical returns k·√((m+n)/(mn)), the asymptotic critical value of
// the two-sample Kolmogorov–Smirnov statistic for samples of m and n when k is
// KolmogorovQuantile of the level. It is NaN for m or n < 1.
func KSTwoSampleCritical(m, n int, k float64) float64 {
	if m < 1 || n < 1 {
		return math.NaN()
	}
	return k * math.Sqrt((float64(m)+float64(n))/(float64(m)*float64(n)))
}

// ShiftBandAt is ShiftBandKS for a critical value c of the two-sample
// Kolmogorov–Smirnov statistic chosen by the caller, an exact one for instance.
// The level of the result is 0. ErrDomain for c < 0 or NaN.
func ShiftBandAt(x, y []float64, c float64) (Band, error) {
	if len(x) == 0 || len(y) == 0 {
		return Band{}, fmt.Errorf("samples of %d and %d values: want at least 1 each: %w", len(x), len(y), ErrTooFew)
	}
	for _, s := range [][]float64{x, y} {
		if err := CheckFinite(s); err != nil {
			return Band{}, err
		}
	}
	if !(c >= 0) {
		return Band{}, fmt.Errorf("critical value %v: want at least 0: %w", c, ErrDomain)
	}
	sx, sy := sortedValues(x), sortedValues(y)
	ny := float64(len(sy))
	b := Band{X: sx, Method: MethodShiftKS}
	for _, a := range sx {
		below := sort.Search(len(sx), func(i int) bool { return sx[i] > a })
		f := float64(below) / float64(len(sx))
		lo, hi := math.Inf(-1), math.Inf(1)
		if i := math.Ceil(ny * (f - c)); i >= 1 {
			lo = sy[int(math.Min(i, ny))-1] - a
		}
		if i := math.Floor(ny*(f+c)) + 1; i <= ny {
			hi = sy[int(i)-1] - a
		}
		center := math.Max(1, math.Ceil(ny*f-1e-9))
		b.Center = append(b.Center, sy[int(center)-1]-a)
		b.Lo = append(b.Lo, lo)
		b.Hi = append(b.Hi, hi)
	}
	return b, nil
}
