package paired

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/stats"
)

// RepeatGain says how much of the error of a mean difference comes from answering
// the same item differently, and so how much more answers an item would help.
type RepeatGain struct {
	// PerItem is the mean number of answers of an item, of x and of y.
	PerItem [2]float64
	// Side splits the variance of x and of y; OK tells whether the side has items
	// with several answers, without which it is not known.
	Side [2]RepeatSplit
	OK   [2]bool
	// SE is the standard error of the mean difference, SETwice what it would be
	// with twice the answers an item, SELimit with ever more.
	SE, SETwice, SELimit float64
	// Between is the variance of the true differences of items, at least 0.
	Between float64
}

// BetweenSD is the standard deviation of the true differences of items.
func (g RepeatGain) BetweenSD() float64 { return math.Sqrt(g.Between) }

// WithinSD is the standard deviation of the difference of one answer to an item on
// either side; sides without repeats count as answering always the same.
func (g RepeatGain) WithinSD() float64 {
	v := 0.0
	for i := range g.Side {
		if g.OK[i] {
			v += g.Side[i].Within
		}
	}
	return math.Sqrt(v)
}

// GainOfRepeats splits the error of the mean difference of items that were
// answered several times: x[i] and y[i] are the scores of item i. d are the
// differences of the items' means; nil takes those of x and y. Give them where
// items without an answer on a side were filled in by a rule: those are among d
// and not among x and y, and repeats do not move them.
//
// It returns stats.ErrMismatch if the numbers of items differ or d has fewer, stats.ErrTooFew
// below two items, for an item without a score, or if no item has two on a side,
// and stats.ErrDomain for a score that is not finite. Source: Miller 2024,
// arXiv:2411.00640.
func GainOfRepeats(d []float64, x, y [][]float64) (RepeatGain, error) {
	var g RepeatGain
	if len(x) != len(y) {
		return g, fmt.Errorf("gain of repeats: %d items of x and %d of y: %w", len(x), len(y), stats.ErrMismatch)
	}
	if d != nil && len(d) < len(x) {
		return g, fmt.Errorf("gain of repeats: %d differences of %d items: %w", len(d), len(x), stats.ErrMismatch)
	}
	if d == nil {
		mx, err := AverageRepeats(x)
		if err != nil {
			return g, fmt.Errorf("gain of repeats: x: %w", err)
		}
		my, err := AverageRepeats(y)
		if err != nil {
			return g, fmt.Errorf("gain of repeats: y: %w", err)
		}
		if d, err = Differences(mx, my); err != nil {
			return g, fmt.Errorf("gain of repeats: %w", err)
		}
	}
	_, variance, err := stats.MeanVariance(d)
	if err != nil {
		return g, fmt.Errorf("gain of repeats: %w", err)
	}
	n := float64(len(x))
	noise := 0.0 // variance of an item's difference that comes from repeats
	var none error
	for side, scores := range [2][][]float64{x, y} {
		total, inverse := 0, 0.0
		for _, list := range scores {
			total += len(list)
			inverse += 1 / float64(len(list)) / n
		}
		g.PerItem[side] = float64(total) / n
		if at := slices.IndexFunc(scores, func(list []float64) bool { return len(list) == 0 }); at >= 0 {
			return RepeatGain{}, fmt.Errorf("gain of repeats: item %d of %s has no score: %w", at, "xy"[side:side+1], stats.ErrTooFew)
		}
		split, err := Repeats(scores)
		if errors.Is(err, stats.ErrTooFew) {
			none = err
			continue
		}
		if err != nil {
			return RepeatGain{}, fmt.Errorf("gain of repeats: %s: %w", "xy"[side:side+1], err)
		}
		g.Side[side], g.OK[side] = split, true
		noise += split.Within * inverse
	}
	if !g.OK[0] && !g.OK[1] {
		return RepeatGain{}, fmt.Errorf("gain of repeats: %w", none)
	}
	items := float64(len(d))
	noise *= n / items
	g.Between = math.Max(0, variance-noise)
	g.SE = math.Sqrt(variance / items)
	g.SETwice = math.Sqrt(math.Max(g.Between, variance-noise/2) / items)
	g.SELimit = math.Sqrt(g.Between / items)
	return g, nil
}
