package metric_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

func TestReplicasCounted(t *testing.T) {
	for _, c := range []struct {
		why  string
		csv  []string
		want int
	}{
		{"names in turn, over two files", []string{"latency_s,replica\n1,a\n1,b\n1,a\n", "latency_s,replica\n1,b\n1,c\n"}, 3},
		{"a failed request was served, one left out or rejected was not counted", []string{"latency_s,replica,status,phase\n1,a,ok,measure\n1,b,error,measure\n1,c,ok,warmup\n-1,d,ok,measure\n"}, 2},
		{"a record without a name", []string{"latency_s,replica\n1,a\n1,\n"}, 1},
		{"no names", []string{"latency_s,replica\n1,\n1,\n"}, 0},
		{"no column", []string{"latency_s\n1\n"}, 0},
	} {
		in := csv(t, c.csv...)
		plan := metric.NewPlan(items(t, []string{"latency:p50"}, nil, in))
		if got := collect(t, in, plan).Replicas; got != 0 {
			t.Errorf("%s: %d replicas, not asked for", c.why, got)
		}
		plan.CountReplicas = true
		if got := collect(t, in, plan).Replicas; got != c.want {
			t.Errorf("%s: %d replicas, want %d", c.why, got, c.want)
		}
	}
}

// A column that names every record is no column of replicas, and takes no more
// memory than a limited number of names.
func TestReplicasBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("latency_s,replica\n")
	for i := range 2 * metric.MaxReplicas {
		fmt.Fprintf(&b, "1,r%d\n", i)
	}
	in := csv(t, b.String())
	plan := metric.NewPlan(items(t, []string{"latency:p50"}, nil, in))
	plan.CountReplicas = true
	if got := collect(t, in, plan).Replicas; got != metric.MaxReplicas+1 {
		t.Errorf("%d names kept, want %d", got, metric.MaxReplicas+1)
	}
}
