package plan

import (
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// Unit is what a plan counts.
type Unit uint8

// The units.
const (
	Runs     Unit = iota
	Requests      // every request is taken as independent
)

// Source says where the spread of a plan is from.
type Source uint8

// The sources.
const (
	Pilot   Source = iota // measured between runs
	Assumed               // one run: noise between runs is assumed
	Given                 // numbers of the user
	Counted               // the rate of a pilot: nothing but counts
)

// String returns the name that the JSON report uses.
func (s Source) String() string { return [...]string{"pilot", "assumed", "given", "counted"}[s] }

// Row is the plan of one estimand. Changes, margins and spreads are on the scale
// of harm: log ratios where Scale is Relative, else differences.
type Row struct {
	Metric    *metric.Metric // nil for given numbers
	Estimand  metric.Estimand
	Direction metric.Direction
	Scale     verdict.Scale
	Unit      Unit
	ValueUnit string // of differences, as metric names units
	Share     bool   // a share of requests

	Margin    *verdict.Margin
	Effect    float64 // harm that is assumed
	HasEffect bool
	Power     float64
	Level     float64

	Spread Spread

	// Runs and Requests a side decide; 0 where they are not known. Requests are
	// those of all runs together.
	Runs     int
	Requests int64
	// AtEstimate is the number of runs, or of requests where they are the unit,
	// that would do if the spread were exactly as estimated.
	AtEstimate int
	// EnoughRequests of each run make the fixed number of runs suffice; 0 where
	// none was fixed or no number does.
	EnoughRequests int64
	// MDE is the smallest harm that MDERuns runs (or MDERequests requests) show,
	// if nothing changed the smallest margin; NaN where unknown.
	MDE                  float64
	MDERuns, MDERequests int
	BySize               []AtSize
	ByLength             []AtLength

	Warnings []stats.Warning
	// Impossible says why no size decides. Where it is the limit of runs, About
	// is how many it would take.
	Impossible error
	About      float64
}

// Spread is what a plan rests on.
type Spread struct {
	Source Source
	// SD is the standard deviation of a run's estimand, Lo and Hi its interval at
	// the level of the plan, Planned what is planned with. DF is +Inf for a
	// number that is taken as known.
	SD, Lo, Hi, DF, Planned float64
	PilotRuns               int
	// Within is the part of a run's requests, NaN where unknown, when a run has
	// RequestsPerRun; Dependence their variance relative to independent ones.
	Within, RequestsPerRun, Dependence float64
	// RequestSD is the standard deviation of one request, where requests are the
	// unit or it was given.
	RequestSD float64
	Rate      float64 // of a share compared by counts
}

// AtSize is what a number of runs (or of requests) a side shows.
type AtSize struct {
	Runs     int
	Requests int64
	// MDE is the smallest harm it shows to be there, and the smallest margin it
	// shows to be kept if nothing changed. FailsAt is the smallest harm that is
	// shown to be beyond the margin, NaN without a margin.
	MDE, FailsAt float64
	// Power is the chance to decide as asked, by the test that the comparison
	// uses (Welch's for runs); NaN where nothing was asked.
	Power float64
}

// AtLength is what runs of another length need.
type AtLength struct {
	RequestsPerRun int64
	SD             float64 // of a run, as planned
	Runs           int     // 0: more than can be
	Requests       int64   // of all runs of a side
}

func (r *Row) warn(code, text string) {
	r.Warnings = append(r.Warnings, stats.Warning{Code: code, Text: text})
}
