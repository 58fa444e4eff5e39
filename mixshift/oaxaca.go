package mixshift

import (
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// Reference says whose slopes price a difference of covariates.
type Reference int8

// The references.
const (
	// ReferenceX prices covariates at the slopes of x: what x would have done
	// with the covariates of y.
	ReferenceX Reference = iota
	// ReferenceY prices covariates at the slopes of y.
	ReferenceY
	// ReferencePooled takes the slopes of both samples pooled, with an
	// intercept for each (Jann 2008, Stata Journal 8:453).
	ReferencePooled
	// ReferencePooledPlain pools without separate intercepts (Neumark 1988).
	// It books part of the unexplained difference as explained; for comparison
	// only.
	ReferencePooledPlain
)

// Blinder is an Oaxaca–Blinder split of a difference of mean outcomes, in
// their unit. Gap = Explained + Unexplained, to the last bit, and
// Endowments + Coefficients + Interaction is the same number up to rounding.
type Blinder struct {
	Gap         float64
	Explained   float64   // from different covariates, at the slopes of the reference: Mix
	Unexplained float64   // from different lines: Rate
	Detail      []float64 // Explained by covariate; for dummies it depends on the base category

	Endowments   float64 // from different covariates, at the slopes of x
	Coefficients float64 // from different lines, at the covariates of x
	Interaction  float64
}

// Oaxaca splits the difference of two mean outcomes into what different
// covariates explain and what they do not, by linear regression in either
// sample. Use it for continuous covariates and means; cells need
// [Kitagawa].
//
// It returns stats.ErrMismatch for covariates that differ in number or length,
// stats.ErrTooFew below two units more than covariates, and stats.ErrDomain for
// a value that is not finite, covariates that are constant or collinear, or an
// unknown reference. Source: Oaxaca 1973, International Economic Review 14:693;
// Blinder 1973, Journal of Human Resources 8:436.
func Oaxaca(x, y Sample, ref Reference) (Blinder, error) {
	k := len(x.Covariates)
	if err := x.check("x", k); err != nil {
		return Blinder{}, fmt.Errorf("oaxaca-blinder: %w", err)
	}
	if err := y.check("y", k); err != nil {
		return Blinder{}, fmt.Errorf("oaxaca-blinder: %w", err)
	}
	fx, err := regress("x", x, nil)
	if err != nil {
		return Blinder{}, fmt.Errorf("oaxaca-blinder: %w", err)
	}
	fy, err := regress("y", y, nil)
	if err != nil {
		return Blinder{}, fmt.Errorf("oaxaca-blinder: %w", err)
	}
	slopes, err := referenceSlopes(x, y, fx, fy, ref)
	if err != nil {
		return Blinder{}, fmt.Errorf("oaxaca-blinder: %w", err)
	}
	gap := fy.mean - fx.mean
	b := Blinder{Detail: make([]float64, k)}
	for j := range k {
		shift := fy.means[j] - fx.means[j]
		b.Detail[j] = shift * slopes[j]
		b.Explained += b.Detail[j]
		b.Endowments += shift * fx.slopes[j]
		b.Interaction += shift * (fy.slopes[j] - fx.slopes[j])
	}
	b.Unexplained = gap - b.Explained
	b.Gap = b.Explained + b.Unexplained
	// Both lines run through their own centres, so the intercepts drop out.
	b.Coefficients = gap - b.Endowments - b.Interaction
	if err := stats.CheckFinite([]float64{b.Gap, b.Coefficients}); err != nil {
		return Blinder{}, fmt.Errorf("oaxaca-blinder: the parts overflow: %w", err)
	}
	return b, nil
}

func referenceSlopes(x, y Sample, fx, fy fit, ref Reference) ([]float64, error) {
	switch ref {
	case ReferenceX:
		return fx.slopes, nil
	case ReferenceY:
		return fy.slopes, nil
	case ReferencePooled, ReferencePooledPlain:
	default:
		return nil, fmt.Errorf("reference %d, want one of the four: %w", ref, stats.ErrDomain)
	}
	pooled := Sample{Outcome: slices.Concat(x.Outcome, y.Outcome)}
	for j := range x.Covariates {
		pooled.Covariates = append(pooled.Covariates, slices.Concat(x.Covariates[j], y.Covariates[j]))
	}
	var group []int
	if ref == ReferencePooled {
		group = make([]int, len(pooled.Outcome))
		for i := len(x.Outcome); i < len(group); i++ {
			group[i] = 1
		}
	}
	f, err := regress("both samples", pooled, group)
	return f.slopes, err
}
