package compare_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/stats"
)

func TestShares(t *testing.T) {
	// Rare failures are compared by their counts.
	r := compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{299, 300, 300}, []int{300, 300, 300}), outcomes([]int{298, 297, 300}, []int{300, 300, 300})).Results[0]
	want, err := stats.MiettinenNurminen(899, 900, 895, 900, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(r.Method, "pooled counts") || math.Abs(r.Delta.Lo-want.Interval.Lo) > 1e-12 || math.Abs(r.Delta.Hi-want.Interval.Hi) > 1e-12 {
		t.Errorf("rare: %s, %v to %v, want %v", r.Method, r.Delta.Lo, r.Delta.Hi, want.Interval)
	}
	// The p-value is that of the score test, and agrees with the interval.
	if p := r.Delta.PAbove(r.Delta.Hi); math.Abs(p-0.025) > 1e-4 {
		t.Errorf("rare: p at the limit %v", p)
	}
	// Frequent ones by the shares of the runs.
	r = compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{270, 264, 276}, []int{300, 300, 300}), outcomes([]int{240, 246, 252}, []int{300, 300, 300})).Results[0]
	welch, err := stats.Welch([]float64{0.9, 0.88, 0.92}, []float64{0.8, 0.82, 0.84}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if r.Method != "shares of runs, Welch t" {
		t.Errorf("frequent: %s", r.Method)
	}
	if d := cmp.Diff(fromEstimate(welch), numbers(r.Delta), approx); d != "" {
		t.Errorf("frequent (-want +got)\n%s", d)
	}
	// Rare ones that come in bursts, too.
	r = compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{300, 300, 290, 300}, []int{300, 300, 300, 300}), outcomes([]int{300, 300, 300, 300}, []int{300, 300, 300, 300})).Results[0]
	if r.Method != "shares of runs, Welch t" || !slices.ContainsFunc(r.Warnings, func(w stats.Warning) bool { return w.Code == "overdispersed" }) {
		t.Errorf("in bursts: %s, %v", r.Method, r.Warnings)
	}
	// None at all shows as much as its number of requests.
	r = compareTables(t, noMix(), []string{"success_rate"}, outcomes([]int{1000}, []int{1000}), outcomes([]int{1000}, []int{1000})).Results[0]
	if !(r.Delta.Lo < 0 && r.Delta.Lo > -0.005 && r.Delta.Hi > 0) || r.Delta.Value != 0 {
		t.Errorf("no failure: %v to %v", r.Delta.Lo, r.Delta.Hi)
	}
	// Two single runs with many failures are looked at in stretches of time.
	random := func(seed uint64, share float64) *table {
		tb, rng := outcomes([]int{2000}, []int{2000}), rand.New(rand.NewPCG(seed, 6))
		for i := range tb.columns[1].words {
			if rng.Float64() < share {
				tb.columns[1].words[i] = "error"
			}
		}
		return tb
	}
	r = compareTables(t, noMix(), []string{"success_rate"}, random(1, 0.1), random(2, 0.15)).Results[0]
	if !strings.HasPrefix(r.Method, "t on shares of time batches") {
		t.Errorf("single runs: %s", r.Method)
	}
}

// The difference of two shares lies in [−1, 1], and so do its limits: two runs a
// side that disagree bound it by nothing more.
func TestLimitsOfAShareLieInItsRange(t *testing.T) {
	a, b := outcomes([]int{150, 20}, []int{200, 200}), outcomes([]int{180, 40}, []int{200, 200})
	for _, r := range compareTables(t, noMix(), []string{"success_rate"}, a, b).Results {
		if !r.Delta.OK || r.Delta.Lo != -1 || r.Delta.Hi != 1 {
			t.Errorf("%s: [%v, %v], want [-1, 1]", r.Metric, r.Delta.Lo, r.Delta.Hi)
		}
		if !(r.Delta.SEHi > 0.3) {
			t.Errorf("standard error %v: it is not cut", r.Delta.SEHi)
		}
	}
}
