package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A few requests that fail, or that cannot be true, hide a percentile far out: the slowest
// may be among them. Of such a percentile fewer are tolerated than of the median.
func TestFewLostRequestsHideTheTail(t *testing.T) {
	side := func(seed uint64, every int, row string) string {
		var b strings.Builder
		b.WriteString("run,tier,ttft_ms,status\n")
		for r := range 4 {
			for i := range 300 {
				tier := map[bool]string{true: "gold", false: "free"}[i%10 == 0]
				if every > 0 && i%every == 0 {
					fmt.Fprintf(&b, "r%d,%s,%s\n", r, tier, row)
					continue
				}
				fmt.Fprintf(&b, "r%d,%s,%.5f,ok\n", r, tier, 100*math.Exp(0.2*unit(seed<<20+uint64(r)<<10+uint64(i))))
			}
		}
		path := filepath.Join(t.TempDir(), "side.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const failed, negative = ",error", "-1,ok"
	for _, tt := range []struct {
		name          string
		before, after string
		flags         string
		policy        string
		code          int
		check, text   string
	}{
		{"none", side(1, 0, ""), side(2, 0, ""), "ttft:p99", "", 0, "", ""},
		{"failed", side(1, 0, ""), side(2, 150, failed), "ttft:p99", "", 3, "failure_rate", "a difference of 0.5 % is tolerated for p99"},
		{"failed before", side(1, 150, failed), side(2, 0, ""), "ttft:p99", "", 3, "failure_rate", "for p99"},
		{"failed alike", side(1, 150, failed), side(2, 150, failed), "ttft:p99", "", 0, "failure_rate", ""},
		{"failed, of the median", side(1, 0, ""), side(2, 150, failed), "ttft:p50", "", 0, "failure_rate", ""},
		{"failed, of both", side(1, 0, ""), side(2, 150, failed), "ttft:p50 ttft:p99", "", 3, "failure_rate", "for p99"},
		{"failed, tolerated", side(1, 0, ""), side(2, 150, failed), "ttft:p99", "comparability: {failures: 2%}", 0, "failure_rate", ""},
		{"many failed", side(1, 0, ""), side(2, 50, failed), "ttft:p99", "", 3, "failure_rate", "a difference of 1 % is tolerated."},
		{"rejected", side(1, 0, ""), side(2, 150, negative), "ttft:p99", "", 3, "rejected_records", "for p99 a difference of 0.5 % is tolerated"},
		{"rejected alike", side(1, 150, negative), side(2, 150, negative), "ttft:p99", "", 0, "rejected_records", "up to 1 % is tolerated"},
		{"rejected, of the median", side(1, 0, ""), side(2, 150, negative), "ttft:p50", "", 0, "rejected_records", "up to 1 % is tolerated"},
		{"failed in a slice", side(1, 0, ""), side(2, 150, failed), "ttft:p50 critical", "", 3, "failure_rate", "More requests of tier=gold fail on one side: 0.00 % of the baseline's against 6.67 %"},
		{"failed in a slice that a gate judges", side(1, 0, ""), side(2, 150, failed), "ttft:p50 success_rate critical", "margins: {success_rate: 20pp}", 0, "failure_rate", ""},
		{"rejected in a slice", side(1, 0, ""), side(2, 150, negative), "ttft:p50 critical", "", 3, "rejected_records", "0.00 % of the baseline's records of tier=gold and 6.67 %"},
		{"rejected, tolerated", side(1, 0, ""), side(2, 150, negative), "ttft:p99", "comparability: {rejected: 2%}", 0, "rejected_records", "up to 2 % is tolerated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			policy := "none"
			if tt.policy != "" {
				policy = filepath.Join(t.TempDir(), "policy.yaml")
				if err := os.WriteFile(policy, []byte("version: 1\n"+tt.policy+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			args := []string{"--config", policy}
			for _, m := range strings.Fields(tt.flags) {
				if m == "critical" {
					args = append(args, "--critical", "tier=gold")
				} else {
					args = append(args, "-m", m)
				}
			}
			doc := document(t, tt.code, append(args, tt.before, tt.after)...)
			failed, said := false, ""
			for _, c := range doc.Comparability {
				failed = failed || c.Status == "fail"
				if c.Check == tt.check {
					said += c.Text
				} else if c.Status == "fail" {
					t.Errorf("%s is %s: %s", c.Check, c.Status, c.Text)
				}
			}
			if failed != (tt.code != 0) || !strings.Contains(said, tt.text) {
				t.Errorf("%s says %q, want %q", tt.check, said, tt.text)
			}
		})
	}
}
