// Package bootstrap resamples: it turns a sample of units into the law of a
// statistic under resampling, and that law into an interval or a test.
//
// A unit is whatever was randomised or repeats: a run, a session, a question,
// a passage. A statistic is any function of a multiset of units, so the
// package never needs to know what a unit holds. x is the first sample and y
// the second, a difference is y − x and a ratio y / x.
//
// The parts, in the order in which they are used:
//
//   - a [Scheme] says how units are drawn ([IID], [MovingBlocks],
//     [CircularBlocks], [StationaryBlocks]);
//   - [Replicates], [ReplicateVectors] and [TwoSampleReplicates] draw, [Enumerate]
//     visits every resample instead, [Resample] chooses between the two;
//   - a [Law] holds the outcome and gives percentile, basic, normal and BCa
//     intervals; [Studentized], [MeanT] and [ABC] work without one;
//   - means of dependent series, order statistics and percentiles of binned
//     data have closed or cheaper forms: [MovingBlockVariance],
//     [StationaryVariance], [OrderStatisticLaw], [CDFs];
//   - [Randomization] and [WildCluster] are tests.
//
// Every random number comes from a PCG stream that is derived from (seed,
// replicate), never from a shared generator: an answer is byte for byte the same
// for any GOMAXPROCS. No float is ever summed across workers.
//
// The package refuses to resample fewer than [MinUnits] units, warns when there
// are few, and never returns NaN as a value or a limit. It chooses no confidence
// level and no margin, and it gives no verdict.
package bootstrap
