package stats

import (
	"fmt"
	"math"
)

// Line is a fitted straight line y = Intercept + Slope·x.
type Line struct {
	Slope, Intercept float64
}

// LeastSquares fits a line by ordinary least squares. It is dragged by outliers;
// it is here for comparison with TheilSen and Huber.
//
// It returns ErrMismatch for slices of different lengths, ErrTooFew for fewer than 2
// points, and ErrDomain for a non-finite value or equal x throughout.
func LeastSquares(x, y []float64) (Line, error) {
	if err := checkLine(x, y); err != nil {
		return Line{}, err
	}
	ones := make([]float64, len(x))
	for i := range ones {
		ones[i] = 1
	}
	return weightedLine(x, y, ones), nil
}

// HuberFit is a line fitted by Huber's M-estimator.
type HuberFit struct {
	Line
	Scale      float64 // median absolute residual / 0.6745
	Iterations int
	Warnings   []Warning
}

// maxHuberSteps bounds the iterations of Huber.
const maxHuberSteps = 500

// Huber fits a line by Huber's M-estimator: residuals beyond k scales count in
// proportion to 1/|residual|. k = 1.345 keeps 95 % of the efficiency of least
// squares under normal errors. The scale is the median absolute residual over
// 0.6745, renewed at every step of the reweighting, which starts at least squares.
// Outliers in y are bounded; outliers in x are not, see TheilSen.
//
// Special cases are:
//
//	at least half of the points on one line during the iteration: that line, with
//	    Scale 0 and a warning
//	no convergence in 500 steps: the last step, with a warning
//	k ≤ 0 or NaN: ErrDomain; otherwise the errors of LeastSquares
//
// Source: Huber 1964, Annals of Mathematical Statistics 35:73,
// doi:10.1214/aoms/1177703732.
func Huber(x, y []float64, k float64) (HuberFit, error) {
	if !(k > 0) {
		return HuberFit{}, fmt.Errorf("tuning constant %v: want a positive number: %w", k, ErrDomain)
	}
	line, err := LeastSquares(x, y)
	if err != nil {
		return HuberFit{}, err
	}
	out := HuberFit{Line: line}
	weights, absolute := make([]float64, len(x)), make([]float64, len(x))
	largest := 0.0
	for _, v := range y {
		largest = math.Max(largest, math.Abs(v))
	}
	for out.Iterations = 1; out.Iterations <= maxHuberSteps; out.Iterations++ {
		for i := range x {
			absolute[i] = math.Abs(y[i] - out.Intercept - out.Slope*x[i])
		}
		out.Scale = medianOf(absolute) / 0.6745
		if out.Scale <= 1e-14*largest {
			out.Scale = 0
			out.Warnings = append(out.Warnings, Warning{
				Code: WarnNoScale,
				Text: "at least half of the points lie on the line, so residuals have no scale",
			})
			return out, nil
		}
		for i, r := range absolute {
			weights[i] = math.Min(1, k*out.Scale/r)
			if r == 0 {
				weights[i] = 1
			}
		}
		next := weightedLine(x, y, weights)
		change := 0.0 // largest move of the line over the points, in scales
		for _, v := range x {
			change = math.Max(change, math.Abs(next.Intercept-out.Intercept+(next.Slope-out.Slope)*v))
		}
		out.Line = next
		if change <= 1e-10*out.Scale {
			return out, nil
		}
	}
	out.Iterations = maxHuberSteps
	out.Warnings = append(out.Warnings, Warning{
		Code: WarnNotConverged,
		Text: fmt.Sprintf("the fit still moved after %d steps", maxHuberSteps),
	})
	return out, nil
}

// weightedLine fits a line by weighted least squares, about the weighted means.
func weightedLine(x, y, w []float64) Line {
	var sw, mx, my float64
	for i := range x {
		sw += w[i]
		mx += (x[i] - mx) * w[i] / sw
		my += (y[i] - my) * w[i] / sw
	}
	var sxx, sxy float64
	for i := range x {
		dx := x[i] - mx
		sxx += w[i] * dx * dx
		sxy += w[i] * dx * (y[i] - my)
	}
	slope := sxy / sxx
	return Line{Slope: slope, Intercept: my - slope*mx}
}
