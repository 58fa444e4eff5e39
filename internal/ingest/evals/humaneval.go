package evals

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isHumanEval(s *shape) bool {
	return s.records() && s.has("task_id", "passed", "result") && s.any("completion", "solution", "completion_id")
}

// readHumanEval reads the results of human-eval. Samples of one task have no
// number: they are repeats in order of appearance. A timeout is a wrong answer,
// as in the harness.
func readHumanEval(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	seen := occurrences{}
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id := o.get("task_id").text()
		passed, ok := o.get("passed").truth()
		switch {
		case id == "":
			return fmt.Errorf("a sample without task_id")
		case !ok:
			return fmt.Errorf("sample of %s: passed is %s, expected true or false", id, clip(o.get("passed").text(), 40))
		}
		b.begin(record{task: idPrefix(id), item: id, repeat: strconv.Itoa(seen.next(id)), text: id})
		if o.get("result").text() == "timed out" {
			b.count("sample", "timed out: wrong, as in the harness")
		}
		b.add("pass", flag(passed))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// idPrefix returns the name before the number of a task id: "HumanEval" of
// HumanEval/0.
func idPrefix(id string) string {
	prefix, _, ok := strings.Cut(id, "/")
	if !ok {
		return ""
	}
	return prefix
}
