package pairing

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// seriesKey names a series.
type seriesKey struct{ task, metric, filter string }

func (a seriesKey) compare(b seriesKey) int {
	return cmp.Or(strings.Compare(a.metric, b.metric), strings.Compare(a.filter, b.filter), strings.Compare(a.task, b.task))
}

func (a seriesKey) String() string {
	s := a.metric
	if a.filter != "" {
		s += "/" + a.filter
	}
	if a.task != "" {
		s = a.task + ": " + s
	}
	return s
}

// ref is the place of an answer: its set and its row in it.
type ref struct{ set, row int32 }

// side is one side's answers, sorted into series.
type side struct {
	sets []*ingest.AnswerSet
	runs bool
	rows map[seriesKey][]ref
}

func newSide(sets []*ingest.AnswerSet, runs bool) *side {
	s := &side{sets: sets, runs: runs, rows: map[seriesKey][]ref{}}
	var last seriesKey
	var at []ref
	for i, set := range sets {
		for j := range set.Answers {
			a := &set.Answers[j]
			key := seriesKey{a.Task, a.Metric, a.Filter}
			if key != last || at == nil {
				if at != nil {
					s.rows[last] = at
				}
				last, at = key, s.rows[key]
			}
			at = append(at, ref{int32(i), int32(j)})
		}
	}
	if at != nil {
		s.rows[last] = at
	}
	for _, rows := range s.rows {
		s.sort(rows)
	}
	return s
}

func (s *side) answer(r ref) *ingest.Answer { return &s.sets[r.set].Answers[r.row] }

// sort brings the rows of an item together, in the order of the files.
func (s *side) sort(rows []ref) {
	compare := func(a, b ref) int {
		x, y := s.answer(a), s.answer(b)
		c := cmp.Or(strings.Compare(x.Item, y.Item), strings.Compare(x.Turn, y.Turn))
		if c == 0 && s.runs {
			c = cmp.Compare(a.set, b.set)
		}
		return cmp.Or(c, strings.Compare(x.Repeat, y.Repeat), cmp.Compare(a.set, b.set), cmp.Compare(a.row, b.row))
	}
	if !slices.IsSortedFunc(rows, compare) {
		slices.SortFunc(rows, compare)
	}
}

// group is the rows of one item in one turn.
type group struct {
	item, turn string
	rows       []ref
}

// next cuts the first group off rows.
func (s *side) next(rows []ref) (g group, rest []ref) {
	first := s.answer(rows[0])
	n := 1
	for n < len(rows) {
		a := s.answer(rows[n])
		if a.Item != first.Item || a.Turn != first.Turn {
			break
		}
		n++
	}
	return group{first.Item, first.Turn, rows[:n]}, rows[n:]
}

// sameAnswer reports whether two rows name the same answer of an item.
func (s *side) sameAnswer(a, b ref) bool {
	return s.answer(a).Repeat == s.answer(b).Repeat && (!s.runs || a.set == b.set)
}

// outcome sums the rows of a group up. A conflict is an error only where the
// rule says so.
func (s *side) outcome(g group, rule Duplicates, which int, c *Counts, bad *conflicts) Outcome {
	var o Outcome
	for rows := g.rows; len(rows) > 0; {
		n := 1
		for n < len(rows) && s.sameAnswer(rows[0], rows[n]) {
			n++
		}
		s.settle(rows[:n], rule, which, c, bad, &o)
		rows = rows[n:]
	}
	return o
}

// settle adds one answer, which several rows may name.
func (s *side) settle(rows []ref, rule Duplicates, which int, c *Counts, bad *conflicts, o *Outcome) {
	pick, differ := s.answer(rows[0]), false
	for _, r := range rows[1:] {
		differ = differ || !agree(pick, s.answer(r))
	}
	if !differ {
		c.Same[which] += len(rows) - 1
		o.add(pick.State, pick.Score)
		return
	}
	c.Settled[which] += len(rows) - 1
	switch rule {
	case Refuse:
		for _, r := range rows[1:] {
			if b := s.answer(r); !agree(pick, b) {
				bad.add(which, pick, b)
				break
			}
		}
	case First:
		o.add(pick.State, pick.Score)
	case Last:
		pick = s.answer(rows[len(rows)-1])
		o.add(pick.State, pick.Score)
	case Mean:
		sum, n := 0.0, 0
		for _, r := range rows {
			if a := s.answer(r); a.State == ingest.Scored {
				sum, n = sum+a.Score, n+1
			}
		}
		if n > 0 {
			o.add(ingest.Scored, sum/float64(n))
		} else {
			o.add(ingest.Errored, 0)
		}
	}
}

func agree(a, b *ingest.Answer) bool {
	return a.State == b.State && (a.State != ingest.Scored || a.Score == b.Score) && !differ(a.GoldHash, b.GoldHash) && !differ(a.QuestionHash, b.QuestionHash)
}

func differ(a, b uint64) bool { return a != 0 && b != 0 && a != b }

func (o *Outcome) add(state ingest.AnswerState, score float64) {
	if state != ingest.Scored {
		o.Failed++
		if state == ingest.Errored {
			o.Errors++
		}
		return
	}
	if o.N == 1 {
		o.Scores = append(o.Scores, o.Sum)
	}
	if o.N >= 1 {
		o.Scores = append(o.Scores, score)
	}
	o.Sum += score
	o.N++
}

// conflicts gathers answers whose rows disagree.
type conflicts struct {
	first *ConflictError
}

func (c *conflicts) add(which int, a, b *ingest.Answer) {
	if c.first != nil {
		c.first.More++
		return
	}
	c.first = &ConflictError{Side: which, Key: Key{a.Task, a.Item, a.Metric, a.Filter, a.Turn}, Repeat: a.Repeat, Rows: [2]string{rowText(a), rowText(b)}}
}

func rowText(a *ingest.Answer) string {
	switch a.State {
	case ingest.Errored:
		return "an error"
	case ingest.Unscored:
		return "no score"
	}
	return strconv.FormatFloat(a.Score, 'g', -1, 64)
}
