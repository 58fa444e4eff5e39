package stats

import (
	"fmt"
	"math"
)

// BatchMeans estimates the mean of one dependent series in time order: the
// series is cut into consecutive batches of ⌊n/batches⌋ values (a remainder at
// the end is left out), and Student's t interval is taken on the batch means.
// It assumes that the series is stationary and a batch much longer than its
// memory, and speaks of this series' long-run mean only.
//
// N is the number of batches. Special cases are those of MeanT; from 10 batches
// on, batches that are clearly correlated with their neighbours give the warning
// batches_dependent: the interval is too narrow, and a longer series is needed.
//
// Errors: ErrTooFew for fewer than 2 batches or fewer values than batches,
// ErrDomain for a value that is not finite or a level outside (0, 1).
//
// Source: Schmeiser 1982, Operations Research 30:556, doi:10.1287/opre.30.3.556.
func BatchMeans(x []float64, batches int, level float64) (Estimate, error) {
	if batches < 2 || len(x) < batches {
		return Estimate{}, fmt.Errorf("%d values in %d batches: want at least 2 batches and a value in each: %w", len(x), batches, ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return Estimate{}, err
	}
	size := len(x) / batches
	means := make([]float64, batches)
	for i := range means {
		means[i] = meanOf(x[i*size : (i+1)*size])
	}
	est, err := MeanT(means, level)
	if err != nil {
		return Estimate{}, fmt.Errorf("batch means: %w", err)
	}
	est.Method = MethodBatchMeans
	if dependent(means) {
		est.Warnings = append(est.Warnings, batchesDependent())
	}
	return est, nil
}

// BatchRatioError is the standard error of F = Σ sums / Σ counts over a dependent
// series that was cut into b consecutive batches: counts[i] values in batch i
// that add up to sums[i]. It has b − 1 degrees of freedom and, as F is a ratio of
// batch totals,
//
//	se² = b/(b−1) Σ (sums_i − F·counts_i)² / (Σ counts_i)²,
//
// which for equal batches is the variance of the batch means over b. With the
// values replaced by the residuals of an estimate (how far each value moves it,
// times the number of values) it is the error of that estimate.
//
// It assumes that batches are much longer than the memory of the series.
//
// Errors: ErrMismatch for slices of different length, ErrTooFew for fewer than 2
// batches or an empty one, ErrDomain for a sum that is not finite.
//
// Source: Schmeiser 1982, Operations Research 30:556, doi:10.1287/opre.30.3.556;
// the ratio as in Cochran 1977, Sampling Techniques, section 6.3.
func BatchRatioError(counts []int64, sums []float64) (StandardError, error) {
	b := len(counts)
	if len(sums) != b {
		return StandardError{}, fmt.Errorf("%d batch sizes and %d sums: want as many: %w", b, len(sums), ErrMismatch)
	}
	if b < 2 {
		return StandardError{}, fmt.Errorf("%d batches: want at least 2: %w", b, ErrTooFew)
	}
	if err := CheckFinite(sums); err != nil {
		return StandardError{}, fmt.Errorf("sums of batches: %w", err)
	}
	var n, sum float64
	for i, c := range counts {
		if c < 1 {
			return StandardError{}, fmt.Errorf("batch %d has %d values: want at least 1: %w", i, c, ErrTooFew)
		}
		n += float64(c)
		sum += sums[i]
	}
	f := sum / n
	var sq float64
	for i, c := range counts {
		r := sums[i] - f*float64(c)
		sq += r * r
	}
	return StandardError{SE: math.Sqrt(float64(b)/float64(b-1)*sq) / n, DF: float64(b - 1)}, nil
}

// dependentAlpha is the one-sided level of the test behind batches_dependent.
const dependentAlpha = 0.01

// dependent reports batch values that follow their neighbours.
func dependent(values []float64) bool {
	t, err := SerialCorrelation(values, Greater)
	return err == nil && t.P < dependentAlpha
}

func batchesDependent() Warning {
	return Warning{Code: WarnBatchesDependent, Text: "neighbouring batches are alike, so the series remembers longer than a batch and the interval is too narrow"}
}
