package cli

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/plan"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// planFlags are what a plan is asked.
type planFlags struct {
	margins   []string
	effect    string
	power     float64
	runs      int
	requests  float64
	runSD, sd string
	runSDRuns int
}

func (f *planFlags) register(fs *pflag.FlagSet) {
	d := plan.DefaultAsk()
	fs.StringArrayVar(&f.margins, "margin", nil, "tolerable harm to plan for, `[METRIC[:ESTIMAND]=]V`; repeatable (default 5% for latencies, 0.5pp for rates)")
	fs.StringVar(&f.effect, "effect", "", "true `CHANGE` to assume, e.g. 2%, -3.5%, 8ms (default none); without a margin: the change to show")
	fs.Float64Var(&f.power, "power", d.Power, "`CHANCE` of a decision that the plan is to give")
	fs.IntVar(&f.runs, "runs", 0, "`NUMBER` of runs a side that is fixed: say what it shows")
	fs.Float64Var(&f.requests, "requests", 0, "`NUMBER` of requests of a run (default as in the pilot)")
	fs.StringVar(&f.runSD, "run-sd", "", "standard deviation from run to run, `V` such as 4% or 0.8ms, instead of a pilot")
	fs.IntVar(&f.runSDRuns, "run-sd-runs", 0, "`NUMBER` of runs that --run-sd was estimated from: its upper limit is planned with")
	fs.StringVar(&f.sd, "sd", "", "standard deviation of single requests, `V` such as 50% or 10ms, instead of a pilot")
}

// given reports whether numbers are given instead of a pilot.
func (f *planFlags) given() bool { return f.runSD != "" || f.sd != "" }

func (f *planFlags) ask(st *statFlags) (plan.Ask, error) {
	a := plan.DefaultAsk()
	a.Power, a.Level, a.Runs, a.Requests = f.power, st.level, f.runs, f.requests
	a.MaxRuns = verdict.Default().MaxRuns
	if f.requests != 0 && !(f.requests >= 1 && f.requests <= 1e12) {
		return a, usage("--requests %v: want a number from 1", f.requests)
	}
	if f.effect != "" {
		e, err := verdict.ParseAmount(f.effect)
		if err != nil {
			return a, usage("--effect: %w", err)
		}
		a.Effect = &e
	}
	if err := a.Validate(); err != nil {
		return a, usage("%w", err)
	}
	return a, nil
}

// plan says how many runs and requests a decision needs.
func (a *app) plan() *cobra.Command {
	var (
		in   inputFlags
		st   statFlags
		pl   planFlags
		conf configFlags
	)
	cmd := &cobra.Command{
		Use:   "plan [flags] [INPUT...]",
		Short: "Say how many runs and requests a decision needs, and what a design shows",
		Long: `plan says before a measurement how many runs and requests a side a decision
needs, from the spread of a pilot INPUT or from given numbers, and what other
designs would show. A standard deviation from few runs is planned at its upper
80 % limit. A request that no amount of data meets ends with exit code 2.`,
		Example: `  perfdiff plan pilot.parquet
  perfdiff plan -m ttft:p99 --margin 3% --power 0.9 nightly/
  perfdiff plan --run-sd 4% --margin 5%
  perfdiff plan --run-sd 4% --runs 5
  perfdiff plan --sd 10ms --margin 5ms`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if pl.given() && len(args) > 0 {
				return usage("%s stands beside --run-sd or --sd: a plan is made from a pilot or from given numbers", args[0])
			}
			for _, name := range []string{"runs", "requests", "run-sd-runs"} {
				if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "0" {
					return usage("--%s 0: want a number above 0, or leave the flag out", name)
				}
			}
			file, err := conf.load(cmd.Root().Name())
			if err != nil {
				return err
			}
			merge(file, cmd.Flags(), &st, &in)
			if conf.print {
				return a.printConfig(file, pl.margins, nil)
			}
			if pl.given() {
				return inPolicy(a.planNumbers(&st, &pl), file, cmd.Flags())
			}
			if len(args) == 0 {
				return usage("nothing to plan from: want %s INPUT, or a spread with --run-sd or --sd; see %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return inPolicy(a.planPilot(cmd.Context(), args, &in, &st, &pl, file), file, cmd.Flags())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	pl.register(fs)
	st.register(fs)
	conf.register(fs, "perfdiff")
	in.register(fs)
	a.out.register(fs)
	return cmd
}

// planNumbers plans from given numbers.
func (a *app) planNumbers(st *statFlags, pl *planFlags) error {
	if err := a.out.check(); err != nil {
		return err
	}
	ask, err := pl.ask(st)
	if err != nil {
		return err
	}
	n, err := pl.numbers(st.metrics)
	if err != nil {
		return err
	}
	row, err := plan.FromNumbers(n, ask)
	if err != nil {
		return usage("%w", err)
	}
	if row.Impossible == nil && row.Runs == 0 && row.Requests == 0 && len(row.BySize) == 0 && math.IsNaN(row.MDE) {
		return usage("--sd alone asks nothing: add --margin or --effect to be told the requests, or --requests to be told what they show")
	}
	doc := report.BuildPlan([]plan.Row{row}, ask, nil, report.Meta{Tool: report.Tool{Name: a.name, Version: a.env.Build.Version}, Seed: st.seed})
	return a.writePlan(doc)
}

func (f *planFlags) numbers(metrics []string) (plan.Numbers, error) {
	n := plan.Numbers{RunSDRuns: f.runSDRuns}
	for _, x := range []struct {
		flag, text string
		into       **verdict.Amount
	}{{"--run-sd", f.runSD, &n.RunSD}, {"--sd", f.sd, &n.SD}} {
		if x.text == "" {
			continue
		}
		v, err := verdict.ParseAmount(x.text)
		if err != nil {
			return n, usage("%s: %w", x.flag, err)
		}
		*x.into = &v
	}
	if len(f.margins) > 1 || len(metrics) > 1 {
		return n, usage("given numbers are those of one metric: want one --margin and one --metric at most")
	}
	for _, m := range f.margins {
		r, err := verdict.ParseMargin(m)
		if err != nil {
			return n, usage("%w", err)
		}
		v, plain := r.Amount()
		if !plain {
			return n, usage("--margin %s: given numbers are those of one metric, so want the margin alone", m)
		}
		n.Margin = &v
	}
	for _, text := range metrics {
		name, est, has := strings.Cut(text, ":")
		m, ok := metric.Known(name)
		if !ok {
			return n, usage("--metric %s: given numbers are those of a known metric: %s", text, metric.Names())
		}
		n.Metric, n.Estimand = m, metric.Estimand{Kind: metric.Mean}
		if m.Kind == metric.Share || m.Kind == metric.PerRun {
			n.Estimand.Kind = metric.Rate
		}
		if has {
			e, err := metric.ParseEstimand(est)
			if err != nil {
				return n, usage("--metric %s: %w", text, err)
			}
			n.Estimand = e
		}
	}
	return n, nil
}

// planPilot plans from the spread of an input.
func (a *app) planPilot(ctx context.Context, args []string, in *inputFlags, st *statFlags, pl *planFlags, file *verdict.File) (err error) {
	if err := a.out.check(); err != nil {
		return err
	}
	if pl.runSDRuns != 0 {
		return usage("--run-sd-runs goes with --run-sd")
	}
	ask, err := pl.ask(st)
	if err != nil {
		return err
	}
	opt, err := st.options(in)
	if err != nil {
		return err
	}
	if opt.Interval == compare.BootstrapInterval {
		return usage("--interval bootstrap: a plan rests on the t interval; leave it out")
	}
	if opt.Unit == compare.Session || opt.Unit == compare.Block {
		return usage("--unit %s: a plan asks for runs or requests; want auto, run, replica or request", opt.Unit)
	}
	po := policyFlags{margins: pl.margins}
	policy, err := po.policy(file)
	if err != nil {
		return err
	}
	policy.Limits = nil
	s, err := open(a.env, [][]string{args}, in)
	if err != nil {
		return err
	}
	s.unpaired(file)
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := a.out.spare(s.paths()); err != nil {
		return err
	}
	if err := s.needRecords("plan from a pilot"); err != nil {
		return err
	}
	items, err := a.items(s, st, nil)
	if err != nil {
		return err
	}
	if err := policy.Check(items); err != nil {
		return usage("%w", err)
	}
	parts, err := a.parts(ctx, s, items, opt, compare.Want{})
	if err != nil {
		return err
	}
	rows, err := plan.FromPilot(parts, policy, ask)
	if err != nil {
		return err
	}
	meta, err := a.meta(s, st)
	if err != nil {
		return err
	}
	return a.writePlan(report.BuildPlan(rows, ask, parts, meta))
}

// writePlan writes a plan, unless nothing in it can be met.
func (a *app) writePlan(doc *report.Document) error {
	if why := report.PlanFailure(doc); why != "" {
		return usage("%s", why)
	}
	return a.out.write(a.env, doc)
}

// parts reads one input, with a progress bar where it helps.
func (a *app) parts(ctx context.Context, s *session, items []metric.Item, opt compare.Options, want compare.Want) (*compare.Parts, error) {
	if !a.env.StderrTTY || a.out.noProgress || a.out.quiet {
		return compare.ReadParts(ctx, s.inputs(items, nil), opt, want)
	}
	p := startProgress(a.env.Stderr, s.rows())
	defer p.end()
	return compare.ReadParts(ctx, s.inputs(items, p.add), opt, want)
}
