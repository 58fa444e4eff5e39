package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestClockGlitch holds that one start of 0 does not keep a warm-up from being
// cut, and is told.
func TestClockGlitch(t *testing.T) {
	side := func(first int) string {
		var b strings.Builder
		b.WriteString("start_s,ttft_ms\n")
		for i := range 200 {
			start := 1_700_000_000 + i
			if i == 0 {
				start = first
			}
			fmt.Fprintf(&b, "%d,%d\n", start, 100+i%7)
		}
		path := filepath.Join(t.TempDir(), "run.csv")
		put(t, path, b.String())
		return path
	}
	good, bad := side(1_700_000_000), side(0)
	for _, c := range []struct {
		path string
		args []string
		told bool
		want string
	}{
		{bad, nil, true, ""},
		{bad, []string{"--warmup", "60s"}, true, "139 ok"},
		{good, []string{"--warmup", "60s"}, false, "140 ok"},
	} {
		res := run(t, append([]string{c.path, good, "-m", "ttft"}, c.args...)...)
		text := strings.Join(strings.Fields(res.stdout), " ")
		if res.code == 2 || strings.Contains(text, "no reading of a clock") != c.told || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: exit code %d, want %q, told %v\n%s%s", c.path, c.args, res.code, c.want, c.told, res.stdout, res.stderr)
		}
	}
}
