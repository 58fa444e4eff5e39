package sketch

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// weightedType7 is the oracle, by the definition in Akinshin 2023, section 3:
// the uniform law on [(h−1)/n*, h/n*] gives each ordered value the mass between
// its cumulative weights. It returns the quantile and the mean magnitude of the
// values that make it, which its error is relative to.
func weightedType7(parts [][]float64, weights []float64, q float64) (v, magnitude float64) {
	type item struct{ x, u float64 }
	var items []item
	var total float64
	for k, xs := range parts {
		if weights[k] == 0 {
			continue
		}
		for _, x := range xs {
			items = append(items, item{x, weights[k] / float64(len(xs))})
		}
	}
	slices.SortFunc(items, func(a, b item) int {
		if a.x < b.x {
			return -1
		} else if a.x > b.x {
			return 1
		}
		return 0
	})
	var sum, squares float64
	total = 0 // the same, added up as cum is
	var lost float64
	add := func(to *float64, x float64) { // Kahan's sum
		y := x - lost
		t := *to + y
		lost = (t - *to) - y
		*to = t
	}
	for _, i := range items {
		add(&total, i.u)
		sum += i.u
		squares += i.u * i.u
	}
	kish := sum * sum / squares
	h := q*(kish-1) + 1
	cdf := func(t float64) float64 { return min(max(t*kish-(h-1), 0), 1) }
	var cum float64
	lost = 0
	for _, i := range items {
		from := cdf(cum / total)
		add(&cum, i.u)
		mass := cdf(cum/total) - from
		v += mass * i.x
		magnitude += mass * math.Abs(i.x)
	}
	return v, magnitude
}

// rounds shortens a loop over random cases under -short.
func rounds(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

func equalVotes(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

func sketches(parts [][]float64, limit int) []*Sketch {
	out := make([]*Sketch, len(parts))
	for k, xs := range parts {
		out[k] = New(limit)
		out[k].AddSlice(xs)
	}
	return out
}

// mixtureCase draws parts of unlike sizes, scales and shapes.
func mixtureCase(r *rand.Rand) (parts [][]float64, weights []float64) {
	n := 1 + r.IntN(25)
	shape := shapes[r.IntN(5)].draw
	signed := r.IntN(4) == 0
	for range n {
		scale := math.Exp(0.3 * r.NormFloat64())
		xs := draws(r.Uint64(), 1+r.IntN(1+r.IntN(800)), shape)
		for i := range xs {
			xs[i] *= scale
			if signed {
				xs[i] -= 1
			}
		}
		parts = append(parts, xs)
	}
	weights = make([]float64, n)
	for i := range weights {
		if r.IntN(5) > 0 {
			weights[i] = math.Exp(r.NormFloat64())
		}
	}
	weights[r.IntN(n)] = 1
	if r.IntN(3) == 0 {
		weights = equalVotes(n)
	}
	return parts, weights
}

func TestMixtureBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range rounds(200) {
		parts, weights := mixtureCase(r)
		guard := slices.Clone(weights)
		exact, err := NewMixture(sketches(parts, 0), weights)
		if err != nil {
			t.Fatal(err)
		}
		binned, err := NewMixture(sketches(parts, HistogramOnly), weights)
		if err != nil {
			t.Fatal(err)
		}
		if !exact.Exact() || binned.Exact() || exact.RelativeError() != 0 || exact.N() != binned.N() {
			t.Fatal("exactness")
		}
		if !slices.Equal(weights, guard) {
			t.Fatal("weights changed")
		}
		lastE, lastB := math.Inf(-1), math.Inf(-1)
		for _, q := range levels {
			want, magnitude := weightedType7(parts, weights, q)
			e, err := exact.Quantile(q)
			if must(t, e, err); math.Abs(e-want) > 1e-9*magnitude {
				t.Fatalf("case %d q %v: exact %v, want %v", i, q, e, want)
			}
			b, err := binned.Quantile(q)
			if must(t, b, err); math.Abs(b-want) > binned.RelativeError()*magnitude*(1+1e-9) {
				t.Fatalf("case %d q %v: binned %v, want %v", i, q, b, want)
			}
			// Monotone, but for the rounding of the pieces of a mean.
			if e < lastE-1e-12*math.Abs(e) || b < lastB-1e-12*math.Abs(b) {
				t.Fatalf("case %d q %v: %v after %v, %v after %v", i, q, e, lastE, b, lastB)
			}
			if e < exact.Min() || e > exact.Max() || b < exact.Min() || b > exact.Max() {
				t.Fatalf("case %d q %v: %v and %v outside %v to %v", i, q, e, b, exact.Min(), exact.Max())
			}
			lastE, lastB = e, b
		}
	}
}

// Leaving out a part is the mixture of the others, and so is a weight of zero.
func TestMixtureWithout(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range rounds(40) {
		parts, weights := mixtureCase(r)
		for _, limit := range []int{0, HistogramOnly} {
			ss := sketches(parts, limit)
			m, err := NewMixture(ss, weights)
			if err != nil {
				t.Fatal(err)
			}
			for k := range parts {
				others := slices.Delete(slices.Clone(ss), k, k+1)
				w := slices.Delete(slices.Clone(weights), k, k+1)
				want, err := NewMixture(others, w)
				if err != nil {
					if _, err := m.QuantileWithout(k, 0.5); !errors.Is(err, ErrEmpty) {
						t.Fatalf("no other part: %v", err)
					}
					continue
				}
				w0 := slices.Clone(weights)
				w0[k] = 0
				zero, err := m.Reweight(w0)
				if err != nil {
					t.Fatal(err)
				}
				if zero.N() != want.N() || zero.Min() != want.Min() || zero.Max() != want.Max() || zero.RelativeError() != want.RelativeError() {
					t.Fatal("reweighted differs")
				}
				for _, q := range []float64{0, 0.2, 0.5, 0.99, 1} {
					a, err := want.Quantile(q)
					must(t, a, err)
					b, err := m.QuantileWithout(k, q)
					must(t, b, err)
					c, err := zero.Quantile(q)
					must(t, c, err)
					if a != b || b != c {
						t.Fatalf("without %d q %v: %v, %v, want %v", k, q, b, c, a)
					}
				}
			}
		}
	}
	m, _ := NewMixture(sketches([][]float64{{1}, {2}}, 0), nil)
	for _, k := range []int{-1, 2} {
		if _, err := m.QuantileWithout(k, 0.5); !errors.Is(err, ErrDomain) {
			t.Errorf("part %d: %v", k, err)
		}
	}
}

// With equal weights of all values it is plain type 7 of the merged values.
func TestMixtureReducesToType7(t *testing.T) {
	eachSample(t, func(t *testing.T, xs []float64) {
		if len(xs) < 3 {
			return
		}
		for _, limit := range []int{0, HistogramOnly} {
			whole := sketches([][]float64{xs}, limit)[0]
			one, err := NewMixture([]*Sketch{whole}, []float64{0.3})
			if err != nil {
				t.Fatal(err)
			}
			pooled, err := NewPooled(sketches([][]float64{xs[:1], nil, xs[1 : len(xs)/2], xs[len(xs)/2:]}, limit))
			if err != nil {
				t.Fatal(err)
			}
			if one.N() != int64(len(xs)) || pooled.N() != one.N() || one.EffectiveN() != float64(len(xs)) || pooled.EffectiveN() != one.EffectiveN() {
				t.Fatal("N")
			}
			if one.Min() != whole.Min() || pooled.Max() != whole.Max() || one.RelativeError() != whole.RelativeError() {
				t.Fatal("range or error")
			}
			for _, q := range levels {
				want, err := whole.Quantile(q)
				must(t, want, err)
				a, _ := one.Quantile(q)
				b, _ := pooled.Quantile(q)
				_, magnitude := type7(sortedCopy(xs), q)
				if math.Abs(a-want) > rounding*magnitude || math.Abs(b-want) > rounding*magnitude {
					t.Fatalf("n %d q %v: %v and %v, want %v", len(xs), q, a, b, want)
				}
			}
			for _, v := range []float64{xs[0], xs[1], xs[len(xs)-1], whole.Min(), whole.Max(), math.Inf(-1), math.Inf(1)} {
				if a, want := one.CDF(v), whole.CDF(v); math.Abs(a-want) > rounding {
					t.Fatalf("F(%v) = %v, want %v", v, a, want)
				}
			}
		}
	})
	// Parts of one size with one vote each.
	r := rand.New(rand.NewPCG(15, 16))
	for range 50 {
		n := 1 + r.IntN(300)
		var parts [][]float64
		var all []float64
		for range 1 + r.IntN(12) {
			parts = append(parts, draws(r.Uint64(), n, shapes[1].draw))
			all = append(all, parts[len(parts)-1]...)
		}
		slices.Sort(all)
		m, err := NewMixture(sketches(parts, 0), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range levels {
			want, _ := type7(all, q)
			if got, _ := m.Quantile(q); math.Abs(got-want) > rounding*want {
				t.Fatalf("q %v: %v, want %v", q, got, want)
			}
		}
	}
}

func TestMixtureCDF(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range rounds(30) {
		parts, weights := mixtureCase(r)
		var total float64
		for k := range parts {
			total += weights[k]
		}
		for _, limit := range []int{0, HistogramOnly} {
			m, err := NewMixture(sketches(parts, limit), weights)
			if err != nil {
				t.Fatal(err)
			}
			last := 0.0
			for _, v := range sortedCopy(parts[0]) {
				var want, bin float64
				for k, xs := range parts {
					for _, x := range xs {
						if x <= v {
							want += weights[k] / total / float64(len(xs))
						}
						if binIndex(DefaultBits, x) == binIndex(DefaultBits, v) {
							bin += weights[k] / total / float64(len(xs))
						}
					}
				}
				got := m.CDF(v)
				if limit == 0 {
					bin = 0
				}
				if math.Abs(got-want) > bin+1e-9 || got < last-1e-12 || got > 1 {
					t.Fatalf("limit %d: F(%v) = %v after %v, want %v within %v", limit, v, got, last, want, bin)
				}
				last = got
			}
			if m.CDF(math.Inf(-1)) != 0 || m.CDF(math.Inf(1)) != 1 || !math.IsNaN(m.CDF(math.NaN())) {
				t.Fatal("ends")
			}
		}
	}
}

// One vote each: a long part does not rule a short one.
func TestMixtureVotes(t *testing.T) {
	long, short := draws(1, 5000, func(r *rand.Rand) float64 { return 1 + 0.01*r.Float64() }), draws(2, 500, func(r *rand.Rand) float64 { return 2 + 0.01*r.Float64() })
	m, err := NewMixture(sketches([][]float64{long, short}, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := m.Quantile(0.75); v < 2 || v > 2.01 {
		t.Errorf("upper quartile %v: want the middle of the short part", v)
	}
	if f := m.CDF(1.5); f != 0.5 {
		t.Errorf("F(1.5) = %v", f)
	}
	// 4·(1/5000 + 1/500)^-1
	if n := m.EffectiveN(); math.Abs(n-4/(1.0/5000+1.0/500)) > 1e-9 {
		t.Errorf("effective n %v", n)
	}
}

// A quantile takes values beyond a limit if and only if making those larger moves
// it.
func TestQuantileBeyond(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 4))
	some := [2]int{}
	for range 400 {
		parts, larger, below := []*Sketch{}, []*Sketch{}, []int64{}
		limit := rng.Float64()
		for range 1 + rng.IntN(4) {
			a, b := New(64), New(64)
			known := int64(0)
			for range 1 + rng.IntN(30) {
				v := rng.Float64()
				a.Add(v)
				if v < limit {
					known++
				} else {
					v += 1
				}
				b.Add(v)
			}
			parts, larger, below = append(parts, a), append(larger, b), append(below, known)
		}
		weights := []float64{1, 3, 1, 0.5}[:len(parts)]
		was, err := NewMixture(parts, weights)
		if err != nil {
			t.Fatal(err)
		}
		is, err := NewMixture(larger, weights)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []float64{0.1, 0.5, 0.9, 1} {
			without := rng.IntN(len(parts)+1) - 1
			if len(parts) == 1 {
				without = -1
			}
			v, err := was.quantile(without, q)
			if err != nil {
				t.Fatal(err)
			}
			w, err := is.quantile(without, q)
			if err != nil {
				t.Fatal(err)
			}
			moved := w != v
			// Where it ends at the limit it may be said to reach it.
			if moved && !was.QuantileBeyond(below, without, q) || !moved && was.QuantileBeyond(below, without, q-1e-9) {
				t.Fatalf("q %v without %d of %v: %v became %v", q, without, below, v, w)
			}
			if moved {
				some[0]++
			} else {
				some[1]++
			}
		}
	}
	if some[0] == 0 || some[1] == 0 {
		t.Errorf("moved and not: %v", some)
	}
}
