package cli

import (
	"bytes"
	"fmt"
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

// write renders the report to every output file, then to standard output.
func (f *outputFlags) write(env Env, doc *report.Document) error {
	for _, path := range f.files {
		format, err := formatOf(path)
		if err != nil {
			return err
		}
		b, err := render(doc, format, false)
		if err != nil {
			return err
		}
		if err := writeFile(path, b); err != nil {
			return err
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
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// writeFile replaces path by b whole: it writes beside it and renames.
func writeFile(path string, b []byte) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".perfdiff-*")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name())
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	if _, err = tmp.Write(b); err != nil {
		_ = tmp.Close()
		return err
	}
	if err = tmp.Chmod(0o644); err != nil {
		_ = tmp.Close()
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
