package stats_test

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// Five runs before and five after, one 99th percentile of each run.
func ExampleRunRatio() {
	x := []float64{0.412, 0.398, 0.405, 0.421, 0.409} // seconds
	y := []float64{0.431, 0.419, 0.440, 0.428, 0.435}
	r, err := stats.RunRatio(x, y, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ratio %.3f, %.0f%% interval %.3f to %.3f\n",
		r.Ratio.Value, 100*r.Ratio.Interval.Level, r.Ratio.Interval.Lo, r.Ratio.Interval.Hi)
	// Is it less than 10 % slower?
	test, err := r.Test(1.10, stats.Less)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p for a ratio of 1.10 or more: %.4f\n", test.P)
	// Output:
	// ratio 1.053, 95% interval 1.023 to 1.084
	// p for a ratio of 1.10 or more: 0.0040
}

// Runs that took turns on the same machine.
func ExamplePairedRunRatio() {
	x := []float64{158.7, 149.6, 155.9, 152.2, 171.1, 153.1}
	y := []float64{161.9, 151.9, 164.1, 154.6, 182.3, 154.5}
	r, err := stats.PairedRunRatio(x, y, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f (%.4f to %.4f)\n", r.Ratio.Value, r.Ratio.Interval.Lo, r.Ratio.Interval.Hi)
	// Output: 1.0295 (1.0055 to 1.0541)
}

// Student's sleep data.
func ExampleWelch() {
	x := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	y := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	d, err := stats.Welch(x, y, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	test := stats.WelchTest(d, 0, stats.TwoSided)
	fmt.Printf("difference %.2f (%.3f to %.3f), df %.3f, p %.4f\n",
		d.Value, d.Interval.Lo, d.Interval.Hi, d.DF, test.P)
	// Output: difference -1.58 (-3.365 to 0.205), df 17.776, p 0.0794
}

// A constant sample has no interval to speak of, and says so.
func ExampleWelch_constant() {
	d, err := stats.Welch([]float64{100, 100, 100}, []float64{101, 101, 101}, 0.95)
	fmt.Println(d.Interval.Lo, d.Interval.Hi, d.Warnings[0].Code, err)
	// Output: 1 1 no_variance <nil>
}

func ExampleQuantile() {
	x := []float64{3, 10, 1, 7, 5, 2, 9, 4, 8, 6}
	for _, typ := range []stats.QuantileType{stats.HF1, stats.HF7, stats.HF8} {
		median, err := stats.Quantile(x, 0.5, typ)
		if err != nil {
			fmt.Println(err)
			return
		}
		p90, err := stats.Quantile(x, 0.9, typ)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("type %d: %.1f %.3f\n", typ, median, p90)
	}
	// Output:
	// type 1: 5.0 9.000
	// type 7: 5.5 9.100
	// type 8: 5.5 9.633
}

func ExampleQuantile_nan() {
	_, err := stats.Quantile([]float64{1, math.NaN(), 3, 2}, 0.5, stats.HF7)
	fmt.Println(err)
	// Output: value NaN at index 1: want a finite number: outside the domain
}

// Ten values give a median's interval, but no upper bound for a tail quantile.
func ExampleOrderStatCI() {
	x := []float64{12.1, 15.3, 9.8, 22.4, 18.0, 11.1, 30.2, 14.9, 16.6, 13.7}
	for _, q := range []float64{0.5, 0.9} {
		e, err := stats.OrderStatCI(x, q, 0.95)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %v to %v, level %.4f, %d warnings\n", q, e.Interval.Lo, e.Interval.Hi, e.Interval.Level, len(e.Warnings))
	}
	n, err := stats.MinNForQuantileBound(0.9, 0.95, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("values needed:", n)
	// Output:
	// 0.5: 11.1 to 22.4, level 0.9785, 0 warnings
	// 0.9: 16.6 to +Inf, level 0.9872, 1 warnings
	// values needed: 36
}

func ExampleExactBootstrapDifference() {
	x := []float64{12.1, 15.3, 9.8, 22.4, 18.0, 11.1, 30.2, 14.9, 16.6, 13.7}
	y := []float64{15.52, 19.36, 12.76, 27.88, 22.6, 14.32, 37.24, 18.88, 20.92, 17.44}
	d, err := stats.ExactBootstrapDifference(x, y, 0.5, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f (%.2f to %.2f), P(≤ 0) = %.4f\n", d.Value, d.Interval.Lo, d.Interval.Hi, d.PAtMostZero)
	// Output: 3.98 (-1.08 to 8.90), P(≤ 0) = 0.0546
}

// A long run in 20 batches that arrive as counts.
func ExampleWoodruffBatches() {
	counts := []int64{500, 500, 500, 500, 500}
	below := []int64{452, 447, 455, 449, 448} // at or below the sample quantile
	lo, hi, se, err := stats.WoodruffBatches(counts, below, 0.9, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("levels %.4f to %.4f, standard error %.4f\n", lo, hi, se)
	// Output: levels 0.8919 to 0.9081, standard error 0.0029
}

func ExampleICC() {
	groups := [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}
	v, err := stats.ICC(groups, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f (%.2f to %.2f), design effect %.2f: %d values are worth %.1f\n",
		v.ICC, v.Interval.Lo, v.Interval.Hi, v.DesignEffect, v.Values, v.EffectiveN)
	// Output: 0.166 (-0.13 to 0.72), design effect 1.50: 24 values are worth 16.0
}

// Ten of ten right is not certainty.
func ExampleWilson() {
	e, err := stats.Wilson(10, 10, 0.95)
	fmt.Printf("%v (%.3f to %.3f) %v\n", e.Value, e.Interval.Lo, e.Interval.Hi, err)
	// Output: 1 (0.722 to 1.000) <nil>
}

// Rare failures: 3 of 20,000 against 11 of 20,000.
func ExampleMiettinenNurminen() {
	e, err := stats.MiettinenNurminen(3, 20000, 11, 20000, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2g (%.2g to %.2g)\n", e.Value, e.Interval.Lo, e.Interval.Hi)
	// Output: 0.0004 (3.9e-05 to 0.00085)
}

// 83 of 100 after 87 of 100: is it shown to be less than 10 points worse?
func ExampleFarringtonManning() {
	test, err := stats.FarringtonManning(87, 100, 83, 100, -0.10, stats.Greater)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("z %.4f, p %.4f\n", test.Statistic, test.P)
	// Output: z 1.1747, p 0.1201
}

// One run a side: what its batches say of the p95 is widened by a spread between
// runs of 2.5 % that is assumed.
func ExampleMOVERKnown() {
	x := stats.Interval{Lo: 98, Hi: 104, Level: 0.95}
	y := stats.Interval{Lo: 118, Hi: 127, Level: 0.95}
	m, err := stats.MOVERKnown(math.Log(100), x.Log(), 19, math.Log(121), y.Log(), 19, 0.025*math.Sqrt2)
	if err != nil {
		fmt.Println(err)
		return
	}
	ratio := m.Interval.Exp()
	fmt.Printf("%.3f, %.3f to %.3f\n", math.Exp(m.Value), ratio.Lo, ratio.Hi)
	// Output: 1.210, 1.113 to 1.320
}

// Neighbours that are alike must not be counted as independent.
func ExampleSerialCorrelation() {
	var queue []float64
	wait := 0.0
	for i := range 200 {
		wait = math.Max(0, 0.95*wait+math.Sin(float64(i*i))) // some queue
		queue = append(queue, 50+20*wait)
	}
	test, err := stats.SerialCorrelation(queue, stats.Greater)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(test.P < 0.001)
	// Output: true
}

// A tail index below 2 leaves a mean without a variance.
func ExampleTailIndex() {
	x := make([]float64, 10_000)
	for i := range x {
		x[i] = math.Pow(float64(i)+0.5, -1/1.5) // quantiles of a Pareto tail
	}
	index, _, err := stats.TailIndex(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := stats.MeanT(x, 0.95)
	fmt.Printf("%.1f %s %v\n", index, e.Warnings[0].Code, err)
	// Output: 1.4 heavy_tail <nil>
}
