package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perfdiff/perfdiff/internal/report"
)

func render(doc *report.Document, format string, color bool) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch format {
	case "json":
		err = report.WriteJSON(&b, doc)
	case "markdown":
		err = report.WriteMarkdown(&b, doc)
	default:
		err = report.WriteText(&b, doc, report.TextOptions{Color: color})
	}
	return b.Bytes(), err
}

// write renders the report to every output file, then to standard output. The
// files appear whole and together: where one cannot be written, none is.
func (f *outputFlags) write(env Env, doc *report.Document) (err error) {
	var staged []staging
	defer func() {
		for _, st := range staged {
			_ = os.Remove(st.tmp) // those not renamed
		}
	}()
	for _, path := range f.files {
		format, err := formatOf(path)
		if err != nil {
			return err
		}
		b, err := render(doc, format, false)
		if err != nil {
			return err
		}
		st, err := stage(path, b)
		if err != nil {
			return fmt.Errorf("%s: %w", path, cause(err))
		}
		staged = append(staged, st)
	}
	for _, st := range staged {
		if err := os.Rename(st.tmp, st.path); err != nil {
			return fmt.Errorf("%s: %w", st.path, cause(err))
		}
	}
	if f.quiet {
		return nil
	}
	b, err := render(doc, f.format, f.useColor(env))
	if err != nil {
		return err
	}
	if _, err := env.Stdout.Write(b); err != nil {
		return fmt.Errorf("standard output: %w", cause(err))
	}
	return nil
}

// staging is a file written beside its place.
type staging struct{ tmp, path string }

func stage(path string, b []byte) (st staging, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return st, errors.New("is a directory")
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
func (f *outputFlags) spare(s *session) error {
	for _, path := range f.files {
		out, err := os.Stat(path)
		if err != nil {
			continue
		}
		for _, in := range s.opened {
			if st, err := os.Stat(in.Path); err == nil && os.SameFile(out, st) {
				return usage("--output %s: that file is an input", path)
			}
		}
	}
	return nil
}
