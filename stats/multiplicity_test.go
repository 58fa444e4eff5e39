package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var adjustments = []struct {
	name   string
	adjust func([]float64) ([]float64, error)
}{
	{"Bonferroni", Bonferroni}, {"Holm", Holm}, {"Hochberg", Hochberg}, {"Hommel", Hommel}, {"BH", BH}, {"BY", BY}, {"FixedSequence", FixedSequence},
}

func TestAdjustmentLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := make([]float64, rng.IntN(12))
		for i := range p {
			p[i] = math.Pow(rng.Float64(), 4)
			if rng.IntN(4) == 0 && i > 0 {
				p[i] = p[i-1]
			}
		}
		guard := slices.Clone(p)
		got := map[string][]float64{}
		for _, a := range adjustments {
			adj, err := a.adjust(p)
			if err != nil || len(adj) != len(p) {
				t.Fatalf("%s(%v) = %v, %v", a.name, p, adj, err)
			}
			got[a.name] = adj
			for i := range p {
				if adj[i] < p[i] || adj[i] > 1 {
					t.Errorf("%s: %v adjusted to %v", a.name, p[i], adj[i])
				}
				for j := range p {
					if a.name != "FixedSequence" && p[i] < p[j] && adj[i] > adj[j] {
						t.Errorf("%s turns the order of %v and %v", a.name, p[i], p[j])
					}
				}
			}
			if a.name == "FixedSequence" {
				continue
			}
			// Order of the input does not matter.
			perm := rng.Perm(len(p))
			q := make([]float64, len(p))
			for i, j := range perm {
				q[i] = p[j]
			}
			back, _ := a.adjust(q)
			for i, j := range perm {
				if back[i] != adj[j] {
					t.Errorf("%s depends on the order of the input", a.name)
				}
			}
		}
		if !slices.Equal(p, guard) {
			t.Fatal("the argument was changed")
		}
		for i := range p {
			chain := []float64{got["BH"][i], got["Hommel"][i], got["Hochberg"][i], got["Holm"][i], got["Bonferroni"][i]}
			for k := 1; k < len(chain); k++ {
				if chain[k] < chain[k-1]-1e-12 {
					t.Errorf("BH ≤ Hommel ≤ Hochberg ≤ Holm ≤ Bonferroni fails: %v", chain)
				}
			}
		}
	}
}

// Hommel by its definition: the largest Simes p-value over all subsets that contain
// the hypothesis.
func TestHommelIsClosedSimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		n := 1 + rng.IntN(7)
		p := make([]float64, n)
		for i := range p {
			p[i] = rng.Float64()
		}
		want := make([]float64, n)
		for set := 1; set < 1<<n; set++ {
			var in []float64
			for i := range p {
				if set>>i&1 == 1 {
					in = append(in, p[i])
				}
			}
			slices.Sort(in)
			simes := 1.0
			for j, v := range in {
				simes = math.Min(simes, float64(len(in))*v/float64(j+1))
			}
			for i := range p {
				if set>>i&1 == 1 {
					want[i] = math.Max(want[i], simes)
				}
			}
		}
		got, err := Hommel(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range p {
			if !agrees(got[i], want[i], 1e-12) {
				t.Errorf("%v: %v, want %v", p, got, want)
			}
		}
	}
}

// Twenty metrics without a change: the smallest p-value of .0169 becomes .337, and
// the chance of at least one false alarm at 5 % is 64 %.
func TestTwentyMetrics(t *testing.T) {
	p := []float64{.5, .9, .0169, .3, .2, .7, .8, .09, .6, .4, .55, .12, .95, .33, .66, .77, .25, .85, .48, .15}
	for _, adjust := range []func([]float64) ([]float64, error){Holm, BH} {
		adj, err := adjust(p)
		if err != nil || !agrees(adj[2], 0.338, 1e-9) {
			t.Errorf("adjusted %v, %v", adj, err)
		}
	}
	if got, err := AnyFalseAlarm(20, 0.05); err != nil || !agrees(got, 0.6415140775914581, 1e-12) {
		t.Errorf("chance of a false alarm %v, %v", got, err)
	}
	if got, err := AnyFalseAlarm(0, 0.05); err != nil || got != 0 {
		t.Errorf("no tests: %v, %v", got, err)
	}
}

func TestAdjustmentErrors(t *testing.T) {
	for _, a := range adjustments {
		for _, bad := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
			if _, err := a.adjust([]float64{0.5, bad}); !errors.Is(err, ErrDomain) {
				t.Errorf("%s with %v: %v", a.name, bad, err)
			}
		}
		if adj, err := a.adjust(nil); err != nil || len(adj) != 0 {
			t.Errorf("%s of nothing: %v, %v", a.name, adj, err)
		}
	}
	if p, worst, err := IntersectionUnion([]float64{0.01, 0.2, 0.2, 0.1}); p != 0.2 || worst != 1 || err != nil {
		t.Errorf("all of four: p %v at %d, %v", p, worst, err)
	}
	if _, _, err := IntersectionUnion(nil); !errors.Is(err, ErrTooFew) {
		t.Errorf("nothing tested: %v", err)
	}
	if _, _, err := IntersectionUnion([]float64{2}); !errors.Is(err, ErrDomain) {
		t.Errorf("p of 2: %v", err)
	}
	if _, err := AnyFalseAlarm(-1, 0.05); !errors.Is(err, ErrDomain) {
		t.Errorf("negative count: %v", err)
	}
	if _, err := AnyFalseAlarm(1, 1); !errors.Is(err, ErrDomain) {
		t.Errorf("alpha 1: %v", err)
	}
}

func FuzzHolm(f *testing.F) {
	f.Add(0.01, 0.02, 0.5)
	f.Add(0.0, 1.0, 1.0)
	f.Add(math.NaN(), 0.1, 2.0)
	f.Fuzz(func(t *testing.T, a, b, c float64) {
		adj, err := Holm([]float64{a, b, c})
		if err != nil {
			return
		}
		for _, v := range adj {
			if !(v >= 0 && v <= 1) {
				t.Errorf("Holm(%v, %v, %v) = %v", a, b, c, adj)
			}
		}
	})
}
