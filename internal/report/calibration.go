package report

// Calibration is what the verdict does where nothing changed: the runs of one
// input compared with each other in many ways. Shares are of the splits.
type Calibration struct {
	Unit  string `json:"unit" jsonschema:"enum=run,enum=replica,enum=block"`
	Units int    `json:"units"`
	// Size is the number of units of each side of a split, Splits how many there
	// were, All whether there are no others.
	Size         int                `json:"size"`
	Splits       int                `json:"splits"`
	All          bool               `json:"all"`
	Pass         Num                `json:"pass"`
	Fail         Num                `json:"fail"`
	Inconclusive Num                `json:"inconclusive"`
	Exception    Num                `json:"exception_required"`
	Checks       []CalibrationCheck `json:"checks"`
	Rows         []CalibrationRow   `json:"rows"`
}

// CalibrationCheck is a comparability check that failed in some splits.
type CalibrationCheck struct {
	Check string `json:"check"`
	Share Num    `json:"share"`
}

// CalibrationRow is one gate over all splits.
type CalibrationRow struct {
	Metric   string            `json:"metric"`
	Estimand string            `json:"estimand"`
	Slice    map[string]string `json:"slice" jsonschema:"nullable"`
	Margin   *Margin           `json:"margin"`
	// Fail and Inconclusive are null where no split judged it. Misses is the
	// share of intervals that exclude no change; 1 − level is nominal.
	Fail         Num `json:"fail"`
	Inconclusive Num `json:"inconclusive"`
	Misses       Num `json:"misses"`
	// RunSD is the standard deviation from run to run, relative to the value, or
	// in its unit where Relative is false; WithinSD is the part of a run's
	// requests, BetweenSD the rest.
	Relative  bool   `json:"relative"`
	RunSD     Change `json:"run_sd"`
	WithinSD  Num    `json:"within_run_sd"`
	BetweenSD Num    `json:"between_run_sd"`
	// PassingMargin is the smallest that the asked share of the splits pass,
	// ProvableMargin the smallest that as many runs show with power 0.8.
	PassingMargin  *Margin `json:"passing_margin"`
	ProvableMargin *Margin `json:"provable_margin"`

	harm Plan // prints its amounts
}
