package report

// RunPlan is the part of a plan that is about runs and requests. Changes are
// ratios where the plan is relative, else differences, in the direction of harm.
type RunPlan struct {
	// Unit is what is counted, MetricUnit the unit of the differences.
	Unit       string `json:"unit,omitempty" jsonschema:"enum=run,enum=request"`
	MetricUnit string `json:"metric_unit,omitempty"`
	Relative   bool   `json:"relative,omitempty"`
	// Source says where the spread is from.
	Source string `json:"source,omitempty" jsonschema:"enum=pilot,enum=assumed,enum=given,enum=counted"`
	// AtEstimate is the size that would do if the spread were as estimated.
	AtEstimate int `json:"at_estimate,omitempty"`
	// MDESize is the number of runs, or of requests, that the MDE is of.
	MDESize int64 `json:"mde_size,omitempty"`
	// RequestsPerRun make the asked number of runs enough.
	RequestsPerRun int64          `json:"requests_per_run,omitempty"`
	BySize         []PlanAtSize   `json:"by_size,omitempty"`
	ByLength       []PlanAtLength `json:"by_length,omitempty"`

	share bool
	harm  planHarm
}

// PlanAtSize is what a number of runs, or of requests, of a side shows.
type PlanAtSize struct {
	Runs     int   `json:"runs"`
	Requests int64 `json:"requests"`
	// MDE is the smallest change that is shown to be there, and the smallest
	// margin that is shown to be kept if nothing changed; FailsAt the smallest
	// change that is shown to be beyond the margin.
	MDE     Num `json:"mde"`
	FailsAt Num `json:"fails_at"`
	Power   Num `json:"power"`
}

// PlanAtLength is what runs of another length need.
type PlanAtLength struct {
	RequestsPerRun int64 `json:"requests_per_run"`
	RunSD          Num   `json:"run_sd"`
	Runs           int   `json:"runs"` // 0: more than can be
	Requests       int64 `json:"requests"`
}
