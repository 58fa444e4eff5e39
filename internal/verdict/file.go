package verdict

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// File is a written policy: what a team has agreed to hold changes against.
// Every key is optional; a flag on the command line goes before it.
type File struct {
	Version   int           `yaml:"version" json:"version" jsonschema:"enum=1" jsonschema_description:"the version of this format"`
	Level     float64       `yaml:"level,omitempty" json:"level,omitempty" jsonschema_description:"two-sided confidence level of the intervals, for example 0.95"`
	RunNoise  string        `yaml:"run_noise,omitempty" json:"run_noise,omitempty" jsonschema_description:"noise between runs to assume where each side has one run, for example 2.5%, or @FILE as calibrate writes it"`
	Interval  string        `yaml:"interval,omitempty" json:"interval,omitempty" jsonschema:"enum=auto,enum=t,enum=bootstrap" jsonschema_description:"how intervals of several units a side are made"`
	Timeouts  string        `yaml:"timeouts,omitempty" json:"timeouts,omitempty" jsonschema_description:"how timed-out requests enter ttft, e2e and latency: drop, censor, or censor=TIME"`
	Metrics   []string      `yaml:"metrics,omitempty" json:"metrics,omitempty" jsonschema_description:"what is compared: METRIC or METRIC:ESTIMAND, for example ttft:p99"`
	SLOTarget string        `yaml:"slo_target,omitempty" json:"slo_target,omitempty" jsonschema_description:"share of requests promised to be good, for example 99.5%"`
	SLOWindow string        `yaml:"slo_window,omitempty" json:"slo_window,omitempty" jsonschema_description:"days the target is promised over, for example 30d"`
	SLO       string        `yaml:"slo,omitempty" json:"slo,omitempty" jsonschema_description:"joint objective of a request, for example ttft<500ms,tpot<30ms: defines goodput"`
	Margins   yaml.MapSlice `yaml:"margins,omitempty" json:"margins,omitempty" jsonschema_description:"tolerable harm by METRIC or METRIC:ESTIMAND: 5%, 20ms, 0.5pp, or a plain number for a column without a unit; default is the margin of everything that its unit fits"`
	Limits    []string      `yaml:"limits,omitempty" json:"limits,omitempty" jsonschema_description:"absolute bounds on the candidate, for example ttft:p99<=800ms"`
	Soft      []string      `yaml:"soft,omitempty" json:"soft,omitempty" jsonschema_description:"gates, METRIC or METRIC:ESTIMAND, that an owner may accept beyond their margin: the verdict is then EXCEPTION_REQUIRED and not FAIL"`
	By        []string      `yaml:"by,omitempty" json:"by,omitempty" jsonschema_description:"columns whose values are shown as slices"`
	Critical  []string      `yaml:"critical,omitempty" json:"critical,omitempty" jsonschema_description:"slices, COLUMN=VALUE, that are gates of their own"`
	Mix       []string      `yaml:"mix,omitempty" json:"mix,omitempty" jsonschema_description:"columns to compare like for like by, or none"`
	Pair      string        `yaml:"pair,omitempty" json:"pair,omitempty" jsonschema_description:"column whose words say which runs of the two sides belong together"`

	Comparability ComparabilityFile `yaml:"comparability,omitempty" json:"comparability,omitempty" jsonschema_description:"when two sides count as having done the same work"`
	Cost          CostFile          `yaml:"cost,omitempty" json:"cost,omitempty" jsonschema_description:"what a run costs: defines cost_per_good and cost_per_mtok"`
	Fingerprint   FingerprintFile   `yaml:"fingerprint,omitempty" json:"fingerprint,omitempty" jsonschema_description:"what has to be the same on both sides"`
	Accepted      []AcceptedFile    `yaml:"accepted,omitempty" json:"accepted,omitempty" jsonschema_description:"known regressions that are tolerated for a while"`

	Quality QualityFile `yaml:"quality,omitempty" json:"quality,omitempty" jsonschema_description:"of qualdiff alone: how items are paired and judged"`

	name string // the path it was read from, for messages
}

// ComparabilityFile holds thresholds, as percentages or plain factors.
type ComparabilityFile struct {
	Rejected     string   `yaml:"rejected,omitempty" json:"rejected,omitempty" jsonschema_description:"share of records that cannot be true, from which a side is not trusted, for example 1%"`
	Load         string   `yaml:"load,omitempty" json:"load,omitempty" jsonschema_description:"difference of requests per second that is tolerated, for example 10%"`
	Arrival      string   `yaml:"arrival_pattern,omitempty" json:"arrival_pattern,omitempty" jsonschema_description:"difference that is tolerated of how evenly requests came, for example 30%"`
	ClosedLoop   string   `yaml:"closed_loop,omitempty" json:"closed_loop,omitempty" jsonschema_description:"difference of the requests in flight below which another rate counts as a consequence of another latency, for example 5%"`
	Duration     float64  `yaml:"duration,omitempty" json:"duration,omitempty" jsonschema_description:"how many times as long as those of the other side the runs of a side may last before it is remarked"`
	GroupShare   string   `yaml:"group_share,omitempty" json:"group_share,omitempty" jsonschema_description:"difference of the share of requests of a tenant, a class or a model from which it counts, for example 3%"`
	Output       string   `yaml:"output_length,omitempty" json:"output_length,omitempty" jsonschema_description:"difference of the median answer length that is tolerated, for example 25%"`
	Cache        string   `yaml:"cache_hit,omitempty" json:"cache_hit,omitempty" jsonschema_description:"difference of the cached share of prompt tokens that is tolerated, for example 10%"`
	WarmUp       string   `yaml:"warm_up,omitempty" json:"warm_up,omitempty" jsonschema_description:"how much slower runs may begin than they go on, for example 10%"`
	Drift        string   `yaml:"drift,omitempty" json:"drift,omitempty" jsonschema_description:"how much latencies may climb or fall through the runs, from the second tenth to the last, for example 10%"`
	Failures     string   `yaml:"failures,omitempty" json:"failures,omitempty" jsonschema_description:"difference of the failed share of requests that is tolerated where no gate judges it, for example 1%"`
	Missing      string   `yaml:"missing,omitempty" json:"missing,omitempty" jsonschema_description:"share of the successful requests of a side that may carry no value of a judged metric, for example 5%"`
	MissingMore  string   `yaml:"missing_difference,omitempty" json:"missing_difference,omitempty" jsonschema_description:"difference of that share between the sides that is tolerated, for example 1%"`
	Late         string   `yaml:"schedule_lag,omitempty" json:"schedule_lag,omitempty" jsonschema_description:"difference that is tolerated of how late requests were sent, as a share of the latency, for example 10%"`
	TooGood      float64  `yaml:"too_good,omitempty" json:"too_good,omitempty" jsonschema_description:"how many times faster a candidate may be before it is doubted"`
	Acknowledged []string `yaml:"acknowledged,omitempty" json:"acknowledged,omitempty" jsonschema_description:"checks whose failure is known and tolerated"`
}

// QualityFile is about scores of items. The values are those of the flags of
// these names.
type QualityFile struct {
	Tasks          []string `yaml:"tasks,omitempty" json:"tasks,omitempty" jsonschema_description:"the tasks that are compared, all if not given"`
	Filters        []string `yaml:"filters,omitempty" json:"filters,omitempty" jsonschema_description:"the filters whose answers are compared, all if not given"`
	Cluster        string   `yaml:"cluster,omitempty" json:"cluster,omitempty" jsonschema_description:"column whose values hold items that depend on each other"`
	Errors         string   `yaml:"errors,omitempty" json:"errors,omitempty" jsonschema:"enum=bound,enum=wrong,enum=drop" jsonschema_description:"what an item without a score on a side counts as"`
	Duplicates     string   `yaml:"duplicates,omitempty" json:"duplicates,omitempty" jsonschema:"enum=error,enum=first,enum=last,enum=mean" jsonschema_description:"which of several rows that disagree holds"`
	Mismatch       string   `yaml:"mismatch,omitempty" json:"mismatch,omitempty" jsonschema:"enum=drop,enum=keep" jsonschema_description:"what to do with an item whose question or expected answer differs between the sides"`
	Gate           string   `yaml:"gate,omitempty" json:"gate,omitempty" jsonschema:"enum=all,enum=tasks,enum=averages,enum=micro,enum=macro" jsonschema_description:"which results of a metric with several tasks are gates"`
	CriticalMargin string   `yaml:"critical_margin,omitempty" json:"critical_margin,omitempty" jsonschema_description:"tolerable loss of critical slices, for example 3pp"`
	MinItems       int      `yaml:"min_items,omitempty" json:"min_items,omitempty" jsonschema_description:"items from which a slice is given an interval"`
}

// CostFile is what a run costs, in US dollars.
type CostFile struct {
	GPUHour  float64        `yaml:"gpu_hour,omitempty" json:"gpu_hour,omitempty" jsonschema_description:"dollars that one GPU costs an hour"`
	GPUs     float64        `yaml:"gpus,omitempty" json:"gpus,omitempty" jsonschema_description:"number of GPUs that a run uses, 1 if not given"`
	Overhead []OverheadFile `yaml:"overhead,omitempty" json:"overhead,omitempty" jsonschema_description:"costs besides the GPUs: storage, network, control plane, standby, retries"`
}

// OverheadFile is a cost besides the GPUs.
type OverheadFile struct {
	Name    string  `yaml:"name" json:"name"`
	PerHour float64 `yaml:"per_hour" json:"per_hour" jsonschema_description:"dollars an hour"`
}

// FingerprintFile lists what must be the same on both sides.
type FingerprintFile struct {
	Same []string `yaml:"same,omitempty" json:"same,omitempty" jsonschema_description:"names of what the files and columns tell of the system, for example gpu"`
}

// AcceptedFile is a known regression.
type AcceptedFile struct {
	Gate    string `yaml:"gate" json:"gate" jsonschema_description:"METRIC or METRIC:ESTIMAND"`
	Bound   string `yaml:"bound" json:"bound" jsonschema_description:"the margin that holds instead, for example 12%"`
	Reason  string `yaml:"reason" json:"reason" jsonschema_description:"why it is tolerated"`
	Owner   string `yaml:"owner" json:"owner" jsonschema_description:"who answers for it"`
	Expires string `yaml:"expires" json:"expires" jsonschema_description:"the last day on which it is tolerated, YYYY-MM-DD" jsonschema:"format=date"`
}

// ParseFile reads a policy. Unknown keys and values of the wrong type are
// errors that name the line.
func ParseFile(name string, data []byte) (*File, error) {
	var f File
	if err := decode(name, data, &f); err != nil {
		return nil, err
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("%s: version %d: want version: 1", name, f.Version)
	}
	f.name = name
	return &f, f.check(name)
}

// check finds values that no comparison is needed to refuse.
func (f *File) check(name string) error {
	_, err := f.rules()
	if err == nil {
		_, err = f.accepted(time.Time{})
	}
	if err == nil {
		var p Policy
		err = f.Comparability.apply(&p)
	}
	if err == nil {
		err = f.settings()
	}
	for _, s := range f.Soft {
		if _, e := parseTarget(s); e != nil && err == nil {
			err = fmt.Errorf("soft gate %q: %w", s, e)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// settings checks what flags of the same names would.
func (f *File) settings() error {
	if f.Level != 0 && !(f.Level > 0 && f.Level < 1) {
		return fmt.Errorf("level %v: want a share between 0 and 1, for example 0.95", f.Level)
	}
	if f.RunNoise != "" && !strings.HasPrefix(f.RunNoise, "@") {
		if share, err := Percent(f.RunNoise); err != nil || share >= 1 {
			return fmt.Errorf("run_noise %q: want a percentage from 0%% to below 100%%, or @FILE", f.RunNoise)
		}
	}
	if f.Interval != "" {
		if _, err := compare.ParseInterval(f.Interval); err != nil {
			return fmt.Errorf("interval: %w", err)
		}
	}
	if f.Timeouts != "" {
		if _, err := metric.ParseTimeouts(f.Timeouts); err != nil {
			return fmt.Errorf("timeouts: %w", err)
		}
	}
	if f.SLO != "" {
		if _, err := metric.ParseSLO(f.SLO); err != nil {
			return fmt.Errorf("slo: %w", err)
		}
	}
	for _, text := range f.Critical {
		if _, err := compare.ParseSlice(text); err != nil {
			return fmt.Errorf("critical: %w", err)
		}
	}
	if f.Cost.GPUHour < 0 || f.Cost.GPUs < 0 {
		return fmt.Errorf("cost: gpu_hour %v, gpus %v: want numbers above 0", f.Cost.GPUHour, f.Cost.GPUs)
	}
	for _, o := range f.Cost.Overhead {
		if !(o.PerHour >= 0) {
			return fmt.Errorf("cost: overhead %q: %v an hour: want a number from 0", o.Name, o.PerHour)
		}
	}
	return nil
}

// rules turns the margins into rules.
func (f *File) rules() ([]MarginRule, error) {
	var out []MarginRule
	for _, item := range f.Margins {
		key, value := fmt.Sprint(item.Key), fmt.Sprint(item.Value)
		text := key + "=" + value
		if key == "default" {
			text = value
		}
		r, err := ParseMargin(text)
		if err != nil {
			return nil, err
		}
		r.from = f.name
		out = append(out, r)
	}
	return out, nil
}

// accepted turns known regressions into acceptances as of a day.
func (f *File) accepted(today time.Time) ([]Acceptance, error) {
	var out []Acceptance
	for _, a := range f.Accepted {
		for _, need := range []struct{ what, value string }{{"gate", a.Gate}, {"bound", a.Bound}, {"reason", a.Reason}, {"owner", a.Owner}, {"expires", a.Expires}} {
			if strings.TrimSpace(need.value) == "" {
				return nil, fmt.Errorf("accepted regression %q has no %s: gate, bound, reason, owner and expires are all needed", a.Gate, need.what)
			}
		}
		rule, err := ParseMargin(a.Gate + "=" + a.Bound)
		if err != nil {
			return nil, fmt.Errorf("accepted regression %q: %w", a.Gate, err)
		}
		rule.from = f.name
		day, err := time.Parse(time.DateOnly, a.Expires)
		if err != nil {
			return nil, fmt.Errorf("accepted regression %q: expires %q is not a day such as 2027-01-31", a.Gate, a.Expires)
		}
		out = append(out, Acceptance{Gate: a.Gate, rule: rule, Reason: a.Reason, Owner: a.Owner, Expires: a.Expires, Expired: !today.IsZero() && today.After(day.Add(24*time.Hour))})
	}
	return out, nil
}

// Apply sets what the file says in a policy. Margins and limits given by flags
// come after it and so go before it.
func (f *File) Apply(p *Policy, today time.Time) error {
	rules, err := f.rules()
	if err != nil {
		return err
	}
	p.Margins = append(p.Margins, rules...)
	for _, l := range f.Limits {
		limit, err := ParseLimit(l)
		if err != nil {
			return err
		}
		limit.from = f.name
		p.Limits = append(p.Limits, limit)
	}
	for _, s := range f.Soft {
		t, err := parseTarget(s)
		if err != nil {
			return fmt.Errorf("soft gate %q: %w", s, err)
		}
		t.from = f.name
		p.Soft = append(p.Soft, t)
	}
	if p.Accepted, err = f.accepted(today); err != nil {
		return err
	}
	p.Same = f.Fingerprint.Same
	return f.Comparability.apply(p)
}

func (c *ComparabilityFile) apply(p *Policy) error {
	for _, v := range []struct {
		key, text string
		into      *float64
	}{
		{"rejected", c.Rejected, &p.MaxRejected}, {"load", c.Load, &p.Comparability.Load},
		{"output_length", c.Output, &p.Comparability.Output}, {"cache_hit", c.Cache, &p.Comparability.Cache},
		{"warm_up", c.WarmUp, &p.Comparability.WarmUp}, {"failures", c.Failures, &p.Comparability.Failures},
		{"missing", c.Missing, &p.Comparability.Missing}, {"missing_difference", c.MissingMore, &p.Comparability.MissingMore},
		{"schedule_lag", c.Late, &p.Comparability.Late}, {"arrival_pattern", c.Arrival, &p.Comparability.Arrival},
		{"closed_loop", c.ClosedLoop, &p.Comparability.ClosedLoop}, {"group_share", c.GroupShare, &p.Comparability.GroupShare},
		{"drift", c.Drift, &p.Comparability.Drift},
	} {
		if v.text == "" {
			continue
		}
		share, err := Percent(v.text)
		if err != nil {
			return fmt.Errorf("comparability %s: %w", v.key, err)
		}
		*v.into = share
	}
	for _, v := range []struct {
		key  string
		set  float64
		into *float64
	}{{"too_good", c.TooGood, &p.TooGood}, {"duration", c.Duration, &p.Comparability.Duration}} {
		switch {
		case v.set == 0:
		case !(v.set > 1):
			return fmt.Errorf("comparability %s: %v: want a factor above 1", v.key, v.set)
		default:
			*v.into = v.set
		}
	}
	for _, name := range c.Acknowledged {
		code := CheckCode(name)
		if !knownCheck(code) {
			return fmt.Errorf("comparability acknowledged: there is no check %q; checks are %s", name, checkNames())
		}
		p.Acknowledged = append(p.Acknowledged, code)
	}
	return nil
}

// Percent reads a share written as a percentage.
func Percent(text string) (float64, error) {
	num, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if err != nil || !ok || !(v >= 0) {
		return 0, fmt.Errorf("%q is not a percentage, for example 10%%", text)
	}
	return v / 100, nil
}

// PerHour is the cost of an hour: GPUs and overhead.
func (c CostFile) PerHour() float64 {
	gpus := c.GPUs
	if gpus == 0 {
		gpus = 1
	}
	sum := c.GPUHour * gpus
	for _, o := range c.Overhead {
		sum += o.PerHour
	}
	return sum
}

// Marshal writes the policy as YAML.
func (f *File) Marshal() ([]byte, error) { return yaml.Marshal(f) }

// AddMargin adds a margin as a flag gives it.
func (f *File) AddMargin(text string) {
	key, value := "default", text
	if left, right, ok := cutLast(text, '='); ok {
		key, value = left, right
	}
	for i := range f.Margins {
		if fmt.Sprint(f.Margins[i].Key) == key {
			f.Margins[i].Value = value
			return
		}
	}
	f.Margins = append(f.Margins, yaml.MapItem{Key: key, Value: value})
}
