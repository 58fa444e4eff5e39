package cli_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// The error budget of 99.5 % over 30 days lasts 5 days if 3 % of the requests are bad,
// of either side of a comparison and of one alone. Where nothing tells the failed
// requests nothing is said of it.
func TestErrorBudget(t *testing.T) {
	side := func(name string, bad int) string {
		var b strings.Builder
		b.WriteString("ttft_ms,status\n")
		for i := range 1000 {
			status := "ok"
			if i%100 < bad {
				status = "error"
			}
			fmt.Fprintf(&b, "%.3f,%s\n", 100+10*unit(uint64(i)), status)
		}
		return write(t, name, b.String())
	}
	silent := write(t, "silent.prom", `# TYPE vllm:time_to_first_token_seconds histogram
vllm:time_to_first_token_seconds_bucket{le="0.1"} 500
vllm:time_to_first_token_seconds_bucket{le="+Inf"} 1000
vllm:time_to_first_token_seconds_sum 100
vllm:time_to_first_token_seconds_count 1000
`)
	good, bad := side("good.csv", 0), side("bad.csv", 3)
	target := []string{"-m", "ttft:p50", "--slo-target", "99.5%", "--slo-window", "30d"}
	const words = "30 requests of 1,000 were not good; a target of 99.5 % is burnt at 6.0 times the rate that it allows: the budget of 30 days lasts 5.0 days."
	for _, c := range []struct {
		args  []string
		sides string
		told  []string
	}{
		{[]string{good, bad}, "baseline candidate", []string{"Error budget of the baseline: no request of 1,000 was bad.", "Error budget of the candidate: " + words}},
		{[]string{"describe", bad}, "baseline", []string{"Error budget: " + words}},
		{[]string{"describe", silent}, "", nil},
	} {
		doc := decode(t, run(t, append(append(c.args, "--format", "json"), target...)...).stdout)
		var sides, told []string
		for _, b := range doc.Burn {
			sides = append(sides, b.Side)
			if b.Side == "candidate" && (math.Abs(float64(b.Rate)-6) > 1e-9 || math.Abs(float64(b.LastsDays)-5) > 1e-9) {
				t.Errorf("%v: %+v", c.args, b)
			}
		}
		for _, w := range doc.Warnings {
			if w.Code == "error_budget" {
				told = append(told, w.Text)
			}
		}
		if strings.Join(sides, " ") != c.sides || fmt.Sprint(told) != fmt.Sprint(c.told) {
			t.Errorf("%v: of %q, told %q", c.args, sides, told)
		}
	}
}
