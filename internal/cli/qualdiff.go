package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// Qualdiff runs the qualdiff command and returns the process's exit code.
func Qualdiff(ctx context.Context, env Env, args []string) int {
	a := &app{env: env, name: "qualdiff"}
	return a.run(ctx, a.qualdiffTree(), args)
}

func (a *app) qualdiffTree() *cobra.Command {
	root := a.qualdiff()
	root.AddCommand(a.describeItems(), a.planItems())
	complete(root, map[string][]string{"reader": evalNames()})
	return root
}

// qualdiff is the comparison of two evaluations.
func (a *app) qualdiff() *cobra.Command {
	var (
		in         answerFlags
		st         itemFlags
		po         itemPolicyFlags
		conf       configFlags
		baseline   []string
		candidates []string
	)
	cmd := &cobra.Command{
		Use:   "qualdiff [flags] BASELINE CANDIDATE",
		Short: "Judge whether a model or configuration answers worse than before",
		Long: `qualdiff pairs the answers of two evaluations item by item and says PASS (not
worse by more than the margin), FAIL (worse by more), or INCONCLUSIVE, with what
would settle it. Scores between 0 and 1 have a margin of 1pp unless --margin says
otherwise.

An INPUT is what the harness wrote, one file or its folder: lm-evaluation-harness
(--log_samples), Inspect, lighteval, HELM, EvalPlus, SWE-bench, LiveBench,
promptfoo and others, or your own records (Parquet, CSV, JSON lines) with an item
and a score. It is recognised by its content. INPUT#model=NAME takes one model of
a file that holds several; label=INPUT names it in the report.

Exit codes: 0 PASS, 1 FAIL, 2 error, 3 INCONCLUSIVE, 4 EXCEPTION_REQUIRED.`,
		Example: `  qualdiff out/base-model out/quantised-model
  qualdiff --margin 0.5pp --by subject --critical subject=law before.jsonl after.jsonl
  qualdiff -m exact_match --filter strict-match --cluster passage before/ after/
  qualdiff 'judgments.jsonl#model=base' 'judgments.jsonl#model=tuned'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := conf.load(cmd.Name())
			if err != nil {
				return err
			}
			mergeItems(file, cmd.Flags(), &st, &in, &po)
			if conf.print {
				return a.printConfig(file, po.margins, po.limits)
			}
			sides, err := twoSides(cmd, args, baseline, candidates)
			if err != nil {
				return err
			}
			return inPolicy(a.compareItems(cmd.Context(), sides, &in, &st, &po, file), file, cmd.Flags())
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	st.register(fs)
	po.register(fs)
	conf.register(fs, "qualdiff")
	in.register(fs, true)
	fs.StringArrayVar(&baseline, "baseline", nil, "an `INPUT` of the baseline, instead of the first argument; repeatable")
	fs.StringArrayVar(&candidates, "candidate", nil, "an `INPUT` of the candidate, instead of the second argument; repeatable")
	a.out.register(fs)
	return cmd
}

func (a *app) compareItems(ctx context.Context, inputs [][]string, in *answerFlags, st *itemFlags, po *itemPolicyFlags, file *verdict.File) error {
	if err := a.out.check(); err != nil {
		return err
	}
	policy, err := po.policy(file)
	if err != nil {
		return err
	}
	c, ev, err := a.pairItems(ctx, inputs, in, st, &policy)
	if err != nil {
		return err
	}
	if err := a.out.spare(ev.paths()); err != nil {
		return err
	}
	decision := verdict.Decide(c, policy)
	meta, err := a.itemMeta(ev, st, in)
	if err != nil {
		return err
	}
	doc := report.BuildItems(c, decision, meta)
	doc.ExitCode = po.exit(decision.Outcome)
	if a.out.wantsFigures() {
		a.out.figures = itemFigures(c, decision)
	}
	if err := a.out.write(a.env, doc); err != nil {
		return err
	}
	a.code = doc.ExitCode
	return nil
}

// pairItems reads both sides, pairs them and estimates. A policy is held against
// the metrics that are compared.
func (a *app) pairItems(ctx context.Context, inputs [][]string, in *answerFlags, st *itemFlags, policy *verdict.Policy) (*compare.Comparison, *evaluations, error) {
	opt, q, err := st.options()
	if err != nil {
		return nil, nil, err
	}
	pair, err := in.pairing()
	if err != nil {
		return nil, nil, err
	}
	ev, err := a.load(ctx, inputs, in, st)
	if err != nil {
		return nil, nil, err
	}
	if in.universe != "" {
		if pair.Universe, err = a.loader(in).Universe(ctx, in.universe); err != nil {
			return nil, nil, err
		}
	}
	p, err := pairing.Pair(ctx, ev.sets[0], ev.sets[1], pair)
	var conflict *pairing.ConflictError
	if errors.As(err, &conflict) {
		return nil, nil, conflictError(conflict)
	}
	if err != nil {
		return nil, nil, err
	}
	ev.free()
	var items []metric.Item
	score := func(name string, lo, hi float64) *metric.Metric {
		m := st.score(name, lo, hi, ev.lower)
		items = append(items, metric.Item{Metric: m, Estimands: []metric.Estimand{{Kind: metric.Mean}}})
		return m
	}
	c, err := compare.CompareQuality(ctx, p, score, opt, q)
	switch {
	case errors.As(err, new(*compare.AttributeError)):
		return nil, nil, usage("--%w", err)
	case err != nil:
		return nil, nil, err
	}
	slices.SortFunc(items, func(a, b metric.Item) int { return strings.Compare(a.Metric.Name, b.Metric.Name) }) // they come in any order
	c.Fingerprint = ev.fingerprint
	if policy != nil {
		if err := policy.Check(items); err != nil {
			return nil, nil, usage("%w", err)
		}
	}
	return c, ev, st.checkDirections(items)
}

// conflictError says what to do about rows that disagree.
func conflictError(e *pairing.ConflictError) error {
	side := [...]string{"baseline", "candidate"}[e.Side]
	return errors.New("the " + side + "'s " + e.Error() + ". If a column tells them apart, name it with --column repeat=COLUMN (or task, filter, turn); else say which holds with --duplicates first, last or mean")
}

// itemMeta describes the inputs; checksums are made only where a report shows
// them.
func (a *app) itemMeta(ev *evaluations, st *itemFlags, in *answerFlags) (report.ItemMeta, error) {
	if a.out.wants("json", "html") {
		if err := ev.hashes(); err != nil {
			return report.ItemMeta{}, err
		}
	}
	return report.ItemMeta{Tool: report.Tool{Name: a.name, Version: a.env.Build.Version}, Seed: st.seed, Sides: ev.meta, Notes: ev.notes, Flips: in.flips}, nil
}

// meanLimit lets a limit on a score go without its estimand.
func meanLimit(text string) string {
	if i := strings.IndexAny(text, "<>"); i > 0 && !strings.HasSuffix(strings.TrimSpace(text[:i]), ":mean") {
		return strings.TrimSpace(text[:i]) + ":mean" + text[i:]
	}
	return text
}
