// Package verdict decides: it holds the policy (margins, limits, thresholds),
// turns results into gates, and gates into PASS, FAIL or INCONCLUSIVE with the
// facts that decided. It is the only package that says good or bad, and the
// only one that looks at a metric's direction, once, to turn a change into harm.
//
// It renders no text: a Reason names a code and the gate or check it is about.
package verdict
