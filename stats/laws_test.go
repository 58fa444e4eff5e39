package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The laws that every interval and every test of the package obeys, whatever the
// data. Tests beside each method say what is particular to it.

// interval is a method of one or of two samples.
type interval struct {
	name string
	of   func(x, y []float64, level float64) (value float64, iv Interval, err error)
	// ordered methods read x as a series: a permutation is another series.
	ordered bool
	swap    string // "negate", "invert" or "" for a single sample
	scale   bool   // the answer is in the unit of the data
}

func ofEstimate(f func(x, y []float64, level float64) (Estimate, error)) func(x, y []float64, level float64) (float64, Interval, error) {
	return func(x, y []float64, level float64) (float64, Interval, error) {
		e, err := f(x, y, level)
		return e.Value, e.Interval, err
	}
}

var intervals = []interval{
	{name: "MeanT", scale: true, of: ofEstimate(func(x, _ []float64, l float64) (Estimate, error) { return MeanT(x, l) })},
	{name: "HarrellDavis", scale: true, of: ofEstimate(func(x, _ []float64, l float64) (Estimate, error) { return HarrellDavis(x, 0.8, l) })},
	{name: "Nyblom", scale: true, of: ofEstimate(func(x, _ []float64, l float64) (Estimate, error) { return Nyblom(x, 0.7, l) })},
	{name: "OrderStatCI", scale: true, of: func(x, _ []float64, l float64) (float64, Interval, error) {
		e, err := OrderStatCI(x, 0.6, l)
		e.Interval.Level = l // it delivers more
		return e.Value, e.Interval, err
	}},
	{name: "ExactBootstrapQuantile", scale: true, of: func(x, _ []float64, l float64) (float64, Interval, error) {
		e, err := ExactBootstrapQuantile(x, 0.6, l)
		return e.Value, e.Interval, err
	}},
	{name: "BatchMeans", scale: true, ordered: true, of: ofEstimate(func(x, _ []float64, l float64) (Estimate, error) { return BatchMeans(x, 4, l) })},
	{name: "WoodruffCI", scale: true, ordered: true, of: func(x, _ []float64, l float64) (float64, Interval, error) {
		e, err := WoodruffCI(x, 0.5, 4, l)
		return e.Value, e.Interval, err
	}},
	{name: "Welch", scale: true, swap: "negate", of: ofEstimate(Welch)},
	{name: "Pooled", scale: true, swap: "negate", of: ofEstimate(Pooled)},
	{name: "ExactBootstrapDifference", scale: true, of: func(x, y []float64, l float64) (float64, Interval, error) {
		e, err := ExactBootstrapDifference(x, y, 0.6, l)
		return e.Value, e.Interval, err
	}},
	{name: "ExactBootstrapRatio", of: func(x, y []float64, l float64) (float64, Interval, error) {
		e, err := ExactBootstrapRatio(x, y, 0.6, l)
		return e.Value, e.Interval, err
	}},
	{name: "RunRatio", swap: "invert", of: func(x, y []float64, l float64) (float64, Interval, error) {
		r, err := RunRatio(x, y, l)
		return r.Ratio.Value, r.Ratio.Interval, err
	}},
	{name: "RunRatioPooled", swap: "invert", of: func(x, y []float64, l float64) (float64, Interval, error) {
		r, err := RunRatioPooled(x, y, l)
		return r.Ratio.Value, r.Ratio.Interval, err
	}},
	{name: "HodgesLehmannShift", scale: true, swap: "negate", of: func(x, y []float64, l float64) (float64, Interval, error) {
		e, err := HodgesLehmannShift(x, y, l)
		e.Interval.Level = l
		return e.Value, e.Interval, err
	}},
}

func TestIntervalLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 34))
	for _, m := range intervals {
		for trial := range 40 {
			x, y := lognormal(rng.Uint64(), 8+rng.IntN(40), 3, 0.6), lognormal(rng.Uint64(), 8+rng.IntN(40), 3.1, 0.4)
			if trial%4 == 0 { // ties
				for i := range x {
					x[i] = 1 + math.Round(x[i]/8)
				}
			}
			gx, gy := slices.Clone(x), slices.Clone(y)
			value, iv, err := m.of(x, y, 0.9)
			if err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			if !slices.Equal(x, gx) || !slices.Equal(y, gy) {
				t.Fatalf("%s changed an argument", m.name)
			}
			if !(iv.Lo <= value && value <= iv.Hi) || iv.Level != 0.9 {
				t.Errorf("%s: %v in %+v", m.name, value, iv)
			}
			_, narrow, err := m.of(x, y, 0.5)
			_, wide, err2 := m.of(x, y, 0.99)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			if !(wide.Lo <= iv.Lo && iv.Lo <= narrow.Lo && narrow.Hi <= iv.Hi && iv.Hi <= wide.Hi) {
				t.Errorf("%s: levels do not nest: %v, %v, %v", m.name, narrow, iv, wide)
			}
			const tol = 1e-9
			same := func(what string, got, want float64) {
				t.Helper()
				if got != want && !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
					t.Errorf("%s, %s: %v, want %v", m.name, what, got, want)
				}
			}
			if !m.ordered {
				rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
				v, p, err := m.of(x, y, 0.9)
				if err != nil {
					t.Fatal(err)
				}
				same("value of shuffled values", v, value)
				same("lower limit of shuffled values", p.Lo, iv.Lo)
				same("upper limit of shuffled values", p.Hi, iv.Hi)
				copy(x, gx)
			}
			unit := func(k float64) (float64, Interval) {
				sx, sy := slices.Clone(x), slices.Clone(y)
				for i := range sx {
					sx[i] *= k
				}
				for i := range sy {
					sy[i] *= k
				}
				v, s, err := m.of(sx, sy, 0.9)
				if err != nil {
					t.Fatal(err)
				}
				return v, s
			}
			const k = 0.001
			v, s := unit(k)
			factor := 1.0
			if m.scale {
				factor = k
			}
			same("value in another unit", v/factor, value)
			same("lower limit in another unit", s.Lo/factor, iv.Lo)
			same("upper limit in another unit", s.Hi/factor, iv.Hi)
			if m.swap == "" {
				continue
			}
			v, s, err = m.of(y, x, 0.9)
			if err != nil {
				t.Fatal(err)
			}
			if m.swap == "invert" {
				same("swapped value", 1/v, value)
				same("swapped limit", 1/s.Hi, iv.Lo)
			} else {
				same("swapped value", -v, value)
				same("swapped limit", -s.Hi, iv.Lo)
			}
		}
	}
}

// tests are those of two samples with an alternative.
var tests = map[string]func(x, y []float64, alt Alternative) (float64, error){
	"Welch": func(x, y []float64, a Alternative) (float64, error) {
		e, err := Welch(x, y, 0.9)
		return WelchTest(e, 0, a).P, err
	},
	"MannWhitney": func(x, y []float64, a Alternative) (float64, error) {
		r, err := MannWhitney(x, y, a, true)
		return r.P, err
	},
	"PermutationRank": func(x, y []float64, a Alternative) (float64, error) {
		r, err := PermutationRank(x, y, a)
		return r.P, err
	},
	"BrunnerMunzel": func(x, y []float64, a Alternative) (float64, error) {
		r, err := BrunnerMunzel(x, y, a, 0.9)
		return r.P, err
	},
	"PermutationExact": func(x, y []float64, a Alternative) (float64, error) {
		r, err := PermutationExact(x, y, meanGap, a, 1<<20)
		return r.P, err
	},
	"KolmogorovSmirnov": func(x, y []float64, a Alternative) (float64, error) {
		r, err := KolmogorovSmirnov(x, y)
		return r.P, err
	},
	"AndersonDarling": func(x, y []float64, a Alternative) (float64, error) {
		r, err := AndersonDarling(x, y)
		return r.Midrank.P, err
	},
	"SerialCorrelation": func(x, y []float64, a Alternative) (float64, error) {
		r, err := SerialCorrelation(slices.Concat(x, y, x, y), a)
		return r.P, err
	},
}

// FuzzTests gives every test any two small samples: a p-value lies in [0, 1] or
// there is an error, and nothing panics.
func FuzzTests(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)
	f.Add(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
	f.Add(1e300, -1e300, 1e-300, 0.0, 1e12, 1e12+1)
	f.Add(math.NaN(), 1.0, math.Inf(1), 2.0, 3.0, math.Copysign(0, -1))
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g float64) {
		x, y := []float64{a, b, c}, []float64{d, e, g}
		for name, test := range tests {
			for _, alt := range []Alternative{TwoSided, Less, Greater} {
				p, err := test(x, y, alt)
				if err == nil && !(p >= 0 && p <= 1) {
					t.Errorf("%s %v: p %v", name, alt, p)
				}
			}
		}
	})
}

// The one-sided p-values of a test move against each other, and the two-sided one
// is below neither half of them.
func TestAlternatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 5))
	for range 60 {
		x, y := lognormal(rng.Uint64(), 3+rng.IntN(5), 3, 0.6), lognormal(rng.Uint64(), 3+rng.IntN(5), 3.4, 0.4)
		for name, test := range tests {
			two, err := test(x, y, TwoSided)
			less, err2 := test(x, y, Less)
			greater, err3 := test(x, y, Greater)
			if err != nil || err2 != nil || err3 != nil {
				t.Fatal(name, err, err2, err3)
			}
			if name == "KolmogorovSmirnov" || name == "AndersonDarling" {
				continue // no direction
			}
			if less+greater < 1-1e-9 || two < math.Min(less, greater)-1e-12 {
				t.Errorf("%s: p %v two-sided, %v less, %v greater", name, two, less, greater)
			}
		}
	}
}
