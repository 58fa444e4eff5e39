package metric_test

import (
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

func TestShareReplica(t *testing.T) {
	for _, c := range []struct {
		why            string
		before, after  string
		shared         bool
		beforeOfSecond string
	}{
		{"the same names", "replica,latency_s\na,1\nb,2\n", "replica,latency_s\nb,1\nc,2\n", true, ""},
		{"other names", "replica,latency_s\na,1\nb,2\n", "replica,latency_s\nc,1\nd,2\n", false, ""},
		{"none on both sides", "replica,latency_s\na,1\n,2\n", "replica,latency_s\n,1\nd,2\n", true, ""},
		{"none on one", "replica,latency_s\na,1\n,2\n", "replica,latency_s\nc,1\nd,2\n", false, ""},
		{"in another file", "replica,latency_s\na,1\n", "replica,latency_s\nb,1\n", true, "replica,latency_s\nb,3\n"},
	} {
		before := csv(t, c.before)
		if c.beforeOfSecond != "" {
			before = csv(t, c.before, c.beforeOfSecond)
		}
		for _, workers := range []int{1, 3} {
			got, err := metric.ShareReplica(t.Context(), []metric.Input{before, csv(t, c.after)}, metric.Scan{Workers: workers})
			if err != nil || got != c.shared {
				t.Errorf("%s, %d workers: %v, %v, want %v", c.why, workers, got, err, c.shared)
			}
		}
	}
}
