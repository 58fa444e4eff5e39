package bootstrap

// Names of the methods, in the style of the package stats. Those of a law that
// lists all resamples end in _exact.
const (
	MethodPercentile            = "bootstrap_percentile"   // quantiles of the law
	MethodExpanded              = "bootstrap_expanded"     // percentile, at levels that make up for few units
	MethodBasic                 = "bootstrap_basic"        // the same, reflected
	MethodNormal                = "bootstrap_normal"       // bias and standard deviation of the law
	MethodBCa                   = "bootstrap_bca"          // bias-corrected and accelerated
	MethodStudentizedT          = "bootstrap_t"            // studentized replicates
	MethodABC                   = "bootstrap_abc"          // BCa without resampling
	MethodPoisson               = "bootstrap_poisson"      // percentile interval of Poisson weights
	MethodRandomizationExact    = "randomization_exact"    // test over all splits
	MethodRandomizationSampled  = "randomization_sampled"  // test over drawn splits
	MethodRandomizationInterval = "randomization_interval" // shifts that the exact test accepts
	MethodWildCluster           = "wild_cluster_exact"     // test over all sign vectors of clusters
)
