package evals

import (
	"context"
	"fmt"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isAlpacaEval(s *shape) bool {
	return s.records() && s.has("instruction", "generator_1", "generator_2", "preference")
}

// readAlpacaEval reads the annotations of AlpacaEval. The score is the
// preference over the reference model, from 0 to 1: preference − 1, of which
// 1.5 and 0 are draws. An item is known by its instruction and data set alone.
// The length-controlled win rate is a fitted model and has no value per item.
func readAlpacaEval(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	seen := occurrences{}
	err := eachRecord(ctx, f, func(v value) error {
		o := v.object()
		if !b.wants(o.get("generator_2").text()) {
			return nil
		}
		b.fact("compared_with", o.get("generator_1").text())
		text := o.get("instruction").text()
		b.begin(record{
			task: "alpaca_eval", item: seen.item(textID(text, o.get("dataset").text())), filter: o.get("annotator").text(),
			question: fingerprint(text), gold: fingerprint(o.get("output_1").text()), text: clip(text, maxText),
		})
		b.attr("dataset", o.get("dataset").text())
		p := o.get("preference")
		s, ok := grade(p)
		switch {
		case !ok:
			return fmt.Errorf("the preference is %s, expected a number from 1 to 2", clip(p.text(), 40))
		case s.state != ingest.Scored:
			b.count("annotation", "had no preference: unscored")
		case s.value == 0:
			s.value = 0.5
		case s.value < 1 || s.value > 2:
			return fmt.Errorf("the preference is %s, expected a number from 1 to 2", p.text())
		default:
			s.value--
		}
		b.add("preference", s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}
