package evals

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// isEvalPlus detects {"eval": {task: …}} whose samples have a base status.
func isEvalPlus(s *shape) bool {
	if s.in != jsonObject || s.kind("eval") != '{' {
		return false
	}
	for _, m := range s.under("eval") {
		if m.kind == '{' {
			base := m.val.at("base")
			return m.val == nil || base.kind() == '[' && m.val.at("nfiles") != nil
		}
		for e := range m.val.elements() {
			return e.at("base_status") != nil
		}
	}
	return s.has("pass_at_k", "hash")
}

// readEvalPlus reads the results of EvalPlus, of both layouts it has had.
// Metric base is whether the tests of the original passed, plus whether the
// added ones passed too. A timeout is a wrong answer, as in the harness.
func readEvalPlus(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	err := readEvalFile(ctx, f, b, func(id string, v value) error {
		if v.kind() == '{' {
			return oldEvalPlus(b, id, v)
		}
		n := 0
		for s := range v.elements() {
			base, plus := s.at("base_status").str(), s.at("plus_status").str()
			if base == "" {
				return fmt.Errorf("task %s: a sample without base_status", id)
			}
			if base == "timeout" || plus == "timeout" {
				b.count("sample", "timed out: wrong, as in the harness")
			}
			b.begin(record{task: idPrefix(id), item: id, repeat: strconv.Itoa(n), text: id})
			b.add("base", flag(base == "pass"))
			if plus != "" { // none where only the base was run
				b.add("plus", flag(base == "pass" && plus == "pass"))
			}
			n++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.finish()
}

// oldEvalPlus reads {"nfiles": 1, "base": [["success", …]], "plus": […]}.
func oldEvalPlus(b *builder, id string, v value) error {
	statuses := func(key string) (out []string) {
		for e := range v.at(key).elements() {
			status := ""
			for s := range e.elements() {
				status = s.str()
				break
			}
			out = append(out, status)
		}
		return out
	}
	base, plus := statuses("base"), statuses("plus")
	if len(plus) > 0 && len(plus) != len(base) {
		return fmt.Errorf("task %s: %d results of base and %d of plus", id, len(base), len(plus))
	}
	for i, s := range base {
		if s == "" {
			return fmt.Errorf("task %s: a result without a status", id)
		}
		b.begin(record{task: idPrefix(id), item: id, repeat: strconv.Itoa(i), text: id})
		b.add("base", flag(s == "success"))
		if len(plus) > 0 {
			b.add("plus", flag(s == "success" && plus[i] == "success"))
		}
	}
	return nil
}

// readEvalFile walks over the tasks under "eval", and takes the facts beside.
func readEvalFile(ctx context.Context, f ingest.File, b *builder, task func(id string, v value) error) error {
	s := fileStream(ctx, f)
	found := false
	err := s.object(func(key string) error {
		if key != "eval" {
			if !slices.Contains([]string{"date", "hash"}, key) {
				return s.skip()
			}
			v, err := s.raw()
			b.fact(map[string]string{"date": "created", "hash": "dataset.hash"}[key], v.text())
			return err
		}
		found = true
		return s.object(func(id string) error {
			v, err := s.raw()
			if err != nil {
				return err
			}
			return task(id, v)
		})
	})
	if err == nil {
		err = s.finish()
	}
	if err == nil && !found {
		err = errors.New(`the file has no member "eval" with the tasks`)
	}
	return err
}
