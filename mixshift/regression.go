package mixshift

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/perfdiff/perfdiff/stats"
)

// Sample is an outcome with covariates.
type Sample struct {
	Outcome    []float64
	Covariates [][]float64 // by covariate, then by unit
}

// check returns an error unless the sample can carry a regression on k
// covariates.
func (s Sample) check(name string, k int) error {
	if len(s.Covariates) != k {
		return fmt.Errorf("%d covariates of %s, want %d: %w", len(s.Covariates), name, k, stats.ErrMismatch)
	}
	n := len(s.Outcome)
	if n < k+2 {
		return fmt.Errorf("%d units of %s, want %d or more for %d covariates: %w", n, name, k+2, k, stats.ErrTooFew)
	}
	if err := stats.CheckFinite(s.Outcome); err != nil {
		return fmt.Errorf("outcome of %s: %w", name, err)
	}
	for j, col := range s.Covariates {
		if len(col) != n {
			return fmt.Errorf("%d values of covariate %d of %s, want %d: %w", len(col), j, name, n, stats.ErrMismatch)
		}
		if err := stats.CheckFinite(col); err != nil {
			return fmt.Errorf("covariate %d of %s: %w", j, name, err)
		}
	}
	return nil
}

// fit is a least-squares line through its own centre.
type fit struct {
	slopes, means []float64
	mean          float64 // of the outcome
}

// regress fits the outcome on the covariates with an intercept by QR on
// centred and scaled columns, so that large offsets and units cost no digits.
// With group set, every group has an intercept of its own.
func regress(name string, s Sample, group []int) (fit, error) {
	n, k := len(s.Outcome), len(s.Covariates)
	f := fit{slopes: make([]float64, k), means: make([]float64, k)}
	y, mean, _, err := center(s.Outcome, group)
	if err != nil {
		return fit{}, fmt.Errorf("outcome of %s: %w", name, err)
	}
	f.mean = mean
	if k == 0 {
		return f, nil
	}
	design := mat.NewDense(n, k, nil)
	scale := make([]float64, k)
	for j, col := range s.Covariates {
		c, m, sd, err := center(col, group)
		if err != nil {
			return fit{}, fmt.Errorf("covariate %d of %s: %w", j, name, err)
		}
		if !(sd > 1e-13*math.Abs(m)) {
			return fit{}, fmt.Errorf("covariate %d of %s does not vary: %w", j, name, stats.ErrDomain)
		}
		f.means[j], scale[j] = m, sd
		for i, v := range c {
			design.Set(i, j, v/sd)
		}
	}
	var qr mat.QR
	qr.Factorize(design)
	const worst = 1e10 // condition of scaled columns beyond which they are collinear
	if c := qr.Cond(); !(c < worst) {
		return fit{}, fmt.Errorf("covariates of %s are collinear, condition %.3g: %w", name, c, stats.ErrDomain)
	}
	var b mat.VecDense
	if err := qr.SolveVecTo(&b, false, mat.NewVecDense(n, y)); err != nil {
		return fit{}, fmt.Errorf("covariates of %s: %w: %w", name, err, stats.ErrDomain)
	}
	for j := range k {
		f.slopes[j] = b.AtVec(j) / scale[j]
	}
	return f, nil
}

// center returns x less its mean (less the mean of its group, if there are
// groups), the mean of all of x, and the root mean square of what is left.
func center(x []float64, group []int) (centered []float64, mean, sd float64, err error) {
	mean, err = stats.Mean(x)
	if err != nil {
		return nil, 0, 0, err
	}
	centered = make([]float64, len(x))
	for i, v := range x {
		centered[i] = v - mean
	}
	if group != nil {
		sum, n := make(map[int]float64), make(map[int]float64)
		for i, g := range group {
			sum[g] += centered[i]
			n[g]++
		}
		for i, g := range group {
			centered[i] -= sum[g] / n[g]
		}
	}
	for _, v := range centered {
		sd += v * v / float64(len(x))
	}
	sd = math.Sqrt(sd)
	if !finite(sd) {
		return nil, 0, 0, fmt.Errorf("the variance overflows: %w", stats.ErrDomain)
	}
	return centered, mean, sd, nil
}
