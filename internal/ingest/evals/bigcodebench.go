package evals

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// isBigCodeBench detects {"eval": {task: [{"status": …}]}}.
func isBigCodeBench(s *shape) bool {
	if s.in != jsonObject || s.kind("eval") != '{' {
		return false
	}
	for _, m := range s.under("eval") {
		for e := range m.val.elements() {
			return e.at("status") != nil && e.at("task_id") != nil
		}
		if m.kind == '[' && m.val == nil { // too long to be looked at
			return strings.HasPrefix(m.path, "eval.BigCodeBench/")
		}
	}
	return false
}

// readBigCodeBench reads the results of BigCodeBench. Tasks whose reference
// solution failed, as the file *_pass_at_k.json beside it lists them, are left
// out: no model can pass them.
func readBigCodeBench(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	var run bigCodeRun
	for _, name := range opt.Siblings {
		if !strings.HasSuffix(name, "pass_at_k.json") || !sameStem(f.Path, name, "eval_results.json", "pass_at_k.json") {
			continue
		}
		got, err := readSibling(ctx, opt, name, readBigCodeRun)
		if err != nil {
			return nil, fmt.Errorf("%s beside it: %w", name, err)
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
	err := readEvalFile(ctx, f, b, func(id string, v value) error {
		if slices.Contains(run.failed, id) {
			b.count("task", "left out because the reference solution failed")
			return nil
		}
		n := 0
		for s := range v.elements() {
			status := s.at("status").str()
			if status == "" {
				return fmt.Errorf("task %s: a sample without status", id)
			}
			if status == "timeout" {
				b.count("sample", "timed out: wrong, as in the harness")
			}
			task := idPrefix(id)
			if run.split != "" {
				task += "-" + run.split
			}
			b.begin(record{task: task, item: id, repeat: strconv.Itoa(n), text: id})
			b.add("pass", flag(status == "pass"))
			n++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// sameStem reports whether two files are called alike but for their endings.
func sameStem(path, name, end, otherEnd string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	a, ok := strings.CutSuffix(base, end)
	b, okb := strings.CutSuffix(name, otherEnd)
	return ok && okb && strings.TrimRight(a, "_.") == strings.TrimRight(b, "_.")
}

// bigCodeRun is what *_pass_at_k.json says.
type bigCodeRun struct {
	model, split string
	failed       []string
	facts        []ingest.KeyValue
}

func readBigCodeRun(ctx context.Context, f ingest.File) (bigCodeRun, error) {
	var run bigCodeRun
	err := eachRecord(ctx, f, func(v value) error {
		run.model = v.at("model").text()
		run.split = strings.Trim(v.at("split").text()+"-"+v.at("subset").text(), "-")
		for id := range v.at("failed_tasks").elements() {
			run.failed = append(run.failed, id.text())
		}
		for _, key := range []string{"calibrated", "gt_pass_rate"} {
			run.facts = append(run.facts, ingest.KeyValue{Key: key, Value: v.at(key).text()})
		}
		return nil
	})
	return run, err
}

func aggregateBigCodeBench(s *shape) string {
	if s.in == jsonObject && s.has("split", "subset") && s.any("pass@1", "failed_tasks", "gt_pass_rate") {
		return "it holds BigCodeBench's pass@k over all tasks; give the *_eval_results.json beside it"
	}
	return ""
}
