package evals

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isEvalscope(s *shape) bool {
	return s.records() && s.has("index", "sample_score") && s.has("sample_score.score")
}

// readEvalscope reads the reviews of evalscope,
// reviews/{model}/{dataset}_{subset}.jsonl. Answers to one question share its
// group_id and are told apart by generation_index. A metric that a judge did
// not give is unscored.
func readEvalscope(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	task, model := evalscopeNames(f.Path)
	if model != "" && !b.wants(model) {
		_, err := b.chosen()
		return nil, err
	}
	err := eachRecord(ctx, f, func(v value) error {
		sample := v.at("sample_score")
		id := sample.at("group_id").text()
		if id == "" {
			id = v.at("index").text()
		}
		if id == "" {
			return fmt.Errorf("a review without index")
		}
		b.begin(record{
			task: task, item: id, repeat: sample.at("generation_index").text(),
			gold: fingerprint(v.at("target").text()), question: fingerprint(firstQuestion(v)),
		})
		if opt.KeepText {
			b.cur.text = clip(firstQuestion(v), maxText)
		}
		b.attrOf("", sample.at("sample_metadata"))
		n := 0
		for name, val := range sample.at("score", "value").members() {
			s, ok := grade(val)
			if !ok {
				b.note("metric %s holds no numbers, such as %q, and is left out", name, clip(val.text(), 40))
				continue
			}
			b.add(name, s)
			n++
		}
		if n == 0 {
			state := ingest.Unscored
			if strings.Contains(strings.ToLower(sample.at("score", "status").text()), "error") {
				state = ingest.Errored
			}
			b.none(state)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// firstQuestion returns what the user was made to say first.
func firstQuestion(v value) string {
	for m := range v.at("messages").elements() {
		if m.at("role").str() == "user" {
			return m.at("content").text()
		}
	}
	return v.at("input").text()
}

// evalscopeNames takes the task and the model from the path, if it is that of
// the harness.
func evalscopeNames(path string) (task, model string) {
	parts := strings.Split(filepath.ToSlash(path), "/")
	if n := len(parts); n >= 3 && parts[n-3] == "reviews" {
		return strings.TrimSuffix(parts[n-1], ".jsonl"), parts[n-2]
	}
	return "", ""
}

func aggregateEvalscope(s *shape) string {
	switch {
	case s.in == jsonObject && s.has("metrics", "dataset_name", "model_name"):
		return "it is a report of evalscope over a whole data set; give the files of reviews/ beside the folder reports/"
	case s.records() && s.has("index", "model_output") && !s.has("sample_score"):
		return "it holds predictions of evalscope without scores; give the files of reviews/ beside the folder predictions/"
	}
	return ""
}
