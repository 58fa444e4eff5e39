package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
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

// Nor is the end of a request, failed or not, that is said to have taken a day.
func TestRatesWithoutEnds(t *testing.T) {
	side := func(name string, odd, status string) string {
		var b strings.Builder
		b.WriteString("run,start_s,end_s,status\n")
		for i := range 1200 {
			start := 1.7e9 + 1e4*float64(i/300) + float64(i%300)
			end, of := fmt.Sprintf("%.3f", start+2+unit(uint64(i))), "ok"
			if i%300 == 7 && odd != "" {
				end, of = odd, status
			}
			fmt.Fprintf(&b, "%d,%.3f,%s,%s\n", i/300, start, end, of)
		}
		return write(t, name, b.String())
	}
	whole := side("whole.csv", "", "")
	for _, status := range []string{"ok", "error"} {
		doc := document(t, 0, "-m", "throughput_rps", "--margin", "throughput_rps=10%", whole, side("odd.csv", "9e9", status))
		if v := doc.Results[0].Candidate.Value; v < 0.97 || v > 1 {
			t.Errorf("status %s: %v requests a second, want nearly 1", status, v)
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

// TestTimesOfAnotherUnit holds that a time which no clock reads is told with its
// place, its value, what was wanted and which unit would do, and that this helps.
func TestTimesOfAnotherUnit(t *testing.T) {
	dir := t.TempDir()
	file := func(name, column string, scale float64, odd string) string {
		var b strings.Builder
		lines := strings.HasSuffix(name, ".jsonl")
		if !lines {
			fmt.Fprintf(&b, "%s,ttft_ms\n", column)
		}
		for i := range 60 {
			start := fmt.Sprintf("%.0f", (1.764e9+float64(i))*scale)
			if i == 7 && odd != "" {
				start = odd
			}
			if lines {
				fmt.Fprintf(&b, "{\"%s\": %s, \"ttft_ms\": %d}\n", column, start, 100+i%7)
			} else {
				fmt.Fprintf(&b, "%s,%d\n", start, 100+i%7)
			}
		}
		path := filepath.Join(dir, name)
		put(t, path, b.String())
		return path
	}
	typed := filepath.Join(dir, "typed.parquet")
	writeNumbers(t, typed, "start_s", 1.764e12)
	good := file("good.csv", "start_s", 1, "")
	for _, c := range []struct{ path, want, column string }{
		{file("ms.csv", "start_s", 1e3, ""), `ms.csv, record 1: start_s is "1764000000000", which is no time: want seconds since 1970, up to 9223372036 (the year 2262). In milliseconds it is 2025-11-24T16:00:00Z: say --column start=start_s:ms`, "start=start_s:ms"},
		{file("ms.jsonl", "start_s", 1e3, ""), `ms.jsonl, record 1: start_s is "1764000000000"`, "start=start_s:ms"},
		{typed, `typed.parquet, record 1: start_s is "1764000000000"`, "start=start_s:ms"},
		{file("us.csv", "start_ms", 1e6, ""), `In microseconds it is 2025-11-24T16:00:00Z: say --column start=start_ms:us`, "start=start_ms:us"},
		{file("ns.csv", "start_us", 1e9, ""), `In nanoseconds it is 2025-11-24T16:00:00Z: say --column start=start_us:ns`, "start=start_us:ns"},
		{file("word.csv", "start_s", 1, "yesterday"), `word.csv, record 8: start_s is "yesterday", which is no time: want a time such as 2026-01-05T09:00:00Z`, ""},
		{file("far.csv", "start_s", 1, "99999999999999999999"), `far.csv, record 8: start_s is "99999999999999999999", which is no time: want seconds since 1970, up to 9223372036 (the year 2262)`, ""},
		{good, "", ""},
	} {
		res := run(t, "-m", "ttft:p50", "--config", "none", c.path, good)
		text := strings.Join(strings.Fields(res.stdout), " ")
		if res.code == 2 || !strings.Contains(text, c.want) || (c.want == "") == strings.Contains(text, "no time") {
			t.Errorf("%s: exit code %d, want %q\n%s%s", c.path, res.code, c.want, res.stdout, res.stderr)
		}
		if c.column == "" {
			continue
		}
		if res = run(t, "describe", "-m", "ttft:p50", "--column", c.column, c.path); res.code != 0 || strings.Contains(res.stdout, "bad time") {
			t.Errorf("%s with --column %s: exit code %d\n%s%s", c.path, c.column, res.code, res.stdout, res.stderr)
		}
	}
}

// writeNumbers writes a Parquet file of 60 requests whose column of starts holds
// whole numbers from the first on.
func writeNumbers(t *testing.T, path, column string, first float64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	starts, waits := make([]float64, 60), make([]float64, 60)
	for i := range starts {
		starts[i], waits[i] = first+1000*float64(i), float64(100+i%7)
	}
	fields := []arrowio.OutField{{Name: column, Kind: arrowio.Float64}, {Name: "ttft_ms", Kind: arrowio.Float64}}
	if err := arrowio.WriteParquet(f, fields, []arrowio.OutColumn{{Floats: starts}, {Floats: waits}}, nil, arrowio.WriterOptions{}); err != nil {
		t.Fatal(err)
	}
}
