package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest/evals"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// answerFlags say how answers are read and paired.
type answerFlags struct {
	columns    []string
	reader     string
	files      string
	duplicates string
	mismatch   string
	universe   string
	flips      int
	showText   bool
}

// register adds the flags; those of pairing only where two sides are read.
func (f *answerFlags) register(fs *pflag.FlagSet, pairs bool) {
	fs.StringArrayVar(&f.columns, "column", nil, "map a `FIELD=COL` of your own records by hand: item, task, metric, score, filter, turn, repeat, cluster, status, gold, question, model; repeatable")
	fs.StringVar(&f.reader, "reader", "", "force a `READER` instead of recognising it: "+strings.Join(evalNames(), ", "))
	fs.StringVar(&f.files, "files", "runs", "`WHAT` the inputs of one side are: runs over the same items, averaged inside the item, or parts of one run")
	fs.StringVar(&f.duplicates, "duplicates", "error", "`WHICH` of several rows that disagree about the same answer holds: error, first, last, mean (equal rows are one)")
	if !pairs {
		return
	}
	fs.StringVar(&f.mismatch, "mismatch", "drop", "`WHAT` to do with an item whose question or expected answer differs between the sides: drop, keep")
	fs.StringVar(&f.universe, "universe", "", "`FILE` of the items that should be there: ids, one a line, or any file that names them")
	fs.IntVar(&f.flips, "flips", 10, "list at most this `NUMBER` of items that became worse; the JSON report has all")
	fs.BoolVar(&f.showText, "show-text", false, "show the text of the items that are listed, where the files have it")
}

func (f *answerFlags) pairing() (pairing.Options, error) {
	var opt pairing.Options
	var err error
	if opt.Duplicates, err = pairing.ParseDuplicates(f.duplicates); err != nil {
		return opt, usage("--duplicates: %w", err)
	}
	switch f.files {
	case "runs":
		opt.Runs = true
	case "parts":
	default:
		return opt, usage("--files %s: want runs or parts", f.files)
	}
	switch f.mismatch {
	case "keep":
		opt.KeepMismatched = true
	case "drop", "":
	default:
		return opt, usage("--mismatch %s: want drop or keep", f.mismatch)
	}
	if f.flips < 0 {
		return opt, usage("--flips %d: want a number from 0", f.flips)
	}
	if f.reader != "" && !slices.ContainsFunc(evals.Formats, func(r answerFormat) bool { return r.Name == f.reader }) {
		return opt, usage("there is no reader %q; readers are %s", f.reader, strings.Join(evalNames(), ", "))
	}
	return opt, nil
}

// byHand reads the columns that are mapped.
func (f *answerFlags) byHand() (map[string]string, error) {
	out := map[string]string{}
	for _, c := range f.columns {
		field, col, ok := strings.Cut(c, "=")
		if !ok || field == "" || col == "" {
			return nil, usage("--column %s: want FIELD=COLUMN, for example item=question_id", c)
		}
		if had, twice := out[field]; twice && had != col {
			return nil, usage("--column %s: %s is already %s", c, field, had)
		}
		out[field] = col
	}
	return out, nil
}

// evalNames lists the readers of evaluations.
func evalNames() []string {
	names := make([]string, len(evals.Formats))
	for i, f := range evals.Formats {
		names[i] = f.Name
	}
	return names
}

// itemFlags say what is compared and how.
type itemFlags struct {
	metrics, tasks, filters []string
	higher, lower           []string
	by, critical            []string
	cluster, errors         string
	least                   int
	level                   float64
	seed                    uint64
}

func (f *itemFlags) register(fs *pflag.FlagSet) {
	q := compare.DefaultQualityOptions()
	fs.StringArrayVarP(&f.metrics, "metric", "m", nil, "compare this `METRIC`: a score of the harness, or a numeric column of your own records; repeatable (default all)")
	fs.StringArrayVar(&f.tasks, "task", nil, "compare this `TASK` only; repeatable")
	fs.StringArrayVar(&f.filters, "filter", nil, "compare the answers of this `FILTER` only; repeatable")
	fs.StringArrayVar(&f.higher, "higher-is-better", nil, "more of this `METRIC` is better; repeatable")
	fs.StringArrayVar(&f.lower, "lower-is-better", nil, "less of this `METRIC` is better; repeatable")
	fs.StringVar(&f.cluster, "cluster", "", "`COLUMN` whose values hold items that depend on each other: a passage, a template, a source (also task, item)")
	fs.StringVar(&f.errors, "errors", "bound", "`WHAT` an item without a score on a side counts as: bound, the verdict must hold for the worst and the best it could have been; wrong; drop")
	fs.StringArrayVar(&f.by, "by", nil, "also show every value of this `COLUMN` as a slice; repeatable")
	fs.StringArrayVar(&f.critical, "critical", nil, "make a slice, `COLUMN=VALUE`, a gate of its own; repeatable")
	fs.IntVar(&f.least, "min-items", q.MinSupport, "`NUMBER` of items from which a slice is given an interval")
	fs.Float64Var(&f.level, "level", compare.DefaultOptions().Level, "two-sided confidence `LEVEL` of the intervals; gates read the same interval")
	fs.Uint64Var(&f.seed, "seed", q.Seed, "`NUMBER` that seeds every random draw")
}

func (f *itemFlags) options() (compare.Options, compare.QualityOptions, error) {
	opt, q := compare.DefaultOptions(), compare.DefaultQualityOptions()
	if opt.Level = f.level; !(f.level > 0 && f.level < 1) {
		return opt, q, usage("--level %v: want a share between 0 and 1, for example 0.95", f.level)
	}
	var err error
	if q.Missing, err = compare.ParseMissing(f.errors); err != nil {
		return opt, q, usage("--errors: %w", err)
	}
	if q.MinSupport = f.least; f.least < 1 {
		return opt, q, usage("--min-items %d: want a number from 1", f.least)
	}
	for _, text := range f.critical {
		s, err := compare.ParseSlice(text)
		if err != nil {
			return opt, q, usage("--critical: %w", err)
		}
		q.Critical = append(q.Critical, s)
	}
	q.By, q.Cluster, q.Seed = f.by, f.cluster, f.seed
	return opt, q, nil
}

// score makes a metric of a name and the range of its scores.
func (f *itemFlags) score(name string, lo, hi float64, lower []string) *metric.Metric {
	m := metric.Score(name, lo, hi, lower)
	switch {
	case slices.Contains(f.higher, name):
		m.Direction = metric.HigherIsBetter
	case slices.Contains(f.lower, name):
		m.Direction = metric.LowerIsBetter
	}
	return m
}

// checkDirections holds that the metrics whose direction is given are compared.
func (f *itemFlags) checkDirections(items []metric.Item) error {
	for _, n := range f.higher {
		if slices.Contains(f.lower, n) {
			return usage("--higher-is-better %s and --lower-is-better %s contradict each other: say one", n, n)
		}
	}
	for _, flag := range []struct {
		name  string
		names []string
	}{{"--higher-is-better", f.higher}, {"--lower-is-better", f.lower}} {
		for _, n := range flag.names {
			if !slices.ContainsFunc(items, func(it metric.Item) bool { return it.Metric.Name == n }) {
				return usage("%s %s: %s is not among the metrics compared", flag.name, n, n)
			}
		}
	}
	return nil
}

// itemPolicyFlags are what the change is held against.
type itemPolicyFlags struct {
	policyFlags
	criticalMargin string
	gate           string
}

func (f *itemPolicyFlags) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.margins, "margin", nil, "tolerable loss, `[METRIC=]V`: 1pp, or 2% of the old score, or a plain number for a score that is no share; repeatable (default 1pp for scores between 0 and 1)")
	fs.StringVar(&f.criticalMargin, "critical-margin", "", "tolerable loss of critical slices, `V` (default as --margin)")
	fs.StringVar(&f.gate, "gate", "all", "`WHICH` results of a metric with several tasks are gates: all, tasks, averages, micro, macro; all leaves out tasks with too few items for their margin")
	fs.StringArrayVar(&f.limits, "limit", nil, "absolute bound on the candidate, `METRIC>=V`, also >, <=, <; repeatable")
	fs.StringVar(&f.onInconclusive, "on-inconclusive", "", "`HOW` to exit when the verdict is INCONCLUSIVE: fail (1) or pass (0) instead of 3")
	fs.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 whatever the verdict; errors still exit 2")
}

func (f *itemPolicyFlags) policy(file *verdict.File) (verdict.Policy, error) {
	with := f.policyFlags
	with.limits = nil
	for _, l := range f.limits {
		with.limits = append(with.limits, meanLimit(l))
	}
	written := *file
	written.Limits = nil
	for _, l := range file.Limits {
		written.Limits = append(written.Limits, meanLimit(l))
	}
	p, err := with.policy(&written)
	if err != nil {
		return p, err
	}
	if p.Rows, err = verdict.ParseRows(f.gate); err != nil {
		return p, usage("--gate: %w", err)
	}
	if f.criticalMargin != "" {
		r, err := verdict.ParseMargin(f.criticalMargin)
		if err != nil {
			return p, usage("--critical-margin: %w", err)
		}
		p.Critical = &r
	}
	return p, nil
}

// mergeItems lets the flags that were set go before the file, and the file
// before the defaults.
func mergeItems(file *verdict.File, flags *pflag.FlagSet, st *itemFlags, in *answerFlags, po *itemPolicyFlags) {
	pick := func(name string, flag *[]string, key *[]string) {
		if flags.Changed(name) {
			*key = *flag
		} else if len(*key) > 0 {
			*flag = *key
		}
	}
	pick("metric", &st.metrics, &file.Metrics)
	pick("by", &st.by, &file.By)
	pick("critical", &st.critical, &file.Critical)
	q := &file.Quality
	pick("task", &st.tasks, &q.Tasks)
	pick("filter", &st.filters, &q.Filters)
	for _, s := range []struct {
		name      string
		flag, key *string
	}{
		{"cluster", &st.cluster, &q.Cluster}, {"errors", &st.errors, &q.Errors}, {"duplicates", &in.duplicates, &q.Duplicates},
		{"mismatch", &in.mismatch, &q.Mismatch}, {"gate", &po.gate, &q.Gate}, {"critical-margin", &po.criticalMargin, &q.CriticalMargin},
	} {
		if flags.Changed(s.name) || *s.key == "" {
			*s.key = *s.flag
		} else {
			*s.flag = *s.key
		}
	}
	if flags.Changed("min-items") || q.MinItems == 0 {
		q.MinItems = st.least
	} else {
		st.least = q.MinItems
	}
	if flags.Changed("level") || file.Level == 0 {
		file.Level = st.level
	} else {
		st.level = file.Level
	}
}
