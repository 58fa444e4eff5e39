package evals

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// Loader reads the answers of one side from what a user names. The zero value
// detects every format and unpacks gzip and zstd.
type Loader struct {
	// Force names the reader to use whatever the content looks like.
	Force string
	// Stdin is read where the input is "-".
	Stdin io.Reader
	// Unpack replaces a compressed file by its content; nil does so for gzip and
	// zstd.
	Unpack func(f ingest.File) (ingest.File, func() error, error)
}

// FileRead is a file whose answers were read.
type FileRead struct {
	Path, Format string
	Answers      int
}

// Side is the answers that an input holds.
type Side struct {
	*ingest.AnswerSet
	Files []FileRead
}

// Load reads an INPUT: a file, a directory with all its files of evaluation
// output, a quoted glob, or "-"; followed by "#model=NAME" where it holds
// several models. The files are those of one side, each of another task or
// another part of one.
//
// Of several runs of the same task by the same model, which folders collect
// over time, the newest by the date in the name is read, and a note says so.
// Files without a date that answer the same items are an error that names them.
func (l *Loader) Load(ctx context.Context, input string, opt ingest.AnswerOptions) (*Side, error) {
	input, model := ingest.SplitModel(input)
	if model != "" {
		opt.Model = model
	}
	paths, many, err := ingest.Expand(input, hidden)
	if err != nil {
		return nil, err
	}
	j := joiner{input: input, model: opt.Model, beside: map[string][]string{}}
	for _, p := range paths {
		if err := l.file(ctx, p, many, opt, &j); err != nil {
			return nil, err
		}
	}
	return j.side()
}

// hidden passes over files that begin with a dot. An underscore hides nothing:
// lm-evaluation-harness begins the folder of a local model with it.
func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// file reads one file for the joiner. Of many, those that hold no answers are
// passed over.
func (l *Loader) file(ctx context.Context, path string, many bool, opt ingest.AnswerOptions, j *joiner) (err error) {
	opener := ingest.Opener{Unpack: l.Unpack, Stdin: l.Stdin}
	if opener.Unpack == nil {
		opener.Unpack = unpack
	}
	in, err := opener.OpenFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if in.File.Size == 0 {
		if many {
			j.pass(path, "it is empty")
			return nil
		}
		return fmt.Errorf("%s: the file is empty; expected one of %s", path, names())
	}
	r, hint, err := l.choose(in.File)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if hint != "" || r.read == nil {
		if hint == "" {
			hint = "its content is none of " + names()
		}
		if many {
			j.hint(path, hint)
			return nil
		}
		return fmt.Errorf("%s: %w: %s", path, ErrNoAnswers, hint)
	}
	if path != "-" {
		if opt.Siblings, err = j.siblings(filepath.Dir(path)); err != nil {
			return err
		}
		opt.Sibling = func(name string) (ingest.File, func() error, error) {
			beside, err := opener.OpenFile(filepath.Join(filepath.Dir(path), name))
			if err != nil {
				return ingest.File{}, nil, err
			}
			return beside.File, beside.Close, nil
		}
	}
	plain := in.File // names tell readers the task: without the ending of a packed file
	plain.Path = strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	set, err := r.read(ctx, plain, opt)
	switch {
	case err == nil:
		j.add(path, r.name, set)
	case many && errors.Is(err, ErrNoModel):
		j.other(path, err)
	case many && errors.Is(err, ErrNoAnswers):
		j.pass(path, err.Error())
	default:
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// choose returns the reader of a file, or a hint why it has none.
func (l *Loader) choose(f ingest.File) (r reader, hint string, err error) {
	all := readers()
	if l.Force != "" {
		i := slices.IndexFunc(all, func(r reader) bool { return r.name == l.Force })
		if i < 0 {
			return r, "", fmt.Errorf("there is no reader %q; readers are %s", l.Force, names())
		}
		return all[i], "", nil
	}
	head := make([]byte, min(f.Size, headBytes))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return r, "", err
	}
	s := look(head, f)
	last := len(all) - 1 // plain records match nearly everything
	for _, r := range all[:last] {
		if r.match(s) {
			return r, "", nil
		}
	}
	for _, r := range all {
		if r.aggregate != nil {
			if hint := r.aggregate(s); hint != "" {
				return reader{}, hint, nil
			}
		}
	}
	if all[last].match(s) {
		return all[last], "", nil
	}
	return reader{}, "", nil
}

func unpack(f ingest.File) (ingest.File, func() error, error) { return textio.Decompress(f, "") }

// siblings lists the files of a folder.
func (j *joiner) siblings(dir string) ([]string, error) {
	if known, ok := j.beside[dir]; ok {
		return known, nil
	}
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && !hidden(e.Name()) {
			out = append(out, e.Name())
		}
	}
	j.beside[dir] = out
	return out, nil
}

// names lists the readers for messages.
func names() string {
	var out []string
	for _, r := range readers() {
		out = append(out, r.name)
	}
	return strings.Join(out, ", ")
}
