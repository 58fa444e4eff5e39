package sketch_test

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats/sketch"
)

// Two workers record, their sketches are merged, and nothing shows the split.
func Example() {
	a, b := sketch.New(0), sketch.New(0)
	a.AddSlice([]float64{0.21, 0.25, 0.18})
	b.AddSlice([]float64{0.93, 0.24})
	if err := a.Merge(b); err != nil {
		fmt.Println(err)
		return
	}
	p50, err := a.Quantile(0.5)
	fmt.Println(p50, a.N(), a.Exact(), err)
	// Output: 0.24 5 true <nil>
}

// A histogram answers within a stated relative error, from a fixed memory.
func ExampleHistogram() {
	h := sketch.NewHistogram()
	for i := range 1000000 {
		h.Add(0.001 * float64(1+i%1000))
	}
	p99, err := h.Quantile(0.99)
	fmt.Printf("%.3f within %.2g, %v\n", p99, h.RelativeError(), err)
	fmt.Println(h.Count(), h.Min(), h.Max())
	// Output:
	// 0.990 within 0.00098, <nil>
	// 1000000 0.001 1
}

func ExampleHistogram_Bins() {
	h, err := sketch.NewHistogramBits(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	h.AddSlice([]float64{1, 1.2, 1.7, 2, 5, 0})
	for b := range h.Bins() {
		fmt.Println(b.Lower, b.Upper, b.Count)
	}
	// Output:
	// 0 0 1
	// 1 1.5 2
	// 1.5 2 1
	// 2 3 1
	// 4 6 1
}

// Two runs of unlike length have one vote each; merged, the long one would rule.
func ExampleMixture() {
	short, long := sketch.New(0), sketch.New(0)
	for i := range 100 {
		short.Add(200 + float64(i))
	}
	for i := range 900 {
		long.Add(100 + float64(i)/9)
	}
	runs := []*sketch.Sketch{short, long}
	votes, err := sketch.NewMixture(runs, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pooled, err := sketch.NewPooled(runs)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, _ := votes.Quantile(0.9)
	b, _ := pooled.Quantile(0.9)
	c, _ := votes.QuantileWithout(0, 0.9)
	fmt.Printf("votes %.1f, pooled %.1f, without the first %.1f\n", a, b, c)
	// Output: votes 279.1, pooled 199.9, without the first 189.9
}

// Leaving out two parts at once, as a jackknife over runs of several strata does.
func ExampleMixture_Reweight() {
	var parts []*sketch.Sketch
	for i := range 4 {
		s := sketch.New(0)
		s.Add(float64(i))
		parts = append(parts, s)
	}
	m, err := sketch.NewMixture(parts, []float64{0.2, 0.3, 0.2, 0.3})
	if err != nil {
		fmt.Println(err)
		return
	}
	rest, err := m.Reweight([]float64{0, 0, 0.5, 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := rest.Quantile(0.5)
	fmt.Println(v, rest.N(), err)
	// Output: 2.5 2 <nil>
}

// A plain loop would lose the one.
func ExampleSum() {
	var s sketch.Sum
	s.AddSlice([]float64{1e16, 1, -1e16})
	fmt.Println(s.Value())
	// Output: 1
}

// A table holds all of a histogram, and is checked when it is read back.
func ExampleFromTable() {
	h := sketch.NewHistogram()
	h.AddSlice([]float64{1, 2, 3})
	t := h.Table()
	t.Rows[1].Count = -5
	_, err := sketch.FromTable(t)
	fmt.Println(err)
	// Output: row 1 has count -5: want a positive one: corrupt sketch
}
