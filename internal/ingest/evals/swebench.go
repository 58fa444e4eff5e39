package evals

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// sweLists are the lists of a SWE-bench report, the deciding first. The lists
// that say what was done with an instance, and not how it ended, score nothing.
var sweLists = []struct {
	name  string
	score score
}{
	{"resolved_ids", flag(true)},
	{"error_ids", errored},
	{"infra_failure_ids", errored},
	{"ambiguous_failure_ids", errored},
	{"empty_patch_ids", flag(false)},
	{"unresolved_ids", flag(false)},
	{"completed_ids", flag(false)},
	{"submitted_ids", errored},
	{"incomplete_ids", unscored},
	// before reports had a version
	{"resolved", flag(true)},
	{"install_fail", errored},
	{"reset_failed", errored},
	{"test_errored", errored},
	{"test_timeout", errored},
	{"no_apply", flag(false)},
	{"no_generation", flag(false)},
	{"applied", flag(false)},
	{"with_logs", flag(false)},
	{"generated", flag(false)},
}

func isSWEBench(s *shape) bool {
	if s.in != jsonObject {
		return false
	}
	if s.kind("resolved_ids") == '[' || s.kind("resolved") == '[' && s.any("generated", "applied") {
		return true
	}
	inner := s.members // logs/…/report.json: one instance
	return len(inner) > 1 && inner[0].kind == '{' && s.any(inner[0].path+".patch_successfully_applied", inner[0].path+".patch_is_None") && s.has(inner[0].path+".resolved")
}

// readSWEBench reads a report of SWE-bench, of both versions, or the report of
// one instance. The repository of an instance is an attribute, to cluster by.
//
// A report of version 2 lists all instances of the data set, so those nobody
// submitted are known; an older one does not, and instances that are in no list
// are missing without a trace.
func readSWEBench(ctx context.Context, f ingest.File, opt ingest.AnswerOptions) (*ingest.AnswerSet, error) {
	b := newBuilder(opt)
	var top value
	err := eachRecord(ctx, f, func(v value) error {
		if top != nil {
			return fmt.Errorf("found a second report, expected one")
		}
		top = slices.Clone(v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := sweReport{b: b}
	if top.at("resolved_ids") == nil && top.at("resolved").kind() != '[' {
		for id, v := range top.members() {
			r.instance(id, v)
		}
		return b.finish()
	}
	if m := sweModel(f.Path); m != "" && !b.wants(m) {
		_, err := b.chosen()
		return nil, err
	}
	if err := r.lists(top); err != nil {
		return nil, err
	}
	return b.finish()
}

// sweModel takes the model from the name {model}.{run}.json of a report.
func sweModel(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".json")
	i := strings.LastIndexByte(base, '.')
	if i <= 0 || !strings.Contains(base[:i], "__") {
		return ""
	}
	return strings.Replace(base[:i], "__", "/", 1)
}

type sweReport struct{ b *builder }

func (r *sweReport) add(id string, s score) {
	r.b.begin(record{item: id, text: id})
	r.b.attr("repo", sweRepo(id))
	r.b.add("resolved", s)
}

// sweRepo takes the repository from an id: django/django of
// django__django-11099.
func sweRepo(id string) string {
	owner, rest, ok := strings.Cut(id, "__")
	i := strings.LastIndexByte(rest, '-')
	if !ok || i < 0 {
		return ""
	}
	return owner + "/" + rest[:i]
}

func (r *sweReport) lists(top value) error {
	b := r.b
	b.force("repo")
	where := map[string]int{} // the deciding list of an instance
	var ids []string
	twoVersions := top.at("resolved_ids") != nil
	for i, l := range sweLists {
		for e := range top.at(l.name).elements() {
			id := e.str()
			if id == "" {
				return fmt.Errorf("list %s holds %s, expected ids", l.name, clip(e.text(), 40))
			}
			if _, ok := where[id]; !ok {
				where[id] = i
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	inDataset := 0
	for _, id := range ids {
		l := sweLists[where[id]]
		switch l.name {
		case "incomplete_ids":
			inDataset++
			continue // nothing was submitted: missing, not wrong
		case "submitted_ids":
			b.count("instance", "submitted and in no other list: failed, or not of the data set")
		case "no_generation", "empty_patch_ids":
			b.count("instance", "had an empty patch: not resolved")
		}
		if l.name != "submitted_ids" {
			inDataset++
		}
		r.add(id, l.score)
	}
	if !twoVersions {
		b.note("this older report lists only instances that were tried: name the ids that should be there with --universe")
		return nil
	}
	total, ok := top.at("total_instances").number()
	if !ok || int(total) != inDataset {
		b.note("the report lists %d of %s instances: name the ids that should be there with --universe", inDataset, top.at("total_instances").text())
		return nil
	}
	for _, id := range ids {
		if sweLists[where[id]].name != "submitted_ids" {
			b.universe = append(b.universe, [2]string{"", id})
		}
	}
	return nil
}

// instance reads the report of one instance.
func (r *sweReport) instance(id string, v value) {
	resolved, ok := v.at("resolved").truth()
	failed, _ := v.at("infra_failure").truth()
	switch {
	case failed:
		r.add(id, errored)
	case ok:
		r.add(id, flag(resolved))
	default:
		r.add(id, unscored)
	}
	r.b.force("repo")
}

func aggregateSWEBench(s *shape) string {
	if s.records() && s.has("instance_id", "model_patch") {
		return "it holds the patches of SWE-bench before they were tested; run swebench.harness.run_evaluation and give the report it writes"
	}
	return ""
}
