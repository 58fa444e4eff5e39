package plan

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// Ask is what a plan is asked.
type Ask struct {
	Power, Level float64
	// Effect is the true change that is assumed, nil for none.
	Effect *verdict.Amount
	// Runs a side, where that is fixed: the plan then says what they show.
	Runs int
	// Requests of a run; 0 stands for as many as a run of the pilot has.
	Requests float64
	MaxRuns  int // beyond it a plan is no plan
	// UpperLevel is the confidence of the upper limit of a standard deviation
	// that was estimated from few runs: what is planned with.
	UpperLevel float64
	// MinTail is how many values must lie beyond a percentile.
	MinTail float64
}

// DefaultAsk returns the documented defaults.
func DefaultAsk() Ask {
	return Ask{Power: 0.8, Level: 0.95, MaxRuns: 1000, UpperLevel: 0.8, MinTail: 10}
}

// Validate reports what is out of range.
func (a Ask) Validate() error {
	if err := stats.CheckLevel(a.Level); err != nil {
		return err
	}
	switch {
	case !(a.Power > a.alpha() && a.Power < 1):
		return fmt.Errorf("power %v: want a share above %.3g and below 1, for example 0.8", a.Power, a.alpha())
	case a.Runs < 0 || a.Runs == 1:
		return fmt.Errorf("runs a side %d: want at least 2", a.Runs)
	case !(a.Requests >= 0):
		return fmt.Errorf("%v requests a run: want at least 1", a.Requests)
	}
	return nil
}

// alpha is the one-sided error rate that goes with the level.
func (a Ask) alpha() float64 { return (1 - a.Level) / 2 }

// tableRuns are the numbers of runs that a plan shows.
var tableRuns = []int{3, 4, 5, 6, 8, 10, 15, 20}

// lengths are the run lengths that a plan shows, relative to the pilot's.
var lengths = []float64{0.5, 1, 2, 4, 10}
