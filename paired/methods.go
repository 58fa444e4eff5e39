package paired

// Names of the methods, in the style of the package stats.
const (
	MethodTango                      = "tango"                         // difference of paired proportions, score interval and test
	MethodWald                       = "wald_paired"                   // the same, for comparison only
	MethodBonettPrice                = "bonett_price"                  // the same, adjusted Wald
	MethodAgrestiMin                 = "agresti_min"                   // the same, half an item a cell
	MethodNewcombe                   = "newcombe_paired"               // the same, from two Wilson intervals
	MethodMcNemarExact               = "mcnemar_exact"                 // any difference, exact
	MethodMcNemarMidP                = "mcnemar_mid_p"                 // any difference, exact less half the observed term
	MethodMcNemarChiSquared          = "mcnemar_chi_squared"           // any difference, asymptotic
	MethodMcNemarChiSquaredCorrected = "mcnemar_chi_squared_corrected" // the same with continuity correction
	MethodPairedT                    = "paired_t"                      // mean difference, Student's t
	MethodRepeatedMean               = "repeated_mean"                 // mean of items with several answers
	MethodPairedRepeats              = "paired_repeats"                // mean difference of items with several answers
	MethodRelativeContrast           = "relative_contrast"             // y - ratio*x, Student's t
	MethodFiellerPaired              = "fieller_paired"                // ratio of paired means
	MethodFiellerIndependent         = "fieller_independent"           // ratio of independent means
	MethodRatioLogDelta              = "ratio_log_delta"               // ratio of independent means, delta method
	MethodSignedRankExact            = "signed_rank_exact"             // Wilcoxon over all signs
	MethodSignedRankNormal           = "signed_rank_normal"            // Wilcoxon, normal
	MethodHodgesLehmann              = "hodges_lehmann"                // median of the Walsh averages
	MethodSignFlipExact              = "sign_flip_exact"               // signs of whole clusters, all of them
	MethodSignFlipNormal             = "sign_flip_normal"              // the same, normal
	MethodClusterMeans               = "cluster_means"                 // one vote a cluster, Student's t
	MethodObuchowski                 = "obuchowski"                    // clustered McNemar, one vote an item
	MethodDurkalski                  = "durkalski"                     // clustered McNemar, one vote a cluster
	MethodClusteredCR0               = "clustered_cr0"                 // cluster-robust mean without correction
	MethodClusteredCR1               = "clustered_cr1"                 // the same, G/(G-1)
	MethodStratifiedClusters         = "stratified_clusters"           // one vote a stratum, clusters across strata
	MethodFlipBound                  = "flip_bound"                    // mean of bounded differences of which few differ
	MethodClusteredCR2               = "clustered_cr2"                 // the same, bias-reduced with Satterthwaite
)
