package report

// SchemaVersion is that of the JSON report. Changes are additive only.
const SchemaVersion = "1"

// Document is the whole report. Units are seconds, tokens, ratios.
type Document struct {
	SchemaVersion string     `json:"schema_version"`
	Tool          Tool       `json:"tool"`
	Command       string     `json:"command" jsonschema:"enum=compare,enum=describe,enum=plan,enum=calibrate"`
	Seed          uint64     `json:"seed"`
	Level         float64    `json:"level"`
	Verdict       *string    `json:"verdict" jsonschema:"enum=PASS,enum=FAIL,enum=INCONCLUSIVE,enum=EXCEPTION_REQUIRED"`
	ExitCode      int        `json:"exit_code"`
	Reasons       []Reason   `json:"reasons"`
	Baseline      *Side      `json:"baseline"`
	Candidate     *Side      `json:"candidate"`
	Design        Design     `json:"design"`
	Comparability []Check    `json:"comparability"`
	Results       []Result   `json:"results"`
	Burn          []Burn     `json:"burn"` // baseline, candidate; empty without a target
	MixShift      []MixShift `json:"mixshift"`
	// Search is what was searched for slices that moved, null without a search.
	Search *Search `json:"search"`
	// Pairs is that of the first result; of requests it is null.
	Pairs *Pairs `json:"pairs"`
	Flips []Flip `json:"flips"`
	Plan  []Plan `json:"plan"`
	// Calibration is what the verdict does where nothing changed.
	Calibration *Calibration `json:"calibration"`
	Warnings    []Note       `json:"warnings"`

	listed   int    // how many flips a text lists
	itemPlan *sheet // the pages of a plan of items
}

// Tool names the program.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Reason is a deciding fact.
type Reason struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Note is a remark with a stable code.
type Note struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Side describes one side's data. Requests = OK + Failed + rejected + excluded.
type Side struct {
	Label       string            `json:"label"`
	Files       []File            `json:"files"`
	Runs        int               `json:"runs"`
	Replicas    *int              `json:"replicas"` // that the records name; not counted on sides of more than 2^20 records
	Requests    int64             `json:"requests"`
	OK          int64             `json:"ok"`
	Failed      int64             `json:"failed"`
	Failures    []Count           `json:"failures"`
	Rejected    []Count           `json:"rejected"`
	Excluded    []Count           `json:"excluded"`
	FirstStart  *string           `json:"first_start"`
	LastStart   *string           `json:"last_start"`
	Fingerprint map[string]string `json:"fingerprint"`

	items      bool // the records are answers to items
	histograms bool // there are no records, but counts of requests by range
}

// File is one input file.
type File struct {
	Path    string               `json:"path"`
	Reader  string               `json:"reader"`
	Rows    int64                `json:"rows"`
	SHA256  string               `json:"sha256,omitempty"`
	Columns map[string]FieldFrom `json:"columns"`
}

// FieldFrom is the column that a field was read from.
type FieldFrom struct {
	Column string `json:"column"`
	Unit   string `json:"unit"`
}

// Count is how many records share a reason.
type Count struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
	Text   string `json:"text"`
}

// Design is how the data were gathered and what counts as evidence.
type Design struct {
	Unit            string `json:"unit" jsonschema:"enum=run,enum=replica,enum=session,enum=block,enum=request,enum=item,enum=cluster"`
	BaselineUnits   int    `json:"baseline_units"`
	CandidateUnits  int    `json:"candidate_units"`
	Paired          bool   `json:"paired"`
	AssumedRunNoise Num    `json:"assumed_run_noise"`
	Text            string `json:"text"`
	Pair            *Pair  `json:"pair,omitempty"` // where runs are paired
}

// Pair is what belongs together across the sides, and what has no partner.
type Pair struct {
	Column        string `json:"column"`
	Of            string `json:"of" jsonschema:"enum=run,enum=request"` // what is matched; of requests the words are counted
	Matched       int    `json:"matched"`
	BaselineOnly  int    `json:"baseline_only"`
	CandidateOnly int    `json:"candidate_only"`
}

// Check is one comparability check.
type Check struct {
	Check     string `json:"check"`
	Status    string `json:"status" jsonschema:"enum=ok,enum=warn,enum=fail"`
	Baseline  Num    `json:"baseline"`
	Candidate Num    `json:"candidate"`
	Text      string `json:"text"`
}

// Estimate is a side's value with its interval; a null limit is unbounded or
// not available.
type Estimate struct {
	Value Num   `json:"value"`
	Lo    Num   `json:"lo"`
	Hi    Num   `json:"hi"`
	N     int64 `json:"n"`
	Units int   `json:"units"`
	// AtLeast tells that the value is the least it can be: it falls among
	// requests that timed out.
	AtLeast bool `json:"at_least,omitempty"`
}

// Change is a change with its interval.
type Change struct {
	Value Num `json:"value"`
	Lo    Num `json:"lo"`
	Hi    Num `json:"hi"`
}

// Margin is the tolerable harm.
type Margin struct {
	Kind  string `json:"kind" jsonschema:"enum=relative,enum=absolute"`
	Value Num    `json:"value"`
}

// Limit is a bound on the candidate alone.
type Limit struct {
	Op    string `json:"op"`
	Value Num    `json:"value"`
}

// Needed is what would decide an inconclusive gate.
type Needed struct {
	Runs     *int   `json:"runs"`     // more runs a side, or pairs of runs
	Requests *int64 `json:"requests"` // requests a side, in all
	Items    *int64 `json:"items"`    // items, in all

	paired bool // runs come in pairs
}

// Test is a second opinion.
type Test struct {
	Name string `json:"name"`
	P    Num    `json:"p"`
}

// Result is one metric × estimand, or one limit.
type Result struct {
	Metric    string   `json:"metric"`
	Estimand  string   `json:"estimand"`
	Q         *float64 `json:"q"`
	Unit      string   `json:"unit"`
	Direction string   `json:"direction" jsonschema:"enum=lower,enum=higher"`
	// Slice is the part of the traffic the row is about, null for all of it.
	Slice       map[string]string `json:"slice" jsonschema:"nullable"`
	Task        *string           `json:"task"`
	Filter      *string           `json:"filter"`
	Average     *string           `json:"average"`
	Baseline    Estimate          `json:"baseline"`
	Candidate   Estimate          `json:"candidate"`
	Delta       *Change           `json:"delta"`
	Ratio       *Change           `json:"ratio"`
	LikeForLike *LikeForLike      `json:"like_for_like"`
	PValue      Num               `json:"p_value"`
	PSuperior   Num               `json:"p_superior"`
	// PAdjusted is, for a slice that is not a gate, the p-value of no change
	// after Benjamini–Hochberg over all such rows.
	PAdjusted Num `json:"p_adjusted"`
	// Moved is of a slice that a search found: its p_adjusted is against "it
	// changed as the rest did", over all that was searched.
	Moved         *Moved  `json:"moved"`
	Tests         []Test  `json:"tests"`
	Level         float64 `json:"level"`
	Method        string  `json:"method"`
	Exact         bool    `json:"exact"`
	RelativeError Num     `json:"relative_error"`
	Margin        *Margin `json:"margin"`
	Limit         *Limit  `json:"limit"`
	Kind          string  `json:"kind" jsonschema:"enum=improved,enum=equivalent,enum=regressed_within_margin,enum=regressed,enum=uncertain,enum=no_data"`
	Verdict       *string `json:"verdict" jsonschema:"enum=PASS,enum=FAIL,enum=INCONCLUSIVE"`
	Blocking      bool    `json:"blocking"`
	Soft          bool    `json:"soft"`
	AdjustedAlpha Num     `json:"adjusted_alpha"`
	MDE           Num     `json:"mde"` // a ratio for a relative margin, else a difference
	Smallest      *Margin `json:"smallest_passing_margin"`
	Needed        *Needed `json:"needed"`
	// Pairs, Missing, Clusters and Repeats are of scores of items.
	Pairs    *Pairs    `json:"pairs"`
	Missing  *Missing  `json:"missing"`
	Clusters *Clusters `json:"clusters"`
	Repeats  *Repeats  `json:"repeats"`
	Warnings []Note    `json:"warnings"`

	items, percent, many bool // scores of items; between 0 and 1; in several tasks
	tasks                int  // of an average
}

// LikeForLike is the change with the candidate reweighted to the baseline's
// strata.
type LikeForLike struct {
	Ratio       *Change `json:"ratio"`
	Delta       *Change `json:"delta"`
	EffectiveN  Num     `json:"effective_n"`
	Unsupported Num     `json:"unsupported"`
}

// MixShift is the split of one change into what changed like for like and what
// the traffic changed. Total, within and mix are relative to the baseline's
// value, or differences for rates; total = within + mix exactly.
type MixShift struct {
	Metric               string `json:"metric"`
	Estimand             string `json:"estimand"`
	By                   string `json:"by"`
	Total                Change `json:"total"`
	Within               Change `json:"within"`
	Mix                  Change `json:"mix"`
	UnsupportedBaseline  Num    `json:"unsupported_baseline"`
	UnsupportedCandidate Num    `json:"unsupported_candidate"`
	// Factors are the parts of mix that come from each of several columns, in no
	// order of their own; with off_support they add up to mix. Empty for a single
	// column. OffSupport is the part from traffic that only one side has.
	Factors    []FactorPart `json:"factors"`
	OffSupport Change       `json:"off_support"`
	Strata     []Stratum    `json:"strata"`
}

// FactorPart is the part of the mix that comes from one column.
type FactorPart struct {
	By  string `json:"by"`
	Mix Change `json:"mix"`
}

// Stratum is a part of the traffic. The contributions are null for
// percentiles, which do not add up over strata. The change is relative to the
// stratum's own baseline, or a difference for rates, and has no limits where the
// stratum is too thin for them.
type Stratum struct {
	Label              string `json:"label"`
	BaselineShare      Num    `json:"baseline_share"`
	CandidateShare     Num    `json:"candidate_share"`
	BaselineValue      Num    `json:"baseline_value"`
	CandidateValue     Num    `json:"candidate_value"`
	WithinContribution Num    `json:"within_contribution"`
	MixContribution    Num    `json:"mix_contribution"`
	Change             Change `json:"change"`
	Warnings           []Note `json:"warnings"`
}

// Burn is how fast a side spends its error budget: at 1 it lasts just as long as
// the window.
type Burn struct {
	Side       string `json:"side"`        // baseline or candidate
	Target     Num    `json:"target"`      // share of good requests promised
	WindowDays Num    `json:"window_days"` // null without a window
	Rate       Num    `json:"rate"`
	Lo         Num    `json:"lo"`
	Hi         Num    `json:"hi"`
	LastsDays  Num    `json:"lasts_days"` // null without a window, or where nothing is spent
}
