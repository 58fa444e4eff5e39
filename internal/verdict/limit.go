package verdict

import (
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// Limit is an absolute bound on the candidate alone.
type Limit struct {
	Metric   string
	Estimand metric.Estimand
	Upper    bool    // the value must lie below Value; else above
	Op       string  // as written: <=, <, >=, >
	Value    float64 // in the metric's base unit
	amount   amount
	whole    string // METRIC:ESTIMAND as written: the name of a score may be all of it
	from     string // the policy file that it stands in, "" for a flag
}

// ParseLimit reads METRIC:ESTIMAND<=V, also with <, >= and >. A rate needs no
// estimand.
func ParseLimit(text string) (Limit, error) {
	var l Limit
	i := strings.IndexAny(text, "<>")
	if i < 0 {
		return l, fmt.Errorf("limit %q: want METRIC:ESTIMAND<=VALUE, for example ttft:p99<=800ms", text)
	}
	l.Op = text[i : i+1]
	rest := text[i+1:]
	if strings.HasPrefix(rest, "=") {
		l.Op, rest = l.Op+"=", rest[1:]
	}
	l.Upper = l.Op[0] == '<'
	t, err := parseTarget(text[:i])
	if err != nil {
		return l, fmt.Errorf("limit %q: %w", text, err)
	}
	l.Metric, l.whole = t.metric, t.whole
	switch m, ok := metric.Known(t.metric); {
	case t.estimand != nil:
		l.Estimand = *t.estimand
	case ok && (m.Kind == metric.Share || m.Kind == metric.PerRun):
		l.Estimand = metric.Estimand{Kind: metric.Rate}
	case t.wrong != nil:
		return l, fmt.Errorf("limit %q: %w", text, t.wrong)
	default:
		return l, fmt.Errorf("limit %q: say which percentile or mean is limited, for example %s:p99%s%s", text, t.metric, l.Op, rest)
	}
	if l.amount, err = parseAmount(rest); err != nil {
		return l, fmt.Errorf("limit %q: %w", text, err)
	}
	return l, nil
}

// resolve checks the limit's unit against the metric and sets Value.
func (l Limit) resolve(m *metric.Metric) (Limit, error) {
	a := l.amount
	ok := false
	switch a.unit {
	case seconds:
		ok = m.Unit == metric.Seconds
	case percent:
		ok = m.Percent()
	case plain:
		ok = m.Unit != metric.Seconds
	}
	if !ok {
		want := "a plain number, for example 3"
		switch {
		case m.Unit == metric.Seconds:
			want = "a time, for example 800ms"
		case m.Percent():
			want = "a share, for example 99.9%"
		}
		return l, fmt.Errorf("limit %s:%s%s%s: the unit does not fit; %s takes %s", l.Metric, l.Estimand, l.Op, a.text, m, want)
	}
	switch {
	case m.Kind == metric.Share && (a.value < 0 || a.value > 1):
		return l, fmt.Errorf("limit %s:%s%s%s: a rate lies between 0%% and 100%%", l.Metric, l.Estimand, l.Op, a.text)
	case m.Unit == metric.Seconds && a.value <= 0:
		return l, fmt.Errorf("limit %s:%s%s%s: a time is above 0", l.Metric, l.Estimand, l.Op, a.text)
	}
	l.Value = a.value
	return l, nil
}

// Where is the policy file and the line that the limit stands in, "" for a flag.
func (l Limit) Where() string { return l.from }

// Ask returns the metric and estimand that --metric would have to name for the
// limit to be computed.
func (l Limit) Ask() string { return l.Metric + ":" + l.Estimand.String() }
