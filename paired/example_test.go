package paired_test

import (
	"fmt"

	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// 500 questions, 18 newly right and 22 newly wrong: shown to be less than
// 3 points worse at one-sided 5 %, and not less than 2.
func Example() {
	t := paired.Table{Both: 400, OnlyX: 22, OnlyY: 18, Neither: 60}
	e, err := paired.TangoScore(t, 0.90)
	if err != nil {
		fmt.Println(err)
		return
	}
	ni, err := paired.TangoNoninferiority(t, 0.03)
	if err != nil {
		fmt.Println(err)
		return
	}
	margin, err := paired.SmallestMargin(e.Interval, stats.Greater)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("difference %.4f [%.4f, %.4f]\n", e.Value, e.Interval.Lo, e.Interval.Hi)
	fmt.Printf("noninferiority z %.4f p %.4f\n", ni.Statistic, ni.P)
	fmt.Printf("smallest margin %.4f\n", margin)
	// Output:
	// difference -0.0080 [-0.0296, 0.0132]
	// noninferiority z 1.6765 p 0.0468
	// smallest margin 0.0296
}

// Rows are paired by key; those without a partner are reported.
func ExampleMatch() {
	m, err := paired.Match([]string{"q3", "q1", "q2"}, []string{"q1", "q2", "q4"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.X, m.Y, m.OnlyX, m.OnlyY)
	// Output: [1 2] [0 1] [0] [2]
}

// Questions that share a passage count as one unit.
func ExampleClusterRobust() {
	d := []float64{1, 1, 1, 0, 0, 0, -1, -1, 0, 1, 0, 0}
	passage := []int{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4}
	e, err := paired.ClusterRobust(d, passage, paired.CR2, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f [%.3f, %.3f], %d passages, SE %.3f instead of %.3f\n",
		e.Value, e.Interval.Lo, e.Interval.Hi, e.N, e.SE, e.SENaive)
	// Output: 0.167 [-0.937, 1.271], 4 passages, SE 0.347 instead of 0.207
}

// A second test would have to stay within 5 % of the first score.
func ExampleRelativeContrast() {
	x := []float64{0.71, 0.65, 0.80, 0.77, 0.69, 0.74}
	y := []float64{0.70, 0.66, 0.78, 0.78, 0.68, 0.75}
	test, err := paired.RelativeContrast(x, y, 0.95, stats.Greater)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("t %.2f on %v df, p %.5f\n", test.Statistic, test.DF, test.P)
	// Output: t 6.68 on 5 df, p 0.00057
}

// Three items, several answers each: the unit is the item.
func ExampleRepeatedMean() {
	e, err := paired.RepeatedMean([][]float64{{1, 0, 1, 1}, {0, 0, 1}, {1, 1}, {0, 1}}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f ± %.2f from %d items\n", e.Value, e.SE, e.N)
	// Output: 0.65 ± 0.15 from 4 items
}

// Graded answers of which one in forty differs: Student's t would not know how
// rare such a fall is.
func ExampleFlipBound() {
	// Scores run from 0 to 1; one fell by half a point.
	d := make([]float64, 40)
	d[3] = -0.5
	f, err := paired.NewFlipBound(d, 1, len(d))
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := f.Score(0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f, %.3f to %.3f\n", e.Value, e.Interval.Lo, e.Interval.Hi)
	// Output:
	// -0.0125, -0.129 to 0.088
}

// The moments of pairs give a difference and a ratio of the same scores.
func ExamplePairMoments() {
	x := []float64{0.50, 0.62, 0.71, 0.80, 0.90}
	y := []float64{0.48, 0.60, 0.70, 0.79, 0.86}
	m, err := paired.PairMoments(x, y)
	if err != nil {
		fmt.Println(err)
		return
	}
	ratio, err := m.Ratio(0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	kept, err := m.RatioTest(0.95, stats.Greater)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f ± %.4f, ratio %.3f to %.3f, p of 95 %% kept %.4f\n", m.Y-m.X, m.DifferenceError().SE, ratio.Interval.Lo, ratio.Interval.Hi, kept.P)
	// Output:
	// -0.0200 ± 0.0055, ratio 0.951 to 0.993, p of 95 % kept 0.0217
}

// Passages with questions of two tasks, each task with one vote.
func ExampleStratifiedClusters() {
	d := []float64{0, -1, 0, 0, 1, 0, -1, 0, 0, -1}
	task := []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1}
	passage := []int{0, 0, 1, 1, 2, 2, 0, 1, 2, 2}
	e, err := paired.StratifiedClusters(d, task, passage, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f ± %.3f, %d clusters, %v\n", e.Value, e.SE, e.N, e.Warnings[0].Code)
	// Output:
	// -0.250 ± 0.219, 3 clusters, few_clusters
}
