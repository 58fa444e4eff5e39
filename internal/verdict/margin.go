package verdict

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// Scale says how a margin is measured.
type Scale uint8

// The scales.
const (
	Relative Scale = iota // a share of the baseline's value: 0.05 is 5 %
	Absolute              // in the metric's base unit; a share for rates
)

// Margin is how much harm is tolerable.
type Margin struct {
	Scale Scale
	Value float64 // positive
}

// amount is a number with the unit it was written in.
type amount struct {
	value float64
	unit  amountUnit
	text  string
}

type amountUnit uint8

const (
	plain amountUnit = iota
	percent
	points
	seconds
)

// parseAmount reads 5%, 0.5pp, 20ms or a plain number.
func parseAmount(text string) (amount, error) {
	t := strings.TrimSpace(text)
	a := amount{text: t}
	num := t
	switch {
	case strings.HasSuffix(t, "%"):
		num, a.unit = strings.TrimSuffix(t, "%"), percent
	case strings.HasSuffix(t, "pp"):
		num, a.unit = strings.TrimSuffix(t, "pp"), points
	default:
		i := strings.LastIndexAny(t, "0123456789.")
		if i < 0 {
			return a, fmt.Errorf("%q is not a number; write for example 5%%, 0.5pp or 20ms", t)
		}
		if word := strings.TrimSpace(t[i+1:]); word != "" {
			if _, ok := metric.ToSeconds(0, word); !ok {
				return a, fmt.Errorf("unknown unit %q; write 5%%, 0.5pp, a time such as 20ms (%s), or a plain number", word, strings.Join(metric.TimeUnits(), ", "))
			}
			v, err := number(t[:i+1])
			a.value, _ = metric.ToSeconds(v, word)
			a.unit = seconds
			return a, err
		}
	}
	v, err := number(num)
	if a.unit != plain {
		// 99.9 % is 0.999, not the nearest number to 99.9 ÷ 100.
		if exact, err := strconv.ParseFloat(strings.TrimSpace(num)+"e-2", 64); err == nil {
			v = exact
		} else {
			v /= 100
		}
	}
	a.value = v
	return a, err
}

func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number; write for example 5%%, 0.5pp or 20ms", s)
	}
	return v, nil
}

// target is the metric, and perhaps the estimand, that a rule is about. The
// empty name is every metric.
type target struct {
	metric   string
	estimand *metric.Estimand
	whole    string // as written: names may hold colons
	wrong    error  // why what follows the last colon is no estimand
	from     string // the policy file that it stands in, "" for a flag
}

// parseTarget reads METRIC[:ESTIMAND]. What follows the last colon belongs to
// the name if it is no estimand, and fit has the last word; of the metrics that
// are known the names hold none.
func parseTarget(s string) (target, error) {
	t := target{metric: strings.TrimSpace(s)}
	t.whole = t.metric
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		name := strings.TrimSpace(s[:i])
		e, err := metric.ParseEstimand(strings.TrimSpace(s[i+1:]))
		_, known := metric.Known(name)
		switch {
		case err == nil:
			t.metric, t.estimand = name, &e
		case known || name == "":
			return t, err
		default:
			t.wrong = err
		}
	}
	if t.metric == "" {
		return t, errors.New("no metric is named; want METRIC:ESTIMAND, for example ttft:p99")
	}
	return t, nil
}

// fit settles which of the compared metrics the target is about, the longest
// name first: "a:mean" is the metric of that name before the mean of "a". It
// returns the metric's index, −1 if there is none; err says what is wrong behind
// the colon of one that there is.
func (t *target) fit(items []metric.Item) (i int, err error) {
	named := func(name string) int {
		return slices.IndexFunc(items, func(it metric.Item) bool { return it.Metric.Name == name })
	}
	if i := named(t.whole); i >= 0 {
		t.metric, t.estimand = t.whole, nil
		return i, nil
	}
	if k := strings.LastIndexByte(t.whole, ':'); t.wrong != nil && named(strings.TrimSpace(t.whole[:k])) >= 0 {
		return -1, fmt.Errorf("no compared metric has that name (%s), and of %s: %w", itemNames(items), strings.TrimSpace(t.whole[:k]), t.wrong)
	}
	return named(t.metric), nil
}

func (t target) matches(m *metric.Metric, e metric.Estimand) bool {
	return (t.metric == "" || t.metric == m.Name) && (t.estimand == nil || *t.estimand == e)
}

// MarginRule is one --margin: [METRIC[:ESTIMAND]=]V.
type MarginRule struct {
	target
	amount
}

// ParseMargin reads a margin rule.
func ParseMargin(text string) (MarginRule, error) {
	var r MarginRule
	value := text
	if left, right, ok := cutLast(text, '='); ok {
		t, err := parseTarget(left)
		if err != nil {
			return r, fmt.Errorf("margin %q: %w", text, err)
		}
		r.target, value = t, right
	}
	a, err := parseAmount(value)
	if err != nil {
		return r, fmt.Errorf("margin %q: %w", text, err)
	}
	r.amount = a
	switch {
	case a.value <= 0:
		return r, fmt.Errorf("margin %q: a margin is the tolerable harm and must be above 0", text)
	case r.metric == "" && a.unit == plain:
		return r, fmt.Errorf("margin %q has no unit: write %s%% for a relative margin, %sms for an absolute one, or METRIC=%s for a column without a unit", text, a.text, a.text, a.text)
	}
	return r, nil
}

func cutLast(s string, sep byte) (before, after string, ok bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// exampleFor is a margin that fits a metric that is not a time.
func exampleFor(m *metric.Metric) string {
	if m.Percent() {
		return "0.5pp"
	}
	return "5%"
}

// margin turns the rule into the margin of a metric. A rule for every metric
// applies only where its unit fits: fits is false then.
func (r MarginRule) margin(m *metric.Metric) (mg Margin, fits bool, err error) {
	share := m.Percent()
	switch r.unit {
	case percent:
		if m.Kind == metric.Share {
			err = fmt.Errorf("margin %s for %s: a rate takes percentage points, write %spp", r.text, m, strings.TrimSuffix(r.text, "%"))
		}
		if m.Direction == metric.HigherIsBetter && r.value >= 1 {
			err = fmt.Errorf("margin %s for %s: where higher is better the loss cannot reach 100%%", r.text, m)
		}
		mg = Margin{Relative, r.value}
	case points:
		if !share {
			what := "rates"
			if m.Kind == metric.PerItem {
				what = "rates and for scores between 0 and 1"
			}
			err = fmt.Errorf("margin %s for %s: percentage points are for %s; write a relative margin such as 5%%", r.text, m, what)
		}
		mg = Margin{Absolute, r.value}
	case seconds:
		if m.Unit != metric.Seconds {
			err = fmt.Errorf("margin %s for %s: it is not a time; write for example %s", r.text, m, exampleFor(m))
		}
		mg = Margin{Absolute, r.value}
	case plain:
		if share || m.Unit == metric.Seconds {
			err = fmt.Errorf("margin %s for %s has no unit: write for example 5%%, or 20ms for a time, or 0.5pp for a rate", r.text, m)
		}
		mg = Margin{Absolute, r.value}
	}
	if err != nil && r.metric == "" {
		return Margin{}, false, nil
	}
	return mg, err == nil, err
}
