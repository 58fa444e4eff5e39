package stats_test

import (
	"fmt"

	"github.com/perfdiff/perfdiff/stats"
)

// The spread of log p99 between runs is 2 %. How many runs per side show that y is
// not worse by 5 %, and what would five runs have seen?
func ExampleRunsNeeded() {
	const sd, margin, alpha, power = 0.02, 0.0488, 0.025, 0.8
	runs, err := stats.RunsNeeded(sd, margin, alpha, power, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	five, _ := stats.MDERuns(5, sd, alpha, power, stats.Greater)
	fmt.Printf("%d runs per side; five see %.1f %%\n", runs, 100*five)
	// Output: 4 runs per side; five see 4.0 %
}

// A change beyond the margin cannot be shown to be harmless by any amount of data.
func ExampleNTwoMeansNI() {
	size, err := stats.NTwoMeansNI(5, 0, 10, 0.05, 0.8)
	fmt.Println(size.N, err)
	_, err = stats.NTwoMeansNI(5, -8, 10, 0.05, 0.8)
	fmt.Println(err)
	// Output:
	// 51 <nil>
	// a true difference of -8 is at or beyond the margin of 5: no sample size shows that y is not worse by the margin: impossible request
}

// Two builds disagree on one answer in ten. How many questions show that the second
// is not worse by three points?
func ExampleNPairedBinaryNI() {
	size, err := stats.NPairedBinaryNI(0.10, 0, 0.03, 0.05, 0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d questions, exact power %.3f\n", size.N, size.Power)
	// Output: 717 questions, exact power 0.805
}

func ExampleHolm() {
	adjusted, err := stats.Holm([]float64{0.03, 0.001, 0.2})
	fmt.Println(adjusted, err)
	// Output: [0.06 0.003 0.2] <nil>
}

func ExampleMannWhitney() {
	r, err := stats.MannWhitney([]float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}, stats.TwoSided, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("U %.1f, p %.4f, P(x < y) %.2f\n", r.UX, r.P, r.CLES)
	// Output: U 4.5, p 0.1138, P(x < y) 0.82
}

func ExampleTPrediction() {
	nights := []float64{412, 409, 415, 411, 420, 408, 413, 416, 410, 414, 431}
	points, err := stats.TPrediction(nights, stats.NightlyOptions{Window: 10}, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	tonight := points[0]
	fmt.Printf("%.0f is out of %.1f to %.1f: %v\n", tonight.Value, tonight.Lo, tonight.Hi, tonight.Out)
	// Output: 431 is out of 400.5 to 425.1: true
}

func ExampleTheilSen() {
	prompt := []float64{100, 200, 300, 400, 500, 600}
	firstToken := []float64{50, 58, 67, 74, 400, 90} // one request waited
	fit, err := stats.TheilSen(prompt, firstToken, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f ms + %.3f ms a token\n", fit.Intercept, fit.Slope.Value)
	// Output: 42 ms + 0.080 ms a token
}

func ExampleQuantileWithTimeouts() {
	completed := []float64{1, 2, 2, 3, 4, 5, 6, 8}
	for _, q := range []float64{0.5, 0.9} {
		v, err := stats.QuantileWithTimeouts(completed, 2, 30, q)
		if err != nil {
			fmt.Println(err)
			return
		}
		if v.Identified {
			fmt.Println(v.Value)
		} else {
			fmt.Println("above", v.Value)
		}
	}
	// Output:
	// 4
	// above 30
}
