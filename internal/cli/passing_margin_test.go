package cli_test

import (
	"regexp"
	"strings"
	"testing"
)

// The margin that is said to have passed does.
func TestPrintedMarginPasses(t *testing.T) {
	printed := regexp.MustCompile(`smallest margin that would have passed is ([0-9.]+) (%|pp|ms)\.`)
	regression := []string{"../../fixtures/regression/before.parquet", "../../fixtures/regression/after.parquet"}
	small := []string{"../../fixtures/small/before.parquet", "../../fixtures/small/after.parquet"}
	seen := 0
	for _, c := range []struct {
		metric, margin string
		sides          []string
	}{
		{"ttft:p50", "20%", small}, {"ttft:mean", "5%", small}, {"e2e:p50", "4%", regression}, {"e2e:p95", "5%", regression}, {"e2e:p99", "5%", regression},
		{"output_tps:p50", "2%", regression}, {"ttft:p99", "30ms", regression}, {"e2e:p50", "40ms", regression}, {"success_rate", "0.02pp", small},
	} {
		args := append([]string{"--config", "none", "-m", c.metric}, c.sides...)
		text := strings.Join(strings.Fields(run(t, append(args, "--margin", c.metric+"="+c.margin)...).stdout), " ")
		m := printed.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		seen++
		doc := document(t, 0, append(args, "--exit-zero", "--margin", c.metric+"="+m[1]+m[2])...)
		if v := doc.Results[0].Verdict; v == nil || *v != "PASS" {
			t.Errorf("%s: a margin of %s %s passes, it is said, and then %v", c.metric, m[1], m[2], doc.Reasons)
		}
	}
	if seen < 9 {
		t.Errorf("%d of the commands named a margin", seen)
	}
}
