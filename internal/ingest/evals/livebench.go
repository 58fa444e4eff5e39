package evals

import (
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isLiveBench(s *shape) bool {
	return s.records() && s.has("question_id", "task", "model", "score", "category") && s.any("tstamp", "answer_id")
}

// readLiveBench reads ground_truth_judgment.jsonl, which holds many models. A
// score of −1 is none.
func readLiveBench(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id := o.get("question_id").text()
		if id == "" {
			return fmt.Errorf("a judgment without question_id")
		}
		if !b.wants(o.get("model").text()) {
			return nil
		}
		b.begin(record{task: o.get("task").text(), item: id, turn: o.get("turn").text(), text: id})
		b.attr("category", o.get("category").text())
		b.attr("subtask", o.get("subtask").text())
		s, err := judged(o.get("score"))
		if err != nil {
			return fmt.Errorf("question %s: %w", id, err)
		}
		if s.state == ingest.Unscored {
			b.count("judgment", "had no score (-1 or null): unscored")
		}
		b.add("score", s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// judged reads the score of a judge, of whom −1 says that there is none.
func judged(v value) (score, error) {
	s, ok := grade(v)
	if !ok {
		return s, fmt.Errorf("the score is %s, expected a number", clip(v.text(), 40))
	}
	if s.state == ingest.Scored && s.value == -1 {
		return unscored, nil
	}
	return s, nil
}
