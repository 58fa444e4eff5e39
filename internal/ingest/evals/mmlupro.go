package evals

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isMMLUPro(s *shape) bool {
	return s.records() && s.has("question_id", "answer", "pred") && s.any("answer_index", "category", "src")
}

var mmluProName = regexp.MustCompile(`model_outputs_(.+)_\d+shots?\.jsonl?$`)

// readMMLUPro reads the outputs of the MMLU-Pro script, where an answer is right
// if pred is the answer. No pred counts as wrong; the script guesses at random
// there, so its accuracy is a little higher.
func readMMLUPro(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	if m := mmluProName.FindStringSubmatch(filepath.Base(f.Path)); m != nil && !b.wants(m[1]) {
		_, err := b.chosen()
		return nil, err
	}
	b.force("src")
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		id, answer, pred := o.get("question_id").text(), o.get("answer").text(), o.get("pred").text()
		if id == "" || answer == "" {
			return fmt.Errorf("a record without question_id or answer")
		}
		b.begin(record{
			task: "mmlu_pro", item: id, gold: fingerprint(answer),
			question: fingerprint(o.get("question").text(), optionText(o.get("options"))), text: b.keepText(o.get("question")),
		})
		b.attr("category", o.get("category").text())
		b.attr("src", o.get("src").text())
		if pred == "" {
			b.count("answer", "could not be extracted (pred is null): wrong, where the script of the benchmark guesses at random")
		}
		b.add("acc", flag(pred == answer))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// optionText spells the options alike whether they are a list or the text of
// one.
func optionText(v value) string {
	s := v.str()
	if s == "" {
		return v.text()
	}
	if isJSON([]byte(s)) {
		return value(s).text()
	}
	return s
}
