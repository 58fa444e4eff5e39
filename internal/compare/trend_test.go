package compare_test

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

func warmUpCheck(d verdict.Decision) (verdict.Check, bool) {
	for _, c := range d.Checks {
		if c.Code == verdict.WarmUp {
			return c, true
		}
	}
	return verdict.Check{}, false
}

// Runs that begin three times slower are seen; runs that do not are not, in one
// run as in five.
func TestColdRunsAreSeen(t *testing.T) {
	for _, runs := range []int{1, 5} {
		warm := fixtures.Default()
		warm.Runs = runs
		cold := warm
		cold.WarmupSeconds, cold.WarmupFactor, cold.Seed = 8, 3, 2
		c, d := judge(t, warm, cold, compare.DefaultOptions())
		check, ok := warmUpCheck(d)
		if !ok || check.Status != verdict.CheckFail || c.WarmUp.Log[1] < math.Log(1.3) || math.Abs(c.WarmUp.Log[0]) > math.Log(1.1) {
			t.Errorf("%d runs, one side cold: %+v, %+v", runs, check, c.WarmUp)
		}
		other := cold
		other.Seed = 3
		if _, d := judge(t, cold, other, compare.DefaultOptions()); d.Outcome == verdict.Fail {
			t.Errorf("%d runs, both cold: FAIL", runs)
		} else if check, _ := warmUpCheck(d); check.Status != verdict.CheckWarn {
			t.Errorf("%d runs, both cold: %+v", runs, check)
		}
	}
}

// Steady runs are not called cold, not even where neighbouring requests are alike.
func TestSteadyRunsAreNotCold(t *testing.T) {
	alarms := 0
	for i := range 40 {
		before := fixtures.Default()
		before.Runs, before.ARPhi, before.Seed = 1+4*(i%2), 0.5, uint64(10+2*i)
		after := before
		after.Seed++
		_, d := judge(t, before, after, compare.DefaultOptions())
		if check, ok := warmUpCheck(d); ok && check.Status != verdict.CheckOK {
			alarms++
		}
	}
	if alarms > 1 {
		t.Errorf("%d of 40 steady pairs are called cold", alarms)
	}
}
