package evals

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isNeMo(s *shape) bool {
	return s.records() && s.has("problem_idx", "reward") && s.any("repeat", "scorer_rewards", "model_response")
}

// readNeMo reads results.jsonl of NeMo Evaluator. The reward is a score, and so
// are the rewards of each scorer. A null reward, or one whose judge failed, is
// unscored. The benchmark is named by the bundle eval-*.json beside it.
func readNeMo(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	var bundles []string
	for _, name := range opt.Siblings {
		if strings.HasPrefix(name, "eval-") && strings.HasSuffix(name, ".json") {
			bundles = append(bundles, name)
		}
	}
	var run nemoRun
	if len(bundles) == 1 {
		got, err := readSibling(ctx, opt, bundles[0], readNeMoBundle)
		if err != nil {
			return nil, fmt.Errorf("%s beside it: %w", bundles[0], err)
		}
		run = got
	}
	if run.model != "" && !b.wants(run.model) {
		_, err := b.chosen()
		return nil, err
	}
	for _, kv := range run.facts {
		b.fact(kv.Key, kv.Value)
	}
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id := o.get("problem_idx").text()
		if id == "" {
			return errors.New("a row without problem_idx")
		}
		b.begin(record{
			task: run.task, item: id, repeat: o.get("repeat").text(), question: fingerprint(o.get("prompt").text()),
			gold: fingerprint(o.get("expected_answer").text()), text: b.keepText(o.get("prompt")),
		})
		b.attrOf("", o.get("metadata"))
		if !o.get("failure").null() || o.get("error").text() != "" {
			b.none(ingest.Errored)
			return nil
		}
		s, ok := grade(o.get("reward"))
		if !ok {
			return fmt.Errorf("problem %s: the reward is %s, expected a number", id, clip(o.get("reward").text(), 40))
		}
		if !o.get("scoring_details").at("judge", "error").null() {
			s = unscored
			b.count("reward", "came from a judge that failed: unscored")
		}
		b.add("reward", s)
		for name, r := range o.get("scorer_rewards").members() {
			if s, ok := grade(r); ok {
				b.add(strings.TrimPrefix(name, "scorer:"), s)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// nemoRun is what the bundle says of a run.
type nemoRun struct {
	task, model string
	facts       []ingest.KeyValue
}

func readNeMoBundle(ctx context.Context, f ingest.File) (nemoRun, error) {
	var run nemoRun
	err := eachRecord(ctx, f, func(v value) error {
		run.task = v.at("benchmark", "name").text()
		for k, c := range v.at("config").members() {
			if strings.Contains(k, "model") && run.model == "" {
				run.model = c.str()
			}
			run.facts = append(run.facts, ingest.KeyValue{Key: "config." + k, Value: c.text()})
		}
		return nil
	})
	return run, err
}

func aggregateNeMo(s *shape) string {
	if s.in == jsonObject && s.has("run_id", "benchmark.scores") {
		return "it is a bundle of NeMo Evaluator with scores over whole benchmarks; give the results.jsonl beside it"
	}
	return ""
}
