package plan_test

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/plan"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

func ExampleFromNumbers() {
	sd, _ := verdict.ParseAmount("2%")
	margin, _ := verdict.ParseAmount("5%")
	r, err := plan.FromNumbers(plan.Numbers{RunSD: &sd, Margin: &margin}, plan.DefaultAsk())
	fmt.Println(r.Runs, err)
	// Output: 4 <nil>
}
