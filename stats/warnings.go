package stats

// Codes of the warnings of this package.
const (
	WarnNoVariance         = "no_variance"         // the data do not vary, so the interval has no width
	WarnNoStandardError    = "no_standard_error"   // the estimate carries no standard error, so there is no test
	WarnUnbounded          = "unbounded"           // the data bound the quantity on one side at most
	WarnLevelNotReached    = "level_not_reached"   // the data are too few for the level; Interval.Level is what they reach
	WarnFewInTail          = "few_in_tail"         // a bootstrap interval of a quantile with too few values beyond it
	WarnNegativeICC        = "negative_icc"        // a variance between groups that was estimated as negative
	WarnCompleteSeparation = "complete_separation" // samples that do not overlap, so the effect has no interval
	WarnAllTied            = "all_tied"            // all values are equal, so ranks say nothing
	WarnHeavyTail          = "heavy_tail"          // a tail so heavy that the variance may be infinite
	WarnBatchesDependent   = "batches_dependent"   // batches too short for the memory of the series
	WarnBinned             = "binned"              // points were binned before the fit
	WarnNoScale            = "no_scale"            // residuals without a scale
	WarnNotConverged       = "not_converged"       // a fit that still moved at its last step
	WarnExactPowerShort    = "exact_power_short"   // an exact power below the one asked for
)
