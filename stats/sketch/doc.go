// Package sketch holds mergeable distributions: it turns a stream of values
// into counts that can be added up in any order and still answer "which value
// has the fraction q of the data below it" within a stated error.
//
// Four types do the work.
//
//   - [Histogram] counts values in log-linear bins cut from the bits of a
//     float64. Recording a value costs about a nanosecond, memory depends on the
//     octaves seen and never on the number of values, and every quantile has the
//     relative error [Histogram.RelativeError].
//   - [Sketch] keeps the values themselves while there are few of them and
//     becomes a histogram when there are many. How values were split and in
//     which order parts were merged never changes the result.
//   - [Mixture] is the distribution of several sketches together, each with a
//     weight of its own, and the same with a part left out, without merging
//     anything again. It is the only way this package combines quantiles:
//     quantiles of parts are never averaged.
//   - [Sum] adds float64 values without rounding, so that totals and means do
//     not depend on order, grouping or the number of workers.
//
// [Table] is a histogram or a small sketch as rows, for storage in a columnar
// file; MarshalBinary is the compact form. [DDSketch] and [HDR] are the layouts
// of other tools, for reading and checking their numbers.
//
// Values are finite and in any unit. NaN and ±Inf are a fault of the caller:
// they are counted by Invalid and never enter a quantile, a minimum or a sum. A
// quantile level q lies in [0, 1]. Nothing here is safe for concurrent writing:
// use one sketch per worker and merge. Reading a Histogram or a Mixture
// concurrently is safe; see [Sketch.Sorted] for a Sketch.
//
// The package knows nothing of requests, runs or verdicts, draws no random
// number and computes no confidence interval.
package sketch
