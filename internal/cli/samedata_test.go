package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
)

// A file against itself is said to be one, and never fails.
func TestSameData(t *testing.T) {
	const name = "../../fixtures/regression/before.parquet"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(path string, b []byte) string {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	copied := put("copy.parquet", data)
	link := filepath.Join(dir, "link.parquet")
	if err := os.Symlink(copied, link); err != nil {
		t.Fatal(err)
	}
	one, two := "ttft_ms\n100\n101\n", "ttft_ms\n100\n102\n"
	put("x/1.csv", []byte(one))
	put("x/2.csv", []byte(two+"103\n"))
	put("y/a.csv", []byte(two+"103\n"))
	put("y/b.csv", []byte(one))
	put("z/1.csv", []byte(two)) // as long as one, and not the same
	put("z/2.csv", []byte(two+"103\n"))
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		why                 string
		baseline, candidate string
		same                bool
	}{
		{"one path", name, name, true},
		{"a copy", name, copied, true},
		{"a link", copied, link, true},
		{"the same files under other names and in another order", in("x"), in("y"), true},
		{"files as long as each other", in("x"), in("z"), false},
		{"more files on one side", in("x"), in("x/1.csv"), false},
		{"other data", name, "../../fixtures/regression/after.parquet", false},
	} {
		res := run(t, c.baseline, c.candidate)
		if said := strings.Contains(res.stdout, "Both sides are the same data"); said != c.same {
			t.Errorf("%s: said to be the same %v, want %v\n%s", c.why, said, c.same, res.stdout)
		}
		if c.same && res.code == 1 {
			t.Errorf("%s: FAIL\n%s", c.why, res.stdout)
		}
	}
	// Standard input has no path, but has bytes.
	res := runEnv(t, cli.Env{Stdin: bytes.NewReader(data)}, name, "-")
	if !strings.Contains(res.stdout, "Both sides are the same data") {
		t.Errorf("standard input: %s", res.stdout)
	}
	doc := document(t, 3, name, copied)
	for _, c := range doc.Comparability {
		if c.Check == "same_data" && (c.Status != "warn" || c.Baseline.Known()) {
			t.Errorf("check %+v", c)
		}
	}
}
