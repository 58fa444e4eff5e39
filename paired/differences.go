package paired

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// covariance returns the sample covariance (n − 1) of two equally long slices
// with the given means.
func covariance(x, y []float64, mx, my float64) float64 {
	s := 0.0
	for i := range x {
		s += (x[i] - mx) * (y[i] - my) / float64(len(x)-1)
	}
	return s
}

// checkPairs returns an error unless x and y are equally long.
func checkPairs(x, y []float64) error {
	if len(x) != len(y) {
		return fmt.Errorf("%d values of x and %d of y: %w", len(x), len(y), stats.ErrMismatch)
	}
	return nil
}

// Differences returns y − x, item by item. It returns stats.ErrMismatch if the
// lengths differ and stats.ErrDomain for a value that is not finite.
func Differences(x, y []float64) ([]float64, error) {
	if err := checkPairs(x, y); err != nil {
		return nil, err
	}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = y[i] - x[i]
	}
	if err := stats.CheckFinite(d); err != nil {
		return nil, fmt.Errorf("difference: %w", err)
	}
	return d, nil
}
