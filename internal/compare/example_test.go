package compare_test

import (
	"context"
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// Three runs a side: the change of the mean latency with its interval.
func ExampleCompare() {
	before := runs([]float64{1.00, 1.02}, []float64{1.01, 1.05}, []float64{0.99, 1.01})
	after := runs([]float64{1.21, 1.19}, []float64{1.22, 1.26}, []float64{1.18, 1.22})
	in, err := tables([]string{"latency:mean"}, before, after)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := compare.Compare(context.Background(), in, compare.DefaultOptions())
	if err != nil {
		fmt.Println(err)
		return
	}
	r := c.Results[0]
	fmt.Printf("%s %s: %+.1f %% (%+.1f %% to %+.1f %%), %s\n", r.Metric, r.Estimand,
		100*math.Expm1(r.Log.Value), 100*math.Expm1(r.Log.Lo), 100*math.Expm1(r.Log.Hi), r.Method)
	// Output:
	// latency mean: +19.7 % (+15.1 % to +24.6 %), jackknife of merged runs, Welch–Satterthwaite t
}
