package mixshift

// Names of the methods, in the style of the package stats.
const (
	MethodPostStratified     = "post_stratified"       // mean moved to a target mix
	MethodRunSplitTotal      = "run_split_total"       // change of runs, all of it
	MethodRunSplitRate       = "run_split_rate"        // like for like part
	MethodRunSplitMix        = "run_split_mix"         // part of the mix
	MethodRunSplitFactor     = "run_split_factor"      // part of one factor of the mix
	MethodRunSplitOffSupport = "run_split_off_support" // part of strata of one side
)
