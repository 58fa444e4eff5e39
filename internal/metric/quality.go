package metric

import (
	"cmp"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// MaxDuplicateRows is the number of records up to which request ids are
// checked for duplicates.
const MaxDuplicateRows = ingest.MaxDuplicateRows

// ReasonCount is how many records of a side share a reason for not being a
// successful request.
type ReasonCount struct {
	Code string // stable name
	Text string
	N    int64
}

// Records returns all records of the side: OK, failed, rejected and excluded.
func (s *Side) Records() int64 { return s.Counts.Total() }

// OK returns the requests that succeeded, Failed those that did not, Rejected
// the records that cannot be true, Excluded those outside the measured part.
func (s *Side) OK() int64       { return s.Counts.Of(ingest.OK) }
func (s *Side) Failed() int64   { return s.Counts.Of(ingest.Failed) }
func (s *Side) Rejected() int64 { return s.Counts.Of(ingest.Rejected) }
func (s *Side) Excluded() int64 { return s.Counts.Of(ingest.Excluded) }

// Failures, Rejections and Exclusions list the reasons, most frequent first.
func (s *Side) Failures() []ReasonCount   { return s.reasons(ingest.Failed) }
func (s *Side) Rejections() []ReasonCount { return s.reasons(ingest.Rejected) }
func (s *Side) Exclusions() []ReasonCount { return s.reasons(ingest.Excluded) }

func (s *Side) reasons(o ingest.Outcome) []ReasonCount {
	var out []ReasonCount
	for r := ingest.Reason(0); r < ingest.NumReasons; r++ {
		if r.Outcome() == o && s.Counts[r] > 0 {
			out = append(out, ReasonCount{r.Code(), r.Text(), s.Counts[r]})
		}
	}
	slices.SortStableFunc(out, func(a, b ReasonCount) int { return cmp.Compare(b.N, a.N) })
	return out
}

// HasReplicas reports whether every file names the replica of its records.
func HasReplicas(files []File) bool {
	for _, f := range files {
		if !f.Layout.Fields[ingest.Replica].Bound() {
			return false
		}
	}
	return len(files) > 0
}

// ToSeconds converts a number in the time unit that a word names.
func ToSeconds(v float64, unit string) (seconds float64, ok bool) {
	u, ok := ingest.ParseUnit(unit)
	return u.ToBase(v), ok
}

// TimeUnits lists the time units, for messages.
func TimeUnits() []string { return ingest.UnitWords() }

// largeRows is the number of records of a side from which a pass reads no
// column that its metrics do not need.
const largeRows = 1 << 20

// Large reports whether the inputs say that they hold so many records that a
// pass should leave out the times that no metric of the plan is made of.
func (p *Plan) Large(inputs []Input) bool {
	for _, it := range p.Items {
		if it.Metric.Kind == PerRun {
			return false
		}
	}
	for _, in := range inputs {
		var rows int64
		for _, f := range in.Files {
			rows += f.Source.Rows()
		}
		if rows > largeRows {
			return true
		}
	}
	return false
}

// Evidence returns how many units of the side have a successful request: a run
// without one is evidence of its failures only.
func (s *Side) Evidence() int {
	n := 0
	for _, u := range s.Units {
		if u.OK() > 0 {
			n++
		}
	}
	return n
}
