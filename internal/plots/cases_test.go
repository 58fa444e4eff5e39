package plots

import (
	"encoding/csv"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/stats/sketch"
)

func dist(t testing.TB, vs ...float64) *sketch.Mixture {
	t.Helper()
	s := sketch.New(0)
	for _, v := range vs {
		s.Add(v)
	}
	m, err := sketch.NewPooled([]*sketch.Sketch{s})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func readCase(t *testing.T, name string) *sketch.Mixture {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var vs []float64
	for _, r := range rows[1:] {
		v, err := strconv.ParseFloat(r[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v/1000)
	}
	return dist(t, vs...)
}

// TestP25 draws a side of ones and a side with zeros: a logarithmic axis would
// show neither.
func TestP25(t *testing.T) {
	before, after := readCase(t, "testdata/P25/before.csv"), readCase(t, "testdata/P25/after.csv")
	for _, samples := range [][]Sample{
		{{"before", Baseline, before}, {"after", Candidate, after}},
		{{"before", Baseline, before}, {"before", Candidate, before}},
		{{"after", Baseline, after}, {"after", Candidate, after}},
	} {
		f, err := Distribution("latency", "s", samples)
		if err != nil {
			t.Fatal(err)
		}
		x := f.Panels[0].X
		if x.Scale != Linear {
			t.Errorf("the axis of values is not linear")
		}
		for _, m := range f.Panels[0].Marks {
			if l, ok := m.(Line); ok {
				for _, at := range l.Points {
					if p := x.place(at.X); !(p >= 0 && p <= 1) {
						t.Errorf("%v lies at %v of the axis", at.X, p)
					}
				}
			}
		}
		checkAll(t, f)
	}
	f, err := Distribution("latency", "s", []Sample{{"before", Baseline, before}, {"after", Candidate, after}})
	if err != nil || !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, "axis of values is linear") }) {
		t.Errorf("notes %q, error %v", f.Notes, err)
	}
}

// checkAll draws a figure in every format at two widths.
func checkAll(t *testing.T, f *Figure) {
	t.Helper()
	for _, o := range []Options{{Density: 1}, {Width: 300, Theme: Dark, Density: 1}} {
		checkSVG(t, f, o)
		for _, draw := range []func(Options) ([]byte, error){f.PNG, f.PDF} {
			if b, err := draw(o); err != nil || len(b) == 0 {
				t.Errorf("%s: %d bytes, error %v", f.ID, len(b), err)
			}
		}
	}
}

func TestMillionValues(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a large sketch")
	}
	r := rand.New(rand.NewPCG(1, 2))
	s := sketch.New(0)
	for range 1_000_000 {
		s.Add(math.Exp(r.NormFloat64()))
	}
	m, err := sketch.NewPooled([]*sketch.Sketch{s})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Distribution("ttft", "s", []Sample{{"a", Baseline, m}, {"b", Candidate, m}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := f.SVG(Options{})
	if err != nil || len(b) > 50_000 {
		t.Errorf("%d bytes, error %v", len(b), err)
	}
}

// TestOddValues draws distributions of every odd kind.
func TestOddValues(t *testing.T) {
	for name, vs := range map[string][]float64{
		"one value":        {0.2},
		"zero alone":       {0},
		"two values":       {0.1, 0.2},
		"constant":         {1, 1, 1, 1, 1},
		"constant zeros":   {0, 0, 0},
		"negative":         {-3, -2, -1},
		"mixed signs":      {-1e-3, 0, 5},
		"huge range":       {1e-200, 1, 1e200},
		"extreme range":    {1e-300, 1, 1e249},
		"tiny":             {5e-324, 1e-323},
		"large":            {1e249, 1e249},
		"both ends":        {-1e249, 1e249},
		"offset":           {1e12, 1e12 + 0.001, 1e12 + 0.002},
		"offset at limit":  {1e16, 1e16 + 2},
		"many decades":     {1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9},
		"within one value": {1, math.Nextafter(1, 2)},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Distribution("m", "s", []Sample{{"a", Baseline, dist(t, vs...)}, {"b", Candidate, nil}})
			if err != nil {
				t.Fatal(err)
			}
			checkAll(t, f)
			seen := map[string]bool{}
			for _, k := range f.Panels[0].X.Ticks {
				if seen[k.Label] {
					t.Errorf("two ticks are called %q: %v", k.Label, f.Panels[0].X.Ticks)
				}
				seen[k.Label] = true
			}
			if len(seen) == 0 {
				t.Error("no tick")
			}
		})
	}
}

// TestNothing asks for figures of nothing: each declines with a sentence.
func TestNothing(t *testing.T) {
	nan := math.NaN()
	for name, draw := range map[string]func() (*Figure, error){
		"distribution": func() (*Figure, error) { return Distribution("m", "s", []Sample{{"a", Baseline, nil}}) },
		"too large": func() (*Figure, error) {
			return Distribution("m", "s", []Sample{{"a", Baseline, dist(t, math.MaxFloat64)}})
		},
		"no sides": func() (*Figure, error) { return Distribution("m", "s", nil) },
		"change":   func() (*Figure, error) { return QuantileChange("m", nil, 0.95, Against{}) },
		"no ratio": func() (*Figure, error) {
			return QuantileChange("m", []ChangeAt{{0.5, nan, nan, nan, nan}}, 0.95, Against{})
		},
		"runs":       func() (*Figure, error) { return Runs(nil, [2]string{}) },
		"empty runs": func() (*Figure, error) { return Runs([]RunValues{{Sides: [2]float64{nan, nan}}}, [2]string{}) },
		"forest":     func() (*Figure, error) { return Forest("x", "t", nil, 0.95) },
		"no change":  func() (*Figure, error) { return Forest("x", "t", []Group{{Rows: []Change{{Value: nan}}}}, 0.95) },
		"waterfall":  func() (*Figure, error) { return Waterfall(Split{Before: nan}) },
		"windows":    func() (*Figure, error) { return Windows(Over{Percentiles: []float64{0.5}}, []Series{{}}) },
		"prompts":    func() (*Figure, error) { return Prompts("m", []PromptSide{{}}) },
		"flips":      func() (*Figure, error) { return Flips([]FlipSlice{{}}) },
		"power":      func() (*Figure, error) { return Power("runs", []PowerLine{{}}, 0.8) },
	} {
		f, err := draw()
		if !errors.Is(err, ErrNothing) || f != nil {
			t.Errorf("%s: figure %v, error %v", name, f, err)
		}
	}
	if _, err := (&Figure{ID: "x"}).SVG(Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("a figure without panels: %v", err)
	}
}

// TestNoPlaceOnAxis draws figures put together by hand with values that their
// axes do not have: an error, and no panic.
func TestNoPlaceOnAxis(t *testing.T) {
	good := Axis{Min: 0, Max: 1}
	for name, p := range map[string]Panel{
		"zero on log":       {X: Axis{Scale: Log, Min: 1, Max: 10}, Y: good, Marks: []Mark{Line{Points: []Point{{0, 1}}}}},
		"log from zero":     {X: Axis{Scale: Log, Min: 0, Max: 10}, Y: good},
		"no range":          {X: Axis{Min: 1, Max: 1}, Y: good},
		"turned range":      {X: good, Y: Axis{Min: 2, Max: 1}},
		"NaN range":         {X: good, Y: Axis{Min: math.NaN(), Max: 1}},
		"percentile of one": {X: Axis{Scale: Percentile, Min: 0.1, Max: 1}, Y: good},
		"beyond percentile": {X: percentileAxis("", 0.1, 0.9), Y: good, Marks: []Mark{Dots{Points: []Point{{1, 0}}}}},
		"infinite point":    {X: good, Y: good, Marks: []Mark{Line{Points: []Point{{math.Inf(1), 0}}}}},
		"band of two sizes": {X: good, Y: good, Marks: []Mark{Band{X: []float64{1}}}},
		"interval of NaN":   {X: good, Y: good, Marks: []Mark{Interval{Value: math.NaN()}}},
		"bar of Inf":        {X: good, Y: good, Marks: []Mark{Bar{X1: math.Inf(1)}}},
		"line of NaN":       {X: good, Y: good, Marks: []Mark{Line{Points: []Point{{math.NaN(), 0}}}}},
	} {
		f := &Figure{ID: "x", Title: "t", Panels: []Panel{p}}
		if _, err := f.SVG(Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := f.PNG(Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
