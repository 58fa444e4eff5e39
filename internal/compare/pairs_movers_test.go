package compare_test

import (
	"fmt"
	"math"
	"testing"
)

// A slice that every night moves, on both sides alike, did not move; one that is
// slower besides is found.
func TestMoversOfPairs(t *testing.T) {
	base := nights{seed: 1, of: nightNames(1, 8), requests: 1500, shared: 0.1, own: 0.01, factor: 1, local: 0.1}
	cand := base
	cand.seed, cand.euFactor = 2, 1.06
	ask := []string{"latency:p50"}
	opt := byNight()
	found := search(t, opt, 2, ask, base.table(), cand.table())
	r := mover(t, found, "region=eu")
	if g := r.Mover.Gap; g.Lo > math.Log(1.06) || g.Hi < math.Log(1.06) || halfWidth(g) > 0.04 {
		t.Errorf("gap %v to %v, made %v", g.Lo, g.Hi, math.Log(1.06))
	}
	opt.Pair = ""
	if got := movers(search(t, opt, 2, ask, base.table(), cand.table())); len(got) > 0 {
		t.Errorf("without pairs %v moved: the test wants it hidden by the nights", got)
	}
	cand.euFactor = 1
	opt.Pair = "night"
	if got := movers(search(t, opt, 2, ask, base.table(), cand.table())); len(got) > 0 {
		t.Errorf("%v moved, and nothing did", got)
	}
}

// A night in which one side lacks the slice says nothing of how it moved.
func TestMoversKeepWholePairs(t *testing.T) {
	base := nights{seed: 1, of: nightNames(1, 8), requests: 1500, shared: 0.1, own: 0.01, factor: 1, local: 0.1}
	cand := base
	cand.seed, cand.euFactor = 2, 1.2
	cand.eu = func(night string) bool { return night != "n03" }
	without := func(night string) bool { return night != "n03" }
	ask := []string{"latency:p50"}
	got := search(t, byNight(), 2, ask, base.table(), cand.table())
	want := search(t, byNight(), 2, ask, base.table().where("night", without), cand.table().where("night", without))
	a, b := mover(t, got, "region=eu"), mover(t, want, "region=eu")
	// What is learnt from all slices differs a little, the change does not.
	if a.Mover.Gap.Value != b.Mover.Gap.Value || !same(a.Log, b.Log) {
		t.Errorf("gap %v, without the night %v; change %v and %v", a.Mover.Gap.Value, b.Mover.Gap.Value, a.Log, b.Log)
	}
	if !warns(a, "incomplete_pairs") {
		t.Errorf("remarks %v", a.Warnings)
	}
}

// Of pairs that are alike hardly ever a slice is listed, whether nights slow one of
// them on both sides or not.
func TestMoversOfEqualPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
	const repetitions = 200
	for _, local := range []float64{0, 0.1} {
		listed := 0
		for i := range uint64(repetitions) {
			var of []string
			for k := range 5 {
				of = append(of, fmt.Sprintf("%d-%d", i, k))
			}
			a := nights{seed: 2*i + 1, of: of, requests: 600, shared: 0.1, own: 0.01, factor: 1, local: local, failures: 0.02}
			b := a
			b.seed++
			if len(movers(search(t, byNight(), 2, []string{"latency:p50", "latency:p95", "success_rate"}, a.table(), b.table()))) > 0 {
				listed++
			}
		}
		t.Logf("nights that slow a slice by %v: something listed in %d of %d", local, listed, repetitions)
		if float64(listed) > 0.05*repetitions+1 {
			t.Errorf("nights that slow a slice by %v: something listed in %d of %d", local, listed, repetitions)
		}
	}
}
