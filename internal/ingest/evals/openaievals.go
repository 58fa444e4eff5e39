package evals

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isOpenAIEvals(s *shape) bool {
	return s.in == jsonObject && (s.has("spec.completion_fns") || s.has("spec.eval_name") ||
		s.has("run_id", "event_id", "sample_id", "type", "data"))
}

// readOpenAIEvals reads the events that openai/evals records, in any order.
// Event match is whether the answer was right, event metrics has a number for
// each metric. A sample with an error and without a score failed.
func readOpenAIEvals(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	e := openAIEvals{b: newBuilder(opt), scored: map[string]bool{}, state: map[string]ingest.AnswerState{}}
	err := eachRecord(ctx, f, e.event)
	if errors.Is(err, errOtherModel) {
		_, err = e.b.chosen()
	}
	if err != nil {
		return nil, err
	}
	for _, id := range e.order {
		if !e.scored[id] {
			e.b.begin(record{task: e.task, item: id, text: id})
			e.b.none(e.state[id])
		}
	}
	e.b.setTask(e.task)
	return e.b.finish()
}

type openAIEvals struct {
	b      *builder
	task   string
	scored map[string]bool
	state  map[string]ingest.AnswerState // of samples that may turn out to have no score
	order  []string
}

func (e *openAIEvals) event(v value) error {
	o := v.object()
	if spec := o.get("spec"); spec != nil {
		return e.spec(spec)
	}
	id := o.get("sample_id").text()
	if id == "" {
		return nil // the final report
	}
	if _, known := e.state[id]; !known {
		e.state[id] = ingest.Unscored
		e.order = append(e.order, id)
	}
	data := o.get("data")
	switch o.get("type").str() {
	case "error":
		e.state[id] = ingest.Errored
	case "match":
		right, ok := data.at("correct").truth()
		if !ok {
			return fmt.Errorf("sample %s: correct is %s, expected true or false", id, clip(data.at("correct").text(), 40))
		}
		e.score(id, data, "match", flag(right))
	case "metrics":
		for name, m := range data.members() {
			if m.kind() == '"' {
				continue // the choice of a judge, of which score is the worth
			}
			if s, ok := grade(m); ok {
				e.score(id, data, name, s)
			}
		}
	}
	return nil
}

func (e *openAIEvals) score(id string, data value, metric string, s score) {
	e.scored[id] = true
	e.b.begin(record{task: e.task, item: id, gold: fingerprint(data.at("expected").text()), text: id})
	e.b.add(metric, s)
}

func (e *openAIEvals) spec(v value) error {
	e.task = v.at("base_eval").text()
	if e.task == "" {
		e.task = v.at("eval_name").text()
	}
	var models []string
	for m := range v.at("completion_fns").elements() {
		models = append(models, m.text())
	}
	for _, key := range []string{"eval_name", "split", "run_config"} {
		e.b.fact(key, v.at(key).text())
	}
	e.b.fact("created", v.at("created_at").text())
	if len(models) > 0 && !e.b.wants(list(models)) {
		return errOtherModel
	}
	return nil
}

// setTask names the task of all answers, where it is known only afterwards.
func (b *builder) setTask(task string) {
	id := b.words.id(task)
	b.eachRow(func(r *row) { r.task = id })
	for i := range b.bare {
		b.bare[i].task = id
	}
}

func isEvalsAPI(s *shape) bool {
	return s.records() && (s.has("datasource_item_id", "results") || s.has("eval_id", "run_id", "results", "sample"))
}

// readEvalsAPI reads the output items of a run of OpenAI's Evals API. The score
// of each grader is a metric; one that gives no number has passed or not.
func readEvalsAPI(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id := o.get("datasource_item_id").text()
		if id == "" {
			id = o.get("id").text()
		}
		if id == "" {
			return errors.New("an output item without datasource_item_id")
		}
		sample, item := o.get("sample"), o.get("datasource_item")
		if !b.wants(sample.at("model").text()) {
			return nil
		}
		b.begin(record{task: o.get("eval_id").text(), item: id, question: fingerprint(item.text()), text: b.keepText(item)})
		b.attrOf("", item)
		for _, key := range []string{"temperature", "top_p", "seed", "max_completion_tokens"} {
			b.fact(key, sample.at(key).text())
		}
		if e := sample.at("error"); !e.null() && (e.kind() != '{' || e.at("message").text() != "" || e.at("code").text() != "") {
			b.none(ingest.Errored)
			return nil
		}
		some := false
		var names []string
		for r := range o.get("results").elements() {
			name := r.at("name").text()
			if slices.Contains(names, name) {
				name += "#" + fmt.Sprint(len(names)+1)
			}
			names = append(names, name)
			val := r.at("score")
			if val.null() {
				val = r.at("passed")
			}
			s, ok := grade(val)
			if !ok {
				return fmt.Errorf("item %s: grader %s gave %s, expected a number", id, name, clip(val.text(), 40))
			}
			b.add(name, s)
			some = true
		}
		if !some {
			b.none(ingest.Unscored)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}
