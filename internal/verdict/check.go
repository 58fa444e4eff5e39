package verdict

import (
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// CheckStatus is the outcome of a comparability check.
type CheckStatus uint8

// The statuses.
const (
	CheckOK CheckStatus = iota
	CheckWarn
	CheckFail // makes PASS impossible
)

// String returns ok, warn or fail.
func (s CheckStatus) String() string { return [...]string{"ok", "warn", "fail"}[s] }

// CheckCode names a check.
type CheckCode string

// The checks.
const (
	RejectedRecords CheckCode = "rejected_records" // share of records that cannot be true
	TooGood         CheckCode = "too_good"         // an improvement that is hard to believe
	NoSpread        CheckCode = "no_spread"        // all latencies the same
)

// Check is a question whether the two sides can be compared or believed.
type Check struct {
	Code                CheckCode
	Status              CheckStatus
	Acknowledged        bool // its failure is known and tolerated
	Baseline, Candidate float64
	Limit               float64         // the threshold
	Result              *compare.Result // what it is about, if one result
	// SplitBy lists columns that, named for the split, would compare like for
	// like by what differs here.
	SplitBy []string
	// Name, BaselineText and CandidateText are of a fingerprint; of a group the
	// column and the word.
	Name, BaselineText, CandidateText string
	// Count of Of items, some of their ids, and the rule for them; Kept tells
	// that they were not left out.
	Count, Of int
	IDs       []string
	Rule      string
	Kept      bool
	Seconds   float64 // of the stretch at the beginning of runs that is slow
	// Requests in flight, of a closed loop.
	BaselineInFlight, CandidateInFlight float64
}

func check(cmp *compare.Comparison, p Policy, gates []Gate) []Check {
	if cmp.Quality != nil {
		return checkItems(cmp, p)
	}
	var out []Check
	out = append(out, alsoOfSlices(cmp, gates, func(of traffic) (Check, bool) { return rejected(of, p) })...)
	out = append(out, comparable(cmp, p, gates)...)
	for i := range gates {
		g := &gates[i]
		r := g.Result
		if !g.Judged || g.Limit != nil || !r.Metric.Latency {
			continue
		}
		if r.Log.OK && r.Log.Value < -math.Log(p.TooGood) {
			out = append(out, Check{Code: TooGood, Status: CheckFail, Baseline: r.Baseline.Value, Candidate: r.Candidate.Value, Limit: p.TooGood, Result: r})
			break
		}
	}
	for i := range gates {
		g := &gates[i]
		if g.Judged && hasWarning(g.Result, "no_spread") {
			out = append(out, Check{Code: NoSpread, Status: CheckFail, Baseline: g.Result.Baseline.Value, Candidate: g.Result.Candidate.Value, Result: g.Result})
			break
		}
	}
	return out
}

func hasWarning(r *compare.Result, code string) bool {
	for _, w := range r.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}

func rejectedShare(s *metric.Side) float64 {
	total := s.Records() - s.Excluded()
	if total == 0 {
		return 0
	}
	return float64(s.Rejected()) / float64(total)
}
