package evals

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// joiner puts the files of one side together.
type joiner struct {
	input  string
	model  string // asked for
	parts  []part
	notes  []string
	hints  []string
	others []error             // of files that hold other models
	beside map[string][]string // files of each folder
}

// part is what one file holds.
type part struct {
	path, format string
	date         time.Time // zero if unknown
	set          *ingest.AnswerSet
	tasks        []string
	keys         map[uint64]struct{} // of its answers, once they are needed
}

func (j *joiner) add(path, format string, set *ingest.AnswerSet) {
	p := part{path: path, format: format, date: runDate(path, set), set: set}
	for i, a := range set.Answers {
		if i == 0 || a.Task != set.Answers[i-1].Task && !slices.Contains(p.tasks, a.Task) {
			p.tasks = append(p.tasks, a.Task)
		}
	}
	j.parts = append(j.parts, p)
}

func (j *joiner) pass(path, why string) {
	j.notes = append(j.notes, fmt.Sprintf("%s passed over: %s", path, why))
}

// hint notes a file with aggregates. Beside files with answers it belongs
// there; alone it is what the user has to know.
func (j *joiner) hint(path, hint string) { j.hints = append(j.hints, path+": "+hint) }

func (j *joiner) other(path string, err error) {
	j.others = append(j.others, fmt.Errorf("%s: %w", path, err))
}

// side joins the parts.
func (j *joiner) side() (*Side, error) {
	if len(j.parts) == 0 {
		return nil, j.nothing()
	}
	if err := j.oneModel(); err != nil {
		return nil, err
	}
	if err := j.newest(); err != nil {
		return nil, err
	}
	s := &Side{AnswerSet: merge(j.parts)}
	for _, p := range j.parts {
		s.Files = append(s.Files, FileRead{p.path, p.format, len(p.set.Answers)})
	}
	onlyRepeat(s.Answers)
	s.Notes = append(s.Notes, j.notes...)
	return s, nil
}

// nothing says why no file could be read.
func (j *joiner) nothing() error {
	switch {
	case len(j.others) > 0:
		return fmt.Errorf("%s: %w", j.input, j.others[0])
	case len(j.hints) > 0:
		return fmt.Errorf("%s: no answers in it: %s", j.input, list(j.hints))
	case len(j.notes) > 0:
		return fmt.Errorf("%s: no answers in it: %s", j.input, list(j.notes))
	}
	return fmt.Errorf("%s: no answers in it; expected one of %s", j.input, names())
}

// oneModel verifies that all parts are of one model.
func (j *joiner) oneModel() error {
	var models []string
	for _, p := range j.parts {
		if p.set.Model != "" && !slices.ContainsFunc(models, func(m string) bool { return sameModel(m, p.set.Model) }) {
			models = append(models, p.set.Model)
		}
	}
	if len(models) > 1 {
		return fmt.Errorf("%s: its files hold answers of several models: %s; choose one, as in INPUT#model=%s", j.input, list(models), models[0])
	}
	return nil
}

// merge makes one set of the parts.
func merge(parts []part) *ingest.AnswerSet {
	if len(parts) == 1 {
		return parts[0].set
	}
	out := &ingest.AnswerSet{}
	n := 0
	for _, p := range parts {
		n += len(p.set.Answers)
		for _, name := range p.set.AttrNames {
			if !slices.Contains(out.AttrNames, name) {
				out.AttrNames = append(out.AttrNames, name)
			}
		}
	}
	out.Answers = make([]ingest.Answer, 0, n)
	facts := map[string][]string{}
	var keys []string
	for _, p := range parts {
		if out.Model == "" {
			out.Model = p.set.Model
		}
		appendAnswers(out, p.set)
		for _, kv := range p.set.Fingerprint {
			if facts[kv.Key] == nil {
				keys = append(keys, kv.Key)
			}
			if !slices.Contains(facts[kv.Key], kv.Value) {
				facts[kv.Key] = append(facts[kv.Key], kv.Value)
			}
		}
		for _, m := range p.set.LowerIsBetter {
			if !slices.Contains(out.LowerIsBetter, m) {
				out.LowerIsBetter = append(out.LowerIsBetter, m)
			}
		}
		out.Universe = append(out.Universe, p.set.Universe...)
		for _, note := range p.set.Notes {
			note = p.path + ": " + note
			out.Notes = append(out.Notes, note)
		}
	}
	slices.Sort(keys)
	for _, k := range keys {
		slices.Sort(facts[k])
		out.Fingerprint = append(out.Fingerprint, ingest.KeyValue{Key: k, Value: clip(strings.Join(facts[k], " | "), maxFact)})
	}
	slices.Sort(out.LowerIsBetter)
	return out
}

// appendAnswers adds the answers of a set whose attributes are in another order.
func appendAnswers(out, set *ingest.AnswerSet) {
	at := make([]int, len(set.AttrNames))
	for i, name := range set.AttrNames {
		at[i] = slices.Index(out.AttrNames, name)
	}
	moved := map[*string][]string{} // rows are shared
	for _, a := range set.Answers {
		var key *string
		if len(a.Attr) > 0 {
			key = &a.Attr[0]
		}
		row, ok := moved[key]
		if !ok {
			row = make([]string, len(out.AttrNames))
			for i, w := range a.Attr {
				row[at[i]] = w
			}
			moved[key] = row
		}
		a.Attr = row
		out.Answers = append(out.Answers, a)
	}
}

// onlyRepeat clears a repeat that all answers share.
func onlyRepeat(as []ingest.Answer) {
	for _, a := range as {
		if a.Repeat != as[0].Repeat {
			return
		}
	}
	for i := range as {
		as[i].Repeat = ""
	}
}
