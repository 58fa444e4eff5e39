package stats

// Names of the methods, as [Estimate.Method], [Test.Method] and their kin carry
// them. A name is stable, lower_snake_case and of one method in all packages of
// this module; an interval and the test that it inverts share theirs. The pages
// under docs/methods have a section for each.
const (
	MethodStudent                  = "student"                    // mean, Student's t
	MethodWelch                    = "welch"                      // difference of means, unequal variances
	MethodPooled                   = "pooled"                     // difference of means, one common variance
	MethodTwoSample                = "two_sample"                 // difference of two estimates with standard errors
	MethodTwoSampleShared          = "two_sample_shared"          // the same with one shared spread
	MethodRunRatioWelch            = "run_ratio_welch"            // ratio from run summaries, Welch on logs
	MethodRunRatioPooled           = "run_ratio_pooled"           // the same with one common variance
	MethodRunRatioPaired           = "run_ratio_paired"           // the same from blocks of runs
	MethodJackknifePaired          = "jackknife_paired"           // difference of two statistics of the same units
	MethodSerialCorrelation        = "serial_correlation"         // do neighbours depend on each other?
	MethodBatchMeans               = "batch_means"                // mean of a dependent series
	MethodOrderStatistic           = "order_statistic"            // quantile, limits at two ranks
	MethodOrderStatisticLower      = "order_statistic_lower"      // quantile, lower limit alone
	MethodOrderStatisticUpper      = "order_statistic_upper"      // quantile, upper limit alone
	MethodNyblom                   = "nyblom"                     // quantile, limits between two ranks
	MethodHarrellDavis             = "harrell_davis"              // quantile as a weighted mean of all ranks
	MethodWoodruffBatches          = "woodruff_batches"           // quantile of a dependent series
	MethodExactBootstrapOrderStat  = "exact_bootstrap_order_stat" // bootstrap law of an order statistic
	MethodExactBootstrapQuantile   = "exact_bootstrap_quantile"   // bootstrap law of the type 7 quantile
	MethodExactBootstrapDifference = "exact_bootstrap_difference" // bootstrap law of a difference of quantiles
	MethodExactBootstrapRatio      = "exact_bootstrap_ratio"      // bootstrap law of a ratio of quantiles
	MethodWilson                   = "wilson"                     // one proportion, score interval
	MethodAgrestiCoull             = "agresti_coull"              // one proportion, adjusted Wald
	MethodClopperPearson           = "clopper_pearson"            // one proportion, exact
	MethodMidP                     = "mid_p"                      // one proportion, exact with half the observed term
	MethodJeffreys                 = "jeffreys"                   // one proportion, Beta(1/2, 1/2) prior
	MethodMiettinenNurminen        = "miettinen_nurminen"         // two proportions, score interval and test
	MethodMee                      = "mee"                        // two proportions, score interval without N/(N-1)
	MethodFarringtonManning        = "farrington_manning"         // two proportions, score test without N/(N-1)
	MethodNewcombe                 = "newcombe"                   // two proportions, from two Wilson intervals
	MethodAgrestiCaffo             = "agresti_caffo"              // two proportions, adjusted Wald
	MethodWaldDifference           = "wald_difference"            // two proportions, for comparison only
	MethodSuissaShuster            = "suissa_shuster"             // two proportions, exact unconditional by pooled Z
	MethodBoschloo                 = "boschloo"                   // two proportions, exact unconditional by Fisher's p
	MethodFisherExact              = "fisher_exact"               // two proportions, conditional
	MethodChiSquaredHomogeneity    = "chi_squared_homogeneity"    // counts over cells, Pearson's X²
	MethodOverdispersion           = "overdispersion"             // shares of groups, Pearson's X²
	MethodBurnRate                 = "burn_rate"                  // error budget
	MethodMannWhitney              = "mann_whitney"               // ranks, normal
	MethodMannWhitneyExact         = "mann_whitney_exact"         // ranks, exact without ties
	MethodPermutationRank          = "permutation_rank"           // ranks, exact with ties
	MethodBrunnerMunzel            = "brunner_munzel"             // ranks, unequal shapes
	MethodBrunnerMunzelPermuted    = "brunner_munzel_permuted"    // the same, permuted
	MethodCLES                     = "cles"                       // P(x < y) + P(x = y)/2
	MethodHodgesLehmannShift       = "hodges_lehmann_shift"       // median of the pairwise differences
	MethodPermutationExact         = "permutation_exact"          // any statistic over all splits
	MethodShiftFunctionHD          = "shift_function_hd"          // differences of Harrell–Davis quantiles
	MethodShiftKS                  = "shift_ks"                   // band of the shift function
	MethodDKW                      = "dkw"                        // band of a distribution function
	MethodTheilSen                 = "theil_sen"                  // slope, median of the pairwise slopes
	MethodSizeTwoMeans             = "size_two_means"             // units a side, two means
	MethodSizePaired               = "size_paired"                // pairs, mean difference
	MethodSizeTwoMeansNI           = "size_two_means_ni"          // units a side, two means, noninferiority
	MethodSizePairedNI             = "size_paired_ni"             // pairs, mean difference, noninferiority
	MethodSizeRepeated             = "size_repeated"              // items with several answers
	MethodSizeTwoMeansTOST         = "size_two_means_tost"        // units a side, two means, equivalence
	MethodSizeTwoProportions       = "size_two_proportions"       // units a side, two proportions
	MethodSizePairedBinaryNI       = "size_paired_binary_ni"      // items, paired proportions, noninferiority
	MethodSizeQuantile             = "size_quantile"              // values for the precision of a quantile
	MethodSizeQuantileRatio        = "size_quantile_ratio"        // values a side for a ratio of quantiles
	MethodSizeMcNemar              = "size_mcnemar"               // items, paired proportions
	MethodSizeFarringtonManning    = "size_farrington_manning"    // units a side, two proportions, noninferiority
)
