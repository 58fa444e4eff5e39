package verdict

import (
	"reflect"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Acceptance is a known regression that an owner tolerates up to a bound and
// until a day.
type Acceptance struct {
	Gate, Reason, Owner, Expires string
	// Expired tells that the last day is past: the ordinary margin holds.
	Expired bool

	rule MarginRule
}

// soft reports whether an owner may accept a result beyond its margin.
func (p *Policy) soft(r *compare.Result) bool {
	for _, t := range p.Soft {
		if t.matches(r.Metric, r.Estimand) {
			return true
		}
	}
	return false
}

// acceptance finds the acceptance of a result, nil if there is none: one that has
// not expired before one that has, one of its estimand before one of the metric, and
// the last of those that have expired.
func (p *Policy) acceptance(r *compare.Result) (found *Acceptance) {
	best := -1
	for i := range p.Accepted {
		a := &p.Accepted[i]
		if !a.rule.matches(r.Metric, r.Estimand) {
			continue
		}
		rank := 0
		if !a.Expired {
			rank += 2
		}
		if a.rule.estimand != nil {
			rank++
		}
		if rank >= best {
			best, found = rank, a
		}
	}
	return found
}

// Margin is the bound of what is accepted.
func (a *Acceptance) Margin(m *metric.Metric) Margin {
	mg, _, _ := a.rule.margin(m) // Policy.Check has tried it
	return mg
}

// keysOf lists the YAML keys of a struct, for messages.
func keysOf(v any) string {
	var keys []string
	t := reflect.TypeOf(v)
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if key != "" {
			keys = append(keys, key)
		}
	}
	return strings.Join(keys, ", ")
}

// allChecks lists the checks in the order of reports.
var allChecks = []CheckCode{RejectedRecords, SameData, CopiedRuns, FailedShare, Lacking, OfferedLoad, ClosedLoop, Arrivals, Concurrency, RateSetting, PromptMix, AnswerMix, TokenSource, CacheShare, Models, GroupShare, RunLength, LateSends, TimeOverlap, RunsAtOnce, UnlikeRuns, HistogramsCheck, WarmUp, Drift, FingerprintCheck, TooGood, NoSpread,
	MismatchedItems, Coverage, EqualScores, MissingTask, JudgeCheck, PromptCheck}

func knownCheck(c CheckCode) bool {
	for _, k := range allChecks {
		if k == c {
			return true
		}
	}
	return false
}

func checkNames() string {
	names := make([]string, len(allChecks))
	for i, c := range allChecks {
		names[i] = string(c)
	}
	return strings.Join(names, ", ")
}
