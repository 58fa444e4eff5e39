package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/internal/report"
)

// describeItems shows one side: scores with intervals and data quality.
func (a *app) describeItems() *cobra.Command {
	var in answerFlags
	var st itemFlags
	cmd := &cobra.Command{
		Use:   "describe [flags] INPUT...",
		Short: "Show one side: scores with intervals, noise between repeats, data quality",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("no input: want %s INPUT; see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return a.describeAnswers(cmd.Context(), args, &in, &st)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	st.register(fs)
	in.register(fs, false)
	hideFlags(fs, "critical")
	a.out.register(fs)
	return cmd
}

// hideFlags takes out of the help what has no effect.
func hideFlags(fs *pflag.FlagSet, names ...string) {
	for _, n := range names {
		if f := fs.Lookup(n); f != nil {
			f.Hidden = true
		}
	}
}

func (a *app) describeAnswers(ctx context.Context, args []string, in *answerFlags, st *itemFlags) error {
	if err := a.out.check(); err != nil {
		return err
	}
	opt, q, err := st.options()
	if err != nil {
		return err
	}
	pair, err := in.pairing()
	if err != nil {
		return err
	}
	ev, err := a.load(ctx, [][]string{args}, in, st)
	if err != nil {
		return err
	}
	if err := a.out.spare(ev.paths()); err != nil {
		return err
	}
	p, err := pairing.Pair(ctx, ev.sets[0], nil, pair)
	var conflict *pairing.ConflictError
	if errors.As(err, &conflict) {
		return conflictError(conflict)
	}
	if err != nil {
		return err
	}
	var items []metric.Item
	c, err := compare.DescribeQuality(ctx, p, func(name string, lo, hi float64) *metric.Metric {
		m := st.score(name, lo, hi, ev.lower)
		items = append(items, metric.Item{Metric: m})
		return m
	}, opt, q)
	switch {
	case errors.As(err, new(*compare.AttributeError)):
		return usage("--%w", err)
	case err != nil:
		return err
	}
	if err := st.checkDirections(items); err != nil {
		return err
	}
	c.Fingerprint = ev.fingerprint
	meta, err := a.itemMeta(ev, st, in)
	if err != nil {
		return err
	}
	return a.out.write(a.env, report.BuildItemDescription(c, meta))
}
