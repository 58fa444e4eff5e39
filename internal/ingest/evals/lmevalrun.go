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

var (
	samplesName = regexp.MustCompile(`samples_(.+)_(` + dated + `)\.jsonl?$`)
	resultsName = regexp.MustCompile(`results_` + dated + `\.json$`)
)

// lmEvalResults is what a results file says of a run.
type lmEvalResults struct {
	model string
	facts []ingest.KeyValue
	lower map[string][]string // metrics by task, lower being better
	tasks []string
}

// findLMEvalRun finds the task and the model of a samples file: the file itself
// names neither.
func findLMEvalRun(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (lmEvalRun, error) {
	var run lmEvalRun
	base := filepath.Base(f.Path)
	date := ""
	if m := samplesName.FindStringSubmatch(base); m != nil {
		run.task, date = m[1], m[2]
	}
	if name := resultsBeside(opt.Siblings, date); name != "" {
		res, err := readSibling(ctx, opt, name, readLMEvalResults)
		if err != nil {
			return run, fmt.Errorf("%s beside it: %w", name, err)
		}
		if run.task == "" {
			run.task = longestSuffix(strings.TrimSuffix(strings.TrimSuffix(base, ".jsonl"), ".json"), res.tasks)
		}
		if run.task == "" || slices.Contains(res.tasks, run.task) || len(res.tasks) == 0 {
			run.lmEvalResults = res
		}
	}
	if run.model == "" && date != "" {
		if dir := filepath.Base(filepath.Dir(f.Path)); strings.Contains(dir, "__") {
			run.model = strings.ReplaceAll(dir, "__", "/")
		}
	}
	return run, nil
}

// resultsBeside returns the results file of a run: that of the same date, else
// the only one of the folder.
func resultsBeside(siblings []string, date string) string {
	var all []string
	for _, s := range siblings {
		if s != "results.json" && !resultsName.MatchString(s) {
			continue
		}
		if date != "" && strings.Contains(s, date) {
			return s
		}
		all = append(all, s)
	}
	if len(all) == 1 {
		return all[0]
	}
	return ""
}

// longestSuffix returns the longest of the names that s ends in; files before
// 0.4.3 are called after the model's arguments and the task.
func longestSuffix(s string, names []string) string {
	best := ""
	for _, n := range names {
		if len(n) > len(best) && (s == n || strings.HasSuffix(s, "_"+n)) {
			best = n
		}
	}
	return best
}

// readSibling opens a file of the same folder and reads it.
func readSibling[T any](ctx context.Context, opt ingest.AnswerOptions, name string, read func(context.Context, ingest.File) (T, error)) (t T, err error) {
	if opt.Sibling == nil {
		return t, fmt.Errorf("%s cannot be opened", name)
	}
	f, done, err := opt.Sibling(name)
	if done != nil {
		defer func() {
			if cerr := done(); err == nil {
				err = cerr
			}
		}()
	}
	if err != nil {
		return t, err
	}
	return read(ctx, f)
}

// lmEvalFacts are the members of a results file that say how a run was made.
var lmEvalFacts = []string{
	"git_hash", "lm_eval_version", "transformers_version", "chat_template_sha", "system_instruction_sha",
	"fewshot_as_multiturn", "max_length", "model_source",
}

// lmEvalConfig are those of its config.
var lmEvalConfig = []string{
	"model_args", "model_dtype", "model_revision", "model_sha", "batch_size", "limit", "gen_kwargs",
	"random_seed", "numpy_seed", "torch_seed", "fewshot_seed",
}

func readLMEvalResults(ctx context.Context, f ingest.File) (lmEvalResults, error) {
	res := lmEvalResults{lower: map[string][]string{}}
	fact := func(key string, v value) {
		if t := v.text(); t != "" {
			res.facts = append(res.facts, ingest.KeyValue{Key: key, Value: t})
		}
	}
	s := fileStream(ctx, f)
	err := s.object(func(key string) error {
		if slices.Contains([]string{"configs", "samples", "pretty_env_info", "chat_template"}, key) {
			return s.skip()
		}
		v, err := s.raw()
		if err != nil {
			return err
		}
		switch key {
		case "results":
			for task := range v.members() {
				res.tasks = append(res.tasks, task)
			}
		case "model_name":
			res.model = v.text()
		case "config":
			if res.model == "" {
				res.model = pretrained(v.at("model_args"))
			}
			for _, k := range lmEvalConfig {
				fact(k, v.at(k))
			}
		case "versions":
			for task, version := range v.members() {
				fact("version."+task, version)
			}
		case "n-shot":
			for task, n := range v.members() {
				fact("n_shot."+task, n)
			}
		case "higher_is_better":
			for task, metrics := range v.members() {
				for metric, higher := range metrics.members() {
					if higher.kind() == 'f' {
						res.lower[task] = append(res.lower[task], metric)
					}
				}
			}
		default:
			if slices.Contains(lmEvalFacts, key) {
				fact(key, v)
			}
		}
		return nil
	})
	return res, err
}

// pretrained finds the model's name among its arguments: an object, or text of
// the form a=b,c=d.
func pretrained(args value) string {
	for _, key := range []string{"pretrained", "model"} {
		if t := args.at(key).str(); t != "" {
			return t
		}
		for part := range strings.SplitSeq(args.str(), ",") {
			if k, v, ok := strings.Cut(part, "="); ok && strings.TrimSpace(k) == key {
				return strings.TrimSpace(v)
			}
		}
	}
	return ""
}

// describe hands over what is known of the run, as far as it is about the task.
func (run lmEvalRun) describe(b *builder) {
	for _, kv := range run.facts {
		for _, per := range []string{"version.", "n_shot."} {
			if task, ok := strings.CutPrefix(kv.Key, per); ok && task != run.task {
				kv.Key = ""
			}
		}
		if kv.Key != "" {
			b.fact(kv.Key, kv.Value)
		}
	}
	for _, m := range run.lower[run.task] {
		b.lower[m] = true
	}
	if run.model == "" {
		b.note("the samples file does not name its model, and there is no results file beside it")
	}
}

func aggregateLMEval(s *shape) string {
	if s.in == jsonObject && s.has("results", "versions") && s.any("n-shot", "configs") && s.kind("results") == '{' && !s.has("config_general") {
		return "it holds the results of lm-evaluation-harness over whole tasks; run lm_eval with --log_samples and give the samples_*.jsonl files, or their folder"
	}
	return ""
}
