package mixshift

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func drawUnits(r *rapid.T, name string) (cell []int, v []float64) {
	n := rapid.IntRange(1, 40).Draw(r, name)
	for range n {
		cell = append(cell, rapid.IntRange(-2, 3).Draw(r, "cell"))
		v = append(v, float64(rapid.IntRange(-50, 50).Draw(r, "value")))
	}
	return cell, v
}

func TestReweightReachesTarget(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cx, _ := drawUnits(r, "x")
		cy, _ := drawUnits(r, "y")
		w, err := Reweight(cx, cy)
		if errors.Is(err, stats.ErrImpossible) {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		// The weighted mix of y is the mix of x on the common cells.
		total, kept := 0.0, 0.0
		got, want := make([]float64, len(w.Codes)), make([]float64, len(w.Codes))
		for i, c := range cy {
			at := slices.Index(w.Codes, c)
			got[at] += w.Weight[i]
			total += w.Weight[i]
		}
		for _, c := range cx {
			if at := slices.Index(w.Codes, c); w.Common[at] {
				want[at]++
				kept++
			}
		}
		for at := range got {
			if math.Abs(got[at]/total-want[at]/kept) > 1e-12 {
				r.Errorf("cell %d has %v, want %v", w.Codes[at], got[at]/total, want[at]/kept)
			}
		}
		if math.Abs(total-w.N) > 1e-9 || w.EffectiveN > w.N+1e-9 || w.EffectiveN < 1-1e-9 {
			r.Errorf("weights sum to %v, units %v, effective %v", total, w.N, w.EffectiveN)
		}
	})
}

func TestWeightedQuantileIsType1(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		_, v := drawUnits(r, "n")
		q := rapid.SampledFrom([]float64{0.01, 0.1, 0.25, 0.29, 0.5, 0.75, 0.9, 0.99}).Draw(r, "q")
		w := make([]float64, len(v))
		for i := range w {
			w[i] = 0.1
		}
		guard := slices.Clone(v)
		got, err := WeightedQuantiles(v, w, []float64{q})
		want, err2 := stats.Quantile(v, q, stats.HF1)
		if err != nil || err2 != nil || got[0] != want {
			r.Errorf("quantile %v of %v: %v, want %v, errors %v %v", q, v, got, want, err, err2)
		}
		if !slices.Equal(v, guard) {
			r.Error("argument changed")
		}
	})
}

func TestWeightedQuantileEdges(t *testing.T) {
	if got := ok1(WeightedQuantiles([]float64{9, 1, 5}, []float64{0, 1, 3}, []float64{0.25, 0.26, 0.999}))(t); !slices.Equal(got, []float64{1, 5, 5}) {
		t.Errorf("got %v", got)
	}
	for _, c := range []struct {
		v, w, q []float64
		want    error
	}{
		{[]float64{1}, []float64{1, 2}, []float64{0.5}, stats.ErrMismatch},
		{nil, nil, []float64{0.5}, stats.ErrDomain},
		{[]float64{1}, []float64{0}, []float64{0.5}, stats.ErrDomain},
		{[]float64{1}, []float64{-1}, []float64{0.5}, stats.ErrDomain},
		{[]float64{math.NaN()}, []float64{1}, []float64{0.5}, stats.ErrDomain},
		{[]float64{1}, []float64{1}, []float64{0}, stats.ErrDomain},
		{[]float64{1}, []float64{1}, []float64{1}, stats.ErrDomain},
		{[]float64{1}, []float64{1}, []float64{math.NaN()}, stats.ErrDomain},
	} {
		if _, err := WeightedQuantiles(c.v, c.w, c.q); !errors.Is(err, c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

func TestQuantileShiftAddsUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		cx, x := drawUnits(r, "x")
		cy, y := drawUnits(r, "y")
		parts, w, err := QuantileShift(cx, x, cy, y, []float64{0.1, 0.5, 0.95})
		if errors.Is(err, stats.ErrImpossible) {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		for _, p := range parts {
			if p.Total != p.Rate+p.Mix || p.Total != p.Y-p.X {
				r.Errorf("%+v does not add up", p)
			}
			if w.OnlyX == 0 && w.OnlyY == 0 && (p.OffSupport != 0 || p.Rate != p.YLike-p.X) {
				r.Errorf("full support: %+v", p)
			}
		}
		same, _, err := QuantileShift(cx, x, cx, x, []float64{0.1, 0.5, 0.95})
		if err != nil {
			r.Fatal(err)
		}
		for _, p := range same {
			if p.Rate != 0 || p.Mix != 0 {
				r.Errorf("a sample against itself: %+v", p)
			}
		}
	})
}

func TestObjections(t *testing.T) {
	codes := func(o Overlap, l Limits) []string {
		var c []string
		for _, w := range Objections(o, l) {
			c = append(c, w.Code)
		}
		return c
	}
	cx, cy := make([]int, 1000), make([]int, 1000)
	if got := codes(ok1(Reweight(cx, cy))(t).Overlap, DefaultLimits()); len(got) != 0 {
		t.Errorf("the same mix: %v", got)
	}
	// Half of x is where y has two units of a thousand; a tenth of y is where x
	// has none.
	for i := range cx {
		if i < 500 {
			cx[i] = 1
		}
		if i < 100 {
			cy[i] = 2
		}
	}
	cy[500], cy[501] = 1, 1
	r := ok1(Reweight(cx, cy))(t)
	if got, want := codes(r.Overlap, DefaultLimits()), []string{"off_support", "few_effective", "thin_cell"}; !slices.Equal(got, want) {
		t.Errorf("objections %v, want %v", got, want)
	}
	near(t, "share of y without counterpart", r.OnlyY, 0.1, 1e-12)
	if got := codes(r.Overlap, Limits{MaxOffSupport: 1, HeavyShare: 1}); len(got) != 0 {
		t.Errorf("without limits: %v", got)
	}
	if _, err := Reweight(nil, cy); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("empty sample: error %v", err)
	}
	if _, err := Reweight([]int{1}, []int{2}); !errors.Is(err, stats.ErrImpossible) {
		t.Errorf("nothing common: error %v", err)
	}
}

func TestPostStratifyEdges(t *testing.T) {
	if _, err := PostStratify([]PostStratum{{N: 5, Share: 0.5}, {N: 1, Share: 0.5}}, 0.9); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("stratum of one: error %v", err)
	}
	p := ok1(PostStratify([]PostStratum{{N: 5, Mean: 3, Share: 0.5}, {N: 0, Mean: math.NaN()}}, 0.9))(t)
	if p.Value != 3 || p.Interval.Width() != 0 || p.Warnings[0].Code != stats.WarnNoVariance {
		t.Errorf("stratum without share, no variance: %+v", p)
	}
	// One stratum is the t interval of its mean.
	p = ok1(PostStratify([]PostStratum{{N: 9, Mean: 3, Variance: 4, Share: 7}}, 0.95))(t)
	near(t, "upper", p.Interval.Hi, 3+stats.TQuantile(0.975, 8)*2/3, 1e-9)
	for _, bad := range [][]PostStratum{nil, {{N: 4, Share: -1}, {N: 4, Share: 2}}, {{N: 4, Mean: math.Inf(1), Share: 1}}, {{N: 4, Variance: -1, Share: 1}}} {
		if _, err := PostStratify(bad, 0.9); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
	if _, err := ReweightedMean([]int{1}, []int{1, 2}, []float64{1, 2}, 0.9); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("cell of one: error %v", err)
	}
}

func TestRIF(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x := make([]float64, 4000)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	f := ok1(RIF(x, 0.5))(t)
	near(t, "density", f.Density, stats.NormalPDF(0), 0.02)
	if f.At(f.Quantile) != f.Low || f.At(f.Quantile+1) != f.High {
		t.Errorf("%+v", f)
	}
	for _, c := range []struct {
		x    []float64
		q    float64
		want error
	}{
		{[]float64{1}, 0.5, stats.ErrTooFew},
		{[]float64{2, 2, 2}, 0.5, stats.ErrDomain},
		{[]float64{1, math.NaN()}, 0.5, stats.ErrDomain},
		{[]float64{1, 2}, 1, stats.ErrDomain},
	} {
		if _, err := RIF(c.x, c.q); !errors.Is(err, c.want) {
			t.Errorf("%v: error %v", c, err)
		}
	}
	if f := ok1(RIF([]float64{1, 1, 1, 1, 1, 1, 1, 1, 5}, 0.5))(t); !(f.Bandwidth > 0) {
		t.Errorf("quartiles equal: %+v", f)
	}
}

// A covariate shifts and its effect does not: the median moves by the explained
// part.
func TestRIFShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	make1 := func(shift float64) Sample {
		s := Sample{make([]float64, 4000), [][]float64{make([]float64, 4000)}}
		for i := range s.Outcome {
			s.Covariates[0][i] = rng.NormFloat64() + shift
			s.Outcome[i] = s.Covariates[0][i] + rng.NormFloat64()
		}
		return s
	}
	s := ok1(RIFShift(make1(0), make1(0.3), 0.5, ReferenceX))(t)
	near(t, "explained", s.Explained, 0.3, 0.06)
	near(t, "unexplained", s.Unexplained, 0, 0.1)
	near(t, "gap", s.Gap, s.Y.MeanRIF-s.X.MeanRIF, 1e-12)
	if _, err := RIFShift(Sample{}, make1(0), 0.5, ReferenceX); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("empty: error %v", err)
	}
}
