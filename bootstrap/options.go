package bootstrap

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/perfdiff/perfdiff/stats"
)

const (
	// MinUnits is the smallest number of units that an interval or a set of
	// replicates may rest on. Two units have three distinct resamples, which
	// say nothing about the tails of any law.
	MinUnits = 3

	// FewUnits is the number of units below which an interval read off a
	// bootstrap law carries the warning [WarnFewUnits]: it covers less than it says.
	FewUnits = 20

	// EnumerationLimit is the largest number of resamples, splits or sign
	// vectors that the exact methods visit. It allows 12 units, samples of 11
	// and 11, or 21 clusters.
	EnumerationLimit = 1 << 21

	defaultReplicates = 9999
)

// Options say how much is drawn and from which stream. The zero value draws
// 9,999 replicates from the streams of seed 0 on all processors.
type Options struct {
	// Replicates is the number of resamples; 0 means 9,999. A number such that
	// (Replicates+1)·(1−level)/2 is whole (999, 1,999, 9,999) lets all conventions
	// for the quantile of the replicates agree.
	Replicates int
	// Seed selects the family of streams. Every value is legal.
	Seed uint64
	// Workers is the number of goroutines; 0 means GOMAXPROCS. It never changes
	// a result.
	Workers int
}

// DefaultOptions returns the documented defaults: 9,999 replicates, seed 1, all
// processors.
func DefaultOptions() Options { return Options{Replicates: defaultReplicates, Seed: 1} }

// Validate joins all complaints about o.
func (o Options) Validate() error {
	var errs []error
	if o.Replicates < 0 {
		errs = append(errs, fmt.Errorf("%d replicates: want at least 0: %w", o.Replicates, stats.ErrDomain))
	}
	if o.Workers < 0 {
		errs = append(errs, fmt.Errorf("%d workers: want at least 0: %w", o.Workers, stats.ErrDomain))
	}
	return errors.Join(errs...)
}

func (o Options) replicates() int {
	if o.Replicates == 0 {
		return defaultReplicates
	}
	return o.Replicates
}

func (o Options) workers() int {
	if o.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
}

func checkUnits(n int) error {
	if n < MinUnits {
		return fmt.Errorf("%d units to resample: want at least %d: %w", n, MinUnits, stats.ErrTooFew)
	}
	return nil
}
