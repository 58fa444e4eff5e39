package evals

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func isPromptfoo(s *shape) bool {
	if s.in == jsonObject && s.has("results.results") && s.any("results.version", "results.prompts", "results.table", "evalId") {
		return true
	}
	return s.records() && s.has("success", "score", "provider", "vars") && s.any("testIdx", "promptIdx", "promptId", "namedScores")
}

// readPromptfoo reads the results of promptfoo, as one document or a result a
// line. A file holds a result for each provider, prompt and test; the model is
// the provider, with its prompt where it has several. A result that ended in an
// error is written with score 0, but it failed and is no wrong answer.
//
// An item is known by the id in its metadata, else by its variables: the number
// of a test moves when another is put before it.
func readPromptfoo(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	b.onceIsNone = true
	p := promptfoo{b: b, prompts: map[string][]string{}, tests: map[string][]int{}, seen: occurrences{}}
	if err := p.each(ctx, f, p.survey); err != nil {
		return nil, err
	}
	for _, tests := range p.tests {
		slices.Sort(tests)
	}
	if err := p.each(ctx, f, p.result); err != nil {
		return nil, err
	}
	return b.finish()
}

type promptfoo struct {
	b       *builder
	prompts map[string][]string // of each provider
	tests   map[string][]int    // numbers of the tests that are alike, by item
	seen    occurrences
}

// each calls use for every result.
func (p *promptfoo) each(ctx context.Context, f ingest.File, use func(v value) error) error {
	found := false
	one := func(s *stream) error {
		start := s.off + int64(s.pos)
		v, err := s.raw()
		if err != nil {
			return err
		}
		found = true
		if err := use(v); err != nil {
			return s.placed(start, err)
		}
		return nil
	}
	s := fileStream(ctx, f)
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c == '[' || !isDocument(f) {
		return eachRecord(ctx, f, use)
	}
	within := func(use func() error) func(string) error { // of the member "results"
		return func(key string) error {
			if key != "results" {
				return s.skip()
			}
			return use()
		}
	}
	err = s.object(within(func() error {
		return s.only('{', func() error {
			return s.object(within(func() error {
				return s.only('[', func() error {
					return s.array(func() error { return one(s) })
				})
			}))
		})
	}))
	if err == nil {
		err = s.finish()
	}
	if err == nil && !found {
		err = errors.New("the document has no results.results; run promptfoo eval with -o out.json")
	}
	return err
}

// isDocument reports whether the file is one document with results in it, and
// not a result a line.
func isDocument(f ingest.File) bool {
	head := make([]byte, min(f.Size, headBytes))
	n, _ := f.ReadAt(head, 0)
	return look(head[:n], f).has("results.results")
}

// survey finds out which prompts a provider was given, and which tests look
// alike.
func (p *promptfoo) survey(v value) error {
	provider, prompt := promptfooProvider(v), promptfooPrompt(v)
	if !slices.Contains(p.prompts[provider], prompt) {
		p.prompts[provider] = append(p.prompts[provider], prompt)
	}
	if n, ok := v.at("testIdx").number(); ok {
		id := promptfooItem(v)
		if !slices.Contains(p.tests[id], int(n)) {
			p.tests[id] = append(p.tests[id], int(n))
		}
	}
	return nil
}

func promptfooProvider(v value) string {
	prov := v.at("provider")
	for _, name := range []value{prov.at("label"), prov.at("id"), prov} {
		if t := name.str(); t != "" {
			return t
		}
	}
	return "unknown provider"
}

func promptfooPrompt(v value) string {
	for _, name := range []value{v.at("prompt", "label"), v.at("prompt", "raw"), v.at("promptId"), v.at("promptIdx")} {
		if t := name.text(); t != "" {
			return clip(t, 60)
		}
	}
	return ""
}

// promptfooItem returns what a test is known by.
func promptfooItem(v value) string {
	if id := v.at("testCase", "metadata", "id").text(); id != "" {
		return id
	}
	vars := v.at("vars")
	if noMembers(vars) {
		vars = v.at("testCase", "vars")
	}
	if !noMembers(vars) {
		return textID(compact(vars))
	}
	if d := v.at("testCase", "description").text(); d != "" {
		return d
	}
	return v.at("testIdx").text()
}

func (p *promptfoo) result(v value) error {
	b := p.b
	model := promptfooProvider(v)
	if len(p.prompts[model]) > 1 {
		model += " | " + promptfooPrompt(v)
	}
	if !b.wants(model) {
		return nil
	}
	item := promptfooItem(v)
	if item == "" {
		return fmt.Errorf("a result without variables, description or number of its test")
	}
	if n, ok := v.at("testIdx").number(); ok {
		if at := slices.Index(p.tests[item], int(n)); at > 0 {
			item += "#" + strconv.Itoa(at+1)
		}
	}
	b.begin(record{
		item: item, repeat: strconv.Itoa(p.seen.next(model, item)), question: fingerprint(v.at("vars").text()),
		gold: fingerprint(v.at("testCase", "assert").text()), text: b.keepText(v.at("vars")),
	})
	b.attrOf("", v.at("testCase", "metadata"))
	b.attrOf("vars.", v.at("vars"))
	b.attr("description", v.at("testCase", "description").text())
	if reason, _ := v.at("failureReason").number(); reason == 2 || v.at("failureReason") == nil && v.at("error").text() != "" && v.at("gradingResult").null() {
		b.none(ingest.Errored)
		b.count("result", "ended in an error of the provider: failed (promptfoo writes score 0)")
		return nil
	}
	if v.at("gradingResult", "graderError").text() != "" {
		b.none(ingest.Unscored)
		b.count("result", "could not be graded: unscored (promptfoo writes score 0)")
		return nil
	}
	for _, m := range []string{"success", "score"} {
		s, ok := grade(v.at(m))
		if !ok {
			return fmt.Errorf("%s is %s, expected a number", m, clip(v.at(m).text(), 40))
		}
		b.add(m, s)
	}
	for name, val := range v.at("namedScores").members() {
		if s, ok := grade(val); ok {
			b.add(name, s)
		}
	}
	return nil
}
