package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// Exit codes besides those of a verdict.
const exitError = 2

// Perfdiff runs the perfdiff command and returns the process's exit code.
func Perfdiff(ctx context.Context, env Env, args []string) int {
	a := &app{env: env, name: "perfdiff"}
	return a.run(ctx, a.perfdiffTree(), args)
}

func (a *app) perfdiffTree() *cobra.Command {
	root := a.perfdiff()
	root.AddCommand(a.describe(), a.plan(), a.calibrate(), a.convert(), a.schema())
	complete(root, map[string][]string{"reader": readerNames(), "metric": metric.RegisteredNames()})
	return root
}

// Trees returns both programs with all their commands, for manuals and
// completions. They are not to be executed.
func Trees() []*cobra.Command {
	trees := []*cobra.Command{(&app{name: "perfdiff"}).perfdiffTree(), (&app{name: "qualdiff"}).qualdiffTree()}
	for _, root := range trees {
		root.InitDefaultCompletionCmd()
	}
	return trees
}

// app carries what the commands of one program share.
type app struct {
	env  Env
	name string
	out  outputFlags
	code int
}

func (a *app) run(ctx context.Context, root *cobra.Command, args []string) int {
	a.out.command = commandLine(a.name, args)
	root.SetArgs(args)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Version = a.env.Build.String()
	root.SetFlagErrorFunc(flagError)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return a.code
	}
	code, text := "input", err.Error()
	var u usageError
	switch {
	case errors.As(err, &u):
		code = "usage"
	case errors.Is(err, context.Canceled):
		code, text = "interrupted", "interrupted before the report was made"
	}
	if (a.out.format == "json" || asksForJSON(args)) && !a.out.quiet {
		_ = report.WriteJSONError(a.env.Stdout, code, text)
	}
	fmt.Fprintf(a.env.Stderr, "%s: %s\n", a.name, report.Printable(text))
	return exitError
}

// flagError is the error of a flag that cannot be read; of an unknown one it
// lists the flags there are.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usage("%w; see %s --help", err, cmd.CommandPath())
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	slices.Sort(names)
	return usage("%w; flags are %s; see %s --help", err, strings.Join(names, ", "), cmd.CommandPath())
}

// asksForJSON reports whether the arguments ask for JSON. It is for errors in
// the flags, which stop the reading of those behind.
func asksForJSON(args []string) bool {
	for i, a := range args {
		if a == "--" {
			break
		}
		if a == "--format=json" || a == "--format" && i+1 < len(args) && args[i+1] == "json" {
			return true
		}
	}
	return false
}

// perfdiff is the comparison of two sides.
func (a *app) perfdiff() *cobra.Command {
	var (
		in         inputFlags
		st         statFlags
		po         policyFlags
		conf       configFlags
		baseline   []string
		candidates []string
	)
	cmd := &cobra.Command{
		Use:   "perfdiff [flags] BASELINE CANDIDATE",
		Short: "Judge whether a performance change of a serving system is real",
		Long: `perfdiff compares per-request records of two sides and says PASS, FAIL or
INCONCLUSIVE. The unit of evidence is the run: each file of a side is one run,
unless a run column says otherwise.

An INPUT is a file (Parquet, Arrow, CSV, JSON lines), a directory, a quoted glob,
or - for standard input; label=INPUT names it in the report, and INPUT#model=NAME
takes one model of files that hold several.

Exit codes: 0 PASS, 1 FAIL, 2 error, 3 INCONCLUSIVE, 4 EXCEPTION_REQUIRED.`,
		Example: `  perfdiff before.parquet after.parquet
  perfdiff --margin 3% --margin ttft:p99=20ms before/ after/
  perfdiff -m ttft:p99 --limit 'ttft:p99<=800ms' --format json 'nightly/*.parquet' tonight.parquet`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := conf.load(cmd.Name())
			if err != nil {
				return err
			}
			merge(file, cmd.Flags(), &st, &in)
			if conf.print {
				return a.printConfig(file, po.margins, po.limits)
			}
			sides, err := twoSides(cmd, args, baseline, candidates)
			if err != nil {
				return err
			}
			if in.explain {
				return a.explain(cmd.Context(), sides, &in)
			}
			return inPolicy(a.compare(cmd.Context(), sides, &in, &st, &po, file), file, cmd.Flags())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	st.register(fs)
	po.register(fs)
	conf.register(fs, "perfdiff")
	in.register(fs)
	fs.StringVar(&in.pair, "pair", "", "pair the runs of the two sides by this `COLUMN`, which holds one word in every run (a night, a block, a host), or match the requests of one run a side by it (prompt_id): what a pair shares cancels, and what has no partner is left out")
	fs.BoolVar(&in.movers, "movers", false, "search the columns of words, and pairs of them, for slices whose change differs most from that of the rest")
	fs.StringArrayVar(&baseline, "baseline", nil, "an `INPUT` of the baseline, instead of the first argument; repeatable")
	fs.StringArrayVar(&candidates, "candidate", nil, "an `INPUT` of the candidate, instead of the second argument; repeatable")
	a.out.register(fs)
	return cmd
}

func twoSides(cmd *cobra.Command, args, baseline, candidates []string) ([][]string, error) {
	switch {
	case len(baseline) > 0 && len(candidates) > 0 && len(args) == 0:
		return [][]string{baseline, candidates}, nil
	case len(baseline) > 0 && len(candidates) == 0 && len(args) == 1:
		return [][]string{baseline, args}, nil
	case len(baseline) == 0 && len(candidates) > 0 && len(args) == 1:
		return [][]string{args, candidates}, nil
	case len(baseline) == 0 && len(candidates) == 0 && len(args) == 2:
		return [][]string{args[:1], args[1:]}, nil
	case len(args) == 0 && len(baseline)+len(candidates) == 0:
		return nil, usage("no inputs: want %s BASELINE CANDIDATE; see %s --help", cmd.Name(), cmd.CommandPath())
	case len(baseline) > 0 && len(args)+len(candidates) == 0:
		return nil, usage("--baseline alone: want a candidate too, as an argument or with --candidate")
	case len(candidates) > 0 && len(args)+len(baseline) == 0:
		return nil, usage("--candidate alone: want a baseline too, as an argument or with --baseline")
	case len(baseline) > 0 && len(candidates) > 0:
		return nil, usage("%s stands beside --baseline and --candidate, which name both sides", args[0])
	case len(args) == 1:
		return nil, usage("one input (%s): want two, BASELINE and CANDIDATE, or %s describe %s for one side", args[0], cmd.Name(), args[0])
	}
	return nil, usage("%d inputs: want two, BASELINE and CANDIDATE; several files of a side go into --baseline and --candidate, a directory or a quoted glob", len(args)+len(baseline)+len(candidates))
}

func (a *app) compare(ctx context.Context, inputs [][]string, in *inputFlags, st *statFlags, po *policyFlags, file *verdict.File) (err error) {
	if err := a.out.check(); err != nil {
		return err
	}
	opt, err := st.options(in)
	if err != nil {
		return err
	}
	opt.Strata = a.out.wantsStrata()
	policy, err := po.policy(file)
	if err != nil {
		return err
	}
	s, err := open(a.env, inputs, in)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := a.out.spare(s.paths()); err != nil {
		return err
	}
	items, err := a.items(s, st, policy.Limits)
	if err != nil {
		return err
	}
	if err := policy.Check(items); err != nil {
		return usage("%w", err)
	}
	if a.out.wantsFigures() {
		if items, err = forFigures(ctx, items, s.sides); err != nil {
			return err
		}
	}
	c, err := a.estimate(ctx, s, items, opt, compare.Compare)
	if err != nil {
		return err
	}
	if c.SameData, err = s.sameData(); err != nil {
		return err
	}
	decision := verdict.Decide(c, policy)
	meta, err := a.meta(s, st)
	if err != nil {
		return err
	}
	doc := report.Build(c, decision, meta)
	doc.ExitCode = po.exit(decision.Outcome)
	if a.out.wantsFigures() {
		if a.out.figures, err = figuresOf(ctx, s, c, items, decision); err != nil {
			return err
		}
	}
	if err := a.out.write(a.env, doc); err != nil {
		return err
	}
	a.code = doc.ExitCode
	return nil
}

// items selects what is compared.
func (a *app) items(s *session, st *statFlags, limits []verdict.Limit) ([]metric.Item, error) {
	var asks []string
	for _, l := range limits {
		asks = append(asks, l.Ask())
	}
	defined, err := st.defined()
	if err != nil {
		return nil, err
	}
	if len(defined) > 0 {
		if err := s.needRecords("an objective or a cost (--slo, --gpu-hour)"); err != nil {
			return nil, err
		}
	}
	dirs := metric.Directions{Higher: st.higher, Lower: st.lower}
	items, err := metric.Select(st.metrics, asks, defined, dirs, s.layouts)
	if err != nil {
		if where := st.wrongAsk(limits, func(ask string) bool {
			_, err := metric.Select([]string{ask}, nil, defined, dirs, s.layouts)
			return err != nil
		}); where != "" {
			return nil, usage("%s: %w", where, err)
		}
		return nil, usage("%w", err)
	}
	if len(st.metrics) == 0 && !hasLatency(items) {
		return nil, fmt.Errorf("%s: no latency column was found, and no metric was named. Columns are %s. Name a metric with --metric COLUMN, or map a column with --column ttft=COLUMN:ms",
			s.meta[0].Files[0].Path, ingest.ColumnNames(s.opened[0].Source.Columns()))
	}
	return items, nil
}

func hasLatency(items []metric.Item) bool {
	for _, it := range items {
		if it.Metric.Latency || it.Named {
			return true
		}
	}
	return false
}

// estimate reads the inputs, with a progress bar where it helps.
func (a *app) estimate(ctx context.Context, s *session, items []metric.Item, opt compare.Options,
	run func(context.Context, compare.Inputs, compare.Options) (*compare.Comparison, error)) (*compare.Comparison, error) {
	if !a.env.StderrTTY || a.out.noProgress || a.out.quiet {
		return run(ctx, s.inputs(items, nil), opt)
	}
	p := startProgress(a.env.Stderr, s.rows())
	defer p.end()
	return run(ctx, s.inputs(items, p.add), opt)
}

// meta describes the inputs; checksums are made only where a report shows them.
func (a *app) meta(s *session, st *statFlags) (report.Meta, error) {
	if a.out.wantsHashes(s) {
		if err := s.hashes(); err != nil {
			return report.Meta{}, err
		}
	}
	return report.Meta{Tool: report.Tool{Name: a.name, Version: a.env.Build.Version}, Seed: st.seed, Sides: s.meta, Notes: s.notes}, nil
}
