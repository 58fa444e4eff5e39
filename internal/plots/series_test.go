package plots

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// marks returns the marks of one type of a panel.

func marks[M Mark](p Panel) []M {
	var out []M
	for _, m := range p.Marks {
		if x, ok := m.(M); ok {
			out = append(out, x)
		}
	}
	return out
}

var close = cmpopts.EquateApprox(1e-9, 1e-12)

// TestDistributionSeries: the curve is the quantile function of the mixture,

// and the dots are the percentiles that the report prints.

func TestDistributionSeries(t *testing.T) {
	m := lognormal(3, 5000, -1.7, 0.5)
	f, err := Distribution("ttft", "s", []Sample{{"a", Baseline, m}, {"b", Candidate, m}})
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	lines := marks[Line](p)
	if len(lines) != 2 || len(lines[0].Points) != curvePoints || lines[0].Dashed || !lines[1].Dashed {
		t.Fatalf("%d lines", len(lines))
	}
	for _, at := range lines[0].Points {
		v, err := m.Quantile(at.Y)
		if err != nil || v != at.X {
			t.Fatalf("the curve has %v at q = %v, the mixture %v", at.X, at.Y, v)
		}
	}
	if first, last := lines[0].Points[0].Y, lines[0].Points[curvePoints-1].Y; first != 0.01 || last != 0.999 {
		t.Errorf("the curve goes from %v to %v", first, last)
	}
	dots := marks[Dots](p)[1]
	var qs []float64
	for _, at := range dots.Points {
		qs = append(qs, at.Y)
		if v, _ := m.Quantile(at.Y); v != at.X {
			t.Errorf("the dot at %v is %v, want %v", at.Y, at.X, v)
		}
	}
	if diff := cmp.Diff([]float64{0.5, 0.95, 0.99}, qs); diff != "" {
		t.Error(diff)
	}
	if p.Y.Scale != Percentile || p.X.Scale != Log {
		t.Errorf("scales %v and %v", p.X.Scale, p.Y.Scale)
	}
	v, _ := m.Quantile(0.99)
	if want := "p99 " + unitFor("s", v).print(v); !strings.Contains(f.Alt, want) {
		t.Errorf("alt %q lacks %q", f.Alt, want)
	}
}

// TestDistributionOfFew: a curve of n values does not claim tails beyond 1/n.

func TestDistributionOfFew(t *testing.T) {
	f, err := Distribution("ttft", "s", []Sample{{"a", Baseline, dist(t, 1, 2, 3, 4)}})
	if err != nil {
		t.Fatal(err)
	}
	pts := marks[Line](f.Panels[0])[0].Points
	if pts[0].Y != 0.25 || pts[len(pts)-1].Y != 0.75 {
		t.Errorf("from %v to %v, want 1/4 to 3/4", pts[0].Y, pts[len(pts)-1].Y)
	}
}

func TestQuantileChangeSeries(t *testing.T) {
	at := []ChangeAt{{0.5, 1.01, 0.99, 1.03, 0}, {0.9, 1.05, 1.02, 1.08, 0}, {0.99, 1.2, 1.1, math.Inf(1), 0}, {0.999, 1.3, math.NaN(), math.NaN(), 0}}
	f, err := QuantileChange("ttft", at, 0.9, Against{Margin: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	want := []Mark{
		Area{Role: Zone, Lo: 1 / 1.05, Hi: 1.05, OnY: true},
		Rule{Role: Frame, At: 1.05, OnY: true, Dashed: true, Label: "margin 5 %"},
		Rule{Role: Ink, At: 1, OnY: true},
		Band{Name: "interval", Role: Candidate, X: []float64{0.5, 0.9, 0.99, 0.999},
			Lo: []float64{0.99, 1.02, 1.1, math.NaN()}, Hi: []float64{1.03, 1.08, math.Inf(1), math.NaN()}},
		Line{Name: "change without an interval", Role: Candidate, Dashed: true, Thin: true, Points: []Point{{math.NaN(), math.NaN()}, {0.99, 1.2}, {0.999, 1.3}}},
		Line{Name: "change", Role: Candidate, Points: []Point{{0.5, 1.01}, {0.9, 1.05}, {0.99, 1.2}, {math.NaN(), math.NaN()}}},
	}
	if diff := cmp.Diff(want, p.Marks, close, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if want := "Change of ttft by percentile. p50 +1.0 % (-1.0 % to +3.0 %); p99 +20.0 % (+10.0 % to no bound)."; f.Alt != want {
		t.Errorf("alt %q, want %q", f.Alt, want)
	}
	if !slices.Contains(f.Notes, "The interval goes on beyond the edge of the figure.") {
		t.Errorf("notes %q", f.Notes)
	}
	if f.Legend[1].Label != "90 % interval" {
		t.Errorf("legend %q", f.Legend[1].Label)
	}
	if tick := p.Y.Ticks[0]; math.Abs(tick.At-1) > 1 || !strings.HasPrefix(p.Y.Label, "change") {
		t.Errorf("axis %+v", p.Y)
	}
	// Harm of a metric that is better high lies below.
	g, err := QuantileChange("output_tps", at, 0.9, Against{Margin: 0.05, HigherIsBetter: true})
	if err != nil {
		t.Fatal(err)
	}
	if r := marks[Rule](g.Panels[0])[0]; r.At != 0.95 {
		t.Errorf("the margin lies at %v", r.At)
	}
	// A change by orders of magnitude.
	h, err := QuantileChange("ttft", []ChangeAt{{0.5, 0.001, 0.0005, 0.002, 0}, {0.9, 500, 400, 600, 0}}, 0.95, Against{Margin: 0.05})
	if err != nil || h.Panels[0].Y.Scale != Log {
		t.Fatalf("scale %v, error %v", h.Panels[0].Y.Scale, err)
	}
	checkAll(t, h)
}

// TestSwarm: dots that would cover one another stand apart.

func TestForestSeries(t *testing.T) {
	f, err := Forest("gates", "Change", []Group{
		{Unit: "%", Rows: []Change{
			{"ttft p99", 0.176, 0.11, 0.245, 0.05, Failed},
			{"tpot p99", 0.03, math.Inf(-1), math.Inf(1), 0.05, Open},
			{"odd", math.NaN(), 0, 0, 0.05, Open},
			{"thin", 0.01, math.NaN(), math.NaN(), 0.05, Muted}}},
		{Unit: "pp", Rows: []Change{{"ok", -0.0001, -0.0005, 0.0003, -0.005, Passed}}},
	}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	want := []Interval{
		{Name: "ttft p99", Role: Failed, Shape: Diamond, At: 0, Value: 0.176, Lo: 0.11, Hi: 0.245},
		{Name: "tpot p99", Role: Open, Shape: Ring, At: 1, Value: 0.03, Lo: math.Inf(-1), Hi: math.Inf(1)},
		{Name: "thin", Role: Muted, Shape: Square, At: 2, Value: 0.01, Lo: 0.01, Hi: 0.01},
	}
	if diff := cmp.Diff(want, marks[Interval](p)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Row{{"ttft p99", "+17.6 %  FAIL", Failed}, {"tpot p99", "+3.0 %  inconclusive", Open}, {"thin", "+1.0 %  not judged", Muted}}, p.Rows); diff != "" {
		t.Error(diff)
	}
	var zero, short []float64
	for _, r := range marks[Rule](p) {
		if r.Short {
			short = append(short, r.At)
		} else {
			zero = append(zero, r.At)
		}
	}
	if diff := cmp.Diff([][]float64{{0}, {0.05, 0.05, 0.05}}, [][]float64{zero, short}); diff != "" {
		t.Error(diff)
	}
	if r := marks[Rule](f.Panels[1]); r[1].At != -0.005 {
		t.Errorf("the margin of the rate lies at %v", r[1].At)
	}
	if want := "tpot p99 +3.0 % (no bound to no bound): inconclusive."; !strings.Contains(f.Alt, want) {
		t.Errorf("alt %q lacks %q", f.Alt, want)
	}
	if diff := cmp.Diff([]string{"1 row is without a value left out."}, f.Notes); diff != "" {
		t.Error(diff)
	}
	// Many rows are cut off with a note.
	g, err := Forest("many", "Many", []Group{{Unit: "s", Rows: make([]Change, 100)}}, 0.95)
	if err != nil || len(g.Panels[0].Rows) != mostRows || !slices.Contains(g.Notes, "60 rows are more not drawn.") {
		t.Errorf("notes %q, error %v", g.Notes, err)
	}
	checkAll(t, g)
}

func TestWaterfallSeries(t *testing.T) {
	s := Split{Name: "ttft p99", Unit: "s", By: "prompt length", Before: 0.8, After: 0.95, Mix: Step{0.05, 0.04, 0.06}, LikeForLike: Step{0.1, math.NaN(), math.NaN()}}
	f, err := Waterfall(s)
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	bars := marks[Bar](p)
	if diff := cmp.Diff([][2]float64{{0.8, 0.85}, {0.85, 0.95}}, [][2]float64{{bars[0].Y0, bars[0].Y1}, {bars[1].Y0, bars[1].Y1}}, close); diff != "" {
		t.Error(diff)
	}
	iv := marks[Interval](p)
	if len(iv) != 1 || math.Abs(iv[0].Lo-0.84) > 1e-12 || math.Abs(iv[0].Hi-0.86) > 1e-12 || !iv[0].Upright {
		t.Errorf("intervals %+v", iv)
	}
	if want := "ttft p99 went from 800 ms to 950 ms, by +150 ms: the mix of prompt length accounts for +50 ms, the change like for like is +100 ms."; f.Alt != want {
		t.Errorf("alt %q", f.Alt)
	}
	var texts []string
	for _, c := range []struct {
		unit           string
		before, mix, l float64
	}{{"s", 2.32, 0.0848, 0.0264}, {"s", 2.32, -0.00121, -0.0000004}, {"%", 0.9992, -0.001, 0.00004}} {
		f, err := Waterfall(Split{Name: "x", Unit: c.unit, Before: c.before, After: c.before + c.mix + c.l, Mix: Step{Value: c.mix}, LikeForLike: Step{Value: c.l}})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range marks[Label](f.Panels[0]) {
			texts = append(texts, l.Text)
		}
	}
	// Steps are in the unit of the largest of them, those of shares in points.
	if diff := cmp.Diff([]string{"+84.8 ms", "+26.4 ms", "2.32 s", "2.43 s", "-1.21 ms", "0.00 ms", "2.32 s", "2.32 s", "-0.10 pp", "0.00 pp", "99.92 %", "99.82 %"}, texts); diff != "" {
		t.Error(diff)
	}
	s.After = 0.96
	if _, err := Waterfall(s); err == nil {
		t.Error("parts that do not add up are drawn")
	}
	for _, odd := range []Split{{Unit: "s"}, {Unit: "s", Before: 1, After: 1}, {Unit: "s", Before: 1, After: 0, LikeForLike: Step{-1, math.Inf(-1), math.Inf(1)}}, {Unit: "1", Before: 1e200, After: 1e200}} {
		f, err := Waterfall(odd)
		if err != nil {
			t.Errorf("%+v: %v", odd, err)
			continue
		}
		checkAll(t, f)
	}
}

// The parts add up to the total to the last digit that is printed.
func TestWaterfallAddsUpAsPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	number := regexp.MustCompile(`[-+]?[0-9,]+(\.[0-9]+)? (pp|ns|µs|ms|s|tokens)\b`)
	read := func(text string) (sum int64) {
		for _, m := range number.FindAllString(text, -1) {
			digits := strings.NewReplacer(",", "", ".", "", "+", "").Replace(strings.Fields(m)[0])
			n, err := strconv.ParseInt(digits, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		return sum
	}
	for i := range 3000 {
		size := math.Pow(10, 6*rng.Float64()-4)
		s := Split{Name: "x", By: "kind", Unit: []string{"s", "%", "tokens"}[i%3], Before: size}
		if s.Unit == "%" {
			size, s.Before = 0.1, 0.5
		}
		s.LikeForLike.Value = size * rng.NormFloat64()
		for k := range i % 4 {
			p := Part{Name: string(rune('a' + k)), Step: Step{Value: size * rng.NormFloat64()}}
			s.Factors, s.Mix.Value = append(s.Factors, p), s.Mix.Value+p.Value
		}
		s.After = s.Before + s.Mix.Value + s.LikeForLike.Value
		f, err := Waterfall(s)
		if err != nil {
			t.Fatal(err)
		}
		total, parts, _ := strings.Cut(f.Alt[strings.Index(f.Alt, ", by "):], ":")
		parts, factors, _ := strings.Cut(parts, ". Of the mix:")
		mix, _, _ := strings.Cut(parts, ", the change")
		if read(total) != read(parts) || factors != "" && read(mix) != read(factors) {
			t.Fatalf("%q does not add up", f.Alt)
		}
	}
}

// Many runs have a panel for each side, on one scale.

func TestFlipsSeries(t *testing.T) {
	f, err := Flips([]FlipSlice{{"all", 41, 23, 1319}, {"none", 0, 0, 10}, {"empty", 0, 0, 0}, {"many", 1073, 2001, 12032}})
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	bars := marks[Bar](p)
	if len(bars) != 6 || bars[0].X0 != -41 || bars[0].X1 != 0 || bars[1].X0 != 0 || bars[1].X1 != 23 {
		t.Errorf("bars %+v", bars)
	}
	if diff := cmp.Diff([]Row{{"all", "-41 +23 of 1,319, net -18", Ink}, {"none", "-0 +0 of 10, net +0", Ink}, {"many", "-1,073 +2,001 of 12,032, net +928", Ink}}, p.Rows); diff != "" {
		t.Error(diff)
	}
	for _, k := range p.X.Ticks {
		if strings.Contains(k.Label, "-") {
			t.Errorf("a count is labelled %q", k.Label)
		}
	}
	checkAll(t, f)
}

func TestPowerSeries(t *testing.T) {
	f, err := Power("runs a side", []PowerLine{
		{"margin 5 %", []Point{{2, 0.1}, {5, 0.6}, {7, 0.82}, {math.Inf(1), 1}, {9, 1.5}}, 7},
		{"margin 1 %", []Point{{2, 0.05}, {40, 0.2}}, 0},
	}, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	p := f.Panels[0]
	lines := marks[Line](p)
	if diff := cmp.Diff([]Point{{2, 0.1}, {5, 0.6}, {7, 0.82}}, lines[0].Points); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Dots{{Name: "margin 5 %", Role: Candidate, Points: []Point{{7, 0.8}}}}, marks[Dots](p)); diff != "" {
		t.Error(diff)
	}
	if got := marks[Label](p); len(got) != 0 {
		t.Errorf("numbers of several lines stand beside them: %+v", got)
	}
	if want := "Power by number of runs a side, target 80 %. margin 5 %: 7 runs a side; margin 1 %: not reached here."; f.Alt != want {
		t.Errorf("alt %q", f.Alt)
	}
	checkAll(t, f)
}

// TestPowerOfMany: of many lines those are drawn that decide how much to buy.

func TestPowerOfMany(t *testing.T) {
	var lines []PowerLine
	for i := range 9 {
		lines = append(lines, PowerLine{Label: string(rune('a' + i)), Points: []Point{{2, 0.1}, {20, 0.9}}, Needed: float64(10 + (i*7)%9)})
	}
	lines[3].Needed = 0 // nowhere
	f, err := Power("runs", lines, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range marks[Line](f.Panels[0]) {
		got = append(got, l.Name)
	}
	// Needs are 10 17 15 – 11 18 16 14 12.
	if diff := cmp.Diff([]string{"b", "c", "d", "f", "g"}, got); diff != "" || len(f.Notes) != 1 {
		t.Error(diff, f.Notes)
	}
	checkAll(t, f)
}

func TestPairedDifference(t *testing.T) {
	f, err := PairedDifference([]Change{{"all", -1.36, -2.6, -0.1, -2, Open}}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Panels[0].Rows[0].Value; got != "-1.36 pp  inconclusive" {
		t.Errorf("value %q", got)
	}
}
