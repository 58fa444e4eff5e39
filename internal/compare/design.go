package compare

import (
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Design is how the data were gathered, and so what counts as evidence.
type Design struct {
	Unit                Unit // never Auto
	Baseline, Candidate int  // units a side
	// Grouped tells that there are so many units that groups of them stand for
	// them.
	Grouped bool
	// AssumedRunNoise is the between-run standard deviation that was assumed,
	// relative to the value; 0 if none was.
	AssumedRunNoise float64
	// LeastRunNoise differs from it where the noise was measured, each estimand
	// having its own: AssumedRunNoise is then the largest. NoiseFrom tells where
	// the measured noise was read.
	LeastRunNoise float64
	NoiseFrom     string
	// BorrowedSpread tells that one side has a single run and is taken to vary
	// from run to run as the other does.
	BorrowedSpread bool
	// Pairs tells what belongs together across the sides, nil if nothing does.
	Pairs *Pairs
}

// PairedRuns reports that runs are paired, so that pairs of them are the evidence.
func (d Design) PairedRuns() bool { return d.Pairs != nil && !d.Pairs.Requests }

// Screening reports a side of only two units: differences can be seen but
// hardly be excluded.
func (d Design) Screening() bool {
	return d.Unit != Request && min(d.Baseline, d.Candidate) == 2
}

// WithinRun reports whether the units are parts of runs: the intervals then say
// nothing of how other runs would differ.
func (d Design) WithinRun() bool { return d.Unit.withinRun() }

// chooseUnit decides between runs and replicas.
func chooseUnit(opt Options, base, cand *metric.Side, files [2][]metric.File) Unit {
	if opt.Unit != Auto {
		return opt.Unit
	}
	if opt.Pair != "" {
		return Run
	}
	if len(base.Units) == 1 && len(cand.Units) == 1 && metric.HasReplicas(files[0]) && metric.HasReplicas(files[1]) {
		return Replica // if there are enough of them; see Compare
	}
	return Run
}

// distinctReplicas reports whether two single runs have at least min replicas
// each, none under the same id on both sides.
func distinctReplicas(base, cand *metric.Side, least int) bool {
	if len(base.Units) < least || len(cand.Units) < least {
		return false
	}
	seen := map[string]bool{}
	for _, u := range base.Units {
		seen[u.Part] = true
	}
	for _, u := range cand.Units {
		if seen[u.Part] {
			return false
		}
	}
	return true
}
