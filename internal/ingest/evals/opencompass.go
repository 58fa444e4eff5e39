package evals

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isOpenCompass(s *shape) bool {
	return s.in == jsonObject && (s.kind("details") == '{' || s.kind("details") == '[') && !s.has("eval") && len(s.members) < shapeKeys &&
		(s.any("accuracy", "score", "details.type", "details.0") || s.in == jsonObject && hasNumber(s))
}

// hasNumber reports whether the document has a number beside its details.
func hasNumber(s *shape) bool {
	for _, m := range s.members {
		if m.kind == '0' && !strings.Contains(m.path, ".") {
			return true
		}
	}
	return false
}

// openCompassRight are the names of what says that an answer is right.
var openCompassRight = []string{"correct", "is_correct", "cascade_correct"}

// readOpenCompass reads the details in a results file of OpenCompass. An older
// one is an object with a member for each position in the data set, a newer one
// a list in which every value is a list with an entry for each repeat.
func readOpenCompass(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	task, model := "", ""
	parts := strings.Split(filepath.ToSlash(f.Path), "/")
	if n := len(parts); n >= 3 && parts[n-3] == "results" {
		task, model = strings.TrimSuffix(parts[n-1], ".json"), parts[n-2]
	}
	if model != "" && !b.wants(model) {
		_, err := b.chosen()
		return nil, err
	}
	c := openCompass{b: b, task: task}
	s := fileStream(ctx, f)
	err := s.object(func(key string) error {
		shape, err := s.peek()
		switch {
		case err != nil:
			return err
		case key == "details" && shape == '{':
			return s.object(func(id string) error {
				v, err := s.raw()
				if err == nil && v.kind() == '{' {
					err = c.detail(id, v)
				}
				return err
			})
		case key == "details" && shape == '[':
			n := 0
			return s.array(func() error {
				v, err := s.raw()
				if err != nil {
					return err
				}
				id := v.at("example_abbr").text()
				if id == "" {
					id = strconv.Itoa(n)
				}
				n++
				return c.detail(id, v)
			})
		}
		return s.skip()
	})
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return nil, err
	}
	if b.n == 0 && c.without > 0 {
		return nil, fmt.Errorf("none of %d details says whether the answer is correct: this evaluator writes no details; the data set needs one that does", c.without)
	}
	return b.finish()
}

type openCompass struct {
	b       *builder
	task    string
	without int // details that do not say whether the answer is right
}

func (c *openCompass) detail(id string, v value) error {
	var right value
	for _, key := range openCompassRight {
		if right = v.at(key); !right.null() {
			break
		}
	}
	first := func(keys ...string) uint64 {
		for _, key := range keys {
			if t := v.at(key).text(); t != "" {
				return fingerprint(t)
			}
		}
		return 0
	}
	gold, question := first("references", "gold", "answer", "refr"), first("prompt", "origin_prompt", "question")
	begin := func(repeat int) {
		c.b.begin(record{task: c.task, item: id, repeat: strconv.Itoa(repeat), gold: gold, question: question, text: c.b.keepText(v.at("prompt"))})
	}
	if right.null() {
		c.without++
		begin(0)
		c.b.none(ingest.Unscored)
		return nil
	}
	n := 0
	one := func(r value) error {
		s, ok := grade(r)
		if !ok {
			return fmt.Errorf("example %s: correct is %s, expected true or false", id, clip(r.text(), 40))
		}
		begin(n)
		c.b.add("correct", s)
		n++
		return nil
	}
	if right.kind() != '[' {
		return one(right)
	}
	for r := range right.elements() {
		if err := one(r); err != nil {
			return err
		}
	}
	return nil
}

func aggregateOpenCompass(s *shape) string {
	if s.in == jsonObject && s.has("0") && s.has("0.prediction") && s.any("0.origin_prompt", "0.gold") {
		return "it holds predictions of OpenCompass without scores; run it with --dump-eval-details and give the files of results/"
	}
	return ""
}

// aggregateOther knows files of tools that have no reader here.
func aggregateOther(s *shape) string {
	switch {
	case s.in == jsonObject && s.has("htmls", "convos"):
		return "simple-evals keeps the score of an item only inside a page of HTML; write records with an item and a score instead"
	case s.records() && s.has("qsl_idx", "data") && s.any("seq_id"):
		return "an accuracy log of MLPerf holds answers without scores; run the accuracy script of the benchmark and write records with an item and a score"
	case s.in == jsonObject && s.kind("config") == '{' && s.has("config.model", "config.tasks"):
		return "it holds the results of bigcode-evaluation-harness over whole tasks, which keeps no score of an item"
	}
	return ""
}
