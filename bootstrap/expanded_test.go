package bootstrap

import (
	"errors"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// The expanded interval is wider than the percentile interval, the more the
// fewer units there are, and comes to it for many.
func TestExpanded(t *testing.T) {
	replicates := make([]float64, 9999)
	for i := range replicates {
		replicates[i] = stats.NormalQuantile((float64(i) + 0.5) / 9999)
	}
	last := 0.0
	for _, k := range []int{10000, 100, 20, 5} {
		law, err := FromReplicates(0, replicates, k)
		if err != nil {
			t.Fatal(err)
		}
		p, err := law.Percentile(0.95)
		if err != nil {
			t.Fatal(err)
		}
		e, err := law.Expanded(0.95, float64(k-1))
		if err != nil || e.Method != MethodExpanded {
			t.Fatal(e, err)
		}
		ratio := e.Interval.Width() / p.Interval.Width()
		if ratio <= last || ratio < 1 || k == 10000 && ratio > 1.001 {
			t.Errorf("%d units: %.4f times as wide as the percentile interval, %.4f with more", k, ratio, last)
		}
		last = ratio
	}
	// t(19) is 2.0930, and times √(20/19) 2.1474.
	law, err := FromReplicates(0, replicates, 20)
	if err != nil {
		t.Fatal(err)
	}
	e, err := law.Expanded(0.95, 19)
	if err != nil || e.Interval.Lo > -2.13 || e.Interval.Lo < -2.16 {
		t.Errorf("%v, %v: want a lower limit of -2.147", e.Interval, err)
	}
	if _, err := law.Expanded(0.95, 0); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("no degrees of freedom: %v", err)
	}
}
