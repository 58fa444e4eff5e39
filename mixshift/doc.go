// Package mixshift splits a change into what happened like for like and what
// came from a changed mix: x is the first sample, y the second, a difference
// is y − x and a ratio y / x.
//
// Every split has a part Rate, the change inside cells at one mix, and a part
// Mix, everything that the shift of weight between cells brings; the parts add
// up to Total. Cells that only one side has cannot be compared like for like:
// what they bring is inside Mix and named OffSupport, and [Support] says how
// much of either side they hold.
//
// Means and rates split by cell ([Kitagawa], [LikeForLike], [Threefold]) or by
// factor ([Shapley], [DasGupta], [Oaxaca]). Quantiles do not add up over cells:
// [QuantileShift] reweights y to the mix of x, [SplitRuns] does the same for
// any statistic of merged runs, with intervals that take the run as the unit,
// and [RIFShift] is a first-order answer for continuous covariates.
// [NewStrata] makes cells of a length or size on a logarithmic scale.
//
// The package refuses to stretch thin data: see [Objections].
package mixshift
