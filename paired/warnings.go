package paired

// Codes of the warnings of this package.
const (
	WarnFewPairs        = "few_pairs"        // too few items for normal theory
	WarnRareDifferences = "rare_differences" // too few items that differ at all
	WarnFewClusters     = "few_clusters"     // few or unbalanced clusters
	WarnDominantCluster = "dominant_cluster" // one cluster holds much of the items
	WarnUnboundedRatio  = "unbounded_ratio"  // a ratio to a mean that may be 0
)
