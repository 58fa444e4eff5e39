package verdict

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// Policy is what a change is held against.
type Policy struct {
	Margins []MarginRule // the last that matches holds; one that names a metric goes before one that does not
	Limits  []Limit
	// Latency, Share and Score are the margins of latencies, of rates and of
	// scores between 0 and 1 without a rule.
	Latency, Share, Score Margin
	// Critical is the margin of critical slices of items, nil for that of all
	// items; Rows says which results over several tasks are gates.
	Critical *MarginRule
	Rows     Rows
	// Soft lists gates that an owner may accept beyond their margin, Accepted
	// known regressions, Acknowledged failed checks that are tolerated.
	Soft         []target
	Accepted     []Acceptance
	Acknowledged []CheckCode
	// Same lists what of the fingerprint must be the same on both sides.
	Same []string
	// MaxRejected is the share of records that may be rejected before the data
	// of a side are not trusted.
	MaxRejected float64
	// MaxMissing is the share of items that may be left out for want of a score.
	MaxMissing float64
	// TooGood is the improvement, as a ratio, beyond which a measurement is
	// doubted before it is believed.
	TooGood float64
	// Comparability holds the thresholds of the checks of like work.
	Comparability Comparability
	// MaxRuns bounds how many runs a side a plan may ask for.
	MaxRuns int
}

// Default returns the documented policy.
func Default() Policy {
	return Policy{
		Latency:       Margin{Relative, 0.05},
		Share:         Margin{Absolute, 0.005},
		Score:         Margin{Absolute, 0.01},
		MaxRejected:   0.01,
		MaxMissing:    0.05,
		TooGood:       5,
		Comparability: DefaultComparability(),
		MaxRuns:       1000,
	}
}

// Check reports rules that no compared metric answers to, and units that do
// not fit.
func (p *Policy) Check(items []metric.Item) error {
	for i := range p.Margins {
		r := &p.Margins[i]
		if err := r.check(items); err != nil {
			return inFile(r.from, err)
		}
	}
	for k := range p.Soft {
		t := &p.Soft[k]
		switch i, err := t.fit(items); {
		case err != nil:
			return inFile(t.from, fmt.Errorf("soft gate %q: %w", t.whole, err))
		case i < 0:
			return inFile(t.from, fmt.Errorf("soft gate %q: it is not among the compared metrics (%s)", t.metric, itemNames(items)))
		}
	}
	for k := range p.Accepted {
		a := &p.Accepted[k]
		i, err := a.rule.fit(items)
		if err != nil {
			return inFile(a.rule.from, fmt.Errorf("accepted regression %q: %w", a.Gate, err))
		}
		if i < 0 {
			return inFile(a.rule.from, fmt.Errorf("accepted regression %q: it is not among the compared metrics (%s)", a.Gate, itemNames(items)))
		}
		if _, _, err := a.rule.margin(items[i].Metric); err != nil {
			return inFile(a.rule.from, fmt.Errorf("accepted regression %q: %w", a.Gate, err))
		}
	}
	for i, l := range p.Limits {
		k := slices.IndexFunc(items, func(it metric.Item) bool { return it.Metric.Name == l.whole && it.Metric.Kind == metric.PerItem })
		if k >= 0 {
			l.Metric, l.Estimand = l.whole, metric.Estimand{Kind: metric.Mean}
		} else {
			k = slices.IndexFunc(items, func(it metric.Item) bool { return it.Metric.Name == l.Metric })
		}
		if k < 0 {
			return inFile(l.from, fmt.Errorf("limit for %q: there is no such metric among those compared (%s)", l.Metric, itemNames(items)))
		}
		resolved, err := l.resolve(items[k].Metric)
		if err != nil {
			return inFile(l.from, err)
		}
		p.Limits[i] = resolved
	}
	return nil
}

// check reports a rule that no compared metric answers to, or whose unit fits
// none.
func (r *MarginRule) check(items []metric.Item) error {
	if r.metric == "" {
		if slices.ContainsFunc(items, func(it metric.Item) bool { _, fits, _ := r.margin(it.Metric); return fits }) {
			return nil
		}
		if len(items) == 1 {
			of := *r
			of.metric = items[0].Metric.Name
			_, _, err := of.margin(items[0].Metric)
			return err
		}
		return fmt.Errorf("margin %s fits none of the compared metrics (%s)", r.text, itemNames(items))
	}
	i, err := r.fit(items)
	switch {
	case err != nil:
		return fmt.Errorf("margin for %q: %w", r.whole, err)
	case i < 0:
		return fmt.Errorf("margin for %q: it is not among the compared metrics (%s); add --metric %s", r.metric, itemNames(items), r.metric)
	}
	if _, _, err := r.margin(items[i].Metric); err != nil {
		return err
	}
	if r.estimand != nil && !slices.Contains(items[i].Estimands, *r.estimand) {
		return fmt.Errorf("margin for %s:%s: that estimand is not compared; add --metric %s:%s", r.metric, r.estimand, r.metric, r.estimand)
	}
	return nil
}

// inFile names the policy file that a faulty rule stands in.
func inFile(from string, err error) error {
	if from == "" {
		return err
	}
	return fmt.Errorf("%s: %w", from, err)
}

func itemNames(items []metric.Item) string {
	var names []string
	for _, it := range items {
		names = append(names, it.Metric.Name)
	}
	return strings.Join(names, ", ")
}

// margin finds the margin of a result; ok is false for one that is shown and
// not judged.
func (p *Policy) margin(r *compare.Result) (mg Margin, ok bool) {
	mg, ok = p.ordinary(r)
	if a := p.acceptance(r); a != nil && !a.Expired {
		m, fits, err := a.rule.margin(r.Metric)
		if fits && err == nil && !(ok && mg.Scale == m.Scale && mg.Value >= m.Value) { // what is accepted narrows nothing
			return m, true
		}
	}
	return mg, ok
}

// ordinary is the margin of a result of which nothing is accepted.
func (p *Policy) ordinary(r *compare.Result) (mg Margin, ok bool) {
	if p.Critical != nil && r.Critical && r.Items != nil {
		if m, fits, err := p.Critical.margin(r.Metric); fits && err == nil {
			return m, true
		}
	}
	best := -1
	for _, rule := range p.Margins {
		m, fits, err := rule.margin(r.Metric)
		if err != nil || !fits || !rule.matches(r.Metric, r.Estimand) {
			continue
		}
		rank := 0
		if rule.metric != "" {
			rank = 1
		}
		if rule.estimand != nil {
			rank = 2
		}
		if rank >= best {
			best, mg = rank, m
		}
	}
	switch {
	case best >= 0:
		return mg, true
	case r.Metric.Latency || r.Metric.Column != "" && r.Metric.Unit == metric.Seconds:
		return p.Latency, true
	case r.Metric.Kind == metric.Share:
		return p.Share, true
	case r.Metric.Fraction:
		return p.Score, true
	}
	return Margin{}, false
}
