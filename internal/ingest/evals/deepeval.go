package evals

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isDeepEval(s *shape) bool {
	if s.in != jsonObject {
		return false
	}
	return s.has("testCases") && s.any("metricsScores", "testPassed", "conversationalTestCases", "hyperparameters") ||
		s.has("testRunData.testCases")
}

// readDeepEval reads a test run of DeepEval: a score for each case and metric.
// A metric with an error and no score is one whose judge failed: unscored, and
// not the failure that it is written as. A case is known by the id in its
// metadata, else by its input; the same input again is a repeat.
func readDeepEval(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	seen := occurrences{}
	s := fileStream(ctx, f)
	var run func() error
	run = func() error {
		return s.object(func(key string) error {
			c, err := s.peek()
			switch {
			case err != nil:
				return err
			case key == "testRunData" && c == '{':
				return run()
			case (key == "testCases" || key == "conversationalTestCases") && c == '[':
				return s.array(func() error {
					start := s.off + int64(s.pos)
					v, err := s.raw()
					if err != nil {
						return err
					}
					if err := deepEvalCase(b, seen, v); err != nil {
						return s.placed(start, err)
					}
					return nil
				})
			case key == "hyperparameters" && c == '{':
				v, err := s.raw()
				for k, h := range v.members() {
					b.fact("hyperparameters."+k, h.text())
				}
				return err
			}
			return s.skip()
		})
	}
	if err := run(); err != nil {
		return nil, err
	}
	if err := s.finish(); err != nil {
		return nil, err
	}
	return b.finish()
}

func deepEvalCase(b *builder, seen occurrences, v value) error {
	input := v.at("input").text()
	if input == "" {
		input = v.at("turns").text()
	}
	item := v.at("metadata", "id").text()
	switch {
	case item != "":
	case input != "":
		item = textID(input)
	default:
		item = v.at("name").text()
	}
	if item == "" {
		return errors.New("a test case without id, input or name")
	}
	b.begin(record{
		item: item, repeat: strconv.Itoa(seen.next(item)), question: fingerprint(input),
		gold: fingerprint(v.at("expectedOutput").text()), text: clip(input, maxText),
	})
	b.attrOf("", v.at("metadata"))
	some := false
	for m := range v.at("metricsData").elements() {
		name := m.at("name").text()
		if name == "" {
			return fmt.Errorf("test case %s has a metric without name", item)
		}
		some = true
		b.fact("judge."+name, m.at("evaluationModel").text())
		s, ok := grade(m.at("score"))
		if !ok {
			return fmt.Errorf("test case %s: metric %s has the score %s, expected a number", item, name, clip(m.at("score").text(), 40))
		}
		if s.state == ingest.Unscored && m.at("error").text() != "" {
			b.count("score", "missing because the judge failed: unscored")
		}
		b.add(name, s)
	}
	if !some {
		b.none(ingest.Unscored)
	}
	return nil
}
