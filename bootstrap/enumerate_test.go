package bootstrap

import (
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// bruteForce visits all nⁿ index vectors.
func bruteForce(n int, visit func(index []int)) {
	index := make([]int, n)
	for {
		visit(index)
		i := 0
		for i < n && index[i] == n-1 {
			index[i] = 0
			i++
		}
		if i == n {
			return
		}
		index[i]++
	}
}

func TestEnumerateAgainstAllIndexVectors(t *testing.T) {
	x := []float64{1, 2.5, 2.5, 4.1, 9.3}
	for name, stat := range map[string]func([]int) float64{
		"mean": statistic(t, "mean", x), "median": statistic(t, "median", x), "varp": statistic(t, "varp", x),
	} {
		l := must[Law](t)(Enumerate(5, stat))
		var all []float64
		bruteForce(5, func(index []int) { all = append(all, stat(index)) })
		slices.Sort(all)
		if len(all) != 3125 {
			t.Fatal(len(all))
		}
		var total float64
		for i := range l.Len() {
			v, p := l.At(i)
			total += p
			lo, _ := slices.BinarySearch(all, v-1e-9)
			hi, _ := slices.BinarySearch(all, v+1e-9)
			if want := float64(hi-lo) / 3125; math.Abs(p-want) > 1e-12 {
				t.Errorf("%s: P(%v) = %v, want %v", name, v, p, want)
			}
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("%s: probabilities add up to %v", name, total)
		}
	}
}

func TestMultisets(t *testing.T) {
	// C(2n−1, n) by hand: 1, 3, 10, 35, 126, 462.
	for n, want := range map[int]int{-1: 0, 0: 0, 1: 1, 2: 3, 3: 10, 4: 35, 5: 126, 6: 462, 10: 92378, 12: 1352078} {
		if got := Multisets(n, EnumerationLimit); got != want {
			t.Errorf("%d units: %d, want %d", n, got, want)
		}
	}
	for _, n := range []int{13, 40, 1000, math.MaxInt / 4} {
		if got := Multisets(n, EnumerationLimit); got != EnumerationLimit+1 {
			t.Errorf("%d units: %d", n, got)
		}
	}
	if binomial(22, 11, EnumerationLimit) != 705432 || binomial(5, 5, 10) != 1 || binomial(5, 0, 10) != 1 {
		t.Error("binomial is wrong")
	}
}

func TestEnumerateEdges(t *testing.T) {
	stat := meanStatistic([]float64{3, 5})
	one := must[Law](t)(Enumerate(1, stat))
	if one.Len() != 1 || one.Value() != 3 || one.SE() != 0 {
		t.Errorf("%+v", one)
	}
	two := must[Law](t)(Enumerate(2, stat)) // 3, 4, 5 with ¼, ½, ¼
	if two.Len() != 3 || !near(two.SE(), math.Sqrt(0.5)) {
		t.Errorf("%+v", two)
	}
	// P01: the law exists, an interval from it does not.
	for _, l := range []Law{one, two} {
		_, err := l.Percentile(0.9)
		wantError(t, err, stats.ErrTooFew, "interval")
	}
	_, err := Enumerate(0, stat)
	wantError(t, err, stats.ErrTooFew, "no units")
	_, err = Enumerate(13, stat)
	wantError(t, err, stats.ErrImpossible, "13 units")
	_, err = Enumerate(3, func(index []int) float64 { return 1 / float64(index[2]-index[0]) })
	wantError(t, err, stats.ErrDomain, "infinite value")
	for n := range MinUnits {
		_, err = Resample(n, stat, Options{})
		wantError(t, err, stats.ErrTooFew, "Resample")
	}
	_, err = Resample(5, stat, Options{Workers: -1})
	wantError(t, err, stats.ErrDomain, "options")
}

func TestResampleSwitches(t *testing.T) {
	x := lognormal(3, 11, 0.5)
	ten := must[Law](t)(Resample(10, meanStatistic(x[:10]), Options{Replicates: 99}))
	eleven := must[Law](t)(Resample(11, meanStatistic(x), Options{Replicates: 99}))
	if !ten.Exact() || eleven.Exact() || eleven.Len() != 99 {
		t.Errorf("10 units exact %v, 11 units exact %v", ten.Exact(), eleven.Exact())
	}
	if e := must[stats.Estimate](t)(ten.Percentile(0.9)); e.Method != "bootstrap_percentile_exact" {
		t.Error(e.Method)
	}
}
