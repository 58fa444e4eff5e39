package stats

import "fmt"

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
