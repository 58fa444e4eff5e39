package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/evals"
	"github.com/perfdiff/perfdiff/internal/report"
)

type answerFormat = ingest.AnswerFormat

// evaluations are the answers of one or two sides, with what reports say of
// where they come from.
type evaluations struct {
	sets        [2][]*ingest.AnswerSet
	meta        []report.ItemSide
	notes       []report.Note
	lower       []string
	fingerprint [2]map[string]string
}

// free lets go of the answers, which are no longer needed once they are paired.
func (ev *evaluations) free() { ev.sets = [2][]*ingest.AnswerSet{} }

func (a *app) loader(in *answerFlags) *evals.Loader {
	return &evals.Loader{Force: in.reader, Stdin: a.env.Stdin}
}

// load reads all inputs of one or two sides.
func (a *app) load(ctx context.Context, inputs [][]string, in *answerFlags, st *itemFlags) (*evaluations, error) {
	columns, err := in.byHand()
	if err != nil {
		return nil, err
	}
	if err := checkInputs(inputs); err != nil {
		return nil, err
	}
	ev := &evaluations{}
	opt := ingest.AnswerOptions{KeepText: in.showText, Columns: columns}
	labels := make([][]label, len(inputs))
	for side, list := range inputs {
		ev.meta = append(ev.meta, report.ItemSide{Runs: len(list)})
		ev.fingerprint[side] = map[string]string{}
		var paths []string
		for _, input := range list {
			l, path, model := splitInput(input)
			if model != "" {
				path += "#model=" + model
			}
			if slices.Contains(paths, path) {
				return nil, usage("%s is named twice: a side counts a file once", path)
			}
			labels[side], paths = append(labels[side], l), append(paths, path)
			read, err := a.loadInput(ctx, path, in, opt, scoreNames(st.metrics))
			if err != nil {
				return nil, err
			}
			ev.add(side, read)
		}
	}
	for i, name := range sideNames(labels) {
		ev.meta[i].Label = name
	}
	if err := ev.noteCopies(); err != nil {
		return nil, err
	}
	return ev, ev.choose(st, len(inputs))
}

// noteCopies remarks on files of a side that hold the same bytes. Repeats of a
// model that draws nothing may be equal, so they are no error. Checksums are
// made only where sizes agree.
func (ev *evaluations) noteCopies() error {
	for _, m := range ev.meta {
		size, ofSize := map[string]int64{}, map[int64]int{}
		for _, f := range m.Files {
			info, err := os.Stat(f.Path)
			if _, again := size[f.Path]; again || err != nil {
				continue // another model of a file; standard input
			}
			size[f.Path] = info.Size()
			ofSize[info.Size()]++
		}
		first := map[string]string{} // path by checksum
		for _, f := range m.Files {
			if ofSize[size[f.Path]] < 2 {
				continue
			}
			sum, err := hashFile(f.Path)
			if err != nil {
				return err
			}
			switch other, ok := first[sum]; {
			case !ok:
				first[sum] = f.Path
			case other != f.Path:
				ev.notes = append(ev.notes, report.Note{Code: "same_bytes", Text: fmt.Sprintf("%s and %s hold the same bytes: a copy is no repeat", other, f.Path)})
			}
		}
	}
	return nil
}

// scoreNames are the asked metrics without their estimand.
func scoreNames(asked []string) []string {
	out := make([]string, len(asked))
	for i, a := range asked {
		out[i] = strings.TrimSuffix(a, ":mean")
	}
	return out
}

// loadInput reads an input. Own records may keep a score in a column that only
// its name among the asked metrics makes one.
func (a *app) loadInput(ctx context.Context, path string, in *answerFlags, opt ingest.AnswerOptions, asked []string) (*evals.Side, error) {
	read, err := a.loader(in).Load(ctx, path, opt)
	if len(asked) == 0 || path == "-" {
		return read, err
	}
	if err == nil {
		found := map[string]bool{}
		for i := range read.Answers {
			found[read.Answers[i].Metric] = true
		}
		if !slices.ContainsFunc(asked, func(m string) bool { return !found[m] }) {
			return read, nil
		}
	}
	opt.Scores = asked
	again, errAgain := a.loader(in).Load(ctx, path, opt)
	switch {
	case errAgain == nil:
		return again, nil
	case err == nil:
		return read, nil // choose says which metrics there are
	}
	return nil, errAgain
}

// add takes what one input holds.
func (ev *evaluations) add(side int, read *evals.Side) {
	ev.sets[side] = append(ev.sets[side], read.AnswerSet)
	m := &ev.meta[side]
	for _, f := range read.Files {
		m.Files = append(m.Files, report.FileMeta{Path: f.Path, Reader: f.Format})
		m.Rows = append(m.Rows, int64(f.Answers))
	}
	for _, n := range read.Notes {
		note := report.Note{Code: "reading", Text: sideNote(read, n)}
		if !slices.Contains(ev.notes, note) {
			ev.notes = append(ev.notes, note)
		}
	}
	for _, name := range read.LowerIsBetter {
		if !slices.Contains(ev.lower, name) {
			ev.lower = append(ev.lower, name)
		}
	}
	for _, kv := range read.Fingerprint {
		fp := ev.fingerprint[side]
		switch had := fp[kv.Key]; {
		case had == "":
			fp[kv.Key] = kv.Value
		case !slices.Contains(strings.Split(had, ", "), kv.Value):
			fp[kv.Key] = had + ", " + kv.Value
		}
	}
}

// sideNote begins a remark of a reader with the name of its file.
func sideNote(read *evals.Side, note string) string {
	if len(read.Files) == 0 {
		return note
	}
	name := filepath.Base(read.Files[0].Path)
	if len(read.Files) > 1 {
		name = filepath.Base(filepath.Dir(read.Files[0].Path))
	}
	if strings.Contains(note, name) {
		return note
	}
	return ingest.DisplayPath(name) + ": " + note
}

// choose keeps the answers of the asked metrics, tasks and filters, and counts
// what is left.
func (ev *evaluations) choose(st *itemFlags, sides int) error {
	asked := scoreNames(st.metrics)
	for _, c := range []struct {
		flag, what string
		want       []string
		of         func(*ingest.Answer) string
	}{
		{"metric", "metric", asked, func(a *ingest.Answer) string { return a.Metric }},
		{"task", "task", st.tasks, func(a *ingest.Answer) string { return a.Task }},
		{"filter", "filter", st.filters, func(a *ingest.Answer) string { return a.Filter }},
	} {
		if err := ev.keep(c.flag, c.what, c.want, c.of); err != nil {
			return err
		}
	}
	for side := range sides {
		m := &ev.meta[side]
		for _, set := range ev.sets[side] {
			for i := range set.Answers {
				switch set.Answers[i].State {
				case ingest.Scored:
					m.Scored++
				case ingest.Unscored:
					m.Unscored++
				default:
					m.Failed++
				}
			}
		}
	}
	return nil
}

// keep leaves out the answers that are not wanted.
func (ev *evaluations) keep(flag, what string, want []string, of func(*ingest.Answer) string) error {
	if len(want) == 0 {
		return nil
	}
	found := map[string]bool{}
	for _, sets := range ev.sets {
		for _, set := range sets {
			kept := set.Answers[:0]
			for i := range set.Answers {
				word := of(&set.Answers[i])
				found[word] = true
				if slices.Contains(want, word) {
					kept = append(kept, set.Answers[i])
				}
			}
			set.Answers = kept
		}
	}
	for _, w := range want {
		if !found[w] {
			var words []string
			for f := range found {
				words = append(words, orUnnamed(f))
			}
			slices.Sort(words)
			const most = 30
			if len(words) > most {
				words = append(words[:most], "…")
			}
			return usage("--%s %s: there is no such %s; there are %s", flag, w, what, strings.Join(words, ", "))
		}
	}
	return nil
}

func orUnnamed(s string) string {
	if s == "" {
		return "one without a name"
	}
	return s
}

func (ev *evaluations) paths() []string {
	var out []string
	for _, m := range ev.meta {
		for _, f := range m.Files {
			out = append(out, f.Path)
		}
	}
	return out
}

// hashes fills in the checksum of every file.
func (ev *evaluations) hashes() error {
	for i := range ev.meta {
		for j := range ev.meta[i].Files {
			f := &ev.meta[i].Files[j]
			if f.Path == "-" {
				continue
			}
			sum, err := hashFile(f.Path)
			if err != nil {
				return err
			}
			f.SHA256 = sum
		}
	}
	return nil
}

func hashFile(path string) (sum string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, cause(err))
	}
	defer file.Close()
	return checksum(path, file)
}
