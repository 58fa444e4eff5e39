package evals

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isEveryEval(s *shape) bool {
	return s.records() && s.has("schema_version", "evaluation_id", "sample_id", "evaluation")
}

// readEveryEval reads the samples of the every_eval_ever schema: a row for each
// sample and metric. The aggregate file beside it names the metrics, and of
// which a lower value is better.
func readEveryEval(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	metrics := map[string]everyMetric{}
	for _, name := range opt.Siblings {
		if strings.HasSuffix(name, ".json") && sameStem(f.Path, name, "_samples.jsonl", ".json") {
			got, err := readSibling(ctx, opt, name, readEveryMetrics)
			if err != nil {
				return nil, fmt.Errorf("%s beside it: %w", name, err)
			}
			metrics = got
		}
	}
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id := o.get("sample_id").text()
		if id == "" {
			return fmt.Errorf("a row without sample_id")
		}
		if !b.wants(o.get("model_id").text()) {
			return nil
		}
		task, result := o.get("evaluation_name").text(), o.get("evaluation_result_id").text()
		input := o.get("input")
		b.begin(record{
			task: task, item: id, gold: fingerprint(input.at("reference").text()),
			question: fingerprint(o.get("sample_hash").text()), text: b.keepText(input.at("raw")),
		})
		b.attrOf("", o.get("metadata"))
		b.attr("interaction_type", o.get("interaction_type").text())
		m, known := metrics[result]
		switch {
		case known && m.name != "":
		case result == "" || result == task:
			m.name = "score"
		default:
			m.name = result
		}
		if m.lower {
			b.lower[m.name] = true
		}
		if !o.get("error").null() && o.get("error").text() != "" {
			b.add(m.name, errored)
			return nil
		}
		val := o.get("evaluation").at("score")
		if val.null() {
			val = o.get("evaluation").at("is_correct")
		}
		s, ok := grade(val)
		if !ok {
			return fmt.Errorf("sample %s: the score is %s, expected a number", id, clip(val.text(), 40))
		}
		b.add(m.name, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// everyMetric is what the aggregate file says of a metric.
type everyMetric struct {
	name  string
	lower bool
}

// readEveryMetrics reads the metrics by evaluation_result_id. A name that two
// metrics of one evaluation share is no name.
func readEveryMetrics(ctx context.Context, f ingest.File) (map[string]everyMetric, error) {
	out := map[string]everyMetric{}
	var names []string
	err := eachRecord(ctx, f, func(v value) error {
		for r := range v.at("evaluation_results").elements() {
			id := r.at("evaluation_result_id").text()
			if id == "" {
				continue
			}
			m := everyMetric{name: r.at("metric_config", "metric_name").text()}
			m.lower, _ = r.at("metric_config", "lower_is_better").truth()
			if full := r.at("evaluation_name").text() + "\xff" + m.name; slices.Contains(names, full) {
				m.name = id
			} else {
				names = append(names, full)
			}
			out[id] = m
		}
		return nil
	})
	return out, err
}

func aggregateEveryEval(s *shape) string {
	if s.in == jsonObject && s.has("schema_version", "evaluation_id", "evaluation_results") {
		return "it holds the aggregate results of every_eval_ever; give the *_samples.jsonl that its detailed_evaluation_results names"
	}
	return ""
}
