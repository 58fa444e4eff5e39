package mixshift_test

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/mixshift"
)

// Mean latency rose from 198 to 339 ms; most of it because long requests
// became more frequent.
func ExampleKitagawa() {
	s, err := mixshift.Kitagawa(
		[]float64{0.6, 0.3, 0.1}, []float64{0.4, 0.35, 0.25},
		[]float64{120, 300, 900}, []float64{118, 310, 950})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("total %.1f = rate %.1f + mix %.1f\n", s.Total, s.Rate, s.Mix)
	// Output: total 141.2 = rate 11.0 + mix 130.2
}

// Cost per good request = requests × tokens per request × price, over the
// share of good ones: any function of the factors can be split.
func ExampleShapley() {
	x := []float64{1200, 0.000002, 0.99} // tokens, price, good share
	y := []float64{1500, 0.000002, 0.90}
	a, err := mixshift.Shapley(len(x), func(fromY []bool) (float64, error) {
		v := make([]float64, len(x))
		for j := range v {
			v[j] = x[j]
			if fromY[j] {
				v[j] = y[j]
			}
		}
		return v[0] * v[1] / v[2], nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("tokens %.6f price %.6f good %.6f total %.6f\n", a.Effects[0], a.Effects[1], a.Effects[2], a.Total)
	// Output: tokens 0.000636 price 0.000000 good 0.000273 total 0.000909
}

// The geometric mean of merged runs, split with the run as the unit.
func ExampleSplitRuns() {
	side := func(count, logMean [][]float64) mixshift.Runs {
		return mixshift.Runs{Count: count, Statistic: func(weight [][]float64) (float64, error) {
			sum := 0.0
			for r := range weight {
				for h, w := range weight[r] {
					sum += w * logMean[r][h]
				}
			}
			return math.Exp(sum), nil
		}}
	}
	// Two strata of prompt length; the second sample has more long ones.
	x := side([][]float64{{800, 200}, {790, 210}, {810, 190}}, [][]float64{{4.00, 6.00}, {4.02, 6.03}, {3.98, 5.99}})
	y := side([][]float64{{600, 400}, {590, 410}, {620, 380}}, [][]float64{{4.01, 6.01}, {3.99, 6.02}, {4.02, 6.00}})
	s, err := mixshift.SplitRuns(x, y, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := s.Parts(mixshift.LogRatio, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("total        x %.3f\n", math.Exp(p.Total.Value))
	fmt.Printf("like for like x %.3f [%.3f, %.3f]\n", math.Exp(p.Rate.Value), math.Exp(p.Rate.Interval.Lo), math.Exp(p.Rate.Interval.Hi))
	fmt.Printf("mix          x %.3f\n", math.Exp(p.Mix.Value))
	// Output:
	// total        x 1.492
	// like for like x 1.006 [0.965, 1.049]
	// mix          x 1.483
}

// Prompt lengths in strata of half an octave, thin ones merged.
func ExampleStrataOf() {
	var x, y []float64
	for i := range 200 {
		x = append(x, 100+float64(i))
		y = append(y, 150+2*float64(i))
	}
	s, err := mixshift.StrataOf(x, y, mixshift.DefaultStrataOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Cells {
		fmt.Printf("[%.0f, %.0f) %v %v supported %v\n", c.Lo, c.Hi, c.X, c.Y, c.Supported())
	}
	fmt.Printf("without counterpart: %.2f and %.2f\n", s.Support.OnlyX, s.Support.OnlyY)
	// Output:
	// [91, 181) 82 16 supported true
	// [181, 256) 74 37 supported true
	// [256, 362) 44 54 supported true
	// [362, 724) 0 93 supported false
	// without counterpart: 0.00 and 0.47
}
