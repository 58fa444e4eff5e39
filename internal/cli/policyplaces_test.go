package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// A value of the policy file that a flag of its name would have to answer for is
// found by its line, and one that the flag replaced is the flag's.
func TestPolicyErrorsNameTheLine(t *testing.T) {
	const before, after = "../../fixtures/small/before.parquet", "../../fixtures/small/after.parquet"
	for _, c := range []struct {
		policy, want string
		flags        []string
	}{
		{"mix: [none, region]", "line 3: mix none goes with no column", nil},
		{"mix: [region]", "--mix none goes with no column", []string{"--mix", "none", "--mix", "region"}},
		{"interval: bootstrap", "line 3: interval bootstrap needs 20 runs a side", nil},
		{"level: 0.95", "--interval bootstrap needs 20 runs a side", []string{"--interval", "bootstrap"}},
		{"level: 0.3", "line 3: level 0.3: want a share from 0.5", nil},
		{"slo_target: 5", "line 3: slo_target \"5\": want a percentage", nil},
		{"run_noise: \"@nope.json\"", "line 3: run_noise @nope.json: no such file", nil},
		{"cost: {gpu_hour: 1, gpus: -1}", "line 3: cost: gpus -1", nil},
		{"metrics:\n  - ttft:p50\n  - moon", "line 5: there is no metric or column \"moon\"", nil},
		{"metrics: [moon]", "perfdiff: there is no metric or column \"sun\"", []string{"-m", "sun"}},
		{"limits: [\"moon:p50<1s\"]", "line 3: there is no metric or column \"moon\"", nil},
		{"by: [replica, moon]", "line 3: ../../fixtures/small/before.parquet: there is no column \"moon\" to slice by", nil},
		{"critical:\n  - moon=1", "line 4: ../../fixtures/small/before.parquet: there is no column \"moon\"", nil},
		{"critical: [\"replica=r1, moon=1\"]", "line 3: ../../fixtures/small/before.parquet: there is no column \"moon\"", nil},
		{"mix: [moon]", "line 3: ../../fixtures/small/before.parquet: there is no column \"moon\"", nil},
		{"by: [moon]", "perfdiff: ../../fixtures/small/before.parquet: there is no column \"sun\"", []string{"--by", "sun"}},
		{"soft: [tpott]", "line 3: soft gate \"tpott\"", nil},
	} {
		path := filepath.Join(t.TempDir(), "policy.yaml")
		put(t, path, "# of the team\nversion: 1\n"+c.policy+"\n")
		res := run(t, append([]string{"--config", path, before, after}, c.flags...)...)
		if inFile := strings.HasPrefix(c.want, "line"); res.code != 2 || !strings.Contains(res.stderr, c.want) || strings.Contains(res.stderr, "policy.yaml: ") != inFile {
			t.Errorf("%s %v: exit code %d, %q, want %q", c.policy, c.flags, res.code, res.stderr, c.want)
		}
	}
}
