package plots_test

import (
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/plots"
)

// A forest of two gates, and what a reader who cannot see it is told.
func ExampleForest() {
	f, err := plots.Forest("gates", "Change against the margin", []plots.Group{{Unit: "%", Rows: []plots.Change{
		{Label: "ttft p50", Value: 0.011, Lo: -0.009, Hi: 0.032, Margin: 0.05, Verdict: plots.Passed},
		{Label: "ttft p99", Value: 0.176, Lo: 0.11, Hi: math.Inf(1), Margin: 0.05, Verdict: plots.Failed},
	}}}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	svg, err := f.SVG(plots.Options{Width: 600})
	fmt.Println(len(svg) > 0, err)
	fmt.Println(f.Alt)
	// Output:
	// true <nil>
	// Changes with 95 % intervals. ttft p50 +1.1 % (-0.9 % to +3.2 %): pass. ttft p99 +17.6 % (+11.0 % to no bound): FAIL.
}

// Data of which nothing can be drawn decline with a sentence.
func ExampleRuns() {
	_, err := plots.Runs(nil, [2]string{"before", "after"})
	fmt.Println(err)
	// Output:
	// run by run: no run has a value: nothing to draw
}
