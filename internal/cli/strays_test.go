//go:build unix

package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// runFile writes a run of some hundred requests.
func runFile(t *testing.T, dir, name string, seed int) {
	t.Helper()
	var b strings.Builder
	for i := range 300 {
		v := 100 + 10*math.Sin(float64(i*7+seed*13)) + float64(seed)
		fmt.Fprintf(&b, `{"ttft_ms": %.6f, "e2e_ms": %.6f, "status": "ok"}`+"\n", v, v+500)
	}
	put(t, filepath.Join(dir, name), b.String())
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFilesBesideRuns holds that what lies beside the runs of a directory is no
// run: it would count as evidence.
func TestFilesBesideRuns(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for i := range 2 {
		runFile(t, a, fmt.Sprintf("run%d.jsonl", i), i)
		runFile(t, b, fmt.Sprintf("run%d.jsonl", i), i+5)
	}
	put(t, filepath.Join(a, "config.json"), `{"model": "m", "duration_s": 60, "rate": 3}`)
	put(t, filepath.Join(a, "summary.jsonl"), `{"gpu_util": 0.5, "tokens_per_s": 900}`+"\n")
	if err := syscall.Mkfifo(filepath.Join(a, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	res := run(t, a, b)
	for _, want := range []string{"2 + 2 runs", "config.json passed over", "summary.jsonl passed over"} {
		if !strings.Contains(res.stdout, want) {
			t.Errorf("no %q in\n%s%s", want, res.stdout, res.stderr)
		}
	}
}

// TestCopiesAreNoRuns holds that a copy of a run is not taken for a second one.
func TestCopiesAreNoRuns(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	runFile(t, a, "run1.jsonl", 1)
	runFile(t, a, "run2.jsonl", 1)
	runFile(t, b, "run1.jsonl", 3)
	for _, args := range [][]string{{a, b}, {b, a}, {"describe", a}} {
		if res := run(t, args...); res.code != 2 || !strings.Contains(res.stderr, "hold the same bytes") {
			t.Errorf("%q: exit code %d, %s", args, res.code, res.stderr)
		}
	}
	if res := run(t, "describe", "--files", "parts", a); res.code != 2 || !strings.Contains(res.stderr, "the requests of a part would count double") {
		t.Errorf("parts: exit code %d, %s", res.code, res.stderr)
	}
}

// TestOutputThroughLink holds that a link stays a link, and that nothing that is
// no regular file is replaced.
func TestOutputThroughLink(t *testing.T) {
	dir := t.TempDir()
	runFile(t, dir, "run.jsonl", 1)
	link, file, pipe := filepath.Join(dir, "link.md"), filepath.Join(dir, "file.md"), filepath.Join(dir, "pipe.md")
	put(t, file, "old")
	if err := os.Symlink("file.md", link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	in := filepath.Join(dir, "run.jsonl")
	if res := run(t, "describe", in, "-q", "-o", link); res.code != 0 {
		t.Fatalf("exit code %d, %s", res.code, res.stderr)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", st.Mode(), err)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "ttft") {
		t.Errorf("the file behind the link holds %q, %v", b, err)
	}
	if res := run(t, "describe", in, "-q", "-o", pipe); res.code != 2 || !strings.Contains(res.stderr, "not a regular file") {
		t.Errorf("exit code %d, %s", res.code, res.stderr)
	}
	table := filepath.Join(dir, "t.parquet")
	if res := run(t, "convert", in, "-o", table); res.code != 0 {
		t.Fatalf("exit code %d, %s", res.code, res.stderr)
	}
	if res := run(t, "convert", table, "-o", table); res.code != 2 || !strings.Contains(res.stderr, "is an input") {
		t.Errorf("exit code %d, %s", res.code, res.stderr)
	}
}

// TestCopiedRepeat holds that a copy that is given as a repeat is told.
func TestCopiedRepeat(t *testing.T) {
	dir := t.TempDir()
	paths := make([]string, 3)
	for i, score := range []string{"1", "1", "0"} {
		paths[i] = filepath.Join(dir, string(rune('a'+i))+".csv")
		put(t, paths[i], "item,score\nq1,"+score+"\nq2,1\nq3,0\n")
	}
	for _, c := range []struct {
		repeat string
		told   bool
	}{{paths[1], true}, {paths[2], false}} {
		res := qual(t, "--baseline", paths[0], "--baseline", c.repeat, "--candidate", paths[2])
		if told := strings.Contains(strings.Join(strings.Fields(res.stdout), " "), "a copy is no repeat"); res.code == 2 || told != c.told {
			t.Errorf("%s: exit code %d, %s%s", c.repeat, res.code, res.stdout, res.stderr)
		}
	}
	if res := qual(t, "--baseline", paths[0], "--baseline", "again="+paths[0], "--candidate", paths[2]); res.code != 2 || !strings.Contains(res.stderr, "is named twice") {
		t.Errorf("exit code %d, %s", res.code, res.stderr)
	}
}
