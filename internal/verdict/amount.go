package verdict

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Amount is a change or a spread as a user writes it.
type Amount struct {
	Scale Scale
	Value float64 // a share where Scale is Relative, else in the base unit
	// Time tells that it was written in a time unit, Points in percentage
	// points; Text is how it was written.
	Time, Points bool
	Text         string
}

// ParseAmount reads 4%, -3.5%, 8ms, 0.5pp or a plain number.
func ParseAmount(text string) (Amount, error) {
	a, err := parseAmount(text)
	if err != nil {
		return Amount{}, err
	}
	out := Amount{Scale: Absolute, Value: a.value, Time: a.unit == seconds, Points: a.unit == points, Text: a.text}
	if a.unit == percent {
		out.Scale = Relative
	}
	return out, nil
}

// Amount returns the amount of a rule that is for every metric; ok is false for
// a rule that names one.
func (r MarginRule) Amount() (a Amount, ok bool) {
	a = Amount{Scale: Absolute, Value: r.value, Time: r.unit == seconds, Points: r.unit == points, Text: r.text}
	if r.unit == percent {
		a.Scale = Relative
	}
	return a, r.metric == ""
}

// MarginOf returns the margin of an estimand; ok is false for one that is shown
// and not judged.
func (p *Policy) MarginOf(m *metric.Metric, e metric.Estimand) (mg Margin, ok bool) {
	return p.margin(&compare.Result{Metric: m, Estimand: e})
}

// Harm returns the margin on the scale of harm, where harm is positive: a
// difference, or a log ratio for a relative margin.
func (m Margin) Harm(d metric.Direction) float64 {
	switch {
	case m.Scale == Absolute:
		return m.Value
	case d == metric.HigherIsBetter:
		return -math.Log1p(-m.Value)
	}
	return math.Log1p(m.Value)
}

// Harm returns a change on the scale of harm. It is an error for a change to
// zero or below.
func (a Amount) Harm(d metric.Direction) (float64, error) {
	v := a.Value
	if a.Scale == Relative {
		if v <= -1 {
			return 0, fmt.Errorf("a change of %s leaves nothing", a.Text)
		}
		v = math.Log1p(v)
	}
	if d == metric.HigherIsBetter {
		v = -v
	}
	return v, nil
}

// HarmShare turns a harm back into what a margin is written in: a share, or a
// difference. A log ratio of +Inf is the share 1 where higher is better.
func (s Scale) HarmShare(harm float64, d metric.Direction) float64 {
	switch {
	case s == Absolute:
		return harm
	case d == metric.HigherIsBetter:
		return -math.Expm1(-harm)
	}
	return math.Expm1(harm)
}
