package metric_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// The first time that cannot be read is found far down a file too, whatever else is
// wrong with records before it.
func TestBadTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("start_s,latency_s,status\n")
	for i := range 40000 {
		start, latency := fmt.Sprint(1.7e9+float64(i)), "1"
		switch i {
		case 100:
			latency = "-1" // rejected for that
			start = "then"
		case 33333:
			start = "1764000000000"
		case 33334:
			start = "later"
		}
		fmt.Fprintf(&b, "%s,%s,ok\n", start, latency)
	}
	in := csv(t, b.String(), "start_s,latency_s\n1700000000,1\n")
	side := collect(t, in, metric.NewPlan(items(t, nil, nil, in)))
	bad := side.Files[0].BadTime
	if bad == nil || bad.Record != 33334 || bad.Value != "1764000000000" || bad.Column != "start_s" || bad.Field != "start" {
		t.Fatalf("%+v", bad)
	}
	if unit, at, ok := bad.Likely(); !ok || unit != "ms" || at != 1764000000e9 {
		t.Errorf("likely %v %v %v", unit, at, ok)
	}
	if side.Files[1].BadTime != nil {
		t.Errorf("a file without one: %+v", side.Files[1].BadTime)
	}
}
