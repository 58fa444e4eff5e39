package metric

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Item is a metric with what is asked of it.
type Item struct {
	Metric    *Metric
	Estimands []Estimand
	// Named tells that the user asked for it, so that it may not be dropped.
	Named bool
	// LimitOnly lists the estimands that are computed only because a limit is
	// about them.
	LimitOnly []Estimand
}

// Directions names the direction of generic columns.
type Directions struct{ Higher, Lower []string }

// Select turns the asked names (METRIC or METRIC:ESTIMAND) into items; with
// none asked, every latency that some file has, and the success rate. What the
// limits are about is added where it is not asked. Names are checked against all
// layouts; an unknown one is an error that lists what would have been accepted.
//
// defined are metrics that the command line defines, such as goodput; they are
// compared with the defaults too.
func Select(asked, limits []string, defined []*Metric, dirs Directions, layouts []*ingest.Layout) ([]Item, error) {
	var items []Item
	if len(asked) == 0 {
		items = defaults(layouts)
		for _, m := range defined {
			items = append(items, Item{Metric: m, Estimands: defaultEstimands(m), Named: true})
		}
	}
	for k, a := range append(slices.Clone(asked), limits...) {
		name, est, has := strings.Cut(a, ":")
		if i := strings.LastIndexByte(a, ':'); has && i > 0 {
			name, est = a[:i], a[i+1:]
		}
		if has && isColumn(a, layouts) { // the longest name first
			name, has = a, false
		}
		m, err := lookup(name, defined, layouts)
		if err != nil {
			return nil, err
		}
		es := defaultEstimands(m)
		if has {
			e, err := ParseEstimand(est)
			if err != nil {
				return nil, fmt.Errorf("metric %q: %w", a, err)
			}
			if err := valid(m, e); err != nil {
				return nil, err
			}
			es = []Estimand{e}
		}
		i := slices.IndexFunc(items, func(it Item) bool { return it.Metric.Name == m.Name })
		if i < 0 {
			items = append(items, Item{Metric: m, Named: true})
			i = len(items) - 1
		}
		for _, e := range es {
			if slices.Contains(items[i].Estimands, e) {
				continue
			}
			items[i].Estimands = append(items[i].Estimands, e)
			if k >= len(asked) {
				items[i].LimitOnly = append(items[i].LimitOnly, e)
			}
		}
	}
	return items, setDirections(items, dirs)
}

func defaults(layouts []*ingest.Layout) []Item {
	var items []Item
	for i := range registry {
		m := &registry[i]
		if !m.Latency && m.id != idSuccess {
			continue
		}
		some := slices.ContainsFunc(layouts, func(l *ingest.Layout) bool {
			ok, _ := m.Available(l)
			return ok && (m.id != idE2E || l.HasField(ingest.E2E))
		})
		if some {
			items = append(items, Item{Metric: m, Estimands: defaultEstimands(m)})
		}
	}
	return items
}

// needFlags says which flag defines a metric that is not in the registry.
var needFlags = map[string]string{
	"goodput": "--slo", "goodput_rps": "--slo", "cost_per_good": "--gpu-hour", "cost_per_mtok": "--gpu-hour",
}

func lookup(name string, defined []*Metric, layouts []*ingest.Layout) (*Metric, error) {
	for _, m := range defined {
		if m.Name == name {
			return m, nil
		}
	}
	if flag := needFlags[name]; flag != "" {
		return nil, fmt.Errorf("metric %s needs %s", name, flag)
	}
	if m, ok := Known(name); ok {
		return m, nil
	}
	var columns []string
	for _, l := range layouts {
		for _, g := range l.Generic {
			if g.Name == name {
				return Generic(g), nil
			}
			if !slices.Contains(columns, g.Name) {
				columns = append(columns, g.Name)
			}
		}
	}
	slices.Sort(columns)
	return nil, unknown(name, columns)
}

// isColumn reports whether some file has a numeric column of that name.
func isColumn(name string, layouts []*ingest.Layout) bool {
	return slices.ContainsFunc(layouts, func(l *ingest.Layout) bool {
		return slices.ContainsFunc(l.Generic, func(g ingest.GenericColumn) bool { return g.Name == name })
	})
}

func setDirections(items []Item, dirs Directions) error {
	set := func(names []string, d Direction, flag string) error {
		for _, n := range names {
			found := false
			for i, it := range items {
				if it.Metric.Name != n {
					continue
				}
				found = true
				if it.Metric.Column == "" && it.Metric.Direction != d {
					return fmt.Errorf("%s %s: the direction of %s is known: %s is better", flag, n, n, it.Metric.Direction)
				}
				m := *it.Metric
				m.Direction, m.AssumedDirection = d, false
				items[i].Metric = &m
			}
			if !found {
				return fmt.Errorf("%s %s: %s is not among the metrics compared (add --metric %s)", flag, n, n, n)
			}
		}
		return nil
	}
	for _, n := range dirs.Higher {
		if slices.Contains(dirs.Lower, n) {
			return fmt.Errorf("--higher-is-better %s and --lower-is-better %s contradict each other: say one", n, n)
		}
	}
	if err := set(dirs.Higher, HigherIsBetter, "--higher-is-better"); err != nil {
		return err
	}
	return set(dirs.Lower, LowerIsBetter, "--lower-is-better")
}
