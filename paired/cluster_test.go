package paired

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perfdiff/perfdiff/stats"
)

func grouped(r *rapid.T) (d []float64, cluster []int) {
	g := rapid.IntRange(2, 9).Draw(r, "clusters")
	for k := range g {
		for range rapid.IntRange(1, 6).Draw(r, "size") {
			d, cluster = append(d, float64(rapid.IntRange(-1, 1).Draw(r, "d"))), append(cluster, 7*k-3)
		}
	}
	return d, cluster
}

func TestClusterRobustLaws(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d, cluster := grouped(r)
		for _, c := range []Correction{CR0, CR1, CR2} {
			e, err := ClusterRobust(d, cluster, c, 0.9)
			if err != nil {
				r.Fatal(err)
			}
			neg := make([]float64, len(d))
			for i := range d {
				neg[i] = -d[i]
			}
			if n, err := ClusterRobust(neg, cluster, c, 0.9); err != nil || n.Value != -e.Value || math.Abs(n.SE-e.SE) > 1e-12 {
				r.Errorf("%v: negated %+v, %+v, error %v", c, n.Estimate, e.Estimate, err)
			}
			if g := float64(e.N); c == CR2 && !(e.DF > 0 && e.DF <= g-1+1e-9) {
				r.Errorf("%v degrees of freedom of %v clusters", e.DF, g)
			}
			// Another order of the rows.
			slices.Reverse(neg)
			back := slices.Clone(cluster)
			slices.Reverse(back)
			if n, err := ClusterRobust(neg, back, c, 0.9); err != nil || math.Abs(n.SE-e.SE) > 1e-12 || math.Abs(n.DF-e.DF) > 1e-9 && c != CR0 {
				r.Errorf("%v: reordered %+v, %+v, error %v", c, n.Estimate, e.Estimate, err)
			}
		}
	})
}

// Without clustering (one item each) every correction but CR0 is the t
// interval.
func TestClusterRobustSingletons(t *testing.T) {
	d := []float64{1, 0, -1, 0.5, 2, 0, 0, 1}
	cluster := []int{1, 2, 3, 4, 5, 6, 7, 8}
	want := ok1(MeanDifference(make([]float64, len(d)), d, 0.95))(t)
	for _, c := range []Correction{CR1, CR2} {
		e := ok1(ClusterRobust(d, cluster, c, 0.95))(t)
		near(t, c.String()+" SE", e.SE, want.SE, 1e-14)
		near(t, c.String()+" DF", e.DF, want.DF, 1e-9)
		near(t, c.String()+" lower", e.Interval.Lo, want.Interval.Lo, 1e-12)
	}
	m := ok1(ClusterMeans(d, cluster, 0.95))(t)
	near(t, "cluster means", m.SE, want.SE, 1e-14)
}

func TestClusterRobustEdges(t *testing.T) {
	e := ok1(ClusterRobust([]float64{1, 1, 1}, []int{1, 2, 2}, CR2, 0.9))(t)
	if e.Interval.Width() != 0 || e.Warnings[0].Code != stats.WarnNoVariance {
		t.Errorf("constant: %+v", e)
	}
	e = ok1(ClusterRobust([]float64{1, 0, 1, 0, 0}, []int{1, 2, 2, 2, 2}, CR2, 0.9))(t)
	var codes []string
	for _, w := range e.Warnings {
		codes = append(codes, w.Code)
	}
	if want := []string{"few_clusters", "dominant_cluster", "rare_differences"}; !slices.Equal(codes, want) {
		t.Errorf("warnings %v, want %v", codes, want)
	}
	for _, c := range []struct {
		d       []float64
		cluster []int
		want    error
	}{
		{nil, nil, stats.ErrTooFew},
		{[]float64{1, 2}, []int{3, 3}, stats.ErrTooFew},
		{[]float64{1, 2}, []int{3}, stats.ErrMismatch},
		{[]float64{1, math.NaN()}, []int{1, 2}, stats.ErrDomain},
		{[]float64{1e308, -1e308}, []int{1, 2}, stats.ErrDomain},
	} {
		if _, err := ClusterRobust(c.d, c.cluster, CR2, 0.9); !errors.Is(err, c.want) {
			t.Errorf("%v: error %v, want %v", c.d, err, c.want)
		}
		if _, err := ClusterMeans(c.d, c.cluster, 0.9); !errors.Is(err, c.want) {
			t.Errorf("means of %v: error %v, want %v", c.d, err, c.want)
		}
	}
	if _, err := ClusterRobust([]float64{1, 2}, []int{1, 2}, 9, 0.9); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("unknown correction: error %v", err)
	}
	for _, f := range []func([]Table) (stats.Test, error){Obuchowski, Durkalski} {
		if test := ok1(f([]Table{{Both: 1}, {}, {Neither: 2}}))(t); test.P != 1 || test.Statistic != 0 {
			t.Errorf("no discordance: %+v", test)
		}
		if _, err := f([]Table{{Both: 1}, {}}); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("one cluster: error %v", err)
		}
		if _, err := f([]Table{{Both: 1}, {Both: -1, OnlyX: 4}}); !errors.Is(err, stats.ErrDomain) {
			t.Errorf("negative count: error %v", err)
		}
	}
}

// All sign patterns are the oracle, for whole sums (convolution) and others
// (meeting in the middle).
func TestSignFlip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d, cluster := grouped(r)
		null := rapid.SampledFrom([]float64{0, 0.25, -0.1}).Draw(r, "null")
		sums := map[int]float64{}
		var order []int
		for i, v := range d {
			if _, ok := sums[cluster[i]]; !ok {
				order = append(order, cluster[i])
			}
			sums[cluster[i]] += v - null
		}
		total := 0.0
		for _, k := range order {
			total += sums[k]
		}
		var greater, less, both float64
		patterns := 1 << len(order)
		for bits := range patterns {
			s := 0.0
			for i, k := range order {
				if bits>>i&1 == 1 {
					s += sums[k]
				} else {
					s -= sums[k]
				}
			}
			if s >= total-1e-7 {
				greater++
			}
			if s <= total+1e-7 {
				less++
			}
			if math.Abs(s) >= math.Abs(total)-1e-7 {
				both++
			}
		}
		for alt, want := range map[stats.Alternative]float64{stats.TwoSided: both, stats.Greater: greater, stats.Less: less} {
			test, err := SignFlip(d, cluster, null, alt)
			if err != nil || math.Abs(test.P-want/float64(patterns)) > 1e-12 {
				if allZero := len(test.Warnings) > 0; !allZero {
					r.Errorf("%v %v null %v %v: p = %v, want %v, error %v", d, cluster, null, alt, test.P, want/float64(patterns), err)
				}
			}
		}
	})
}

// The three computations agree on one set of 36 whole sums.
func TestSignFlipRoutes(t *testing.T) {
	if testing.Short() {
		t.Skip("sorts 2 × 2¹⁸ totals")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var d []float64
	var cluster []int
	for i := range exactFlips {
		d, cluster = append(d, float64(rng.IntN(9)-3)), append(cluster, i)
		if d[i] == 0 {
			d[i] = 1
		}
	}
	lattice := ok1(SignFlip(d, cluster, 0, stats.TwoSided))(t)
	for i := range d {
		d[i] *= 0.1
	}
	meet := ok1(SignFlip(d, cluster, 0, stats.TwoSided))(t)
	near(t, "meeting in the middle", meet.P, lattice.P, 1e-12)
	d, cluster = append(d, 1e-9), append(cluster, 99)
	normal := ok1(SignFlip(d, cluster, 0, stats.TwoSided))(t)
	if normal.Method != MethodSignFlipNormal {
		t.Errorf("method %s", normal.Method)
	}
	near(t, "normal law", normal.P, lattice.P, 0.03)
}

func TestSignFlipEdges(t *testing.T) {
	if test := ok1(SignFlip([]float64{0, 1, -1}, []int{1, 2, 2}, 0, stats.Greater))(t); test.P != 1 || len(test.Warnings) != 1 {
		t.Errorf("cluster sums 0: %+v", test)
	}
	if _, err := SignFlip([]float64{1, 2}, []int{1, 2}, math.NaN(), stats.Greater); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("null NaN: error %v", err)
	}
	if _, err := SignFlip([]float64{1, 2}, []int{1, 2}, 0, 9); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("unknown alternative: error %v", err)
	}
	if _, err := SignFlip([]float64{1, 2}, []int{1, 1}, 0, stats.Less); !errors.Is(err, stats.ErrTooFew) {
		t.Errorf("one cluster: error %v", err)
	}
	// Four times the same sign of five clusters: the smallest two-sided p.
	if test := ok1(SignFlip([]float64{1, 1, 2, 3, 1}, []int{1, 2, 3, 4, 5}, 0, stats.TwoSided))(t); test.P != 1.0/16 {
		t.Errorf("smallest p of five clusters: %v", test.P)
	}
}

// Size of the 5 % test with 8 clusters of unequal size and correlated items:
// CR2 holds it, CR0 with a normal reference does not. 2,000 draws give a
// standard error of half a point.
func TestClusterRobustSize(t *testing.T) {
	if testing.Short() {
		t.Skip("simulation")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	const draws, alpha = 2000, 0.05
	sizes := []int{1, 3, 5, 8, 10, 13, 17, 20}
	reject := map[Correction]int{}
	for range draws {
		var d []float64
		var cluster []int
		for g, m := range sizes {
			shared := math.Sqrt(0.1) * rng.NormFloat64()
			for range m {
				z := shared + math.Sqrt(0.9)*rng.NormFloat64()
				v := 0.0
				switch {
				case z > 1.2:
					v = 1
				case z < -1.2:
					v = -1
				}
				d, cluster = append(d, v), append(cluster, g)
			}
		}
		for _, c := range []Correction{CR0, CR2} {
			e := ok1(ClusterRobust(d, cluster, c, 1-alpha))(t)
			if !e.Interval.Contains(0) {
				reject[c]++
			}
		}
	}
	cr0, cr2 := float64(reject[CR0])/draws, float64(reject[CR2])/draws
	if cr2 > 0.07 || cr2 < 0.03 || cr0 < 0.09 {
		t.Errorf("size CR0 %v, CR2 %v; want about .13 and .05", cr0, cr2)
	}
}

func BenchmarkClusterRobust(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, cluster := make([]float64, 20000), make([]int, 20000)
	for i := range d {
		d[i], cluster[i] = float64(rng.IntN(3)-1), rng.IntN(500)
	}
	for b.Loop() {
		if _, err := ClusterRobust(d, cluster, CR2, 0.95); err != nil {
			b.Fatal(err)
		}
	}
}
