package report

import (
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// designText says in one line what the evidence is.
func designText(c *compare.Comparison) string {
	d, level := c.Design, percentOf(c.Options.Level)
	var units, requests []string
	for _, s := range c.Sides {
		units = append(units, count(int64(len(s.Units))))
		requests = append(requests, count(s.OK()+s.Failed()))
	}
	runs := strings.Join(units, " + ") + " runs"
	if runs == "1 + 1 runs" {
		runs = "one run a side"
	}
	head := runs + ", " + strings.Join(requests, " + ") + " requests, "
	if len(c.Sides) == 1 {
		head = plural(int64(len(c.Sides[0].Units)), "run") + ", " + plural(c.Sides[0].OK()+c.Sides[0].Failed(), "request") + ", "
	}
	single := min(d.Baseline, d.Candidate) <= 1
	if len(c.Sides) == 1 {
		single = d.Baseline <= 1
	}
	if where := emptySides(c); where != "" {
		return head + "no usable record" + where
	}
	matched := ""
	if d.Pairs != nil && d.Pairs.Requests {
		matched = " from requests matched by " + d.Pairs.Column
	}
	switch {
	case d.Unit == compare.Request:
		return head + level + " intervals that take every request as independent (--unit request)"
	case d.Unit == compare.Session:
		groups := ""
		if d.Grouped {
			groups = " in groups"
		}
		return head + unitCounts(c, "sessions") + groups + ", session-level " + level + " intervals, about these runs only (--unit session)"
	case d.Unit == compare.Block:
		return head + unitCounts(c, "blocks of time") + ", block-level " + level + " intervals, about these runs only (--unit block)"
	case d.Unit == compare.Replica && !single:
		return head + unitCounts(c, "replicas") + ", replica-level " + level + " intervals"
	case len(c.Sides) == 1 && single:
		return head + "within-run " + level + " intervals"
	case d.BorrowedSpread:
		return head + level + " intervals; the single run is taken to vary as the other side's runs do"
	case d.AssumedRunNoise > 0 && d.NoiseFrom != "":
		return head + level + " intervals: within-run" + matched + ", widened by the run-to-run noise measured in " + d.NoiseFrom + " (" + noiseRange(d) + ")"
	case d.AssumedRunNoise > 0:
		return head + level + " intervals: within-run" + matched + ", widened by an assumed run-to-run noise of " + percentOf(d.AssumedRunNoise) + " (--run-noise)"
	case single:
		return head + "within-run " + level + " intervals" + matched + ": about these two runs only (--run-noise 0%)"
	}
	if d.PairedRuns() {
		return head + pairText(d, level)
	}
	if len(c.Sides) == 2 && d.Screening() {
		return head + "run-level " + level + " intervals; two runs a side are a screening, five make a test"
	}
	return head + "run-level " + level + " intervals"
}

// pairText says that runs are paired, and how many have no partner.
func pairText(d compare.Design, level string) string {
	text := count(int64(d.Pairs.Matched)) + " pairs by " + d.Pairs.Column
	if a, b := d.Pairs.Alone[0], d.Pairs.Alone[1]; a+b > 0 {
		text += fmt.Sprintf(" (%s + %s runs without a partner left out)", count(int64(a)), count(int64(b)))
	}
	text += ", run-level " + level + " intervals from pairs"
	if d.Screening() {
		text += "; two pairs are a screening, five make a test"
	}
	return text
}

// unitCounts is how many units there are: "8 + 9 replicas".
func unitCounts(c *compare.Comparison, units string) string {
	text := count(int64(c.Design.Baseline))
	if len(c.Sides) == 2 {
		text += " + " + count(int64(c.Design.Candidate))
	}
	return text + " " + units
}

// emptySides says which sides have no successful request, "" if none.
func emptySides(c *compare.Comparison) string {
	var empty []string
	for i, s := range c.Sides {
		if len(s.Units) == 0 || s.OK() == 0 {
			empty = append(empty, " in the "+sideNames[i])
		}
	}
	switch {
	case len(empty) == 0:
		return ""
	case len(c.Sides) == 1:
		return " in it"
	case len(empty) == 2:
		return " on either side"
	}
	return empty[0]
}

// noiseRange prints what is assumed where each estimand has its own noise.
func noiseRange(d compare.Design) string {
	lo, hi := fixed(d.LeastRunNoise*100, 1)+" %", fixed(d.AssumedRunNoise*100, 1)+" %"
	if lo == hi {
		return hi
	}
	return lo + " to " + hi
}
