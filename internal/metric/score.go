package metric

import (
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Score makes a metric of the scores of an evaluation: one value per item. lo
// and hi are the least and the greatest score there is, lower the metrics of
// which a harness says that less is better.
//
// Scores that lie between 0 and 1 are shares, and their changes percentage
// points, unless the name says that they have no upper end.
func Score(name string, lo, hi float64, lower []string) *Metric {
	m := &Metric{Name: name, Unit: Unitless, Direction: HigherIsBetter, Kind: PerItem, Text: "mean of " + name + " over items", id: idGeneric, Column: name}
	open := hasStem(name, openStems)
	if _, unit := ingest.SplitUnit(ingest.NormalName(name)); unit.Known() {
		m.Direction, open = LowerIsBetter, true
	}
	if open || hasStem(name, lowerStems) || slices.Contains(lower, name) {
		m.Direction = LowerIsBetter
	}
	m.Fraction = !open && lo >= 0 && hi <= 1
	return m
}

// openStems are words of scores without an upper end, lowerStems of other
// scores of which less is better.
var (
	openStems  = []string{"perplexity", "ppl", "loss", "nll", "bits_per_byte", "latency", "cost"}
	lowerStems = []string{"wer", "cer", "error_rate", "toxicity", "brier", "brier_score", "ece", "hallucination_rate"}
)

func hasStem(name string, stems []string) bool {
	norm := ingest.NormalName(name)
	for _, s := range stems {
		if norm == s || strings.HasSuffix(norm, "_"+s) || strings.HasSuffix(norm, "."+s) {
			return true
		}
	}
	return false
}

// Percent reports whether values of the metric are shares: they are printed in
// percent, and their changes in percentage points.
func (m *Metric) Percent() bool { return m.Kind == Share || m.Fraction }

// Worst returns the worse of the two ends of a range of scores.
func (m *Metric) Worst(lo, hi float64) float64 {
	if m.Direction == HigherIsBetter {
		return lo
	}
	return hi
}

// Loss returns how much worse y is than x: positive where it is.
func (m *Metric) Loss(x, y float64) float64 {
	if m.Direction == HigherIsBetter {
		return x - y
	}
	return y - x
}
