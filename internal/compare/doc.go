// Package compare turns cells into estimates. It looks at the design of the
// data (several runs a side, one run, replicas, requests), chooses the unit of
// evidence and with it the method, and returns one Result per metric and
// estimand: both values, the change as a difference and as a ratio, each with an
// interval, and what the design could have seen.
//
// The statistics themselves live in stats, sketch and bootstrap; here is only
// the choice between them. Whether a change is good or bad is not known here.
package compare
