// Package ingest turns files of per-request records into checked, columnar
// batches of canonical fields in base units.
//
// It stands first in the flow: a Source knows the columns of one opened file
// and scans the wanted ones partition by partition; Resolve finds which column
// carries which canonical Field and in which unit; a Checker says of every
// record whether it is a good request, a failed one, one outside the measured
// part (warm-up), or one that cannot be true, and counts each by reason.
//
// It knows no metric, no side and no statistic. The formats themselves live in
// the sub-packages arrowio, textio and harness.
package ingest
