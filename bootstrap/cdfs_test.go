package bootstrap

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// mergedQuantile merges histograms the plain way.
func mergedQuantile(edges []float64, rows [][]float64, units []int, q float64, vote Vote) float64 {
	cum := make([]float64, len(edges)-1)
	for _, u := range units {
		scale := 1.0
		if vote == OneVote {
			scale = rows[u][len(cum)-1]
		}
		for b := range cum {
			cum[b] += rows[u][b] / scale
		}
	}
	target := q * cum[len(cum)-1]
	before := 0.0
	for b, c := range cum {
		if c >= target {
			return edges[b] + (target-before)/(c-before)*(edges[b+1]-edges[b])
		}
		before = c
	}
	panic("no bin")
}

func TestCDFsAgainstMerging(t *testing.T) {
	qs := []float64{0.001, 0.1, 0.5, 0.9, 0.99, 0.999}
	for _, vote := range []Vote{OneVote, ByCount} {
		for _, units := range []int{3, 4, 5, 13} {
			edges, rows := testHistograms(units, 50, uint64(units))
			c := must[*CDFs](t)(NewCDFs(edges, rows, vote))
			if c.Units() != units {
				t.Fatal(c.Units())
			}
			opt := Options{Replicates: 40, Seed: 2}
			point := must[[]float64](t)(c.Quantiles(qs))
			rep := must[[][]float64](t)(c.QuantileReplicates(qs, opt))
			index := make([]int, units)
			for i, q := range qs {
				if want := mergedQuantile(edges, rows, identity(units), q, vote); !near(point[i], want) {
					t.Errorf("%v, %d units, q %v: %v, want %v", vote, units, q, point[i], want)
				}
				for r, got := range rep[i] {
					IID{units}.Draw(Stream(2, uint64(r)), index)
					if want := mergedQuantile(edges, rows, index, q, vote); !near(got, want) {
						t.Errorf("%v, %d units, q %v, replicate %d: %v, want %v", vote, units, q, r, got, want)
					}
				}
				if i > 0 && point[i] < point[i-1] {
					t.Errorf("quantiles fall: %v", point)
				}
			}
		}
	}
}

func TestQuantileLawsExactAndDrawn(t *testing.T) {
	qs := []float64{0.5, 0.95}
	c := testCDFs(t, 5, 64, 3)
	exact := must[[]Law](t)(c.QuantileLaws(qs, Options{}))
	drawn := must[[][]float64](t)(c.QuantileReplicates(qs, Options{Replicates: 20000}))
	for i, l := range exact {
		if !l.Exact() || l.Units() != 5 || l.Len() > 126 {
			t.Fatalf("%v: exact %v, %d values", qs[i], l.Exact(), l.Len())
		}
		d := must[Law](t)(FromReplicates(l.Value(), drawn[i], 5))
		if math.Abs(d.SE()/l.SE()-1) > 0.03 || math.Abs(d.Mean()-l.Mean()) > 4.5*l.SE()/math.Sqrt(20000) {
			t.Errorf("q %v: exact %v ± %v, drawn %v ± %v", qs[i], l.Mean(), l.SE(), d.Mean(), d.SE())
		}
	}
	many := must[[]Law](t)(testCDFs(t, 21, 64, 3).QuantileLaws(qs, Options{Replicates: 199}))
	if many[0].Exact() || many[0].Len() != 199 {
		t.Error("21 units were enumerated")
	}
}

func TestCompareQuantiles(t *testing.T) {
	qs := []float64{0.5, 0.95}
	for _, units := range []int{5, 12} {
		x, y := testCDFs(t, units, 64, 1), testCDFs(t, units+1, 64, 2)
		opt := Options{Replicates: 4000}
		a, b := must[[]QuantileChange](t)(CompareQuantiles(x, y, qs, opt)), must[[]QuantileChange](t)(CompareQuantiles(y, x, qs, opt))
		lx, ly := must[[]Law](t)(x.QuantileLaws(qs, opt)), must[[]Law](t)(y.QuantileLaws(qs, opt))
		for i := range qs {
			if a[i].X != lx[i].Value() || a[i].Y != ly[i].Value() || !a[i].Positive || a[i].Q != qs[i] {
				t.Errorf("%+v", a[i])
			}
			if d := a[i].Difference; !near(d.Value(), a[i].Y-a[i].X) || d.Units() != units {
				t.Errorf("difference %v of %d units", d.Value(), d.Units())
			}
			if r := a[i].LogRatio; !near(r.Value(), math.Log(a[i].Y/a[i].X)) {
				t.Errorf("log ratio %v", r.Value())
			}
			if want := math.Hypot(lx[i].SE(), ly[i].SE()); math.Abs(a[i].Difference.SE()/want-1) > 0.05 {
				t.Errorf("SE %v, want about %v", a[i].Difference.SE(), want)
			}
			tol := 1e-9
			if units > compareExactly {
				tol = 0.1 * a[i].Difference.SE()
			}
			if math.Abs(a[i].Difference.Mean()+b[i].Difference.Mean()) > tol {
				t.Errorf("swapping the samples: %v, %v", a[i].Difference.Mean(), b[i].Difference.Mean())
			}
		}
	}
	edges := []float64{-1, 0, 1}
	signed := must[*CDFs](t)(NewCDFs(edges, [][]float64{{5, 6}, {4, 6}, {0, 6}}, OneVote))
	c := must[[]QuantileChange](t)(CompareQuantiles(signed, signed, []float64{0.3}, Options{}))
	if c[0].Positive || c[0].LogRatio.Len() != 0 || c[0].Difference.Value() != 0 {
		t.Errorf("negative values: %+v", c[0])
	}
	// The same constant data on both sides: no change, no width, no NaN (P02).
	flat := must[*CDFs](t)(NewCDFs([]float64{99.5, 100.5}, [][]float64{{30}, {30}, {30}}, ByCount))
	f := must[[]QuantileChange](t)(CompareQuantiles(flat, flat, []float64{0.5}, Options{}))
	e := must[stats.Estimate](t)(f[0].LogRatio.Percentile(0.95))
	if e.Interval.Lo != 0 || e.Interval.Hi != 0 || !hasWarning(e.Warnings, stats.WarnNoVariance) {
		t.Errorf("constant data: %+v", e)
	}
}

func TestNewCDFsRefuses(t *testing.T) {
	edges := []float64{0, 1, 2}
	ok := [][]float64{{1, 2}, {0, 3}, {2, 2}}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		why   string
		edges []float64
		rows  [][]float64
		vote  Vote
		kind  error
	}{
		{"no bins", []float64{1}, ok, OneVote, stats.ErrTooFew},
		{"no units", edges, nil, OneVote, stats.ErrTooFew},
		{"equal edges", []float64{0, 1, 1}, ok, OneVote, stats.ErrDomain},
		{"NaN edge", []float64{0, nan, 1}, ok, OneVote, stats.ErrDomain},
		{"Inf edge", []float64{0, 1, inf}, ok, OneVote, stats.ErrDomain},
		{"short row", edges, [][]float64{{1}}, OneVote, stats.ErrMismatch},
		{"falling", edges, [][]float64{{2, 1}}, OneVote, stats.ErrDomain},
		{"negative", edges, [][]float64{{-1, 1}}, OneVote, stats.ErrDomain},
		{"NaN count", edges, [][]float64{{1, nan}}, OneVote, stats.ErrDomain},
		{"Inf count", edges, [][]float64{{1, inf}}, OneVote, stats.ErrDomain},
		{"empty unit", edges, [][]float64{{1, 2}, {0, 0}}, OneVote, stats.ErrTooFew},
		{"weights 600 orders apart", edges, [][]float64{{0, 5e-324}, {0, 1e300}}, ByCount, stats.ErrDomain},
		{"vote", edges, ok, 5, stats.ErrDomain},
	} {
		_, err := NewCDFs(c.edges, c.rows, c.vote)
		wantError(t, err, c.kind, c.why)
	}
	c := must[*CDFs](t)(NewCDFs(edges, ok, OneVote))
	for _, q := range []float64{0, 1, nan, -1} {
		_, err := c.Quantiles([]float64{0.5, q})
		wantError(t, err, stats.ErrDomain, fmt.Sprint("q ", q))
		_, err = c.QuantileLaws([]float64{q}, Options{})
		wantError(t, err, stats.ErrDomain, fmt.Sprint("q ", q))
		_, err = CompareQuantiles(c, c, []float64{q}, Options{})
		wantError(t, err, stats.ErrDomain, fmt.Sprint("q ", q))
	}
	two := must[*CDFs](t)(NewCDFs(edges, ok[:2], OneVote))
	_, err := two.QuantileReplicates([]float64{0.5}, Options{}) // P01
	wantError(t, err, stats.ErrTooFew, "two units")
	_, err = CompareQuantiles(c, two, []float64{0.5}, Options{})
	wantError(t, err, stats.ErrTooFew, "two units")
	_, err = c.QuantileReplicates([]float64{0.5}, Options{Workers: -1})
	wantError(t, err, stats.ErrDomain, "options")
}

func TestNewCDFsCopies(t *testing.T) {
	edges, rows := testHistograms(4, 20, 1)
	c := must[*CDFs](t)(NewCDFs(edges, rows, ByCount))
	before := must[[]float64](t)(c.Quantiles([]float64{0.5}))
	edges[3], rows[2][5] = 1e9, 0
	if after := must[[]float64](t)(c.Quantiles([]float64{0.5})); !slices.Equal(before, after) {
		t.Error("CDFs keeps its arguments")
	}
}

func FuzzCDFs(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5)
	f.Add(1.7e308, 1.7e308, 0.0, 1.7e308, 0.0, 1.7e308, 0.5)
	f.Add(0.0, 5e-324, 0.0, 5e-324, 0.0, 5e-324, 5e-324)
	f.Add(0.0, 0.0, 1e-300, 0.0, 1e300, 1e300, 0.999)
	f.Fuzz(func(t *testing.T, a, b, c, d, e, g, q float64) {
		edges := []float64{-1, 0, 5}
		for _, vote := range []Vote{OneVote, ByCount} {
			cdfs, err := NewCDFs(edges, [][]float64{{a, b}, {c, d}, {e, g}}, vote)
			if err != nil {
				continue
			}
			laws, err := cdfs.QuantileLaws([]float64{q}, Options{})
			if err != nil {
				continue
			}
			for i := range laws[0].Len() {
				if v, p := laws[0].At(i); !(v >= -1 && v <= 5 && p >= 0 && p <= 1) {
					t.Fatalf("value %v with probability %v", v, p)
				}
			}
		}
	})
}
