package mixshift

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// crossing numbers the combinations of levels, the last factor fastest.
func crossing(sizes ...int) Crossing {
	out := Crossing{nil}
	for _, n := range sizes {
		var next Crossing
		for _, c := range out {
			for l := range n {
				next = append(next, append(append([]int{}, c...), l))
			}
		}
		out = next
	}
	return out
}

// outer is the joint mix of two independent factors.
func outer(a, b []float64) (share []float64) {
	for _, x := range a {
		for _, y := range b {
			share = append(share, x*y)
		}
	}
	return share
}

// twoRuns is a side without run-to-run variation.
func twoRuns(count, mean []float64) Runs {
	return Runs{Count: [][]float64{count, count}, Statistic: MeanOfRuns([][]float64{mean, mean})}
}

// Two independent factors, nothing slower: the mean of either mix is known, and
// so is what each factor does alone. 2/5 → 4/5 of factor A at +10, 1/2 → 3/4 of
// B at +20, +8 where both meet: E = 100 + 10a + 20b + 8ab.
func TestFactorsOfIndependentMixes(t *testing.T) {
	mean := []float64{100, 120, 110, 138} // a0b0 a0b1 a1b0 a1b1
	x, y := twoRuns(outer([]float64{.6, .4}, []float64{.5, .5}), mean), twoRuns(outer([]float64{.2, .8}, []float64{.25, .75}), mean)
	s := ok1(SplitRunsBy(x, y, crossing(2, 2), false))(t)
	p := ok1(s.Parts(Difference, 0.95))(t)
	// Switching A: at b = 1/2 10·.4 + 8·.4·.5 = 5.6, at b = 3/4 4 + 2.4 = 6.4.
	// Switching B: at a = 2/5 5 + 8·.4·.25 = 5.8, at a = 4/5 5 + 1.6 = 6.6.
	near(t, "factor A", p.Factors[0].Value, 6, 1e-12)
	near(t, "factor B", p.Factors[1].Value, 6.2, 1e-12)
	near(t, "mix", p.Mix.Value, 12.2, 1e-12)
	near(t, "rate", p.Rate.Value, 0, 1e-12)
	if p.Factors[0].Method != MethodRunSplitFactor || len(p.Factors[0].Warnings) != 1 {
		t.Errorf("%+v", p.Factors[0])
	}
}

// Das Gupta's two factors: √(P(ij)·P(i)/P(j)) and √(P(ij)·P(j)/P(i)).
func TestTermsOfTwoFactors(t *testing.T) {
	share := []float64{.1, .2, .4, .3}
	f := ok1(newFactoring(crossing(2, 2), 4))(t)
	terms := f.terms(share)
	a, b := []float64{.3, .7}, []float64{.5, .5}
	for h, p := range share {
		pi, pj := a[h/2], b[h%2]
		near(t, "first factor", math.Exp(terms[0][h]), math.Sqrt(p*pi/pj), 1e-12)
		near(t, "second factor", math.Exp(terms[1][h]), math.Sqrt(p*pj/pi), 1e-12)
	}
}

// Shares shrink to those of independent factors by n/(n + (1 − Σp²)/Σ(λ − p)²).
func TestSmooth(t *testing.T) {
	f := ok1(newFactoring(crossing(2, 2), 4))(t)
	share := []float64{.5, 0, .25, .25}
	independent := []float64{.375, .125, .375, .125} // margins .5 .5 and .75 .25
	prior := (1 - .25 - .0625 - .0625) / (4 * .125 * .125)
	got := f.smooth(share, 30)
	for h := range share {
		near(t, "smoothed", got[h], (30*share[h]+prior*independent[h])/(30+prior), 1e-12)
	}
	// Independent shares stay, and what has a level that does not occur stays 0.
	for _, p := range [][]float64{{.125, .375, .125, .375}, {.25, .75, 0, 0}} {
		for h, s := range f.smooth(p, 5) {
			near(t, "independent", s, p[h], 1e-12)
		}
	}
}

func TestFactorsAddUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 3), 1, 3).Draw(r, "levels")
		by := crossing(sizes...)
		x, y := drawRuns(r, "x", len(by)), drawRuns(r, "y", len(by))
		s, err := SplitRunsBy(x, y, by, false)
		if err != nil {
			r.Fatal(err)
		}
		plain, err := SplitRuns(x, y, false)
		if err != nil {
			r.Fatal(err)
		}
		// The same factors named in another order.
		turned := make(Crossing, len(by))
		for h, levels := range by {
			for j := range levels {
				turned[h] = append(turned[h], 7-levels[len(levels)-1-j])
			}
		}
		back, err := SplitRunsBy(x, y, turned, false)
		if err != nil {
			r.Fatal(err)
		}
		for _, scale := range []Scale{Difference, LogRatio, Relative} {
			p, err := s.Parts(scale, 0.9)
			if err != nil {
				r.Fatal(err)
			}
			want, err := plain.Parts(scale, 0.9)
			if err != nil {
				r.Fatal(err)
			}
			b, err := back.Parts(scale, 0.9)
			if err != nil {
				r.Fatal(err)
			}
			sum := 0.0
			for i, f := range p.Factors {
				sum += f.Value
				same := b.Factors[len(b.Factors)-1-i]
				if math.Abs(f.Value-same.Value) > 1e-9 || math.Abs(f.SE-same.SE) > 1e-9 {
					r.Errorf("%v: factor %d is %v (%v), named last first %v (%v)", scale, i, f.Value, f.SE, same.Value, same.SE)
				}
				if sizes[i] == 1 && math.Abs(f.Value) > 1e-9 {
					r.Errorf("%v: a factor of one level brings %v", scale, f.Value)
				}
			}
			if len(p.Factors) != len(sizes) || sum+p.OffSupport.Value != p.Mix.Value || p.Rate.Value+p.Mix.Value != p.Total.Value {
				r.Errorf("%v: %v + %v is not %v", scale, sum, p.OffSupport.Value, p.Mix.Value)
			}
			if math.Abs(p.Mix.Value-want.Mix.Value) > 1e-9 || math.Abs(p.Mix.SE-want.Mix.SE) > 1e-9 || p.Rate.Value != want.Rate.Value {
				r.Errorf("%v: mix %v (%v), without factors %v (%v)", scale, p.Mix.Value, p.Mix.SE, want.Mix.Value, want.Mix.SE)
			}
		}
	})
}

func TestFactorsRefuse(t *testing.T) {
	x, y := twoRuns([]float64{1, 1, 1, 1}, []float64{1, 2, 3, 4}), twoRuns([]float64{1, 1, 1, 1}, []float64{1, 2, 3, 4})
	for name, by := range map[string]Crossing{
		"too few":    crossing(2),
		"twice":      {{0, 0}, {0, 1}, {1, 0}, {0, 1}},
		"ragged":     {{0, 0}, {0, 1}, {1, 0}, {1}},
		"no factor":  {{}},
		"six":        crossing(2, 2, 1, 1, 1, 1),
		"no strata":  nil,
		"five work":  crossing(2, 2, 1, 1, 1),
		"two work":   crossing(2, 2),
		"odd levels": {{-5, 9}, {-5, 1 << 40}, {3, 9}, {3, 1 << 40}},
	} {
		_, err := SplitRunsBy(x, y, by, false)
		works := name == "five work" || name == "two work" || name == "odd levels"
		if works != (err == nil) || err != nil && !errors.Is(err, stats.ErrDomain) && !errors.Is(err, stats.ErrMismatch) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := SplitRunsBy(x, Runs{}, nil, false); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("no runs: error %v", err)
	}
	// y has nearly all its units where one factor is as in x and the other as in
	// y, and none to speak of where it is the other way round.
	few := twoRuns([]float64{1e5, 1, 1e3, 1e5}, []float64{1, 2, 3, 4})
	many := twoRuns([]float64{1e5, 1e5, 10, 1e3}, []float64{1, 2, 3, 4})
	s := ok1(SplitRunsBy(many, few, crossing(2, 2), false))(t)
	if got := s.FactorObjections(DefaultLimits()); len(got) != 1 || got[0].Code != WarnFewEffective {
		t.Errorf("objections %v, effective %v of %v", got, s.FactorN, s.N)
	}
	if got := ok1(SplitRunsBy(x, y, crossing(2, 2), false))(t).FactorObjections(DefaultLimits()); len(got) != 0 {
		t.Errorf("the same mix: %v", got)
	}
	if got := ok1(SplitRuns(many, few, false))(t).FactorObjections(DefaultLimits()); len(got) != 0 {
		t.Errorf("without factors: %v", got)
	}
}

func TestByStratum(t *testing.T) {
	r := Runs{Count: [][]float64{{4, 0, 0}, {1, 2, 0}}, Statistic: MeanOfRuns([][]float64{{10, math.NaN(), math.NaN()}, {20, 30, math.NaN()}})}
	got := r.ByStratum()
	if len(got) != 3 || got[0] != 15 || got[1] != 30 || !math.IsNaN(got[2]) {
		t.Errorf("%v", got)
	}
	if got := (Runs{}).ByStratum(); got != nil {
		t.Errorf("no runs: %v", got)
	}
	if got := (Runs{Count: [][]float64{{1, 2}, {1}}, Statistic: r.Statistic}).ByStratum(); got != nil {
		t.Errorf("unlike runs: %v", got)
	}
	rate, mix, err := Contributions([]float64{.5, .5, 0}, []float64{.25, .5, .25}, []float64{10, 20, math.NaN()}, []float64{12, 20, 30})
	if err != nil || rate[0] != 1 || mix[0] != -3 || rate[1] != 0 || mix[1] != 0 || !math.IsNaN(rate[2]) || !math.IsNaN(mix[2]) {
		t.Errorf("%v %v", rate, mix)
	}
	if _, _, err := Contributions([]float64{1}, nil, nil, nil); !errors.Is(err, stats.ErrMismatch) {
		t.Errorf("lists of different lengths: %v", err)
	}
}

// A statistic refuses weights of runs or strata that it does not have.
func TestStatisticsOfOtherRuns(t *testing.T) {
	one := sketch.New(8)
	one.Add(3)
	merged, err := NewMergedRuns([][]*sketch.Sketch{{nil, one}})
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]func([][]float64) (float64, error){"mean": MeanOfRuns([][]float64{{math.NaN(), 3}}), "quantile": merged.Quantile(0.5)} {
		if v, err := of([][]float64{{0, 1}}); err != nil || v != 3 {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		for _, w := range [][][]float64{nil, {{1}}, {}} {
			if _, err := of(w); !errors.Is(err, stats.ErrMismatch) {
				t.Errorf("%s of weights %v: %v", name, w, err)
			}
		}
	}
}
