package verdict

import (
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

func known(t *testing.T, name string) *metric.Metric {
	t.Helper()
	m, ok := metric.Known(name)
	if !ok {
		t.Fatalf("no metric %s", name)
	}
	return m
}

func TestMargins(t *testing.T) {
	ttft, success, tps := known(t, "ttft"), known(t, "success_rate"), known(t, "output_tps")
	retries := metric.Generic(ingest.GenericColumn{Name: "retries", Unit: ingest.One})
	for _, c := range []struct {
		text string
		m    *metric.Metric
		want Margin
		err  string // part of the error of parsing or of fitting
	}{
		{"5%", ttft, Margin{Relative, 0.05}, ""},
		{"100%", ttft, Margin{Relative, 1}, ""},
		{"ttft=20ms", ttft, Margin{Absolute, 0.02}, ""},
		{"ttft:p99=20ms", ttft, Margin{Absolute, 0.02}, ""},
		{"ttft=1.5s", ttft, Margin{Absolute, 1.5}, ""},
		{"success_rate=0.5pp", success, Margin{Absolute, 0.005}, ""},
		{"retries=0.5", retries, Margin{Absolute, 0.5}, ""},
		{"output_tps=5%", tps, Margin{Relative, 0.05}, ""},
		{"0.1", ttft, Margin{}, "has no unit: write 0.1% for a relative margin"},
		{"10", ttft, Margin{}, "has no unit"},
		{"ttft=10", ttft, Margin{}, "has no unit"},
		{"-5%", ttft, Margin{}, "must be above 0"},
		{"0%", ttft, Margin{}, "must be above 0"},
		{"success_rate=5%", success, Margin{}, "percentage points"},
		{"ttft=0.5pp", ttft, Margin{}, "percentage points are for rates"},
		{"output_tps=100%", tps, Margin{}, "cannot reach 100%"},
		{"output_tps=20ms", tps, Margin{}, "not a time"},
		{"5 parsecs", ttft, Margin{}, "unknown unit"},
		{"five%", ttft, Margin{}, "not a number"},
		{"ttft:p200=5%", ttft, Margin{}, "unknown estimand"},
	} {
		rule, err := ParseMargin(c.text)
		var got Margin
		if err == nil {
			var fits bool
			got, fits, err = rule.margin(c.m)
			if err == nil && !fits {
				t.Errorf("%s for %s does not fit and gives no error", c.text, c.m)
			}
		}
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%s for %s: %v", c.text, c.m, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s for %s: error %v, want one with %q", c.text, c.m, err, c.err)
		case c.err == "" && got != c.want:
			t.Errorf("%s for %s: %+v, want %+v", c.text, c.m, got, c.want)
		}
	}
}

// A margin for everything skips what its unit does not fit.
func TestMarginOfAll(t *testing.T) {
	rule, err := ParseMargin("10%")
	if err != nil {
		t.Fatal(err)
	}
	if _, fits, err := rule.margin(known(t, "success_rate")); fits || err != nil {
		t.Errorf("a relative margin of all fits a rate: %v, %v", fits, err)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		text, metric, err string
		upper             bool
		value             float64
	}{
		{"ttft:p99<=800ms", "ttft", "", true, 0.8},
		{"success_rate>=99.9%", "success_rate", "", false, 0.999},
		{"output_tps:p50>30", "output_tps", "", false, 30},
		{"ttft:p99=800ms", "", "want METRIC:ESTIMAND<=VALUE", false, 0},
		{"ttft<=800ms", "", "say which percentile", false, 0},
		{"ttft:p99<=800", "ttft", "the unit does not fit", true, 0},
		{"ttft:p99<=", "", "not a number", false, 0},
	} {
		l, err := ParseLimit(c.text)
		if err == nil && c.metric != "" {
			l, err = l.resolve(known(t, c.metric))
		}
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want one with %q", c.text, err, c.err)
		case c.err == "" && (err != nil || l.Upper != c.upper || l.Value != c.value):
			t.Errorf("%s: %+v, %v", c.text, l, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"5%", "ttft:p99=20ms", "retries=0.5", "ttft:p99<=800ms", "=", "a=b=5%", "1e999%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := ParseMargin(s); err == nil && !(r.value > 0) {
			t.Errorf("margin %q has value %v", s, r.value)
		}
		_, _ = ParseLimit(s)
	})
}

// TestNamesWithColons: the longest name that is compared is meant.
func TestNamesWithColons(t *testing.T) {
	score := func(name string) metric.Item {
		return metric.Item{Metric: &metric.Metric{Name: name, Kind: metric.PerItem, Unit: metric.Unitless, Direction: metric.HigherIsBetter, Fraction: true}, Estimands: []metric.Estimand{{Kind: metric.Mean}}}
	}
	mean := metric.Estimand{Kind: metric.Mean}
	for _, c := range []struct {
		rule  string
		names []string
		want  string // the metric that it is about
		err   string
	}{
		{"a:b", []string{"a", "a:b"}, "a:b", ""},
		{"a:b:mean", []string{"a", "a:b"}, "a:b", ""},
		{"a:mean", []string{"a", "a:mean"}, "a:mean", ""},
		{"a:mean", []string{"a"}, "a", ""},
		{"a:b", []string{"a"}, "", "unknown estimand \"b\""},
		{"a:b", []string{"c"}, "", "not among the compared metrics"},
		{"a:b:p200", []string{"a:b"}, "", "unknown estimand \"p200\""},
		{" a : mean ", []string{"a"}, "a", ""},
	} {
		var items []metric.Item
		for _, n := range c.names {
			items = append(items, score(n))
		}
		margin, err := ParseMargin(c.rule + "=1pp")
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		soft, err := parseTarget(c.rule)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		p := Policy{Margins: []MarginRule{margin}, Soft: []target{soft}}
		switch err = p.Check(items); {
		case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s among %v: %v, want %q", c.rule, c.names, err, c.err)
		case err != nil:
			p = Policy{Soft: []target{soft}}
			if err := p.Check(items); err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("soft %s among %v: %v, want %q", c.rule, c.names, err, c.err)
			}
		default:
			for _, it := range items {
				want := it.Metric.Name == c.want
				if got := p.Margins[0].matches(it.Metric, mean); got != want {
					t.Errorf("margin %s is about %s: %v", c.rule, it.Metric, got)
				}
				if got := p.Soft[0].matches(it.Metric, mean); got != want {
					t.Errorf("soft gate %s is about %s: %v", c.rule, it.Metric, got)
				}
			}
		}
	}
	for _, c := range []struct {
		limit string
		names []string
		want  string
	}{
		{"a:b:mean>=0.5", []string{"a", "a:b"}, "a:b"},
		{"a:mean>=0.5", []string{"a", "a:mean"}, "a:mean"},
		{"a:mean>=0.5", []string{"a"}, "a"},
	} {
		var items []metric.Item
		for _, n := range c.names {
			items = append(items, score(n))
		}
		l, err := ParseLimit(c.limit)
		p := Policy{Limits: []Limit{l}}
		if err == nil {
			err = p.Check(items)
		}
		if err != nil || p.Limits[0].Metric != c.want || p.Limits[0].Estimand != mean {
			t.Errorf("limit %s among %v: of %s:%s, %v", c.limit, c.names, p.Limits[0].Metric, p.Limits[0].Estimand, err)
		}
	}
}
