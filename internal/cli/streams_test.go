package cli_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/cli"
)

// brokenPipe fails after some bytes, as a pipe does whose reader went away.
type brokenPipe struct{ room int }

func (w *brokenPipe) Write(p []byte) (int, error) {
	n := min(w.room, len(p))
	w.room -= n
	if n < len(p) {
		return n, errors.New("broken pipe")
	}
	return n, nil
}

func TestStandardOutputThatFails(t *testing.T) {
	for _, format := range []string{"text", "markdown", "json"} {
		for _, room := range []int{0, 10} {
			out := filepath.Join(t.TempDir(), "r.json")
			res := runEnv(t, cli.Env{Stdout: &brokenPipe{room}}, "--format", format, "-o", out, before("P26"), caseFile("P26", "after_fail.csv"))
			if res.code != 2 || !strings.Contains(res.stderr, "standard output: broken pipe") {
				t.Errorf("%s: exit code %d, %q; want 2 and the reason", format, res.code, res.stderr)
			}
			if text, err := os.ReadFile(out); err != nil || decode(t, string(text)) == nil {
				t.Errorf("%s: the file beside it is not whole: %v", format, err)
			}
		}
	}
}

// TestQuietNeedsNoOutput holds that -q does not touch standard output.
func TestQuietNeedsNoOutput(t *testing.T) {
	for _, args := range [][]string{{before("P26"), caseFile("P26", "after_fail.csv")}, {"describe", before("P26")}} {
		if res := runEnv(t, cli.Env{Stdout: &brokenPipe{}}, append(args, "-q")...); res.code == 2 {
			t.Errorf("%q: exit code 2, %s", args, res.stderr)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	out := filepath.Join(t.TempDir(), "r.md")
	code := cli.Perfdiff(ctx, cli.Env{Stdout: &stdout, Stderr: &stderr}, []string{"-o", out, before("P26"), after("P08")})
	if code != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, %q, %q", code, stdout.String(), stderr.String())
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a report was written")
	}
}

// TestControlCharacters holds that names from outside reach no terminal as
// commands; JSON carries them as they are.
func TestControlCharacters(t *testing.T) {
	column := "queue\x1b[31m\u202edepth"
	file := write(t, "x.jsonl", strings.Repeat(`{"latency_ms": 1, "queue\u001b[31m\u202edepth": 2}`+"\n", 3))
	label := "red\x1b[31m\nline\u202e"
	for _, format := range []string{"text", "markdown", "json"} {
		res := run(t, "--format", format, "-m", column, "--margin", column+"=1", label+"="+file, file)
		if res.code == 2 {
			t.Fatal(res.stderr)
		}
		switch {
		case format != "json" && strings.ContainsAny(res.stdout, "\x1b\u202e"):
			t.Errorf("%s: %q", format, res.stdout)
		case format == "json":
			doc := decode(t, res.stdout)
			if row(t, doc, column, "mean"); doc.Baseline.Label != label {
				t.Errorf("the label is %q, want %q", doc.Baseline.Label, label)
			}
		}
	}
	res := run(t, "-m", "no\x1b[31msuch", file, file+"\x1b[31m")
	if res.code != 2 || strings.Contains(res.stderr, "\x1b") {
		t.Errorf("exit code %d, %q", res.code, res.stderr)
	}
}

// TestSameBytes holds that the report does not depend on the number of
// processors, nor on the order in which parts are named or read.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	var parts []string
	for k := range 4 {
		spec := fixtures.Default()
		spec.Seed, spec.Runs, spec.RequestsPerRun = uint64(k+1), 2, 600
		r, err := fixtures.Generate(spec)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		write := []func() error{
			func() error { return fixtures.WriteCSV(&b, &r, fixtures.Columns{NoRun: true}) },
			func() error { return fixtures.WriteJSONL(&b, &r, fixtures.Columns{NoRun: true}) },
			func() error { return fixtures.WriteParquet(&b, &r, fixtures.Columns{NoRun: true}) },
		}
		if err := write[k%3](); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, "side", fmt.Sprintf("part-%d.%s", k, []string{"csv", "jsonl", "parquet"}[k%3]))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, name)
	}
	metrics := []string{"--format", "json", "-m", "ttft:p50", "-m", "ttft:p99", "-m", "ttft:mean", "-m", "tpot:mean", "-m", "e2e:max", "-m", "success_rate", "-m", "throughput_tps", "-m", "output_tps:p5"}
	for _, files := range []string{"parts", "runs"} {
		want := ""
		same(t, files+" by name", 3, &want, func(order []string) result {
			args := with(metrics, "--files", files)
			for i, name := range order {
				args = append(args, "--baseline", name, "--candidate", order[len(order)-1-i])
			}
			return run(t, args...)
		}, parts)
		want = ""
		same(t, files+" in a directory", 1, &want, func([]string) result {
			return run(t, with(metrics, "--files", files, filepath.Dir(parts[0]), filepath.Dir(parts[0]))...)
		}, parts)
	}
}

// TestSameBytesOfHistograms does the same beyond the number of values that are
// kept exactly.
func TestSameBytesOfHistograms(t *testing.T) {
	if testing.Short() {
		t.Skip("a million records")
	}
	dir := t.TempDir()
	x := uint64(1)
	var parts []string
	for k := range 3 {
		b := bytes.NewBufferString("latency_us\n")
		for range 400_000 {
			x = x*6364136223846793005 + 1442695040888963407
			fmt.Fprintf(b, "%d\n", 1000+x>>44)
		}
		parts = append(parts, filepath.Join(dir, fmt.Sprintf("part-%d.csv", k)))
		if err := os.WriteFile(parts[k], b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := ""
	same(t, "histograms", 1, &want, func(order []string) result {
		args := []string{"--format", "json", "--files", "parts", "-m", "latency:p50", "-m", "latency:p99.9", "-m", "latency:mean"}
		for i, name := range order {
			args = append(args, "--baseline", name, "--candidate", order[len(order)-1-i])
		}
		return run(t, args...)
	}, parts)
	if r := row(t, decode(t, want), "latency", "p50"); r.Exact || r.Baseline.N != 1_200_000 {
		t.Errorf("exact %v with %d values: this is no histogram", r.Exact, r.Baseline.N)
	}
}

// same runs with one and with four processors, with so many orders of the parts
// each, and holds every output against the first.
func same(t *testing.T, name string, orders int, want *string, run func(order []string) result, parts []string) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	order := slices.Clone(parts)
	for _, procs := range []int{1, 4} {
		runtime.GOMAXPROCS(procs)
		for turn := range orders {
			res := run(order)
			if *want == "" {
				*want = res.stdout
			}
			if res.stdout != *want || res.stdout == "" {
				t.Fatalf("%s: another output with %d processors, order %v:\n%s%s", name, procs, order, firstDifference([]byte(*want), []byte(res.stdout)), res.stderr)
			}
			order = append(order[1:], order[0])
			if turn == 1 {
				slices.Reverse(order)
			}
		}
	}
}
