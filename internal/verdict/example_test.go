package verdict_test

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// The last margin that matches holds, and one that names the percentile goes
// before one that names the metric.
func ExamplePolicy_MarginOf() {
	p := verdict.Default()
	for _, text := range []string{"4%", "ttft:p99=20ms", "ttft=3%"} {
		rule, err := verdict.ParseMargin(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		p.Margins = append(p.Margins, rule)
	}
	for _, name := range []string{"ttft", "e2e", "success_rate"} {
		m, _ := metric.Known(name)
		for _, q := range []float64{0.5, 0.99} {
			if mg, ok := p.MarginOf(m, metric.Estimand{Q: q}); ok {
				fmt.Println(name, metric.Estimand{Q: q}, mg.Scale == verdict.Relative, mg.Value)
			}
		}
	}
	// Output:
	// ttft p50 true 0.03
	// ttft p99 false 0.02
	// e2e p50 true 0.04
	// e2e p99 true 0.04
	// success_rate p50 false 0.005
	// success_rate p99 false 0.005
}

func ExampleParseMargin_errors() {
	for _, text := range []string{"5", "ttft=-5%", "ttft:p100=5%", "20 parsec"} {
		_, err := verdict.ParseMargin(text)
		fmt.Println(err)
	}
	// Output:
	// margin "5" has no unit: write 5% for a relative margin, 5ms for an absolute one, or METRIC=5 for a column without a unit
	// margin "ttft=-5%": a margin is the tolerable harm and must be above 0
	// margin "ttft:p100=5%": unknown estimand "p100": want p0.1 to p99.99, mean, min, max or rate
	// margin "20 parsec": unknown unit "parsec"; write 5%, 0.5pp, a time such as 20ms (h, min, ms, ns, s, us), or a plain number
}
