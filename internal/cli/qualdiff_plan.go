package cli

import (
	"context"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/plan"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// itemPlanFlags are what a plan of items is asked.
type itemPlanFlags struct {
	margin, effect string
	power          float64
	items, repeats int
	discordance    string
	sd, within     string
	design         float64
}

func (f *itemPlanFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.margin, "margin", "", "tolerable loss to plan for, `V`: 1pp, or 2% of the old score of a pilot (default 1pp for scores between 0 and 1)")
	fs.StringVar(&f.effect, "effect", "", "true `CHANGE` of the score to assume, e.g. -0.5pp (default none)")
	fs.Float64Var(&f.power, "power", plan.DefaultAsk().Power, "`CHANCE` of a PASS that the plan is to give")
	fs.IntVar(&f.items, "items", 0, "`NUMBER` of items there are: say what they show")
	fs.StringVar(&f.discordance, "discordance", "", "`PERCENT` of items whose outcome differs between the sides, instead of a pilot: 2% to 5% for nearly the same build, 20% for sampled answers")
	fs.StringVar(&f.sd, "sd", "", "standard deviation of an item's difference, `V` such as 30pp or 0.4, of graded scores; with --within-sd that of the true differences of items")
	fs.StringVar(&f.within, "within-sd", "", "standard deviation of one answer to an item, `V`, both sides' together: says what more answers an item buy")
	fs.IntVar(&f.repeats, "repeats", 0, "`NUMBER` of answers an item to plan with, for --within-sd and pilots with several answers an item (default as in the pilot, or 1)")
	fs.Float64Var(&f.design, "design-effect", 1, "`FACTOR` by which clusters raise the variance; a pilot with --cluster tells its own")
}

// planItems says how many items a decision needs.
func (a *app) planItems() *cobra.Command {
	var (
		in answerFlags
		st itemFlags
		pl itemPlanFlags
	)
	cmd := &cobra.Command{
		Use:   "plan [flags] [BASELINE CANDIDATE]",
		Short: "Say how many items a decision needs, and what a number of items shows",
		Long: `plan says how many items it takes to show that a score is not worse by the margin,
from a pilot pair of evaluations or from given numbers. What decides is not the
score but how many items change their outcome. A request that no number of items
meets ends with exit code 2.`,
		Example: `  qualdiff plan --discordance 5%
  qualdiff plan --margin 2pp --discordance 10% --items 1000
  qualdiff plan --margin 1pp pilot-before.jsonl pilot-after.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.planOfItems(cmd.Context(), args, cmd.Flags(), &in, &st, &pl)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	pl.register(fs)
	st.register(fs)
	in.register(fs, true)
	hideFlags(fs, "by", "critical", "min-items", "flips", "show-text")
	a.out.register(fs)
	return cmd
}

func (a *app) planOfItems(ctx context.Context, args []string, fs *pflag.FlagSet, in *answerFlags, st *itemFlags, pl *itemPlanFlags) error {
	if err := a.out.check(); err != nil {
		return err
	}
	m := report.ItemPlanMeta{Tool: report.Tool{Name: a.name, Version: a.env.Build.Version}, Seed: st.seed, Percent: true}
	var spread plan.ItemSpread
	var pilot *compare.Result
	var err error
	switch {
	case len(args) == 0:
		if spread, m.Percent, err = pl.given(); err != nil {
			return err
		}
	case len(args) == 2:
		if fs.Changed("discordance") || fs.Changed("sd") || fs.Changed("within-sd") || fs.Changed("design-effect") {
			return usage("a pilot and numbers together: give one of them")
		}
		c, ev, err := a.pairItems(ctx, [][]string{args[:1], args[1:]}, in, st, nil)
		if err != nil {
			return err
		}
		if len(c.Results) == 0 || c.Results[0].Items.Matched < 2 {
			return usage("the pilot has no two items with a score on both sides")
		}
		pilot = &c.Results[0]
		spread, m.Percent = spreadOf(pilot), pilot.Metric.Fraction
		m.Metric, m.Label, m.Clusters, m.Notes = report.ItemName(pilot), ev.meta[0].Label+" -> "+ev.meta[1].Label, c.Quality.Cluster, ev.notes
	default:
		return usage("%d inputs: want none, or the two of a pilot", len(args))
	}
	ask, margin, err := pl.ask(st, pilot, m.Percent)
	if err != nil {
		return err
	}
	m.Margin = margin
	p, err := plan.PlanItems(spread, ask)
	if err != nil {
		return usage("%w", err)
	}
	doc := report.BuildItemPlan(&p, m)
	if p.Impossible != nil && ask.Items == 0 {
		return usage("%s", doc.Reasons[0].Text)
	}
	return a.out.write(a.env, doc)
}

// ask turns the flags into differences of scores.
func (f *itemPlanFlags) ask(st *itemFlags, pilot *compare.Result, percent bool) (plan.ItemAsk, *verdict.Margin, error) {
	ask := plan.ItemAsk{Power: f.power, Level: st.level, Items: f.items, Repeats: f.repeats}
	if !(st.level > 0 && st.level < 1) {
		return ask, nil, usage("--level %v: want a share between 0 and 1, for example 0.95", st.level)
	}
	text := f.margin
	if text == "" && percent && f.items == 0 {
		text = "1pp"
	}
	var margin *verdict.Margin
	if text != "" {
		v, relative, err := difference("--margin", text, pilot, percent)
		if err != nil {
			return ask, nil, err
		}
		if !(v > 0) {
			return ask, nil, usage("--margin %s: want more than 0", text)
		}
		ask.Margin = v
		margin = &verdict.Margin{Scale: verdict.Absolute, Value: v}
		if relative > 0 {
			margin = &verdict.Margin{Scale: verdict.Relative, Value: relative}
		}
	}
	if f.effect != "" {
		v, _, err := difference("--effect", f.effect, pilot, percent)
		if err != nil {
			return ask, nil, err
		}
		ask.Effect = -v
		if pilot != nil {
			ask.Effect = pilot.Metric.Loss(0, v)
		}
	}
	return ask, margin, nil
}

// difference reads a difference of scores; of a relative one it also returns the
// share of the pilot's old score.
func difference(flag, text string, pilot *compare.Result, percent bool) (v, relative float64, err error) {
	a, err := verdict.ParseAmount(text)
	switch {
	case err != nil:
		return 0, 0, usage("%s: %w", flag, err)
	case a.Time:
		return 0, 0, usage("%s %s: a score is no time; write for example 1pp", flag, text)
	case a.Scale == verdict.Relative && pilot == nil:
		return 0, 0, usage("%s %s: a share of the old score needs a pilot; write a difference such as 1pp", flag, text)
	case a.Scale == verdict.Relative:
		return a.Value * pilot.Baseline.Value, a.Value, nil
	case a.Points && !percent:
		return 0, 0, usage("%s %s: percentage points are for scores between 0 and 1; write a plain number", flag, text)
	case !a.Points && percent:
		return 0, 0, usage("%s %s has no unit: write for example 1pp", flag, text)
	}
	return a.Value, 0, nil
}

// given is the spread that the user gives.
func (f *itemPlanFlags) given() (s plan.ItemSpread, percent bool, err error) {
	nan := math.NaN()
	s = plan.ItemSpread{Discordance: nan, Planned: nan, Between: nan, Within: nan, DesignEffect: f.design}
	switch {
	case !(f.design >= 1):
		return s, true, usage("--design-effect %v: want a factor from 1", f.design)
	case f.discordance == "" && f.sd == "":
		return s, true, usage("a plan needs a spread: a pilot pair, --discordance (right or wrong) or --sd (graded scores)")
	case f.discordance != "" && f.sd != "":
		return s, true, usage("--discordance is of right or wrong answers, --sd of graded ones: give one of them")
	case f.discordance != "" && f.within != "":
		return s, true, usage("--within-sd goes with --sd")
	case f.discordance != "":
		v, err := verdict.Percent(f.discordance)
		if err != nil || !(v > 0 && v <= 1) {
			return s, true, usage("--discordance %q: want a percentage above 0%% and up to 100%%, for example 5%%", f.discordance)
		}
		s.Discordance, s.Planned = v, v
		return s, true, nil
	}
	sd, err := verdict.ParseAmount(f.sd)
	if err != nil || sd.Scale == verdict.Relative || sd.Time || !(sd.Value > 0) {
		return s, true, usage("--sd %q: want a standard deviation of scores above 0, for example 30pp or 0.4", f.sd)
	}
	s.SD, s.PlannedSD = sd.Value, sd.Value
	if f.within == "" {
		return s, sd.Points, nil
	}
	within, err := verdict.ParseAmount(f.within)
	if err != nil || within.Points != sd.Points || within.Scale == verdict.Relative || within.Time || !(within.Value > 0) {
		return s, sd.Points, usage("--within-sd %q: want a standard deviation above 0 in the unit of --sd %s", f.within, f.sd)
	}
	s.Between, s.Within = sd.Value, within.Value
	f.repeats = max(1, f.repeats)
	return s, sd.Points, nil
}

// upperLevel is the confidence of the upper limit of what was seen in a pilot.
var upperLevel = plan.DefaultAsk().UpperLevel

// spreadOf is the spread of a pilot.
func spreadOf(r *compare.Result) plan.ItemSpread {
	nan := math.NaN()
	it := r.Items
	n := float64(it.Matched)
	s := plan.ItemSpread{Discordance: nan, Planned: nan, Between: nan, Within: nan, DesignEffect: math.Max(1, it.DesignEffect), PilotItems: it.Matched}
	if it.Binary {
		s.Discordance = float64(it.Fell+it.Rose) / n
		s.Planned = s.Discordance
		if w, err := stats.Wilson(int64(it.Fell+it.Rose), int64(it.Matched), 2*upperLevel-1); err == nil {
			s.Planned = w.Interval.Hi
		}
		return s
	}
	s.SD = it.PlainSD
	s.PlannedSD = s.SD
	if u, err := stats.SDUpperLimit(s.SD, n-1, upperLevel); err == nil {
		s.PlannedSD = u
	}
	if noise := it.Repeats; noise != nil {
		s.Between = noise.BetweenSD()
		s.Within = noise.WithinSD()
	}
	return s
}
