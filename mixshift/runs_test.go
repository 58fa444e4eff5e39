package mixshift

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

// simRun is a run of raw values by stratum.
type simRun [][]float64

// side turns runs into a side whose statistic is a quantile of the merged
// distribution.
func side(runs []simRun, q float64) Runs {
	s := Runs{Count: make([][]float64, len(runs))}
	for r, run := range runs {
		for _, v := range run {
			s.Count[r] = append(s.Count[r], float64(len(v)))
		}
	}
	s.Statistic = func(weight [][]float64) (float64, error) {
		var values, weights []float64
		for r, run := range runs {
			for h, v := range run {
				for _, one := range v {
					values, weights = append(values, one), append(weights, weight[r][h]/float64(len(v)))
				}
			}
		}
		out, err := WeightedQuantiles(values, weights, []float64{q})
		if err != nil {
			return 0, err
		}
		return out[0], nil
	}
	return s
}

// simulate draws runs of log-normal values: stratum h is centred at its number,
// every run has an effect of its own.
func simulate(rng *rand.Rand, runs int, share []float64, n int, runSD, slower float64) []simRun {
	out := make([]simRun, runs)
	for r := range out {
		effect := runSD * rng.NormFloat64()
		out[r] = make(simRun, len(share))
		for range n {
			u, h := rng.Float64(), 0
			for u > share[h] && h < len(share)-1 {
				u -= share[h]
				h++
			}
			out[r][h] = append(out[r][h], math.Exp(float64(h)+slower+effect+0.3*rng.NormFloat64()))
		}
	}
	return out
}

func drawRuns(r *rapid.T, name string, strata int) Runs {
	k := rapid.IntRange(2, 5).Draw(r, name)
	s := Runs{}
	var mean [][]float64
	for range k {
		s.Count = append(s.Count, rapid.SliceOfN(rapid.Float64Range(0, 50), strata, strata).Draw(r, "counts"))
		s.Count[len(s.Count)-1][0]++
		mean = append(mean, rapid.SliceOfN(rapid.Float64Range(1, 100), strata, strata).Draw(r, "means"))
	}
	s.Statistic = meanOfCells(mean)
	return s
}

func TestSplitRunsAddsUp(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		strata := rapid.IntRange(1, 4).Draw(r, "strata")
		x, y := drawRuns(r, "x", strata), drawRuns(r, "y", strata)
		s, err := SplitRuns(x, y, false)
		if err != nil {
			r.Fatal(err)
		}
		self, err := SplitRuns(x, x, false)
		if err != nil {
			r.Fatal(err)
		}
		for _, scale := range []Scale{Difference, LogRatio, Relative} {
			p, err := s.Parts(scale, 0.9)
			if err != nil {
				r.Fatal(err)
			}
			wide, err := s.Parts(scale, 0.99)
			if err != nil {
				r.Fatal(err)
			}
			if p.Total.Value != p.Rate.Value+p.Mix.Value {
				r.Errorf("%v: %v + %v is not %v", scale, p.Rate.Value, p.Mix.Value, p.Total.Value)
			}
			want := s.Y - s.X
			switch scale {
			case LogRatio:
				want = math.Log(s.Y / s.X)
			case Relative:
				want = s.Y/s.X - 1
			}
			if math.Abs(p.Total.Value-want) > 1e-9 {
				r.Errorf("%v: total %v, want %v", scale, p.Total.Value, want)
			}
			for _, e := range []struct{ narrow, wide stats.Estimate }{{p.Total, wide.Total}, {p.Rate, wide.Rate}, {p.Mix, wide.Mix}} {
				if !e.narrow.Interval.Contains(e.narrow.Value) || e.wide.Interval.Lo > e.narrow.Interval.Lo || e.wide.Interval.Hi < e.narrow.Interval.Hi {
					r.Errorf("%v: %+v and %+v", scale, e.narrow, e.wide)
				}
			}
			if p, err := self.Parts(scale, 0.9); err != nil || p.Rate.Value != 0 || p.Mix.Value != 0 {
				r.Errorf("%v: a side against itself: %+v, error %v", scale, p, err)
			}
		}
		// The target mix is reached, and every weighting is a share.
		target := 0.0
		for h := range strata {
			if a, b := columnSum(s.WeightX, h), columnSum(s.WeightYLike, h); math.Abs(a-b) > 1e-12 {
				r.Errorf("stratum %d has %v in x and %v in y like for like", h, a, b)
			}
			target += columnSum(s.WeightX, h)
		}
		if math.Abs(target-1) > 1e-12 || !(s.EffectiveN > 0) {
			r.Errorf("weights sum to %v, effective n %v", target, s.EffectiveN)
		}
	})
}

// One stratum and a mean: Welch's interval of the run means; in pairs, the
// paired t interval.
func TestSplitRunsIsWelch(t *testing.T) {
	mx, my := []float64{10, 12, 11, 15}, []float64{14, 13, 17, 19}
	make1 := func(m []float64) Runs {
		s := Runs{}
		var mean [][]float64
		for i, v := range m {
			s.Count, mean = append(s.Count, []float64{float64(10 * (i + 1))}), append(mean, []float64{v})
		}
		s.Statistic = meanOfCells(mean)
		return s
	}
	got := ok1(ok1(SplitRuns(make1(mx), make1(my), false))(t).Parts(Difference, 0.95))(t)
	want := ok1(stats.Welch(mx, my, 0.95))(t)
	near(t, "SE", got.Rate.SE, want.SE, 1e-12)
	near(t, "DF", got.Rate.DF, want.DF, 1e-9)
	near(t, "lower", got.Total.Interval.Lo, want.Interval.Lo, 1e-9)
	if got.Rate.N != 8 || got.Mix.SE > 1e-12 {
		t.Errorf("%+v", got)
	}
	pair := ok1(ok1(SplitRuns(make1(mx), make1(my), true))(t).Parts(Difference, 0.95))(t)
	d := []float64{4, 1, 6, 4}
	mean, variance, err := stats.MeanVariance(d)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "paired value", pair.Rate.Value, mean, 1e-12)
	near(t, "paired SE", pair.Rate.SE, math.Sqrt(variance/4), 1e-12)
	near(t, "paired DF", pair.Rate.DF, 3, 1e-9)
	if pair.Rate.N != 4 {
		t.Errorf("pairs: %+v", pair.Rate)
	}
}

// A mean over strata splits as the cells of the merged runs do.
func TestSplitRunsIsLikeForLike(t *testing.T) {
	x := Runs{Count: [][]float64{{8, 2}, {6, 4}}, Statistic: meanOfCells([][]float64{{1, 10}, {1, 10}})}
	y := Runs{Count: [][]float64{{2, 8}, {4, 6}}, Statistic: meanOfCells([][]float64{{2, 11}, {2, 11}})}
	p := ok1(ok1(SplitRuns(x, y, false))(t).Parts(Difference, 0.95))(t)
	want := ok1(LikeForLike([]float64{14, 6}, []float64{6, 14}, []float64{1, 10}, []float64{2, 11}))(t)
	near(t, "rate", p.Rate.Value, want.Rate, 1e-12)
	near(t, "mix", p.Mix.Value, want.Mix, 1e-12)
}

func TestSplitRunsSupport(t *testing.T) {
	mean := [][]float64{{1, 10, 100}, {1, 10, 100}}
	// Stratum 1: one run of x alone; stratum 2: y alone.
	x := Runs{Count: [][]float64{{8, 2, 0}, {10, 0, 0}}, Statistic: meanOfCells(mean)}
	y := Runs{Count: [][]float64{{5, 3, 2}, {5, 3, 2}}, Statistic: meanOfCells(mean)}
	s := ok1(SplitRuns(x, y, false))(t)
	near(t, "x off the support", s.OnlyX, 0.1, 1e-12)
	near(t, "y off the support", s.OnlyY, 0.5, 1e-12)
	p := ok1(s.Parts(Difference, 0.95))(t)
	if p.Rate.Value != 0 || p.Mix.Value != p.OffSupport.Value || p.Total.Value != p.Mix.Value {
		t.Errorf("%+v", p)
	}
	if s.XCommon != 1 || s.YLike != 1 || s.EffectiveN != 10 || s.N != 10 {
		t.Errorf("%+v", s)
	}
	if len(Objections(s.Overlap, DefaultLimits())) == 0 {
		t.Error("half of y is off the support, no objection")
	}
}

func TestSplitRunsErrors(t *testing.T) {
	stat := meanOfCells([][]float64{{1, 2}, {1, 2}})
	good := Runs{[][]float64{{1, 2}, {3, 4}}, stat}
	boom := errors.New("boom")
	for _, c := range []struct {
		why    string
		y      Runs
		paired bool
		want   error
	}{
		{"no runs", Runs{nil, stat}, false, stats.ErrTooFew},
		{"no statistic", Runs{good.Count, nil}, false, stats.ErrDomain},
		{"ragged", Runs{[][]float64{{1, 2}, {3}}, stat}, false, stats.ErrMismatch},
		{"other strata", Runs{[][]float64{{1}, {3}}, stat}, false, stats.ErrMismatch},
		{"unequal pairs", Runs{good.Count[:1], stat}, true, stats.ErrMismatch},
		{"empty run", Runs{[][]float64{{1, 2}, {0, 0}}, stat}, false, stats.ErrDomain},
		{"nothing common", Runs{[][]float64{{1, 0}, {0, 1}}, stat}, false, stats.ErrImpossible},
		{"failing", Runs{good.Count, func([][]float64) (float64, error) { return 0, boom }}, false, boom},
		{"NaN", Runs{good.Count, func([][]float64) (float64, error) { return math.NaN(), nil }}, false, stats.ErrDomain},
	} {
		if _, err := SplitRuns(good, c.y, c.paired); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.why, err, c.want)
		}
	}
	s := ok1(SplitRuns(good, good, false))(t)
	if _, err := s.Parts(Scale(9), 0.9); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("unknown scale: error %v", err)
	}
	if _, err := s.Parts(LogRatio, 1); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("level: error %v", err)
	}
	zero := Runs{good.Count, func([][]float64) (float64, error) { return 0, nil }}
	for _, scale := range []Scale{LogRatio, Relative} {
		if _, err := ok1(SplitRuns(zero, good, false))(t).Parts(scale, 0.9); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("%v of 0: error %v", scale, err)
		}
	}
}

// Traffic moves to long prompts and nothing gets slower: the interval of the
// like-for-like part covers 0 as often as it says, the total does not.
func TestSplitRunsCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	const draws = 200
	for _, q := range []float64{0.5, 0.95} {
		covered, total, sum := 0, 0, 0.0
		for range draws {
			x := side(simulate(rng, 5, []float64{0.5, 0.3, 0.2}, 200, 0.05, 0), q)
			y := side(simulate(rng, 5, []float64{0.3, 0.3, 0.4}, 200, 0.05, 0), q)
			p := ok1(ok1(SplitRuns(x, y, false))(t).Parts(LogRatio, 0.95))(t)
			sum += p.Rate.Value / draws
			if p.Rate.Interval.Contains(0) {
				covered++
			}
			if p.Total.Interval.Contains(0) {
				total++
			}
		}
		rate := float64(covered) / draws
		t.Logf("q %v: like for like covers 0 in %.3f of %d draws, total in %.3f; mean %.4f", q, rate, draws, float64(total)/draws, sum)
		if rate < 0.91 || total > draws/2 || math.Abs(sum) > 0.02 {
			t.Errorf("q %v: coverage %v, total %d of %d, mean %v", q, rate, total, draws, sum)
		}
	}
}

func BenchmarkSplitRuns(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := side(simulate(rng, 5, []float64{0.5, 0.3, 0.2}, 1000, 0.05, 0), 0.95)
	y := side(simulate(rng, 5, []float64{0.3, 0.3, 0.4}, 1000, 0.05, 0), 0.95)
	for b.Loop() {
		if _, err := SplitRuns(x, y, false); err != nil {
			b.Fatal(err)
		}
	}
}
