package metric

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Pairing says which records of a side have a partner on the other side: those
// whose word in a column is Matched. A file has the column, or names its run.
type Pairing struct {
	Column  string
	Matched func(word string) bool
}

// WithoutPartner counts the records that Pairing left out.
func (s *Side) WithoutPartner() int64 { return s.Counts[ingest.Unpaired] }

// NamesRun reports whether the word of a column is the name of the file: of runs,
// where no column holds them and each file is one.
func (f *File) NamesRun(column string) bool {
	return column == ingest.Run.String() && f.Label != "" && !f.HasColumn(column)
}

// runName is the name of the file without its directories: the sides lie in two.
func (f *File) runName() string { return path.Base(filepath.ToSlash(f.Label)) }

// RunWords is what a column says of the requests of one run, successful or not.
type RunWords struct {
	Run     string
	Words   []string // the least two of its words; one where the run has one
	Missing int64    // requests without a word
}

// WordsOfRuns reads what a column says of every run of every side, in the order
// of the runs. Runs without a request are left out.
func WordsOfRuns(ctx context.Context, sides []Input, column string, s Scan) ([][]RunWords, error) {
	looked := everyRecord(sides)
	s.Progress = nil
	plan := Plan{SkipTimes: true, Words: []string{column}}
	workers, _, err := s.scan(ctx, looked, &plan, func() worker {
		return &runWordsWorker{inputs: looked, column: column, runs: make([]map[string]*RunWords, len(looked))}
	})
	if err != nil {
		return nil, err
	}
	out := make([][]RunWords, len(sides))
	for side := range sides {
		all := map[string]*RunWords{}
		for _, w := range workers {
			for label, r := range w.(*runWordsWorker).runs[side] { // no order matters: the least two words stay
				have := all[label]
				if have == nil {
					all[label] = r
					continue
				}
				have.Missing += r.Missing
				for _, word := range r.Words {
					have.note(word)
				}
			}
		}
		for _, r := range all {
			out[side] = append(out[side], *r)
		}
		slices.SortFunc(out[side], func(a, b RunWords) int { return strings.Compare(a.Run, b.Run) })
	}
	return out, nil
}

// note keeps a word if it is one of the least two.
func (r *RunWords) note(word string) {
	at, known := slices.BinarySearch(r.Words, word)
	if known || at == 2 {
		return
	}
	r.Words = slices.Insert(r.Words, at, strings.Clone(word)) // a reader may reuse the memory of its words
	r.Words = r.Words[:min(2, len(r.Words))]
}

// runWordsWorker is the worker of WordsOfRuns.
type runWordsWorker struct {
	inputs []Input
	column string
	runs   []map[string]*RunWords // by side and label
	groups grouper
}

func (w *runWordsWorker) frame(side, file int, f *ingest.Frame) error {
	if w.runs[side] == nil {
		w.runs[side] = map[string]*RunWords{}
	}
	of, col := &w.inputs[side].Files[file], f.Words[0]
	for _, g := range w.groups.split(f, nil) {
		var r *RunWords
		last := int32(-1)
		g.each(func(i int) {
			if o := f.Reasons[i].Outcome(); o != ingest.OK && o != ingest.Failed {
				return
			}
			if r == nil {
				r = w.run(side, g.unit(of.Label))
				if of.NamesRun(w.column) {
					r.note(of.runName())
				}
			}
			if of.NamesRun(w.column) {
				return
			}
			switch id := code(col, i); {
			case id < 0 || col.Dict[id] == "":
				r.Missing++
			case id != last:
				last = id
				r.note(col.Dict[id])
			}
		})
	}
	return nil
}

func (w *runWordsWorker) run(side int, label string) *RunWords {
	r := w.runs[side][label]
	if r == nil {
		r = &RunWords{Run: strings.Clone(label)}
		w.runs[side][r.Run] = r
	}
	return r
}
