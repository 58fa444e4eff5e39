package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
)

// convert writes records of any layout as one Parquet file of the canonical
// schema.
func (a *app) convert() *cobra.Command {
	var in inputFlags
	var output string
	cmd := &cobra.Command{
		Use:   "convert [flags] INPUT... -o FILE.parquet",
		Short: "Write records of any layout as one Parquet file of the canonical schema",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usage("no input: want %s INPUT -o FILE.parquet", cmd.CommandPath())
			case !strings.HasSuffix(output, ".parquet"):
				return usage("--output %q: want a file ending in .parquet", output)
			}
			if in.explain {
				return a.explain(cmd.Context(), [][]string{args}, &in)
			}
			return a.convertInputs(cmd.Context(), args, output, &in)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	in.registerReading(fs)
	fs.StringVarP(&output, "output", "o", "", "the Parquet `FILE` to write")
	return cmd
}

func (a *app) convertInputs(ctx context.Context, args []string, output string, in *inputFlags) (err error) {
	if err := oneModelEach("convert", args); err != nil {
		return err
	}
	s, err := open(a.env, [][]string{args}, in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.needRecords("convert"); err != nil {
		return err
	}
	if err := notAnInput("--output", output, s.paths()); err != nil {
		return err
	}
	files := s.sides[0].Files
	meta := []ingest.KeyValue{{Key: ingest.SchemaKey, Value: ingest.SchemaVersion}}
	var inputs []arrowio.RecordInput
	seen := map[string]bool{ingest.SchemaKey: true}
	for i, f := range files {
		r := arrowio.RecordInput{Path: f.Path, Source: f.Source, Layout: f.Layout}
		if len(files) > 1 {
			r.Run = f.Label
		}
		inputs = append(inputs, r)
		kvs := append([]ingest.KeyValue{{Key: "perfdiff.reader", Value: s.opened[i].Format}}, f.Source.Metadata()...)
		for _, kv := range kvs {
			if !seen[kv.Key] && (strings.HasPrefix(kv.Key, "fingerprint.") || strings.HasPrefix(kv.Key, "perfdiff.")) {
				seen[kv.Key] = true
				meta = append(meta, kv)
			}
		}
	}
	var rows int64
	var notes []string
	err = streamFile(output, func(w io.Writer) (err error) {
		rows, notes, err = arrowio.WriteRecords(ctx, w, inputs, meta)
		return err
	})
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(a.env.Stderr, n)
	}
	_, err = fmt.Fprintf(a.env.Stdout, "%s: %d records\n", output, rows)
	return err
}

// schema prints the canonical record schema.
func (a *app) schema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the canonical record schema",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.env.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "column\ttype\tunit\twhat it is")
			for _, c := range ingest.CanonicalSchema() {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Name, c.Type, c.Unit, c.Text)
			}
			return w.Flush()
		},
	}
}

// streamFile replaces path by what write writes, whole or not at all.
func streamFile(path string, write func(io.Writer) error) (err error) {
	place, err := writable(path)
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, cause(err))
	}
	tmp, err := os.CreateTemp(filepath.Dir(place), ".perfdiff-*")
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, cause(err))
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
		}
	}()
	w := bufio.NewWriterSize(tmp, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), tmp.Chmod(0o644), tmp.Close()); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", path, cause(err))
	}
	return os.Rename(tmp.Name(), place)
}
