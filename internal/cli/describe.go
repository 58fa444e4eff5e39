package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// describe shows one side: percentiles with intervals and data quality.
func (a *app) describe() *cobra.Command {
	var in inputFlags
	var st statFlags
	cmd := &cobra.Command{
		Use:   "describe [flags] INPUT...",
		Short: "Show one side: percentiles with intervals, rates, data quality",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no input: want %s INPUT; see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			if in.explain {
				return a.explain(cmd.Context(), [][]string{args}, &in)
			}
			return a.describeInputs(cmd.Context(), args, &in, &st)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	st.register(fs)
	in.registerReading(fs)
	in.registerRuns(fs)
	a.out.register(fs)
	return cmd
}

func (a *app) describeInputs(ctx context.Context, args []string, in *inputFlags, st *statFlags) (err error) {
	if err := a.out.check(); err != nil {
		return err
	}
	opt, err := st.options(in)
	if err != nil {
		return err
	}
	s, err := open(a.env, [][]string{args}, in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := a.out.spare(s.paths()); err != nil {
		return err
	}
	items, err := a.items(s, st, nil)
	if err != nil {
		return err
	}
	c, err := a.estimate(ctx, s, items, opt, compare.Describe)
	if err != nil {
		return err
	}
	meta, err := a.meta(s, st)
	if err != nil {
		return err
	}
	if a.out.wantsFigures() {
		if a.out.figures, err = figuresOf(ctx, s, c, items, verdict.Decision{}); err != nil {
			return err
		}
	}
	return a.out.write(a.env, report.BuildDescription(c, meta))
}
