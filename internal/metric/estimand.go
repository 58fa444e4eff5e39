package metric

import (
	"fmt"
	"strconv"
	"strings"
)

// EstimandKind says what of a distribution is asked.
type EstimandKind uint8

// The estimands.
const (
	Quantile EstimandKind = iota
	Mean
	Min
	Max
	Rate // of a Share or a PerRun metric
)

// Estimand is what of a metric is compared.
type Estimand struct {
	Kind EstimandKind
	Q    float64 // of a Quantile, in (0, 1)
}

// ParseEstimand reads p0.1 … p99.99, mean, min, max or rate.
func ParseEstimand(s string) (Estimand, error) {
	switch s {
	case "mean":
		return Estimand{Kind: Mean}, nil
	case "min":
		return Estimand{Kind: Min}, nil
	case "max":
		return Estimand{Kind: Max}, nil
	case "rate":
		return Estimand{Kind: Rate}, nil
	case "median":
		return Estimand{Kind: Quantile, Q: .5}, nil
	}
	if p, ok := strings.CutPrefix(s, "p"); ok {
		if v, err := strconv.ParseFloat(p, 64); err == nil && v >= 0.1 && v <= 99.99 {
			// p99.9 is 0.999, not the nearest multiple of 1/100 to 99.9.
			q, err := strconv.ParseFloat(p+"e-2", 64)
			if err == nil {
				return Estimand{Kind: Quantile, Q: q}, nil
			}
		}
	}
	return Estimand{}, fmt.Errorf("unknown estimand %q: want p0.1 to p99.99, mean, min, max or rate", s)
}

// String returns the label: "p99", "p99.9", "mean".
func (e Estimand) String() string {
	switch e.Kind {
	case Mean:
		return "mean"
	case Min:
		return "min"
	case Max:
		return "max"
	case Rate:
		return "rate"
	}
	return "p" + strconv.FormatFloat(roundTo9(e.Q*100), 'f', -1, 64)
}

func roundTo9(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 9, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// defaultEstimands are those of a metric named without one.
func defaultEstimands(m *Metric) []Estimand {
	if m.Kind == Share || m.Kind == PerRun {
		return []Estimand{{Kind: Rate}}
	}
	if m.id == idGeneric {
		return []Estimand{{Kind: Mean}, {Kind: Quantile, Q: .5}, {Kind: Quantile, Q: .95}}
	}
	return []Estimand{{Kind: Quantile, Q: .5}, {Kind: Quantile, Q: .95}, {Kind: Quantile, Q: .99}}
}

// valid reports whether the estimand can be asked of the metric.
func valid(m *Metric, e Estimand) error {
	rate := m.Kind == Share || m.Kind == PerRun
	if rate != (e.Kind == Rate) {
		if rate {
			return fmt.Errorf("%s has one value a run: ask %s or %s:rate, not %s:%s", m.Name, m.Name, m.Name, m.Name, e)
		}
		return fmt.Errorf("%s is a distribution: ask a percentile, mean, min or max, not %s:rate", m.Name, m.Name)
	}
	return nil
}
