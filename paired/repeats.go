package paired

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// AverageRepeats returns the mean score of each item over its repeats. It
// returns stats.ErrTooFew for an item without a score and stats.ErrDomain for
// a score that is not finite.
func AverageRepeats(scores [][]float64) ([]float64, error) {
	means := make([]float64, len(scores))
	for i, s := range scores {
		m, err := stats.Mean(s)
		if err != nil {
			return nil, fmt.Errorf("repeats of item %d: %w", i, err)
		}
		means[i] = m
	}
	return means, nil
}

// RepeatedMean estimates the mean score of items like these from several scores
// of each: repeats are averaged inside the item, then Student's t on the item
// means. N counts items. [Repeats] says what more repeats would bring.
//
// Errors are those of [AverageRepeats]; stats.ErrTooFew below two items and
// stats.ErrDomain for a level outside (0, 1). Source: Miller 2024,
// arXiv:2411.00640.
func RepeatedMean(scores [][]float64, level float64) (stats.Estimate, error) {
	means, err := AverageRepeats(scores)
	if err != nil {
		return stats.Estimate{}, err
	}
	e, err := stats.MeanT(means, level)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("item means: %w", err)
	}
	e.Method = MethodRepeatedMean
	return e, nil
}

// PairedRepeats estimates the mean of y − x over items that were answered
// several times: repeats are averaged inside the item, then [MeanDifference].
// Repeats are not new items, so N counts items. The number of repeats may
// differ by item and by side.
//
// It returns stats.ErrMismatch if the numbers of items differ, stats.ErrTooFew
// below two items or for an item without a score, and stats.ErrDomain for a
// score that is not finite or a level outside (0, 1). Source: Miller 2024,
// arXiv:2411.00640.
func PairedRepeats(x, y [][]float64, level float64) (stats.Estimate, error) {
	mx, err := AverageRepeats(x)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("x: %w", err)
	}
	my, err := AverageRepeats(y)
	if err != nil {
		return stats.Estimate{}, fmt.Errorf("y: %w", err)
	}
	e, err := MeanDifference(mx, my, level)
	e.Method = MethodPairedRepeats
	return e, err
}

// RepeatSplit divides the variance of the scores of one side into what lies
// between items and what lies between repeats of the same item.
type RepeatSplit struct {
	Items, Scores int
	Mean          float64 // mean of the item means
	Between       float64 // variance of the true item means; negative when noise exceeds it
	Within        float64 // mean variance of the repeats of one item
	ICC           float64 // max(Between, 0) / (max(Between, 0) + Within); 0 where nothing varies
	Agreement     float64 // chance that two repeats of one item score exactly the same, averaged over items
	SEItems       float64 // standard error of Mean for items like these: the one to use
	SEFixed       float64 // standard error of Mean for exactly these items
	SENaive       float64 // standard error if repeats were new items: too small, for comparison
	SETwice       float64 // what SEItems falls to with twice the repeats
	SELimit       float64 // what SEItems falls to with ever more repeats
}

// Repeats splits the variance of scores[item][repeat]. More repeats help only
// while Within divided by their number is not small beside Between.
//
// The number of repeats may differ by item; items with a single score count
// for Mean and SEItems but not for Within and Agreement.
//
// It returns stats.ErrTooFew below two items, for an item without a score, or
// if no item has two; stats.ErrDomain for a score that is not finite. Source:
// Miller 2024, arXiv:2411.00640.
func Repeats(scores [][]float64) (RepeatSplit, error) {
	means, err := AverageRepeats(scores)
	if err != nil {
		return RepeatSplit{}, fmt.Errorf("repeat split: %w", err)
	}
	mean, variance, err := stats.MeanVariance(means)
	if err != nil {
		return RepeatSplit{}, fmt.Errorf("repeat split: %w", err)
	}
	s := RepeatSplit{Items: len(scores), Mean: mean}
	var all []float64
	var repeated, inverse float64 // items with repeats; Σ 1/k over all items
	for i, item := range scores {
		all = append(all, item...)
		inverse += 1 / float64(len(item))
		if len(item) < 2 {
			continue
		}
		_, v, err := stats.MeanVariance(item)
		if err != nil {
			return RepeatSplit{}, fmt.Errorf("repeat split: item %d: %w", i, err)
		}
		repeated++
		s.Within += v
		s.Agreement += agreement(item)
	}
	if repeated == 0 {
		return RepeatSplit{}, fmt.Errorf("repeat split: no item has 2 scores: %w", stats.ErrTooFew)
	}
	s.Within /= repeated
	s.Agreement /= repeated
	s.Scores = len(all)
	_, total, err := stats.MeanVariance(all)
	if err != nil {
		return RepeatSplit{}, fmt.Errorf("repeat split: %w", err)
	}
	n := float64(len(scores))
	s.Between = variance - s.Within*inverse/n
	if b := math.Max(0, s.Between); b+s.Within > 0 {
		s.ICC = b / (b + s.Within)
	}
	s.SEItems = math.Sqrt(variance / n)
	s.SEFixed = math.Sqrt(s.Within*inverse) / n
	s.SENaive = math.Sqrt(total / float64(len(all)))
	s.SETwice = math.Sqrt((variance + math.Max(0, s.Between)) / 2 / n)
	s.SELimit = math.Sqrt(math.Max(0, s.Between) / n)
	return s, nil
}

// agreement returns the share of pairs of equal scores.
func agreement(item []float64) float64 {
	same, k := 0, len(item)
	for i := range item {
		for j := range i {
			if item[i] == item[j] {
				same++
			}
		}
	}
	return float64(same) / float64(k*(k-1)/2)
}
