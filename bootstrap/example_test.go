package bootstrap_test

import (
	"fmt"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/stats"
)

// The ratio of sums of six units, by all 462 distinct resamples.
func Example() {
	tokens := []float64{120, 80, 200, 150, 90, 110}
	seconds := []float64{3.1, 2.2, 4.6, 4.1, 2.0, 3.0}
	perSecond := func(index []int) float64 {
		var t, s float64
		for _, i := range index {
			t += tokens[i]
			s += seconds[i]
		}
		return t / s
	}
	law, err := bootstrap.Resample(len(tokens), perSecond, bootstrap.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	leaveOneOut, err := bootstrap.LeaveOneOut(len(tokens), perSecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := law.BCa(leaveOneOut, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f, interval %.2f to %.2f, %s\n", e.Value, e.Interval.Lo, e.Interval.Hi, e.Method)
	fmt.Println(e.Warnings[0].Text)
	// Output:
	// 39.47, interval 36.96 to 42.79, bootstrap_bca_exact
	// 6 units were resampled; below 20 the interval covers less than its level says
}

// A skewed mean. The result is the same on any number of processors.
func ExampleMeanT() {
	x := []float64{9, 12, 15, 11, 8, 40, 10, 13, 95, 12, 14, 9}
	e, err := bootstrap.MeanT(x, 0.9, bootstrap.Options{Replicates: 1999, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f, interval %.1f to %.1f\n", e.Value, e.Interval.Lo, e.Interval.Hi)
	// Output:
	// 20.7, interval 11.6 to 129.9
}

// Constant data have no acceleration: the percentile interval stands in.
func ExampleLaw_BCa_fallback() {
	mean := func([]int) float64 { return 100 }
	law, _ := bootstrap.Resample(30, mean, bootstrap.Options{Replicates: 199})
	leaveOneOut, _ := bootstrap.LeaveOneOut(30, mean)
	e, err := law.BCa(leaveOneOut, 0.95)
	fmt.Println(e.Interval.Lo, e.Interval.Hi, e.FellBack, err)
	for _, w := range e.Warnings {
		fmt.Println(w.Code)
	}
	// Output:
	// 100 100 true <nil>
	// bca_fallback
	// no_variance
}

// Two units are refused.
func ExampleReplicates_refused() {
	_, err := bootstrap.Replicates(2, func([]int) float64 { return 0 }, bootstrap.Options{})
	fmt.Println(err)
	// Output:
	// 2 units to resample: want at least 3: too few observations
}

// The 0.9 quantile of three runs with equal votes, from binned counts.
func ExampleCDFs_QuantileLaws() {
	edges := []float64{0, 10, 20, 40, 80}
	cumulative := [][]float64{
		{50, 80, 95, 100},
		{40, 75, 90, 100},
		{500, 850, 960, 1000},
	}
	runs, err := bootstrap.NewCDFs(edges, cumulative, bootstrap.OneVote)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := runs.QuantileLaws([]float64{0.9}, bootstrap.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := laws[0].Percentile(0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f, interval %.2f to %.2f from %d distinct resamples\n",
		e.Value, e.Interval.Lo, e.Interval.Hi, bootstrap.Multisets(3, bootstrap.EnumerationLimit))
	// Output:
	// 34.63, interval 30.81 to 37.78 from 10 distinct resamples
}

// Five against five runs: is y − x below the margin of 2?
func ExampleRandomization() {
	x := []float64{412.1, 418.0, 409.6, 421.3, 415.5}
	y := []float64{411.0, 416.2, 410.3, 413.9, 417.0}
	const margin = 2
	r, err := bootstrap.Randomization(x, y, margin, stats.Less, bootstrap.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f, p = %.4f of %d splits\n", r.Statistic, r.P, r.Splits)
	// Output:
	// -3.62, p = 0.0873 of 252 splits
}

// A ratio of weighted means, without resampling.
func ExampleABC() {
	x := []float64{4, 7, 5, 6, 9, 3, 8, 5, 6, 7}
	y := []float64{5, 9, 5, 7, 9, 4, 9, 7, 6, 9}
	e, err := bootstrap.ABC(len(x), func(w []float64) float64 {
		var a, b float64
		for i := range w {
			a += w[i] * x[i]
			b += w[i] * y[i]
		}
		return b / a
	}, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f, interval %.3f to %.3f\n", e.Value, e.Interval.Lo, e.Interval.Hi)
	// Output:
	// 1.167, interval 1.093 to 1.239
}
