package metric

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Every metric of the registry is whole, and no two share a name or a definition.
func TestRegistry(t *testing.T) {
	units := []string{Seconds, Tokens, Unitless, PerSecond}
	names, ids := map[string]bool{}, map[id]bool{}
	all := []*Metric{}
	for i := range registry {
		all = append(all, &registry[i])
	}
	slo, err := ParseSLO("ttft<1s")
	if err != nil {
		t.Fatal(err)
	}
	share, rate := slo.Goodput()
	defined := append([]*Metric{share, rate}, Cost{PerHour: 1}.Metrics(slo)...)
	for _, m := range append(all, defined...) {
		if m.Name == "" || m.Text == "" || !slices.Contains(append(units, USD), m.Unit) {
			t.Errorf("%+v: name, text or unit is missing", m)
		}
		if names[m.Name] || ids[m.id] {
			t.Errorf("%s: the name or the definition is there twice", m.Name)
		}
		names[m.Name], ids[m.id] = true, true
		if m.Latency && (m.Unit != Seconds || m.Direction != LowerIsBetter) {
			t.Errorf("%s: a latency is in seconds, and less of it is better", m.Name)
		}
		if m.AssumedDirection || m.Column != "" {
			t.Errorf("%s: a known metric assumes its direction", m.Name)
		}
		for _, e := range defaultEstimands(m) {
			if err := valid(m, e); err != nil {
				t.Errorf("%s: its own default: %v", m.Name, err)
			}
		}
		if len(defaultEstimands(m)) == 0 {
			t.Errorf("%s: no default estimand", m.Name)
		}
		if !strings.Contains(Names(), m.Name) {
			t.Errorf("%s is not among the names: %s", m.Name, Names())
		}
	}
	for _, m := range all {
		if got, ok := Known(m.Name); !ok || got != m {
			t.Errorf("Known(%s) = %v", m.Name, got)
		}
		if needFlags[m.Name] != "" {
			t.Errorf("%s needs a flag, and is in the registry", m.Name)
		}
	}
	for _, m := range defined {
		if needFlags[m.Name] == "" {
			t.Errorf("%s: no flag is said to define it", m.Name)
		}
		if _, ok := Known(m.Name); ok {
			t.Errorf("%s is known without its flag", m.Name)
		}
	}
	for _, name := range sloMetrics {
		if m, ok := Known(name); !ok || m.Kind != PerRequest {
			t.Errorf("objective %s has no value a request", name)
		}
	}
}

func TestParseEstimand(t *testing.T) {
	for text, want := range map[string]Estimand{
		"p50": {Quantile, 0.5}, "p99.9": {Quantile, 0.999}, "p0.1": {Quantile, 0.001}, "p99.99": {Quantile, 0.9999},
		"p7": {Quantile, 0.07}, "p95": {Quantile, 0.95}, "mean": {Kind: Mean}, "min": {Kind: Min}, "max": {Kind: Max}, "rate": {Kind: Rate},
	} {
		got, err := ParseEstimand(text)
		if err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
		if got.String() != text {
			t.Errorf("%s is printed %s", text, got)
		}
	}
	if e, err := ParseEstimand("median"); err != nil || e.String() != "p50" {
		t.Errorf("median: %v, %v", e, err)
	}
	for _, text := range []string{"", "p", "p0", "p100", "p99.991", "p-5", "pNaN", "pInf", "p1e1x", "99", "Mean", "p 50"} {
		if e, err := ParseEstimand(text); err == nil {
			t.Errorf("%q is taken for %v", text, e)
		}
	}
}

func TestGenericMetric(t *testing.T) {
	for _, c := range []struct {
		column  string
		unit    ingest.Unit
		want    string
		dir     Direction
		assumed bool
	}{
		{"queue_ms", ingest.Millisecond, Seconds, LowerIsBetter, false},
		{"retries", ingest.One, Unitless, LowerIsBetter, true},
		{"tokens_per_s", ingest.One, Unitless, HigherIsBetter, false},
		{"output_tps", ingest.One, Unitless, HigherIsBetter, false},
		{"decode.throughput", ingest.One, Unitless, HigherIsBetter, false},
		{"Requests per second", ingest.One, Unitless, HigherIsBetter, false},
		{"tps_target", ingest.One, Unitless, LowerIsBetter, true},
	} {
		m := Generic(ingest.GenericColumn{Name: c.column, Unit: c.unit})
		if m.Unit != c.want || m.Direction != c.dir || m.AssumedDirection != c.assumed || m.Name != c.column || m.Column != c.column {
			t.Errorf("%s: %+v", c.column, m)
		}
	}
}

func TestScoreMetric(t *testing.T) {
	for _, c := range []struct {
		name     string
		lo, hi   float64
		lower    []string
		dir      Direction
		fraction bool
	}{
		{"exact_match", 0, 1, nil, HigherIsBetter, true},
		{"bleu", 0, 40, nil, HigherIsBetter, false},
		{"delta", -1, 1, nil, HigherIsBetter, false},
		{"word_perplexity", 0.1, 0.9, nil, LowerIsBetter, false},
		{"wer", 0, 1, nil, LowerIsBetter, true},
		{"answer_ms", 0, 1, nil, LowerIsBetter, false},
		{"harm", 0, 1, []string{"harm"}, LowerIsBetter, true},
	} {
		m := Score(c.name, c.lo, c.hi, c.lower)
		if m.Direction != c.dir || m.Fraction != c.fraction || m.Percent() != c.fraction {
			t.Errorf("%s: %+v", c.name, m)
		}
		x, y := 0.2, 0.5
		if loss := m.Loss(x, y); (loss > 0) != (c.dir == LowerIsBetter) {
			t.Errorf("%s: the loss from %v to %v is %v", c.name, x, y, loss)
		}
		if worst := m.Worst(x, y); (worst == y) != (c.dir == LowerIsBetter) {
			t.Errorf("%s: the worse of %v and %v is %v", c.name, x, y, worst)
		}
	}
}

func layoutOf(t *testing.T, columns ...ingest.ColumnInfo) *ingest.Layout {
	t.Helper()
	l, err := ingest.Resolve("x", columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func numeric(names ...string) (cols []ingest.ColumnInfo) {
	for _, n := range names {
		cols = append(cols, ingest.ColumnInfo{Name: n, Type: "double", Class: ingest.NumericClass})
	}
	return cols
}

func TestSelect(t *testing.T) {
	both := layoutOf(t, numeric("ttft_ms", "e2e_ms", "output_tokens", "retries", "queue_ms")...)
	lone := layoutOf(t, numeric("latency_ms")...)
	slo, err := ParseSLO("ttft<1s")
	if err != nil {
		t.Fatal(err)
	}
	share, rate := slo.Goodput()
	for _, c := range []struct {
		why     string
		asked   []string
		limits  []string
		defined []*Metric
		layouts []*ingest.Layout
		want    []string
	}{
		{"the default is every latency there is, and success", nil, nil, nil, []*ingest.Layout{both}, []string{"ttft p50 p95 p99", "tpot p50 p95 p99", "e2e p50 p95 p99", "success_rate rate"}},
		{"a lone latency is not called e2e as well", nil, nil, nil, []*ingest.Layout{lone}, []string{"latency p50 p95 p99", "success_rate rate"}},
		{"what one side has is compared", nil, nil, nil, []*ingest.Layout{both, lone}, []string{"ttft p50 p95 p99", "tpot p50 p95 p99", "e2e p50 p95 p99", "latency p50 p95 p99", "success_rate rate"}},
		{"estimands of one metric come together", []string{"ttft:p99", "e2e:mean", "ttft:p50", "ttft:p99"}, nil, nil, []*ingest.Layout{both}, []string{"ttft p99 p50", "e2e mean"}},
		{"a limit asks for what it is about", []string{"ttft:p50"}, []string{"ttft:p99", "success_rate"}, nil, []*ingest.Layout{both}, []string{"ttft p50 p99*", "success_rate rate*"}},
		{"a column", []string{"retries:mean", "queue_ms"}, nil, nil, []*ingest.Layout{both}, []string{"retries mean", "queue_ms mean p50 p95"}},
		{"a metric that no file has", []string{"itl:p50"}, nil, nil, []*ingest.Layout{both}, []string{"itl p50"}},
		{"what flags define comes with the defaults", nil, nil, []*Metric{share, rate}, []*ingest.Layout{lone}, []string{"latency p50 p95 p99", "success_rate rate", "goodput rate", "goodput_rps rate"}},
		{"or alone", []string{"goodput"}, nil, []*Metric{share, rate}, []*ingest.Layout{lone}, []string{"goodput rate"}},
	} {
		items, err := Select(c.asked, c.limits, c.defined, Directions{}, c.layouts)
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		var got []string
		for _, it := range items {
			s := it.Metric.Name
			for _, e := range it.Estimands {
				s += " " + e.String()
				if slices.Contains(it.LimitOnly, e) {
					s += "*"
				}
			}
			got = append(got, s)
			if it.Named != (len(c.asked) > 0 || slices.Contains(c.defined, it.Metric)) {
				t.Errorf("%s: %s named %v", c.why, it.Metric, it.Named)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, d)
		}
	}
}

func TestSelectErrors(t *testing.T) {
	l := []*ingest.Layout{layoutOf(t, numeric("ttft_ms", "retries")...)}
	for _, c := range []struct {
		asked []string
		dirs  Directions
		want  string
	}{
		{[]string{"nope"}, Directions{}, `there is no metric or column "nope"; metrics are ttft, `},
		{[]string{"nope"}, Directions{}, "numeric columns are retries, ttft_ms"},
		{[]string{"ttft:p100"}, Directions{}, `unknown estimand "p100"`},
		{[]string{"ttft:rate"}, Directions{}, "ttft is a distribution"},
		{[]string{"success_rate:p50"}, Directions{}, "success_rate has one value a run"},
		{[]string{"goodput"}, Directions{}, "metric goodput needs --slo"},
		{[]string{"cost_per_mtok"}, Directions{}, "metric cost_per_mtok needs --gpu-hour"},
		{[]string{"ttft"}, Directions{Higher: []string{"ttft"}}, "the direction of ttft is known: lower is better"},
		{[]string{"ttft"}, Directions{Lower: []string{"retries"}}, "retries is not among the metrics compared"},
	} {
		if _, err := Select(c.asked, nil, nil, c.dirs, l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: error %v, want %q", c.asked, c.dirs, err, c.want)
		}
	}
	items, err := Select([]string{"retries", "ttft"}, nil, nil, Directions{Higher: []string{"retries"}, Lower: []string{"ttft"}}, l)
	if err != nil {
		t.Fatal(err)
	}
	if m := items[0].Metric; m.Direction != HigherIsBetter || m.AssumedDirection {
		t.Errorf("retries, of which more is better: %+v", m)
	}
}

func TestAvailable(t *testing.T) {
	for _, c := range []struct {
		metric  string
		columns []string
		missing string
	}{
		{"ttft", []string{"ttft_ms"}, ""},
		{"ttft", []string{"e2e_ms"}, "a column for ttft"},
		{"e2e", []string{"latency_ms"}, ""},
		{"tpot", []string{"ttft_ms", "e2e_ms", "output_tokens"}, ""},
		{"tpot", []string{"tpot_ms"}, ""},
		{"tpot", []string{"ttft_ms", "e2e_ms"}, "columns for ttft, e2e and output_tokens"},
		{"output_tps", []string{"e2e_ms"}, "columns for e2e and output_tokens"},
		{"throughput_rps", []string{"e2e_ms"}, "a column for start"},
		{"throughput_tps", []string{"start_s"}, "columns for start and output_tokens"},
		{"success_rate", nil, ""},
	} {
		m, _ := Known(c.metric)
		ok, missing := m.Available(layoutOf(t, numeric(c.columns...)...))
		if missing != c.missing || ok != (c.missing == "") {
			t.Errorf("%s of %v: %v, %q", c.metric, c.columns, ok, missing)
		}
	}
	// A column in another unit is the same column.
	m := Generic(ingest.GenericColumn{Name: "queue_ms", Unit: ingest.Millisecond})
	if ok, _ := m.Available(layoutOf(t, numeric("queue_s")...)); !ok {
		t.Error("queue_ms is not found as queue_s")
	}
	if ok, missing := m.Available(layoutOf(t, numeric("wait_s")...)); ok || missing != "a numeric column queue_ms" {
		t.Errorf("queue_ms is found, or %q is missing", missing)
	}
}

func TestParseSLO(t *testing.T) {
	for text, want := range map[string]SLO{
		"ttft<500ms":             {terms: []objective{{below: true, bound: 0.5}}},
		"ttft <= 0.5s":           {terms: []objective{{below: true, equal: true, bound: 0.5}}},
		"output_tps>=20":         {terms: []objective{{equal: true, bound: 20}}},
		"tpot<30ms, latency<2 s": {terms: []objective{{below: true, bound: 0.03}, {below: true, bound: 2}}},
	} {
		s, err := ParseSLO(text)
		if err != nil || len(s.terms) != len(want.terms) || s.Text != text {
			t.Errorf("%q: %+v, %v", text, s, err)
			continue
		}
		for i, o := range s.terms {
			w := want.terms[i]
			if o.below != w.below || o.equal != w.equal || o.bound != w.bound {
				t.Errorf("%q: term %+v", text, o)
			}
		}
	}
	for text, want := range map[string]string{
		"":               "want METRIC<VALUE",
		"ttft":           "want METRIC<VALUE",
		"<500ms":         "want METRIC<VALUE",
		"ttft<":          "the bound is missing",
		"ttft<=":         "the bound is missing",
		"ttft<500":       "needs a time unit",
		"ttft<500parsec": "needs a time unit",
		"output_tps>20s": "takes a plain number",
		"itl<5ms":        "has no value for each request",
		"success_rate>1": "has no value for each request",
		"ttft<-5ms":      "not a number above 0",
		"ttft<xms":       "not a number above 0",
		"ttft<1s,":       "want METRIC<VALUE",
	} {
		if _, err := ParseSLO(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestObjectiveHolds(t *testing.T) {
	for _, c := range []struct {
		o    objective
		v    float64
		want bool
	}{
		{objective{below: true, bound: 1}, 0.9, true},
		{objective{below: true, bound: 1}, 1, false},
		{objective{below: true, equal: true, bound: 1}, 1, true},
		{objective{bound: 1}, 1.1, true},
		{objective{bound: 1}, 1, false},
		{objective{equal: true, bound: 1}, 1, true},
		{objective{bound: 1}, 0.9, false},
	} {
		if got := c.o.holds(c.v); got != c.want {
			t.Errorf("%+v of %v: %v", c.o, c.v, got)
		}
	}
}

// The bins that are remembered are those of the function, whatever is asked.
func TestBinMemo(t *testing.T) {
	asked := 0
	of := func(v float64) (int, bool) {
		asked++
		if v < 3 {
			return 0, false
		}
		return int(v)/10 - 5, true
	}
	m := binMemo{of: of}
	for range 2 {
		for _, v := range []float64{0, 1, 2, 3, 40, 41, 1000, memoLengths - 1, memoLengths, -1, 2.5, 50.5} {
			b, ok := m.bin(v)
			wantB, wantOK := of(v)
			if b != wantB && ok || ok != wantOK {
				t.Errorf("%v: %d %v, want %d %v", v, b, ok, wantB, wantOK)
			}
		}
	}
	if asked != 2*12+12+4 { // ours, once each, and again for those not remembered
		t.Errorf("the function was asked %d times", asked)
	}
}
