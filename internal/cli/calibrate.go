package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/calibrate"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// calibrateFlags say how an input is split and what is written.
type calibrateFlags struct {
	margins    []string
	runs       int
	splits     int
	writeNoise string
}

func (f *calibrateFlags) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.margins, "margin", nil, "margin to judge by, `[METRIC[:ESTIMAND]=]V`; repeatable (default 5% for latencies, 0.5pp for rates)")
	fs.IntVar(&f.runs, "runs", 0, "`NUMBER` of runs of each side of a split (default half of them)")
	fs.IntVar(&f.splits, "splits", calibrate.DefaultOptions().Most, "largest `NUMBER` of splits; if there are more, as many are drawn")
	fs.StringVar(&f.writeNoise, "write-noise", "", "also write the noise between runs to `FILE`, for --run-noise @FILE")
}

// calibrate compares the runs of one input with each other.
func (a *app) calibrate() *cobra.Command {
	var (
		in   inputFlags
		st   statFlags
		ca   calibrateFlags
		conf configFlags
	)
	cmd := &cobra.Command{
		Use:   "calibrate [flags] INPUT...",
		Short: "Measure false alarms and noise between runs where nothing changed (A/A)",
		Long: `calibrate splits the runs of one input (a side, or past nights) into two halves
in all ways, or in many, and judges each split by the policy, although nothing
changed. It says how often the verdict would have been FAIL or INCONCLUSIVE, how
far runs differ, and which margins the runs allow. A single run is cut into
blocks of time.`,
		Example: `  perfdiff calibrate 'nightly/*.parquet'
  perfdiff calibrate --write-noise noise.json nightly/
  perfdiff --run-noise @noise.json before.parquet after.parquet`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := conf.load(cmd.Root().Name())
			if err != nil {
				return err
			}
			merge(file, cmd.Flags(), &st, &in)
			if conf.print {
				return a.printConfig(file, ca.margins, nil)
			}
			if len(args) == 0 {
				return usage("no input: want %s INPUT; see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return inPolicy(a.calibrateInputs(cmd.Context(), args, &in, &st, &ca, file), file, cmd.Flags())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	ca.register(fs)
	st.register(fs)
	conf.register(fs, "perfdiff")
	in.register(fs)
	a.out.register(fs)
	return cmd
}

func (a *app) calibrateInputs(ctx context.Context, args []string, in *inputFlags, st *statFlags, ca *calibrateFlags, file *verdict.File) (err error) {
	if err := a.out.check(); err != nil {
		return err
	}
	opt, err := st.options(in)
	if err != nil {
		return err
	}
	how := calibrate.DefaultOptions()
	how.Size, how.Most, how.Seed = ca.runs, ca.splits, st.seed
	switch {
	case opt.Unit == compare.Request, opt.Unit == compare.Session, opt.Unit == compare.Block:
		return usage("--unit %s: parts of one run are no splits of what repeats; want run or replica", opt.Unit)
	case opt.Interval == compare.BootstrapInterval:
		return usage("--interval bootstrap: calibrate measures the t interval; leave it out")
	case ca.runs < 0:
		return usage("--runs %d: want at least 1", ca.runs)
	case ca.splits < 2 || ca.splits > 100_000:
		return usage("--splits %d: want 2 to 100000", ca.splits)
	}
	po := policyFlags{margins: ca.margins}
	policy, err := po.policy(file)
	if err != nil {
		return err
	}
	policy.Limits = nil // they are about one side alone
	s, err := open(a.env, [][]string{args}, in)
	if err != nil {
		return err
	}
	s.unpaired(file)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := a.out.spare(s.paths()); err != nil {
		return err
	}
	if err := s.needRecords("calibrate"); err != nil {
		return err
	}
	if err := notAnInput("--write-noise", ca.writeNoise, s.paths()); err != nil {
		return err
	}
	items, err := a.items(s, st, nil)
	if err != nil {
		return err
	}
	if err := policy.Check(items); err != nil {
		return usage("%w", err)
	}
	parts, err := a.parts(ctx, s, items, opt, compare.Want{Verdicts: true, Blocks: opt.Batches})
	if err != nil {
		return err
	}
	result, err := calibrate.Measure(ctx, parts, policy, how)
	if err != nil {
		return fmt.Errorf("%s: %w", s.meta[0].Label, err)
	}
	meta, err := a.meta(s, st)
	if err != nil {
		return err
	}
	if ca.writeNoise != "" {
		if err := writeNoise(ca.writeNoise, parts, s.meta[0].Label); err != nil {
			return err
		}
	}
	return a.out.write(a.env, report.BuildCalibration(result, parts, how, meta))
}

// writeNoise writes the noise file whole or not at all.
func writeNoise(path string, parts *compare.Parts, label string) error {
	table, err := calibrate.Noise(parts)
	if err != nil {
		return fmt.Errorf("--write-noise %s: %w", path, err)
	}
	var b bytes.Buffer
	if err := calibrate.WriteNoise(&b, table, label); err != nil {
		return err
	}
	st, err := stage(path, b.Bytes())
	if err != nil {
		return fmt.Errorf("%s: %w", path, cause(err))
	}
	if err := os.Rename(st.tmp, st.path); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, cause(err)), os.Remove(st.tmp))
	}
	return nil
}

// readNoise reads the file that --run-noise @FILE names.
func readNoise(path string) (*compare.NoiseTable, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, usage("--run-noise @%s: %w", path, cause(err))
	}
	const largest = 1 << 20
	if len(data) > largest {
		return nil, usage("--run-noise @%s: %d bytes: a noise file has at most %d", path, len(data), largest)
	}
	t, err := calibrate.ReadNoise(path, data)
	if err != nil {
		return nil, usageError{err}
	}
	return &t, nil
}
