package evals

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// finish returns what was collected.
func (b *builder) finish() (*ingest.AnswerSet, error) {
	model, err := b.chosen()
	if err != nil {
		return nil, err
	}
	b.spread()
	if b.n == 0 {
		if len(b.notes) > 0 {
			return nil, fmt.Errorf("%w: %s", ErrNoAnswers, strings.Join(b.notes, "; "))
		}
		return nil, ErrNoAnswers
	}
	nameless := 0
	b.eachRow(func(r *row) {
		if r.item == "" {
			nameless++
		}
	})
	if nameless > 0 {
		return nil, fmt.Errorf("%d answers do not say which item they are to", nameless)
	}
	set := &ingest.AnswerSet{Model: model, Universe: b.universe}
	var attrs [][]string
	var dropped []string
	set.AttrNames, attrs, dropped = b.attrs.rows()
	b.attrs = attrTable{}
	if b.onceIsNone && b.oneRepeat() {
		b.eachRow(func(r *row) { r.repeat = b.words.id("") })
	}
	set.Answers = make([]ingest.Answer, 0, b.n)
	for i, c := range b.chunks {
		for _, r := range c {
			w := b.words.list
			set.Answers = append(set.Answers, ingest.Answer{
				Task: w[r.task], Item: r.item, Metric: w[r.metric], Filter: w[r.filter], Turn: w[r.turn], Repeat: w[r.repeat],
				State: r.state, Score: r.value, GoldHash: r.gold, QuestionHash: r.question, Attr: attrs[r.rec], Text: r.text,
			})
		}
		b.chunks[i] = nil
	}
	for k, v := range b.facts {
		set.Fingerprint = append(set.Fingerprint, ingest.KeyValue{Key: k, Value: v})
	}
	if model != "" && b.facts["model"] == "" {
		set.Fingerprint = append(set.Fingerprint, ingest.KeyValue{Key: "model", Value: model})
	}
	slices.SortFunc(set.Fingerprint, func(a, c ingest.KeyValue) int { return strings.Compare(a.Key, c.Key) })
	for m := range b.lower {
		set.LowerIsBetter = append(set.LowerIsBetter, m)
	}
	slices.Sort(set.LowerIsBetter)
	for _, c := range b.order {
		set.Notes = append(set.Notes, plural(b.counts[c], c.noun)+" "+c.text)
	}
	set.Notes = append(set.Notes, b.notes...)
	if len(dropped) > 0 && b.tellDrops {
		set.Notes = append(set.Notes, "no attributes, since they differ from item to item: "+list(dropped))
	}
	return set, nil
}

// chosen returns the model whose answers were read.
func (b *builder) chosen() (string, error) {
	if b.opt.Model == "" {
		switch len(b.models) {
		case 0:
			return "", nil
		case 1:
			return b.models[0], nil
		}
		return "", fmt.Errorf("the file holds answers of several models: %s; choose one, as in FILE#model=%s", list(b.models), b.models[0])
	}
	for _, m := range b.models {
		if sameModel(m, b.opt.Model) {
			return m, nil
		}
	}
	if len(b.models) == 0 {
		return "", fmt.Errorf("%w: the file does not say which model %q is", ErrNoModel, b.opt.Model)
	}
	return "", fmt.Errorf("%w: no %q among %s", ErrNoModel, b.opt.Model, list(b.models))
}

// spread turns records without scores into answers of each metric of their
// task, or of all tasks if theirs has none.
func (b *builder) spread() {
	if len(b.bare) == 0 {
		return
	}
	type cell struct{ metric, filter int32 }
	byTask := map[int32][]cell{}
	var all []cell
	b.eachRow(func(r *row) {
		c := cell{r.metric, r.filter}
		if !slices.Contains(byTask[r.task], c) {
			byTask[r.task] = append(byTask[r.task], c)
		}
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	})
	if len(all) == 0 {
		b.note("none of %d answers has a score", len(b.bare))
		return
	}
	var extra []row
	for _, r := range b.bare {
		cells := byTask[r.task]
		if cells == nil {
			cells = all
		}
		for _, c := range cells {
			r.metric = c.metric
			if r.filter == b.words.id("") {
				r.filter = c.filter
			}
			extra = append(extra, r)
		}
	}
	b.chunks = append(b.chunks, extra)
	b.n += len(extra)
}

func (b *builder) eachRow(visit func(r *row)) {
	for _, c := range b.chunks {
		for i := range c {
			visit(&c[i])
		}
	}
}

// oneRepeat reports whether every answer has the same repeat.
func (b *builder) oneRepeat() bool {
	first, same := int32(-1), true
	b.eachRow(func(r *row) {
		if first < 0 {
			first = r.repeat
		}
		same = same && r.repeat == first
	})
	return same
}

// list joins names for a message, not too many.
func list(names []string) string {
	const most = 20
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
