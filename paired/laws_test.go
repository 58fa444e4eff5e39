package paired

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// oneSample are the intervals and tests of differences.
var oneSample = map[string]func(d []float64, level float64) (value float64, iv stats.Interval, err error){
	"HodgesLehmann": func(d []float64, level float64) (float64, stats.Interval, error) {
		e, err := HodgesLehmann(d, level)
		return e.Value, e.Interval, err
	},
	"ClusterRobust": func(d []float64, level float64) (float64, stats.Interval, error) {
		e, err := ClusterRobust(d, threes(len(d)), CR2, level)
		return e.Value, e.Interval, err
	},
	"ClusterMeans": func(d []float64, level float64) (float64, stats.Interval, error) {
		e, err := ClusterMeans(d, threes(len(d)), level)
		return e.Value, e.Interval, err
	},
	"RepeatedMean": func(d []float64, level float64) (float64, stats.Interval, error) {
		var items [][]float64
		for _, v := range d {
			items = append(items, []float64{v})
		}
		e, err := RepeatedMean(items, level)
		return e.Value, e.Interval, err
	},
}

// threes puts neighbours into clusters of three.
func threes(n int) []int {
	c := make([]int, n)
	for i := range c {
		c[i] = i / 3
	}
	return c
}

func differences(rng *rand.Rand) []float64 {
	d := make([]float64, 6+rng.IntN(40))
	for i := range d {
		d[i] = rng.NormFloat64() + 0.3
		if rng.IntN(3) == 0 {
			d[i] = math.Round(2 * d[i]) // ties and zeros
		}
	}
	return d
}

func TestDifferenceLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for name, of := range oneSample {
		for range 60 {
			d := differences(rng)
			guard := slices.Clone(d)
			value, iv, err := of(d, 0.9)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			_, narrow, _ := of(d, 0.6)
			_, wide, _ := of(d, 0.98)
			if !(wide.Lo <= iv.Lo && iv.Lo <= narrow.Lo && narrow.Hi <= iv.Hi && iv.Hi <= wide.Hi) {
				t.Errorf("%s: levels do not nest: %v, %v, %v", name, narrow, iv, wide)
			}
			if !slices.Equal(d, guard) {
				t.Fatalf("%s changed its argument", name)
			}
			turned := slices.Clone(d)
			for i := range turned {
				turned[i] *= -8 // another sign and another unit
			}
			v, s, err := of(turned, 0.9)
			if err != nil {
				t.Fatal(err)
			}
			near(t, name+" value", v, -8*value, 1e-9)
			if !math.IsInf(iv.Lo, 0) {
				near(t, name+" limit", s.Hi, -8*iv.Lo, 1e-9*math.Max(1, math.Abs(s.Hi)))
			}
		}
	}
}

func TestSignLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 4))
	flip := map[stats.Alternative]stats.Alternative{stats.TwoSided: stats.TwoSided, stats.Less: stats.Greater, stats.Greater: stats.Less}
	tests := map[string]func(d []float64, alt stats.Alternative) (stats.Test, error){
		"SignedRank": func(d []float64, alt stats.Alternative) (stats.Test, error) {
			return SignedRank(d, SignedRankOptions{Alternative: alt})
		},
		"SignedRank, zeros ranked": func(d []float64, alt stats.Alternative) (stats.Test, error) {
			return SignedRank(d, SignedRankOptions{Alternative: alt, Zeros: RankZeros})
		},
		"SignedRank, normal": func(d []float64, alt stats.Alternative) (stats.Test, error) {
			return SignedRank(d, SignedRankOptions{Alternative: alt, Normal: true})
		},
		"SignFlip": func(d []float64, alt stats.Alternative) (stats.Test, error) {
			return SignFlip(d, threes(len(d)), 0, alt)
		},
	}
	for name, test := range tests {
		for range 60 {
			d := differences(rng)
			for alt, other := range flip {
				a, err := test(d, alt)
				if err != nil || !(a.P >= 0 && a.P <= 1) {
					t.Fatalf("%s: %+v, %v", name, a, err)
				}
				turned := slices.Clone(d)
				for i := range turned {
					turned[i] *= -4
				}
				b, err := test(turned, other)
				if err != nil || math.Abs(a.P-b.P) > 1e-12 {
					t.Errorf("%s, %v: p %v, turned %v, %v", name, alt, a.P, b.P, err)
				}
				// Whole clusters change places.
				moved := slices.Clone(d[len(d)%3:])
				whole, err := test(moved, alt)
				if err != nil {
					t.Fatal(err)
				}
				back := slices.Concat(moved[3:], moved[:3])
				again, err := test(back, alt)
				if err != nil || math.Abs(whole.P-again.P) > 1e-12 {
					t.Errorf("%s, %v: p %v, in another order %v, %v", name, alt, whole.P, again.P, err)
				}
			}
		}
	}
}

// Turning the samples around inverts a ratio.
func TestRatioLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	for range 100 {
		x, y := make([]float64, 20), make([]float64, 20)
		for i := range x {
			base := 5 + rng.NormFloat64()
			x[i], y[i] = base+0.3*rng.NormFloat64(), 1.1*base+0.3*rng.NormFloat64()
		}
		for name, f := range map[string]func(x, y []float64, level float64) (stats.Estimate, error){
			"FiellerPaired": FiellerPaired, "FiellerIndependent": FiellerIndependent, "RatioLogDelta": RatioLogDelta,
		} {
			a := ok1(f(x, y, 0.9))(t)
			b := ok1(f(y, x, 0.9))(t)
			near(t, name+" value", 1/b.Value, a.Value, 1e-9)
			near(t, name+" limit", 1/b.Interval.Hi, a.Interval.Lo, 1e-6)
			wide := ok1(f(x, y, 0.99))(t)
			if wide.Interval.Lo > a.Interval.Lo || wide.Interval.Hi < a.Interval.Hi {
				t.Errorf("%s: levels do not nest: %v, %v", name, a.Interval, wide.Interval)
			}
		}
	}
}

func TestRepeatedMean(t *testing.T) {
	e := ok1(RepeatedMean([][]float64{{1, 0}, {1, 1}, {0, 0, 1, 1}}, 0.9))(t)
	if want := ok1(stats.MeanT([]float64{0.5, 1, 0.5}, 0.9))(t); e.Value != want.Value || e.Interval != want.Interval || e.N != 3 || e.Method != MethodRepeatedMean {
		t.Errorf("%+v, want %+v", e, want)
	}
	if s := ok1(Repeats([][]float64{{1, 0}, {1, 1}, {0, 0, 1, 1}}))(t); math.Abs(s.SEItems-e.SE) > 1e-15 {
		t.Errorf("standard error %v, that of the split %v", e.SE, s.SEItems)
	}
	for name, scores := range map[string][][]float64{"one item": {{1, 2}}, "no score": {{1}, {}}, "NaN": {{1}, {math.NaN()}}} {
		if _, err := RepeatedMean(scores, 0.9); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What is known to reject too often says so.
func TestDoubtfulMethodsAreLabelled(t *testing.T) {
	has := func(e stats.Estimate, code string) bool {
		return slices.ContainsFunc(e.Warnings, func(w stats.Warning) bool { return w.Code == code })
	}
	for _, c := range []struct {
		clusters   int
		correction Correction
		want       bool
	}{{49, CR0, true}, {50, CR0, false}, {19, CR1, true}, {20, CR1, false}, {19, CR2, false}} {
		d := make([]float64, 3*c.clusters)
		for i := range d {
			d[i] = float64(i%7) - 2.5
		}
		e := ok1(ClusterRobust(d, threes(len(d)), c.correction, 0.95))(t)
		if has(e.Estimate, WarnFewClusters) != c.want {
			t.Errorf("%v with %d clusters: %v", c.correction, c.clusters, e.Warnings)
		}
	}
	for n, want := range map[int]bool{7: true, 8: false} {
		if e := ok1(Wald(Table{Both: 50, OnlyX: n, OnlyY: 7, Neither: 20}, 0.95))(t); has(e, WarnRareDifferences) != want {
			t.Errorf("Wald with %d discordant items: %v", n+7, e.Warnings)
		}
	}
}
