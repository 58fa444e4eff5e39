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

// A start that no clock reads, before all others or after them, is no part of the
// time that a rate is about, and is counted once.
func TestRatesWithoutClock(t *testing.T) {
	side := func(name string, seed uint64, odd string) string {
		var b strings.Builder
		b.WriteString("run,start_s,e2e_s\n")
		for i := range 1200 {
			start := fmt.Sprintf("%.3f", 1.7e9+1e4*float64(i/300)+float64(i%300)*(1+0.01*unit(seed+uint64(i))))
			if i%300 == 7 && odd != "" {
				start = odd
			}
			fmt.Fprintf(&b, "%d,%s,%.4f\n", i/300, start, 2+unit(seed<<10+uint64(i)))
		}
		return write(t, name, b.String())
	}
	whole := side("whole.csv", 1, "")
	for _, odd := range []string{"", "0", "2.5e9", "-1e6"} {
		for _, flags := range [][]string{nil, {"--warmup", "5s"}} {
			doc := document(t, 0, append(flags, "-m", "throughput_rps", "--margin", "throughput_rps=10%", whole, side("odd.csv", 2, odd))...)
			if v := doc.Results[0].Candidate.Value; v < 0.97 || v > 1 {
				t.Errorf("starts at %q, %v: %v requests a second, want 1 without the time of the last", odd, flags, v)
			}
			told := ""
			for _, w := range doc.Warnings {
				if w.Code == "no_clock" {
					told = w.Text
				}
			}
			if odd == "" && told != "" || odd != "" && !strings.Contains(told, "4 requests start") {
				t.Errorf("starts at %q, %v: told %q", odd, flags, told)
			}
		}
	}
}
