package verdict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// check finds values that no comparison is needed to refuse.
func (f *File) check() error {
	if err := f.settings(); err != nil {
		return err
	}
	var p Policy
	return f.Apply(&p, time.Time{})
}

// settings checks what flags of the same names would.
func (f *File) settings() error {
	if f.has("level") && !(f.Level > 0 && f.Level < 1) {
		return f.fault("level", fmt.Errorf("level %v: want a share between 0 and 1, for example 0.95", f.Level))
	}
	if f.RunNoise != "" && !strings.HasPrefix(f.RunNoise, "@") {
		if share, err := Percent(f.RunNoise); err != nil || share >= 1 {
			return f.fault("run_noise", fmt.Errorf("run_noise %q: want a percentage from 0%% to below 100%%, or @FILE", f.RunNoise))
		}
	}
	if f.Interval != "" {
		if _, err := compare.ParseInterval(f.Interval); err != nil {
			return f.fault("interval", fmt.Errorf("interval: %w", err))
		}
	}
	if f.Timeouts != "" {
		if _, err := metric.ParseTimeouts(f.Timeouts); err != nil {
			return f.fault("timeouts", fmt.Errorf("timeouts: %w", err))
		}
	}
	if f.SLO != "" {
		if _, err := metric.ParseSLO(f.SLO); err != nil {
			return f.fault("slo", fmt.Errorf("slo: %w", err))
		}
	}
	for i, text := range f.Critical {
		if _, err := compare.ParseSlice(text); err != nil {
			return f.fault(item("critical", i), fmt.Errorf("critical: %w", err))
		}
	}
	for _, c := range []struct {
		key string
		v   float64
		ok  bool // as 0, too
	}{{"gpu_hour", f.Cost.GPUHour, len(f.Cost.Overhead) > 0}, {"gpus", f.Cost.GPUs, false}} {
		if f.has("cost."+c.key) && !(c.v > 0 && c.v <= math.MaxFloat64 || c.v == 0 && c.ok) {
			return f.fault("cost."+c.key, fmt.Errorf("cost: %s %v: want a number above 0", c.key, c.v))
		}
	}
	for i, o := range f.Cost.Overhead {
		if !(o.PerHour >= 0 && o.PerHour <= math.MaxFloat64) {
			return f.fault(item("cost.overhead", i), fmt.Errorf("cost: overhead %q: %v an hour: want a number from 0", o.Name, o.PerHour))
		}
	}
	return nil
}

// item is the path of an item of a list.
func item(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

// has tells that a key stands in the file, be its value 0.
func (f *File) has(path string) bool { return f.places[path] != nil }

// from is what a rule says of where it stands.
func (f *File) from(path string) string {
	if where := f.Where(path); where != "" {
		return where
	}
	return f.name
}

// rules turns the margins into rules.
func (f *File) rules() ([]MarginRule, error) {
	var out []MarginRule
	for _, kv := range f.Margins {
		key, value := fmt.Sprint(kv.Key), fmt.Sprint(kv.Value)
		text := key + "=" + value
		if key == "default" {
			text = value
		}
		r, err := ParseMargin(text)
		if err != nil {
			return nil, f.fault("margins."+key, err)
		}
		r.from = f.from("margins." + key)
		out = append(out, r)
	}
	return out, nil
}

// accepted turns known regressions into acceptances as of a day.
func (f *File) accepted(today time.Time) ([]Acceptance, error) {
	var out []Acceptance
	for i, a := range f.Accepted {
		at := item("accepted", i)
		for _, need := range []struct{ what, value string }{{"gate", a.Gate}, {"bound", a.Bound}, {"reason", a.Reason}, {"owner", a.Owner}, {"expires", a.Expires}} {
			if strings.TrimSpace(need.value) == "" {
				return nil, f.fault(at, fmt.Errorf("accepted regression %q has no %s: gate, bound, reason, owner and expires are all needed", a.Gate, need.what))
			}
		}
		rule, err := ParseMargin(a.Gate + "=" + a.Bound)
		if err != nil {
			return nil, f.fault(at, fmt.Errorf("accepted regression %q: %w", a.Gate, err))
		}
		rule.from = f.from(at)
		day, err := time.Parse(time.DateOnly, a.Expires)
		if err != nil {
			return nil, f.fault(at+".expires", fmt.Errorf("accepted regression %q: expires %q is not a day such as 2027-01-31", a.Gate, a.Expires))
		}
		expired := !today.IsZero() && today.After(day.Add(24*time.Hour))
		if j := slices.IndexFunc(out, func(o Acceptance) bool { return o.Gate == a.Gate && !o.Expired }); j >= 0 && !expired && !today.IsZero() {
			return nil, f.fault(at, fmt.Errorf("accepted regression %q is listed twice, up to %s and up to %s, and neither has expired: leave one of them", a.Gate, f.Accepted[j].Bound, a.Bound))
		}
		out = append(out, Acceptance{Gate: a.Gate, rule: rule, Reason: a.Reason, Owner: a.Owner, Expires: a.Expires, Expired: expired})
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
	for i, l := range f.Limits {
		limit, err := ParseLimit(l)
		if err != nil {
			return f.fault(item("limits", i), err)
		}
		limit.from = f.from(item("limits", i))
		p.Limits = append(p.Limits, limit)
	}
	for i, s := range f.Soft {
		t, err := parseTarget(s)
		if err != nil {
			return f.fault(item("soft", i), fmt.Errorf("soft gate %q: %w", s, err))
		}
		t.from = f.from(item("soft", i))
		p.Soft = append(p.Soft, t)
	}
	if p.Accepted, err = f.accepted(today); err != nil {
		return err
	}
	p.Same = f.Fingerprint.Same
	return f.thresholds(p)
}

// thresholds sets those of comparability.
func (f *File) thresholds(p *Policy) error {
	c := &f.Comparability
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
			return f.fault("comparability."+v.key, fmt.Errorf("comparability %s: %w", v.key, err))
		}
		*v.into = share
	}
	for _, v := range []struct {
		key  string
		set  float64
		into *float64
	}{{"too_good", c.TooGood, &p.TooGood}, {"duration", c.Duration, &p.Comparability.Duration}} {
		switch {
		case !f.has("comparability." + v.key):
		case !(v.set > 1):
			return f.fault("comparability."+v.key, fmt.Errorf("comparability %s: %v: want a factor above 1", v.key, v.set))
		default:
			*v.into = v.set
		}
	}
	for i, name := range c.Acknowledged {
		code := CheckCode(name)
		if !knownCheck(code) {
			return f.fault(item("comparability.acknowledged", i), fmt.Errorf("comparability acknowledged: there is no check %q; checks are %s", name, checkNames()))
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
