package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/plots"
	"github.com/perfdiff/perfdiff/internal/report"
)

// render makes one format; text is how that one is laid out.
func (f *outputFlags) render(doc *report.Document, format string, text report.TextOptions) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch format {
	case "json":
		err = report.WriteJSON(&b, doc)
	case "markdown":
		err = report.WriteMarkdown(&b, doc)
	case "html":
		var opt report.HTMLOptions
		if opt, err = f.figures.html(); err == nil {
			opt.Command = f.command
			err = report.WriteHTML(&b, doc, opt)
		}
	case "junit":
		err = report.WriteJUnit(&b, doc)
	case "github":
		err = report.WriteGitHub(&b, doc)
	case "gitlab":
		err = report.WriteGitLab(&b, doc)
	default:
		err = report.WriteText(&b, doc, text)
	}
	return b.Bytes(), err
}

// write renders the report to every output file, then to standard output. The
// files appear whole and together: where one cannot be written, none is.
func (f *outputFlags) write(env Env, doc *report.Document) (err error) {
	if f.wantsFigures() && len(f.figures.all) == 0 && len(doc.Plan) > 0 {
		f.figures = planFigures(doc)
	}
	var staged []staging
	defer func() {
		for _, st := range staged {
			_ = os.Remove(st.tmp) // those not renamed
		}
	}()
	put := func(path string, b []byte) error {
		st, err := stage(path, b)
		if err != nil {
			return fmt.Errorf("%s: %w", path, cause(err))
		}
		staged = append(staged, st)
		return nil
	}
	for _, path := range f.files {
		format, err := formatOf(path)
		if err != nil {
			return err
		}
		var b []byte
		if slices.Contains(figureFormats, format) {
			// Data that cannot be drawn take nothing from the verdict.
			if b, err = f.figures.single(format); err != nil {
				fmt.Fprintf(env.Stderr, "%s was not written: %s\n", path, report.Printable(err.Error()))
				continue
			}
		} else if b, err = f.render(doc, format, report.TextOptions{Verbose: f.verbose}); err != nil {
			return err
		}
		if err := put(path, b); err != nil {
			return err
		}
	}
	if f.plots != "" {
		if err := f.writePlots(env, put); err != nil {
			return err
		}
	}
	for _, st := range staged {
		if err := os.Rename(st.tmp, st.path); err != nil {
			return fmt.Errorf("%s: %w", st.path, cause(err))
		}
	}
	if err := f.writeSummary(env, doc); err != nil {
		return err
	}
	if f.quiet {
		return nil
	}
	b, err := f.render(doc, f.format, f.onStdout(env))
	if err != nil {
		return err
	}
	if _, err := env.Stdout.Write(b); err != nil {
		return fmt.Errorf("standard output: %w", cause(err))
	}
	return nil
}

// writePlots writes every figure into a directory, which it makes.
func (f *outputFlags) writePlots(env Env, put func(string, []byte) error) error {
	if err := os.MkdirAll(f.plots, 0o777); err != nil {
		return fmt.Errorf("--plots %s: %w", f.plots, cause(err))
	}
	for _, m := range f.figures.missing {
		if f.quiet {
			break
		}
		fmt.Fprintf(env.Stderr, "no figure: %s\n", report.Printable(m))
	}
	for _, fig := range f.figures.all {
		b, err := fig.SVG(plots.Options{})
		if err != nil {
			fmt.Fprintf(env.Stderr, "no figure: %s\n", report.Printable(err.Error()))
			continue
		}
		if err := put(filepath.Join(f.plots, fig.ID+".svg"), b); err != nil {
			return err
		}
	}
	return nil
}

// writeSummary appends the Markdown report to the summary of a GitHub step.
func (f *outputFlags) writeSummary(env Env, doc *report.Document) error {
	path, ok := env.lookup("GITHUB_STEP_SUMMARY")
	if f.format != "github" || !ok || path == "" {
		return nil
	}
	b, err := f.render(doc, "markdown", report.TextOptions{})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %s: %w", path, cause(err))
	}
	_, err = file.Write(append(b, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %s: %w", path, cause(err))
	}
	return nil
}

// commandLine writes a command so that a shell reads it back.
func commandLine(name string, args []string) string {
	words := []string{name}
	for _, a := range args {
		if a == "" || strings.ContainsFunc(a, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,%+@", r))
		}) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// staging is a file written beside its place.
type staging struct{ tmp, path string }

func stage(path string, b []byte) (st staging, err error) {
	if path, err = writable(path); err != nil {
		return st, err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".perfdiff-*")
	if err != nil {
		return st, err
	}
	_, err = tmp.Write(b)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return staging{tmp.Name(), path}, err
}

// writable returns the place to rename a file to: where path is a link, what it
// leads to. A device, a pipe or a directory is never replaced by a file.
func writable(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return path, err
	case info.IsDir():
		return path, errors.New("is a directory")
	case !info.Mode().IsRegular():
		return path, errors.New("is not a regular file; leave the option out to write to standard output")
	}
	return filepath.EvalSymlinks(path)
}

// cause leaves out of a file error the name of the temporary file.
func cause(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// spare reports an output file that would overwrite an input.
func (f *outputFlags) spare(inputs []string) error {
	for _, path := range f.files {
		if err := notAnInput("--output", path, inputs); err != nil {
			return err
		}
	}
	return nil
}

// notAnInput reports a file to write that is an input.
func notAnInput(flag, path string, inputs []string) error {
	out, err := os.Stat(path)
	if path == "" || err != nil {
		return nil
	}
	for _, in := range inputs {
		if st, err := os.Stat(in); err == nil && os.SameFile(out, st) {
			return usage("%s %s: that file is an input", flag, path)
		}
	}
	return nil
}
