package evals

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// lmEvalKeys are the members of a sample of lm-evaluation-harness that are no
// metric.
var lmEvalKeys = []string{
	"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
	"doc_hash", "prompt_hash", "target_hash", "task_name", "sample_len",
}

func isLMEval(s *shape) bool {
	return s.records() && s.has("doc_id", "doc") && s.any("filtered_resps", "resps")
}

// lmEvalRun is what the names and the results file beside it say of a samples
// file.
type lmEvalRun struct {
	task string
	lmEvalResults
}

// readLMEval reads samples of lm-evaluation-harness and of the Open LLM
// Leaderboard 2: a JSON array until 0.4.2, one object a line since, with hashes
// since 0.4.3 and the name of the filter since 0.4.7. There is a sample for
// every document and filter.
func readLMEval(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	run, err := findLMEvalRun(ctx, f, opt)
	if err != nil {
		return nil, err
	}
	run.describe(b)
	if run.model != "" && !b.wants(run.model) {
		_, err := b.chosen()
		return nil, err
	}
	e := lmEval{b: b, run: run}
	if err := eachRecord(ctx, f, e.sample); err != nil {
		return nil, err
	}
	e.nameFilters()
	if e.prompts != 0 {
		b.fact("prompts."+run.task, strconv.FormatUint(e.prompts, 16))
	}
	return b.finish()
}

type lmEval struct {
	b        *builder
	run      lmEvalRun
	prompts  uint64 // a sum, so that order does not matter
	unnamed  bool   // samples do not name their filter
	seen     occurrences
	answers  map[string]uint64 // of a document, by id, as the model gave them
	rerun    bool              // a document came again with other answers
	filterOf []int             // of each record, by order of appearance
}

func (e *lmEval) sample(v value) error {
	o := v.object()
	id := o.get("doc_id")
	if id.null() {
		return fmt.Errorf("a sample without doc_id")
	}
	doc := o.get("doc")
	r := record{
		task: e.run.task, item: id.text(), filter: o.get("filter").text(),
		gold: fingerprint(o.get("target").text()), question: fingerprint(docHash(o, doc)),
	}
	if e.b.opt.KeepText {
		r.text = questionText(doc)
	}
	if o.get("filter") == nil {
		e.unnamedFilter(r.item, o.get("resps"))
	}
	e.b.begin(r)
	e.b.attrOf("", doc)
	if h := o.get("prompt_hash"); !h.null() {
		e.prompts += fingerprint(h.text())
	}
	if string(compact(o.get("filtered_resps"))) == `["[invalid]"]` {
		e.b.count("answer", "could not be extracted from the response: wrong, as in the harness")
	}
	found := false
	for _, m := range metricNames(o) {
		found = e.metric(m, o.get(m)) || found
	}
	if !found {
		e.b.none(ingest.Unscored)
	}
	return nil
}

// metricNames lists the metrics that the sample says it has or, in older files,
// the members that are none of the harness.
func metricNames(o object) []string {
	var names []string
	if list := o.get("metrics"); list.kind() == '[' {
		for m := range list.elements() {
			names = append(names, m.text())
		}
		return names
	}
	for _, m := range o {
		if !slices.Contains(lmEvalKeys, m.key) && !slices.Contains(names, m.key) {
			names = append(names, m.key)
		}
	}
	return names
}

// metric adds the score of one metric, if it has a score per document.
func (e *lmEval) metric(name string, v value) bool {
	switch {
	case name == "bypass":
		e.b.note("metric bypass scores nothing and is left out")
		return false
	case v == nil:
		return false
	case v.kind() == '[':
		if s, ok := share(v); ok {
			e.b.note("metric %s is a list of truth values for each item; its share of true ones is read, so that items weigh the same, where the harness weighs every instruction the same", name)
			e.b.add(name, s)
			return true
		}
		e.b.note("metric %s holds lists or pairs that only make sense together (as for f1, mcc, perplexity); it has no score for each item and is left out", name)
		return false
	case v.kind() == '{':
		e.b.note("metric %s holds an object for each item and is left out", name)
		return false
	}
	s, ok := grade(v)
	if !ok {
		e.b.note("metric %s holds words, such as %q, and is left out", name, clip(v.text(), 40))
		return false
	}
	if s.state == ingest.Unscored {
		e.b.count("score", "of "+name+" null, NaN or infinite: unscored")
	}
	e.b.add(name, s)
	return true
}

// unnamedFilter remembers which sample of its document this one is.
func (e *lmEval) unnamedFilter(id string, resps value) {
	if e.seen == nil {
		e.unnamed, e.seen, e.answers = true, occurrences{}, map[string]uint64{}
	}
	h := fingerprint(compact(resps))
	n := e.seen.next(id)
	if n > 0 && e.answers[id] != h {
		e.rerun = true
	}
	e.answers[id] = h
	e.filterOf = append(e.filterOf, n)
}

// nameFilters numbers the filters of older files, which do not name them: every
// document has a sample for each, made from the same answers.
func (e *lmEval) nameFilters() {
	if !e.unnamed || len(e.filterOf) != e.b.attrs.records {
		return
	}
	most := 0
	for _, n := range e.filterOf {
		most = max(most, n)
	}
	if most == 0 || e.rerun {
		return // one filter, or a run that was appended: duplicates, for all to see
	}
	for _, n := range e.seen {
		if n != most+1 {
			return
		}
	}
	e.b.note("this version of the harness does not name its filters: the %d samples of each document are called filter #1, #2 by order", most+1)
	e.b.eachRow(func(r *row) { r.filter = e.b.words.id("#" + strconv.Itoa(e.filterOf[r.rec]+1)) })
}

// questionText finds what a document asks, for people.
func questionText(doc value) string {
	for _, key := range []string{"question", "query", "prompt", "problem", "instruction", "input", "premise", "text", "sentence", "ctx", "goal"} {
		if t := doc.at(key).str(); t != "" {
			return clip(t, maxText)
		}
	}
	return clip(doc.text(), maxText)
}
