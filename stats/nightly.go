package stats

import (
	"fmt"
	"math"

	descriptive "github.com/montanaflynn/stats"
)

// NightPoint is one value of a sequence judged against those before it.
type NightPoint struct {
	Index  int     // index into the sequence, from 0
	Value  float64 // the value judged
	Center float64 // mean or median of the window
	Spread float64 // standard deviation, or scaled MAD, of the window
	Lo, Hi float64 // limits
	Out    bool    // the value lies outside the limits
}

// NightlyOptions controls the window of earlier values.
type NightlyOptions struct {
	// Window is the number of earlier values that set the limits; 14 to 20 is a
	// sensible range.
	Window int
	// SkipOut leaves values that lay outside their own limits out of the later
	// windows, so that an alarm does not widen the next limits. After a lasting
	// change every later value then stays outside until the sequence is restarted.
	SkipOut bool
}

// TPrediction judges each value of a sequence against the t prediction interval
// of the window before it: mean ± t_{w−1, 1−alpha/2}·s·√(1 + 1/w). The false-alarm
// rate per value is exactly alpha for independent normal values; take logarithms
// of latencies first. The first Window values are not judged.
//
// Special cases are:
//
//	a window without spread: limits equal to its mean, so any other value is out
//	fewer than Window+1 values: no points, not an error
//	Window < 2: ErrTooFew
//	a non-finite value or alpha outside (0, 1): ErrDomain
func TPrediction(x []float64, opt NightlyOptions, alpha float64) ([]NightPoint, error) {
	if err := checkAlpha(alpha); err != nil {
		return nil, err
	}
	w := float64(opt.Window)
	factor := TQuantile(1-alpha/2, w-1) * math.Sqrt(1+1/w)
	return judgeNights(x, opt, func(window []float64) (center, spread, half float64) {
		center = meanOf(window)
		spread = math.Sqrt(varianceAbout(window, center))
		return center, spread, factor * spread
	})
}

// MedianMAD judges each value of a sequence against the window before it: median
// ± k·1.4826·MAD. Spread is 1.4826·MAD.
//
// With the familiar k = 3 it alarms far too often on short windows: on 9.5 % of
// quiet nights for a window of 7 and 3.4 % for 14. For 1 % per night take k = 7.9
// (window 7), 5.0 (10), 4.1 (14), 3.5 (20) or 3.2 (30). TPrediction needs no such
// table. Special cases and errors are those of TPrediction; ErrDomain for k ≤ 0.
func MedianMAD(x []float64, opt NightlyOptions, k float64) ([]NightPoint, error) {
	if !(k > 0) || math.IsInf(k, 1) {
		return nil, fmt.Errorf("multiple k %v: want a finite positive number: %w", k, ErrDomain)
	}
	return judgeNights(x, opt, func(window []float64) (center, spread, half float64) {
		center, spread = medianScaledMAD(window)
		return center, spread, k * spread
	})
}

// madScale makes the median absolute deviation of normal data estimate their
// standard deviation: 1/Φ⁻¹(¾), to the digits in common use.
const madScale = 1.4826

// medianScaledMAD returns the median and the scaled median absolute deviation.
func medianScaledMAD(x []float64) (median, scaled float64) {
	mad, err := descriptive.MedianAbsoluteDeviationPopulation(x)
	if err != nil { // no values
		return math.NaN(), math.NaN()
	}
	return medianOf(x), madScale * mad
}

// medianOf is the median of at least one finite value, in any order.
func medianOf(x []float64) float64 {
	m, err := descriptive.Median(x)
	if err != nil {
		return math.NaN()
	}
	return m
}

// judgeNights slides the window over the sequence.
func judgeNights(x []float64, opt NightlyOptions, limits func(window []float64) (center, spread, half float64)) ([]NightPoint, error) {
	if opt.Window < 2 {
		return nil, fmt.Errorf("window of %d values: want at least 2: %w", opt.Window, ErrTooFew)
	}
	if err := CheckFinite(x); err != nil {
		return nil, err
	}
	var points []NightPoint
	var past []float64
	for i, v := range x {
		keep := true
		if len(past) >= opt.Window {
			c, s, half := limits(past[len(past)-opt.Window:])
			p := NightPoint{Index: i, Value: v, Center: c, Spread: s, Lo: c - half, Hi: c + half}
			p.Out = v < p.Lo || v > p.Hi
			points = append(points, p)
			keep = !(p.Out && opt.SkipOut)
		}
		if keep {
			past = append(past, v)
		}
	}
	return points, nil
}

// NightlyAlpha returns the per-value false-alarm rate that spends budget expected
// false alarms over nights nights of metrics metrics: budget/(nights·metrics), or
// its square root where an alarm opens only if an independent rerun alarms too.
// It returns ErrDomain for a budget that is not positive, counts below 1, or a
// rate of 1 or more.
func NightlyAlpha(budget float64, nights, metrics int, confirmed bool) (float64, error) {
	if !(budget > 0) || nights < 1 || metrics < 1 {
		return 0, fmt.Errorf("budget %v over %d nights of %d metrics: want positive numbers: %w", budget, nights, metrics, ErrDomain)
	}
	alpha := budget / (float64(nights) * float64(metrics))
	if confirmed {
		alpha = math.Sqrt(alpha)
	}
	if alpha >= 1 {
		return 0, fmt.Errorf("budget of %v alarms exceeds the %d judgements: %w", budget, nights*metrics, ErrDomain)
	}
	return alpha, nil
}
