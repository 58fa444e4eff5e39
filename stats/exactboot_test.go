package stats

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"
)

// enumerate returns the statistic of all n^n resamples in ascending order.
func enumerate(x []float64, statistic func(sorted []float64) float64) []float64 {
	n := len(x)
	total := 1
	for range n {
		total *= n
	}
	out := make([]float64, total)
	resample := make([]float64, n)
	for code := range total {
		c := code
		for i := range resample {
			resample[i] = x[c%n]
			c /= n
		}
		slices.Sort(resample)
		out[code] = statistic(resample)
	}
	slices.Sort(out)
	return out
}

// lowest is the smallest value whose share of the sorted values reaches p.
func lowest(sorted []float64, p float64) float64 {
	k := int(math.Ceil((p - percentileSlack) * float64(len(sorted))))
	return sorted[max(k, 1)-1]
}

func TestExactBootstrapAgainstEnumeration(t *testing.T) {
	samples := [][]float64{{12.1, 15.3, 9.8, 22.4, 18}, {1, 1, 2, 2, 7}, {3, 3, 3}, {2, 9}, {4, 8, 15, 16, 23, 42}}
	for _, x := range samples {
		for _, q := range []float64{0.1, 0.3, 0.5, 0.75, 0.9} {
			all := enumerate(x, func(s []float64) float64 { v, _ := QuantileSorted(s, q, HF7); return v })
			law, err := ExactBootstrapQuantile(x, q, 0.8)
			if err != nil {
				t.Fatal(err)
			}
			mean := meanOf(all)
			sd := math.Sqrt(varianceAbout(all, mean) * float64(len(all)-1) / float64(len(all)))
			at := fmt.Sprintf("%v at %v: ", x, q)
			within(t, at+"mean", law.Mean, mean, 1e-12)
			within(t, at+"SE", law.SE, sd, 1e-9)
			within(t, at+"lower", law.Interval.Lo, lowest(all, 0.1), 1e-12)
			within(t, at+"upper", law.Interval.Hi, lowest(all, 0.9), 1e-12)
		}
		for r := 1; r <= len(x); r++ {
			all := enumerate(x, func(s []float64) float64 { return s[r-1] })
			law, err := ExactBootstrapOrderStat(x, r, 0.8)
			if err != nil {
				t.Fatal(err)
			}
			within(t, "mean", law.Mean, meanOf(all), 1e-12)
			within(t, "lower", law.Interval.Lo, lowest(all, 0.1), 0)
			within(t, "upper", law.Interval.Hi, lowest(all, 0.9), 0)
		}
	}
}

// naivePercentile sorts all pairs.
func naivePercentile(lx, ly rankLaw, p float64, g func(x, y float64) float64) float64 {
	type pair struct{ v, w float64 }
	var pairs []pair
	for i, a := range lx.x {
		for k, b := range ly.x {
			pairs = append(pairs, pair{g(a, b), lx.w[i] * ly.w[k]})
		}
	}
	sort.Slice(pairs, func(i, k int) bool { return pairs[i].v < pairs[k].v })
	var sum float64
	for _, c := range pairs {
		sum += c.w
		if sum >= p-percentileSlack {
			return c.v
		}
	}
	return pairs[len(pairs)-1].v
}

func TestExactBootstrapDifferenceAgainstAllPairs(t *testing.T) {
	for seed := range uint64(12) {
		x, y := lognormal(seed, 5+int(seed)*9, 3, 0.5), lognormal(100+seed, 40, 3.1, 0.7)
		if seed%3 == 0 { // ties
			for i := range x {
				x[i] = math.Round(x[i])
			}
			for i := range y {
				y[i] = math.Round(y[i])
			}
		}
		for _, q := range []float64{0.2, 0.5, 0.95} {
			d, err := ExactBootstrapDifference(x, y, q, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			r, err := ExactBootstrapRatio(x, y, q, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			lx := newRankLaw(sortedValues(x), ceilRank(q, len(x)))
			ly := newRankLaw(sortedValues(y), ceilRank(q, len(y)))
			minus := func(a, b float64) float64 { return b - a }
			over := func(a, b float64) float64 { return b / a }
			within(t, "lower difference", d.Interval.Lo, naivePercentile(lx, ly, 0.025, minus), 1e-9)
			within(t, "upper difference", d.Interval.Hi, naivePercentile(lx, ly, 0.975, minus), 1e-9)
			within(t, "lower ratio", r.Interval.Lo, naivePercentile(lx, ly, 0.025, over), 1e-9)
			within(t, "upper ratio", r.Interval.Hi, naivePercentile(lx, ly, 0.975, over), 1e-9)
			var m1, m2, p float64
			for i, a := range lx.x {
				for k, b := range ly.x {
					w := lx.w[i] * ly.w[k]
					m1 += w * b / a
					m2 += w * b / a * b / a
					if b <= a {
						p += w
					}
				}
			}
			within(t, "mean ratio", r.Mean, m1, 1e-10)
			within(t, "SE of the ratio", r.SE, math.Sqrt(m2-m1*m1), 1e-7)
			within(t, "P(difference ≤ 0)", d.PAtMostZero, p, 1e-12)
			swapped, _ := ExactBootstrapDifference(y, x, q, 0.95)
			if swapped.Value != -d.Value || swapped.SE != d.SE || math.Abs(swapped.Mean+d.Mean) > 1e-12 {
				t.Errorf("swapped %+v, before %+v", swapped, d)
			}
		}
	}
}

// Both ways to the cell probabilities must agree where they meet.
func TestBetaCellsMethodsAgree(t *testing.T) {
	for _, c := range []struct {
		n    int
		a, b float64
	}{
		{1001, 501, 501}, {1001, 951, 51}, {1001, 25, 977}, {1500, 20.5, 1480}, {5000, 4950.3, 50.7},
		{20000, 10000, 10001}, {200000, 100000, 100001},
	} {
		first, w := integratedCells(c.n, c.a, c.b)
		want := differencedCells(c.n, c.a, c.b, first, first+len(w)-1)
		peak := slices.Max(want)
		for i := range w {
			if math.Abs(w[i]-want[i]) > 1e-10*peak {
				t.Errorf("n %d, Beta(%v, %v), rank %d: %v and %v", c.n, c.a, c.b, first+i, w[i], want[i])
				break
			}
		}
	}
	for _, n := range []int{1, 2, 10, 1000, 1001, 4321, 1_000_000} {
		for _, q := range []float64{1e-9, 0.001, 0.5, 0.9, 0.9999, 1} {
			r := ceilRank(q, n)
			first, w, err := BootstrapWeights(n, r)
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for _, v := range w {
				sum += v
				if v < 0 {
					t.Fatalf("n %d, r %d: negative weight %v", n, r, v)
				}
			}
			if math.Abs(sum-1) > 1e-12 || first < 1 || first+len(w)-1 > n {
				t.Errorf("n %d, r %d: weights from %d, %d of them, sum %v", n, r, first, len(w), sum)
			}
			if limit := 24*int(math.Sqrt(float64(n))) + 200; n > differenceCells && len(w) > limit {
				t.Errorf("n %d, r %d: %d weights, want at most %d", n, r, len(w), limit)
			}
		}
	}
	_, _, err := BootstrapWeights(0, 1)
	wantError(t, "n", err, ErrTooFew)
	_, _, err = BootstrapWeights(5, 6)
	wantError(t, "rank", err, ErrDomain)
}

func TestExactBootstrapConstantAndOffset(t *testing.T) {
	constant := []float64{7, 7, 7, 7}
	for name, f := range map[string]func() (Estimate, error){
		"order statistic": func() (Estimate, error) { l, err := ExactBootstrapOrderStat(constant, 2, 0.9); return l.Estimate, err },
		"type 7":          func() (Estimate, error) { l, err := ExactBootstrapQuantile(constant, 0.4, 0.9); return l.Estimate, err },
		"harrell-davis":   func() (Estimate, error) { return HarrellDavis(constant, 0.4, 0.9) },
	} {
		e, err := f()
		if err != nil || e.Value != 7 || e.SE != 0 || e.Interval.Lo != 7 || e.Interval.Hi != 7 || len(e.Warnings) == 0 || e.Warnings[0].Code != WarnNoVariance {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
	d, err := ExactBootstrapDifference(constant, []float64{9, 9}, 0.5, 0.9)
	if err != nil || d.Interval.Lo != 2 || d.Interval.Hi != 2 || d.PAtMostZero != 0 || d.Warnings[0].Code != WarnNoVariance {
		t.Errorf("difference of constants: %+v, %v", d, err)
	}
	_, err = ExactBootstrapRatio([]float64{0, 1}, []float64{1}, 0.5, 0.9)
	wantError(t, "ratio with 0", err, ErrDomain)

	x := []float64{1, 4, 2, 8, 5, 7}
	shifted := make([]float64, len(x))
	for i, v := range x {
		shifted[i] = v + 1e12
	}
	for _, q := range []float64{0.3, 0.5, 0.9} {
		a, _ := ExactBootstrapQuantile(x, q, 0.9)
		b, _ := ExactBootstrapQuantile(shifted, q, 0.9)
		within(t, "SE at an offset", b.SE, a.SE, 1e-4)
		within(t, "mean at an offset", b.Mean-1e12, a.Mean, 1e-3)
		h, _ := HarrellDavis(x, q, 0.9)
		hs, _ := HarrellDavis(shifted, q, 0.9)
		within(t, "Harrell–Davis SE at an offset", hs.SE, h.SE, 1e-9)
	}
}

func TestExactBootstrapWarnsInTheTail(t *testing.T) {
	x := lognormal(1, 1000, 0, 1)
	for q, want := range map[float64]int{0.5: 0, 0.95: 0, 0.96: 1, 0.99: 1, 0.04: 1} {
		law, err := ExactBootstrapQuantile(x, q, 0.95)
		if err != nil || len(law.Warnings) != want {
			t.Errorf("q %v: warnings %v, %v, want %d", q, law.Warnings, err, want)
		}
		d, err := ExactBootstrapDifference(x, x, q, 0.95)
		if err != nil || len(d.Warnings) != want || d.N != 2000 {
			t.Errorf("q %v: %+v, %v, want %d warnings", q, d, err, want)
		}
	}
}

func TestHarrellDavisJackknife(t *testing.T) {
	for _, n := range []int{2, 3, 17, 60, 1500} {
		x := sortedValues(lognormal(uint64(n), n, 1, 0.8))
		for _, q := range []float64{0.05, 0.5, 0.93} {
			a, b := float64(n+1)*q, float64(n+1)*(1-q)
			first, w := betaCells(n-1, a, b)
			loo := make([]float64, n)
			rest := make([]float64, n-1)
			for i := range n {
				copy(rest, x[:i])
				copy(rest[i:], x[i+1:])
				loo[i], _ = weightedMean(rest[first-1:first-1+len(w)], w)
			}
			_, want, err := Jackknife(loo)
			if err != nil {
				t.Fatal(err)
			}
			e, err := HarrellDavis(x, q, 0.9)
			if err != nil {
				t.Fatal(err)
			}
			near(t, fmt.Sprintf("SE of %d values at %v", n, q), e.SE, want, 1e-10)
		}
	}
	one, err := HarrellDavis([]float64{3}, 0.5, 0.9)
	if err != nil || one.Value != 3 || !math.IsNaN(one.SE) || one.Interval != Unbounded(0.9) {
		t.Errorf("one value: %+v, %v", one, err)
	}
}

func TestMaritzJarrett(t *testing.T) {
	x := lognormal(5, 50, 0, 1)
	se, err := MaritzJarrettSE(x, 0.5)
	law, _ := ExactBootstrapOrderStat(x, 25, 0.9)
	if err != nil || se != law.SE {
		t.Errorf("SE %v, %v, want the bootstrap's %v", se, err, law.SE)
	}
	if se, err := MaritzJarrettSE([]float64{4, 4, 4}, 0.9); se != 0 || err != nil {
		t.Errorf("constant data: %v, %v", se, err)
	}
	_, err = MaritzJarrettSE([]float64{1}, 0.5)
	wantError(t, "one value", err, ErrTooFew)
	_, err = MaritzJarrettSE([]float64{1, math.NaN()}, 0.5)
	wantError(t, "NaN", err, ErrDomain)
	_, err = MaritzJarrettSE([]float64{1, 2}, 1)
	wantError(t, "q", err, ErrDomain)
}

func BenchmarkExactBootstrap(b *testing.B) {
	x, y := sortedValues(lognormal(1, 1_000_000, 4, 0.5)), sortedValues(lognormal(2, 1_000_000, 4, 0.5))
	for _, q := range []float64{0.5, 0.99} {
		name := fmt.Sprintf("q=%v", q)
		b.Run("OrderStat/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := ExactBootstrapOrderStatSorted(x, ceilRank(q, len(x)), 0.95); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Quantile/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := ExactBootstrapQuantileSorted(x, q, 0.95); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Difference/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := ExactBootstrapDifferenceSorted(x, y, q, 0.95); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("HarrellDavis/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := HarrellDavisSorted(x, q, 0.95); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The exact coverage of the percentile interval of x_(⌈nq⌉) for continuous data:
// the order statistics of ranks l and u cover with P(l ≤ Bin(n, q) < u).
func TestExactBootstrapCoverage(t *testing.T) {
	for _, c := range []struct {
		n       int
		q, want float64
	}{
		{100, 0.5, 0.954}, {100, 0.95, 0.878}, {100, 0.99, 0.633}, {300, 0.99, 0.799},
		{1000, 0.5, 0.950}, {1000, 0.95, 0.942}, {1000, 0.99, 0.927}, {1000, 0.999, 0.632},
		{10000, 0.99, 0.946}, {10000, 0.999, 0.926},
	} {
		ranks := make([]float64, c.n)
		for i := range ranks {
			ranks[i] = float64(i + 1)
		}
		law, err := ExactBootstrapOrderStat(ranks, ceilRank(c.q, c.n), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		l, u := int(law.Interval.Lo), int(law.Interval.Hi)
		got := BinomialCDF(u-1, c.n, c.q) - BinomialCDF(l-1, c.n, c.q)
		within(t, fmt.Sprintf("coverage for n %d, q %v", c.n, c.q), got, c.want, 6e-4)
	}
}
