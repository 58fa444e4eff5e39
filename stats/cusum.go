package stats

import (
	"fmt"
	"math"
)

// CUSUMPath is the course of a tabular CUSUM.
type CUSUMPath struct {
	Up, Down []float64 // cumulative sums for a rise and for a fall, in standard deviations
	// FirstAlarm is the index from 0 of the first value at which a sum exceeds
	// h, −1 if none does.
	FirstAlarm int
}

// CUSUM runs the two-sided tabular CUSUM of a sequence with in-control mean mu and
// standard deviation sigma: with z = (x − mu)/sigma, Up = max(0, Up + z − k) and
// Down = max(0, Down − z − k), an alarm where either exceeds h. k is half the
// shift to catch, in standard deviations: k = ½ and h = 5 give one false alarm in
// 465 quiet values (CUSUMRunLength).
//
// That holds for known mu and sigma. Estimated from fewer than about 50 values,
// false alarms come several times as often.
//
// It returns ErrDomain for a non-finite value, sigma ≤ 0, k < 0 or h ≤ 0; an empty
// sequence has an empty path.
//
// Source: Page 1954, Biometrika 41:100, doi:10.1093/biomet/41.1-2.100.
func CUSUM(x []float64, mu, sigma, k, h float64) (CUSUMPath, error) {
	if err := CheckFinite(x); err != nil {
		return CUSUMPath{}, err
	}
	if math.IsNaN(mu) || math.IsInf(mu, 0) {
		return CUSUMPath{}, fmt.Errorf("in-control mean %v: want a finite number: %w", mu, ErrDomain)
	}
	if !(sigma > 0) || math.IsInf(sigma, 1) {
		return CUSUMPath{}, fmt.Errorf("in-control standard deviation %v: want a finite positive number: %w", sigma, ErrDomain)
	}
	if err := checkChart(k, h); err != nil {
		return CUSUMPath{}, err
	}
	out := CUSUMPath{Up: make([]float64, len(x)), Down: make([]float64, len(x)), FirstAlarm: -1}
	up, down := 0.0, 0.0
	for i, v := range x {
		z := (v - mu) / sigma
		up = math.Max(0, up+z-k)
		down = math.Max(0, down-z-k)
		out.Up[i], out.Down[i] = up, down
		if out.FirstAlarm < 0 && (up > h || down > h) {
			out.FirstAlarm = i
		}
	}
	return out, nil
}

// PageHinkleyPath is the course of a Page–Hinkley test.
type PageHinkleyPath struct {
	Stat       []float64 // height above the lowest point so far, in the unit of the data
	FirstAlarm int       // index from 0 of the first value above the threshold, −1 if none
}

// PageHinkley watches a sequence for a rise of its mean without a known level: the
// sum of x_i − (running mean up to i) − delta, minus its minimum so far; an alarm
// where it exceeds threshold. delta and threshold are in the unit of the data,
// commonly half and five standard deviations. For a fall give the negated
// sequence.
//
// It returns ErrDomain for a non-finite value, delta < 0 or threshold ≤ 0; an empty
// sequence has an empty path.
//
// Source: Page 1954; Hinkley 1971, Biometrika 58:509, doi:10.1093/biomet/58.3.509.
func PageHinkley(x []float64, delta, threshold float64) (PageHinkleyPath, error) {
	if err := CheckFinite(x); err != nil {
		return PageHinkleyPath{}, err
	}
	if err := checkChart(delta, threshold); err != nil {
		return PageHinkleyPath{}, err
	}
	out := PageHinkleyPath{Stat: make([]float64, len(x)), FirstAlarm: -1}
	mean, sum, lowest := 0.0, 0.0, math.Inf(1)
	for i, v := range x {
		mean += (v - mean) / float64(i+1)
		sum += v - mean - delta
		lowest = math.Min(lowest, sum)
		out.Stat[i] = sum - lowest
		if out.FirstAlarm < 0 && out.Stat[i] > threshold {
			out.FirstAlarm = i
		}
	}
	return out, nil
}

// checkChart returns an error unless allowance and limit make a chart.
func checkChart(k, h float64) error {
	if !(k >= 0) || math.IsInf(k, 1) {
		return fmt.Errorf("allowance %v: want a finite number of at least 0: %w", k, ErrDomain)
	}
	if !(h > 0) || math.IsInf(h, 1) {
		return fmt.Errorf("limit %v: want a finite positive number: %w", h, ErrDomain)
	}
	return nil
}
