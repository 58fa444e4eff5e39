package cli

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// inputFlags say how records are read.
type inputFlags struct {
	columns []string
	reader  string
	files   string
	warmup  time.Duration
	from    string
	unit    string
	// timeouts is how timed-out requests enter latencies.
	timeouts string
	mix      []string
	pair     string
	by       []string
	crit     []string
	movers   bool
	explain  bool
}

func (f *inputFlags) register(fs *pflag.FlagSet) {
	f.registerReading(fs)
	f.registerDesign(fs)
}

// registerReading registers what says how a file is read.
func (f *inputFlags) registerReading(fs *pflag.FlagSet) {
	f.files, f.from, f.unit, f.timeouts = "runs", "scheduled", "auto", "drop"
	fs.StringArrayVar(&f.columns, "column", nil, "map a `FIELD=COL[:UNIT]` by hand, e.g. ttft=first_tok:ms; repeatable")
	fs.StringVar(&f.reader, "reader", "", "force an input `FORMAT` instead of detecting it: "+strings.Join(readerNames(), ", "))
	fs.BoolVar(&f.explain, "explain-input", false, "say what each input was taken for, which column is which field, and end")
}

// registerDesign registers what says what the records are evidence of.
func (f *inputFlags) registerDesign(fs *pflag.FlagSet) {
	f.registerRuns(fs)
	f.registerTraffic(fs)
}

// registerTraffic registers what splits two sides by their traffic.
func (f *inputFlags) registerTraffic(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.mix, "mix", nil, "compare like for like by this `COLUMN`; prompt_tokens, output_tokens and cached_tokens are cut into ranges; repeatable, up to 5 are crossed and told apart; none turns it off (default: prompt_tokens, where the lengths differ)")
	fs.StringArrayVar(&f.by, "by", nil, "also show every value of this `COLUMN` as a slice; repeatable")
	fs.StringArrayVar(&f.crit, "critical", nil, "make a slice, `COLUMN=VALUE`, a gate of its own; repeatable")
}

// registerRuns registers what the records are evidence of.
func (f *inputFlags) registerRuns(fs *pflag.FlagSet) {
	fs.StringVar(&f.files, "files", "runs", "`WHAT` the files of a side are without a run column: runs, or parts of one run")
	fs.DurationVar(&f.warmup, "warmup", 0, "drop requests that started within this `TIME` after the run's first, e.g. 30s")
	fs.StringVar(&f.from, "from", "scheduled", "measure latencies from this `START`: scheduled, where it is recorded, or service, the actual one")
	fs.StringVar(&f.timeouts, "timeouts", "drop", "`HOW` timed-out requests enter ttft, e2e and latency: drop, as all failures; censor, as at least the time they took, or censor=TIME where no time is recorded")
	fs.StringVar(&f.unit, "unit", "auto", "`WHAT` repeats, and so is the evidence: auto, run, replica; or session, block (of time), request, which say nothing of how runs differ")
}

func (f *inputFlags) check() ([]ingest.Override, error) {
	var overrides []ingest.Override
	for _, c := range f.columns {
		o, err := ingest.ParseOverride(c)
		if err != nil {
			return nil, usage("%w", err)
		}
		overrides = append(overrides, o)
	}
	if f.files != "runs" && f.files != "parts" {
		return nil, usage("--files %s: want runs or parts", f.files)
	}
	if f.from != "scheduled" && f.from != "service" {
		return nil, usage("--from %s: want scheduled or service", f.from)
	}
	if f.reader != "" && !slices.ContainsFunc(recordFormats, func(x ingest.Format) bool { return x.Name == f.reader }) {
		return nil, usage("there is no reader %q; readers are %s", f.reader, strings.Join(readerNames(), ", "))
	}
	if slices.Contains(f.mix, compare.NoMix) && len(f.mix) > 1 {
		return nil, usage("--mix %s goes with no column", compare.NoMix)
	}
	if f.warmup < 0 {
		return nil, usage("--warmup %s: want a duration from 0", f.warmup)
	}
	return overrides, nil
}

// statFlags are the statistical settings.
type statFlags struct {
	metrics       []string
	higher, lower []string
	level         float64
	runNoise      string
	interval      string
	seed          uint64
	slo           string
	sloTarget     string
	sloWindow     string
	gpuHour, gpus float64
	perHour       float64 // what a run costs an hour, from the policy file and the flags

	changed func(flag string) bool
	// inFile tells where the policy file has a key that the metrics come from, nil
	// for metrics of flags.
	inFile func(path string) string
}

// wrongAsk is where in the policy file the first metric stands that is wrong, of
// those to compare and then of the limits; "" if it comes from a flag.
func (f *statFlags) wrongAsk(limits []verdict.Limit, wrong func(ask string) bool) string {
	for i, ask := range f.metrics {
		switch {
		case !wrong(ask):
		case f.inFile == nil:
			return ""
		default:
			return f.inFile(fmt.Sprintf("metrics[%d]", i))
		}
	}
	for _, l := range limits {
		if wrong(l.Ask()) {
			return l.Where()
		}
	}
	return ""
}

func (f *statFlags) register(fs *pflag.FlagSet) {
	f.changed = fs.Changed
	fs.StringArrayVarP(&f.metrics, "metric", "m", nil, "compare `METRIC[:ESTIMAND]`: ttft, tpot, itl, chunk_gap, e2e, latency, output_tps, success_rate, throughput_rps, throughput_tps, with --slo goodput and goodput_rps, with --gpu-hour cost_per_good and cost_per_mtok, or any numeric column; p0.1 to p99.99, mean, min, max, rate; repeatable")
	fs.StringArrayVar(&f.higher, "higher-is-better", nil, "more of this `COLUMN` is better; repeatable")
	fs.StringArrayVar(&f.lower, "lower-is-better", nil, "less of this `COLUMN` is better; repeatable")
	fs.Float64Var(&f.level, "level", compare.DefaultOptions().Level, "two-sided confidence `LEVEL` of the intervals")
	fs.StringVar(&f.interval, "interval", "auto", "`HOW` intervals of several units a side are made: auto or t, from leaving out one unit at a time; bootstrap, from 20 units a side")
	fs.StringVar(&f.runNoise, "run-noise", "2.5%", "`PERCENT` of noise between runs to assume where each side has one run, or @FILE from calibrate --write-noise; 0% makes the verdict one about these two runs only")
	fs.StringVar(&f.slo, "slo", "", "joint objective of a request, `TERMS` such as ttft<500ms,tpot<30ms: defines goodput")
	fs.StringVar(&f.sloTarget, "slo-target", "", "`PERCENT` of requests that are promised to be good: shows how fast the error budget is spent")
	fs.StringVar(&f.sloWindow, "slo-window", "", "`DAYS` that the target is promised over, for example 30d")
	fs.Float64Var(&f.gpuHour, "gpu-hour", 0, "`DOLLARS` that one GPU costs an hour: defines cost_per_good and cost_per_mtok")
	fs.Float64Var(&f.gpus, "gpus", 1, "`NUMBER` of GPUs that a run used")
	fs.Uint64Var(&f.seed, "seed", 1, "`NUMBER` that seeds every random draw")
}

// target reads the promised share of good requests and the days it is promised
// over; 0 for none.
func (f *statFlags) target() (share, days float64, err error) {
	if f.sloTarget == "" {
		if f.sloWindow != "" {
			return 0, 0, usage("--slo-window needs --slo-target")
		}
		return 0, 0, nil
	}
	if share, err = verdict.Percent(f.sloTarget); err != nil || !(share > 0 && share < 1) {
		return 0, 0, usage("--slo-target %q: want a percentage between 0%% and 100%%, for example 99.5%%", f.sloTarget)
	}
	if f.sloWindow == "" {
		return share, 0, nil
	}
	num, ok := strings.CutSuffix(f.sloWindow, "d")
	if days, err = strconv.ParseFloat(num, 64); err != nil || !ok || !(days > 0 && days < 1e6) {
		return 0, 0, usage("--slo-window %q: want days, for example 30d", f.sloWindow)
	}
	return share, days, nil
}

// defined lists the metrics that the flags define.
func (f *statFlags) defined() ([]*metric.Metric, error) {
	var out []*metric.Metric
	var slo *metric.SLO
	if f.slo != "" || f.changed("slo") {
		var err error
		if slo, err = metric.ParseSLO(f.slo); err != nil {
			return nil, usage("--slo: %w", err)
		}
		share, rate := slo.Goodput()
		out = append(out, share, rate)
	}
	switch {
	case f.changed("gpu-hour") && !(f.gpuHour > 0), !(f.gpus > 0), math.IsInf(f.gpuHour*f.gpus, 0):
		return nil, usage("--gpu-hour %v, --gpus %v: want numbers above 0", f.gpuHour, f.gpus)
	case max(f.perHour, f.gpuHour*f.gpus) > 0:
		out = append(out, metric.Cost{PerHour: max(f.perHour, f.gpuHour*f.gpus)}.Metrics(slo)...)
	}
	return out, nil
}

func (f *statFlags) options(in *inputFlags) (compare.Options, error) {
	opt := compare.DefaultOptions()
	opt.Mix, opt.By, opt.Movers, opt.Pair = in.mix, in.by, in.movers, in.pair
	for _, text := range in.crit {
		s, err := compare.ParseSlice(text)
		if err != nil {
			return opt, usage("--critical: %w", err)
		}
		opt.Critical = append(opt.Critical, s)
	}
	if opt.Level = f.level; !(f.level >= 0.5 && f.level < 1) {
		return opt, usage("--level %v: want a share from 0.5 to below 1, for example 0.95", f.level)
	}
	if err := f.noise(&opt); err != nil {
		return opt, err
	}
	var err error
	if opt.SLOTarget, opt.SLOWindow, err = f.target(); err != nil {
		return opt, err
	}
	if opt.Unit, err = compare.ParseUnit(in.unit); err != nil {
		return opt, usage("--unit: %w", err)
	}
	if opt.Interval, err = compare.ParseInterval(f.interval); err != nil {
		return opt, usage("--interval: %w", err)
	}
	opt.Seed = f.seed
	if err := opt.Validate(); err != nil {
		return opt, usage("%w", err)
	}
	return opt, nil
}

// noise reads --run-noise: a percentage, or a file that calibrate wrote.
func (f *statFlags) noise(opt *compare.Options) error {
	if path, ok := strings.CutPrefix(f.runNoise, "@"); ok {
		t, err := readNoise(path)
		opt.Noise = t
		return err
	}
	num, ok := strings.CutSuffix(strings.TrimSpace(f.runNoise), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if err != nil || !ok {
		return usage("--run-noise %q: want a percentage, for example 2.5%%", f.runNoise)
	}
	if opt.RunNoise = v / 100; !(v >= 0 && v < 100) {
		return usage("--run-noise %s: want a percentage from 0%% to below 100%%", f.runNoise)
	}
	return nil
}

// policyFlags are what the change is held against.
type policyFlags struct {
	margins, limits []string
	onInconclusive  string
	exitZero        bool
}

func (f *policyFlags) register(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.margins, "margin", nil, "tolerable harm, `[METRIC[:ESTIMAND]=]V`: 5%, 20ms, 0.5pp, or a plain number for a column without a unit; repeatable (default 5% for latencies, 0.5pp for the success rate)")
	fs.StringArrayVar(&f.limits, "limit", nil, "absolute bound on the candidate, `METRIC:ESTIMAND<=V`, also <, >=, >; repeatable")
	fs.StringVar(&f.onInconclusive, "on-inconclusive", "", "`HOW` to exit when the verdict is INCONCLUSIVE: fail (1) or pass (0) instead of 3")
	fs.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 whatever the verdict; errors still exit 2")
}

// policy is the file's policy with the margins and limits of the flags behind
// it, where they go before it.
func (f *policyFlags) policy(file *verdict.File) (verdict.Policy, error) {
	p := verdict.Default()
	if err := file.Apply(&p, today()); err != nil {
		return p, usageError{err}
	}
	for _, m := range f.margins {
		r, err := verdict.ParseMargin(m)
		if err != nil {
			return p, usage("%w", err)
		}
		p.Margins = append(p.Margins, r)
	}
	for _, l := range f.limits {
		r, err := verdict.ParseLimit(l)
		if err != nil {
			return p, usage("%w", err)
		}
		p.Limits = append(p.Limits, r)
	}
	if f.onInconclusive != "" && f.onInconclusive != "fail" && f.onInconclusive != "pass" {
		return p, usage("--on-inconclusive %s: want fail or pass", f.onInconclusive)
	}
	return p, nil
}

// exit maps a verdict's exit code as the pipeline asked.
func (f *policyFlags) exit(o verdict.Outcome) int {
	switch {
	case f.exitZero:
		return 0
	case o == verdict.Inconclusive && f.onInconclusive == "fail":
		return 1
	case o == verdict.Inconclusive && f.onInconclusive == "pass":
		return 0
	}
	return o.ExitCode()
}

// useColor decides about ANSI colours on a stream.
func (f *outputFlags) useColor(env Env) bool {
	switch f.color {
	case "always":
		return true
	case "never":
		return false
	}
	_, no := env.lookup("NO_COLOR")
	term, _ := env.lookup("TERM")
	return !no && term != "dumb" && env.StdoutTTY
}

// onStdout lays the text report out for what standard output is.
func (f *outputFlags) onStdout(env Env) report.TextOptions {
	o := report.TextOptions{Color: f.useColor(env), Verbose: f.verbose}
	if env.StdoutTTY && env.Columns > 0 {
		name, _ := env.lookup("TERM")
		o.Columns, o.Bars = max(env.Columns, leastColumns), name != "dumb"
		o.Width = min(o.Columns, longestLine)
	}
	return o
}

const (
	leastColumns = 40  // what a terminal is taken to have at least
	longestLine  = 120 // of sentences, however wide the terminal is
)

// usageError is a fault of the command line: it ends with exit code 2.
type usageError struct{ error }

func usage(format string, a ...any) error { return usageError{fmt.Errorf(format, a...)} }

// Env is what a command takes from the process around it.
type Env struct {
	Stdout, Stderr       io.Writer
	Stdin                io.Reader
	LookupEnv            func(string) (string, bool)
	StdoutTTY, StderrTTY bool
	Columns              int // of the terminal on Stdout; 0 if it is none
	Build                Build
}

func (e Env) lookup(name string) (string, bool) {
	if e.LookupEnv == nil {
		return "", false
	}
	return e.LookupEnv(name)
}
