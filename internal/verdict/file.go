package verdict

import (
	"bytes"
	"fmt"

	"github.com/goccy/go-yaml"
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
	Pair      string        `yaml:"pair,omitempty" json:"pair,omitempty" jsonschema_description:"column whose words say which runs of the two sides belong together, or of one run a side which requests"`

	Comparability ComparabilityFile `yaml:"comparability,omitempty" json:"comparability,omitempty" jsonschema_description:"when two sides count as having done the same work"`
	Cost          CostFile          `yaml:"cost,omitempty" json:"cost,omitempty" jsonschema_description:"what a run costs: defines cost_per_good and cost_per_mtok"`
	Fingerprint   FingerprintFile   `yaml:"fingerprint,omitempty" json:"fingerprint,omitempty" jsonschema_description:"what has to be the same on both sides"`
	Accepted      []AcceptedFile    `yaml:"accepted,omitempty" json:"accepted,omitempty" jsonschema_description:"known regressions that are tolerated for a while"`

	Quality QualityFile `yaml:"quality,omitempty" json:"quality,omitempty" jsonschema_description:"of qualdiff alone: how items are paired and judged"`

	name   string // the path it was read from, for messages
	places places
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
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // some editors mark UTF-8 so
	if err := decode(name, data, &f); err != nil {
		return nil, err
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("%s: version %d: want version: 1", name, f.Version)
	}
	f.name, f.places = name, placesOf(data)
	return &f, f.check()
}
