package bootstrap

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// Codes of the warnings of this package; it also uses [stats.WarnNoVariance]
// and [stats.WarnUnbounded].
const (
	// WarnFewUnits marks an interval from so few units that it covers less than
	// its level says.
	WarnFewUnits = "few_units"
	// WarnFewReplicates marks a limit for which there are too few replicates.
	WarnFewReplicates = "few_replicates"
	// WarnBCaFallback marks a percentile interval in place of a BCa interval.
	WarnBCaFallback = "bca_fallback"
	// WarnFewTreated marks a wild cluster bootstrap that hardly ever rejects.
	WarnFewTreated = "few_treated"
	// WarnShortSeries marks a block length chosen from a short series.
	WarnShortSeries = "short_series"
)

func fewUnits(n, want int) stats.Warning {
	return stats.Warning{
		Code: WarnFewUnits,
		Text: fmt.Sprintf("%d units were resampled; below %d the interval covers less than its level says", n, want),
	}
}

func fewReplicates(n int) stats.Warning {
	return stats.Warning{
		Code: WarnFewReplicates,
		Text: fmt.Sprintf("%d replicates do not reach a limit, so the extreme replicate stands in for it", n),
	}
}

func noVariance() stats.Warning {
	return stats.Warning{
		Code: stats.WarnNoVariance,
		Text: "all resamples agree, so the result has no width and says nothing of the uncertainty",
	}
}
