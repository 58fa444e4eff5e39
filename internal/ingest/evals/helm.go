package evals

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isHELM(s *shape) bool {
	return s.in == jsonArray && s.has("instance_id", "stats") && s.kind("stats") == '['
}

// helmBookkeeping are the beginnings of names of HELM's statistics that measure
// effort and input and not the quality of an answer.
var helmBookkeeping = []string{
	"num_", "training_", "inference_", "batch_size", "finish_reason_", "prompt_truncated", "max_prob", "logprob",
	"logprob_per_byte", "bits_per_byte", "perplexity", "ci_", "max_", "predicted_index", "observed_inference", "runtime",
}

// readHELM reads per_instance_stats.json. The mean of each statistic is the
// score, perturbations are filters, and the task is the run without its model.
// Statistics about effort are left out unless they are asked for by name.
func readHELM(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	run, err := helmRun(ctx, f, opt)
	if err != nil {
		return nil, err
	}
	if run.model != "" && !b.wants(run.model) {
		_, err := b.chosen()
		return nil, err
	}
	for _, kv := range run.facts {
		b.fact(kv.Key, kv.Value)
	}
	b.force("instance_id")
	left := map[string]bool{}
	err = eachRecord(ctx, f, func(v value) error {
		id := v.at("instance_id").text()
		if id == "" {
			return fmt.Errorf("an entry without instance_id")
		}
		b.begin(record{task: run.task, item: id, filter: v.at("perturbation", "name").text(), repeat: v.at("train_trial_index").text()})
		b.attr("instance_id", id)
		for s := range v.at("stats").elements() {
			name := s.at("name", "name").text()
			b.attr("split", s.at("name", "split").text())
			b.attr("sub_split", s.at("name", "sub_split").text())
			if slices.ContainsFunc(helmBookkeeping, func(p string) bool { return strings.HasPrefix(name, p) }) && !slices.Contains(opt.Scores, name) {
				left[name] = true
				continue
			}
			if n, _ := s.at("count").number(); n == 0 {
				b.add(name, unscored)
				continue
			}
			mean, ok := s.at("mean").number()
			if !ok {
				return fmt.Errorf("statistic %q has the mean %s, which is no number", name, clip(s.at("mean").text(), 40))
			}
			b.add(name, points(mean))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		b.note("statistics about effort, such as num_output_tokens, are left out: %d", len(left))
	}
	return b.finish()
}

// helmSpec is what run_spec.json says of a run.
type helmSpec struct {
	task, model string
	facts       []ingest.KeyValue
}

var helmModel = regexp.MustCompile(`(^|[,:])model=([^,]*)`)

// helmRun takes the run from run_spec.json beside the file, else from the name
// of the folder.
func helmRun(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (helmSpec, error) {
	var run helmSpec
	name := filepath.Base(filepath.Dir(f.Path))
	if slices.Contains(opt.Siblings, "run_spec.json") {
		got, err := readSibling(ctx, opt, "run_spec.json", readHELMSpec)
		if err != nil {
			return run, fmt.Errorf("run_spec.json beside it: %w", err)
		}
		run = got
		if run.task != "" {
			name = run.task
		}
	}
	m := helmModel.FindStringSubmatch(name)
	if m == nil {
		return run, nil // the folder is not called after a run
	}
	if run.model == "" {
		run.model = strings.Replace(m[2], "_", "/", 1)
	}
	run.task = helmModel.ReplaceAllString(name, "")
	return run, nil
}

func readHELMSpec(ctx context.Context, f ingest.File) (helmSpec, error) {
	var run helmSpec
	err := eachRecord(ctx, f, func(v value) error {
		run.task = v.at("name").text()
		a := v.at("adapter_spec")
		run.model = a.at("model").text()
		for _, key := range []string{"model_deployment", "method", "instructions", "max_train_instances", "max_eval_instances", "num_outputs", "num_train_trials", "temperature", "max_tokens"} {
			if t := a.at(key).text(); t != "" {
				run.facts = append(run.facts, ingest.KeyValue{Key: "adapter." + key, Value: t})
			}
		}
		return nil
	})
	return run, err
}

func aggregateHELM(s *shape) string {
	const hint = "give the per_instance_stats.json of the same run, which helm-run writes beside it"
	switch {
	case s.in == jsonArray && s.has("name.name", "name.split", "count", "sum"):
		return "it holds HELM's statistics over all instances; " + hint
	case s.in == jsonObject && s.has("adapter_spec", "request_states"):
		return "it holds HELM's requests without scores; " + hint
	case s.in == jsonObject && s.has("scenario_spec", "adapter_spec"):
		return "it describes a HELM run; " + hint
	}
	return ""
}
