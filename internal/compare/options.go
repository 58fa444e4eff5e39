package compare

import (
	"errors"
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Options are the statistical settings of a comparison.
type Options struct {
	// Level is the two-sided confidence level of every interval.
	Level float64
	// RunNoise is the standard deviation between runs, relative to the value,
	// that is assumed where a side has a single run.
	RunNoise float64
	// Noise is measured noise between runs, and goes before RunNoise; NoiseLevel
	// is the confidence of the upper limit that is taken of it.
	Noise      *NoiseTable
	NoiseLevel float64
	// Unit forces the unit of evidence; Auto sees it from the data.
	Unit Unit
	// Interval is how intervals of several units are made, Seed that of the
	// resamples of a bootstrap.
	Interval Interval
	Seed     uint64
	// Pair is the column whose words say which runs of the two sides, or which
	// requests of two single runs, belong together; "" for none.
	Pair string
	// Batches is into how many stretches of time a single run is cut.
	Batches int
	// MinTail is how many values must lie beyond a percentile for it to be
	// judged.
	MinTail float64
	// MinReplicas is how many replicas each of two single runs must have, under
	// different ids, for the replica to become the unit.
	MinReplicas int
	// MinEvents is how many events a run must have on average for its share to
	// be treated as a continuous value of the run.
	MinEvents float64
	// OverdispersionAlpha is the level of the test that runs share one rate.
	OverdispersionAlpha float64
	// Mix names the columns of the like-for-like split; none stands for the
	// prompt length where it differs, NoMix alone for no split.
	Mix []string
	// MixAlpha is the level of the test that both sides have the same traffic:
	// where it is not rejected, results are not split.
	MixAlpha float64
	// MixPSI is the least population stability index for which results are
	// split: in many millions of requests a test finds differences too small to
	// matter.
	MixPSI float64
	// Strata asks for the change in each stratum alone, of which no verdict is
	// made.
	Strata bool
	// By names columns whose values are shown as slices; Critical slices that
	// are gates of their own. MinSupport is how many requests a slice needs on
	// either side to be shown.
	By         []string
	Critical   []SliceOf
	MinSupport int64
	// SLOTarget is the share of good requests promised, 0 for none; SLOWindow
	// the days it is promised over.
	SLOTarget, SLOWindow float64
	// Movers asks for a search for slices whose change differs from that of the
	// rest, over the columns of at most MoverValues values, of which there are at
	// most MoverColumns, and pairs of them. MaxMovers are shown.
	Movers                               bool
	MoverValues, MoverColumns, MaxMovers int
	// Power is that of the smallest detectable change.
	Power float64
}

// DefaultOptions returns the documented defaults.
func DefaultOptions() Options {
	return Options{
		Level: 0.95, RunNoise: 0.025, NoiseLevel: 0.8, Batches: 20, MinTail: 10, MinReplicas: 8,
		MinEvents: 5, OverdispersionAlpha: 0.05, MixAlpha: 0.05, MixPSI: 0.001, MinSupport: 100, MoverValues: 50, MoverColumns: 12, MaxMovers: 10, Power: 0.8, Seed: 1,
	}
}

// Validate reports every setting that is out of range.
func (o Options) Validate() error {
	var errs []error
	if err := stats.CheckLevel(o.Level); err != nil {
		errs = append(errs, err)
	}
	if !(o.RunNoise >= 0 && o.RunNoise < 1) {
		errs = append(errs, fmt.Errorf("run noise %v: want a share from 0 to below 1", o.RunNoise))
	}
	if o.Noise != nil {
		if err := o.Noise.Validate(); err != nil {
			errs = append(errs, err)
		}
	}
	if o.Pair != "" && o.Unit != Auto && o.Unit != Run {
		errs = append(errs, fmt.Errorf("--pair %s pairs runs, and --unit %s makes something else the evidence; leave one of them out", o.Pair, o.Unit))
	}
	return errors.Join(errs...)
}

// Unit is what repeats: the unit of evidence.
type Unit uint8

// The units.
const (
	Auto Unit = iota
	Run
	Replica
	Session
	Block
	Request
)

var unitNames = [...]string{"auto", "run", "replica", "session", "block", "request"}

// UnitNames lists the names that --unit takes.
func UnitNames() []string { return unitNames[:] }

// String returns the name that --unit takes.
func (u Unit) String() string { return unitNames[u] }

// withinRun reports whether the units are parts of runs, so that the intervals
// hold no noise between runs.
func (u Unit) withinRun() bool { return u == Session || u == Block || u == Request }

// ParseUnit reads a unit's name.
func ParseUnit(s string) (Unit, error) {
	for i, n := range unitNames {
		if n == s {
			return Unit(i), nil
		}
	}
	return 0, fmt.Errorf("unknown unit %q: want auto, run, replica, session, block or request", s)
}
