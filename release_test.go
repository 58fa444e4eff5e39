package perfdiff_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRelease builds a release here and from a copy elsewhere: both have the same
// bytes, and the commands say what they were built from.
func TestRelease(t *testing.T) {
	needBash(t)
	list, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skip("no list of the sources: ", err)
	}
	elsewhere := filepath.Join(t.TempDir(), "a copy")
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if strings.HasPrefix(name, "fixtures/") && !strings.HasSuffix(name, ".go") || strings.Contains(name, "/testdata/") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			continue // deleted, and not yet committed
		}
		to := filepath.Join(elsewhere, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, b, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	platform := runtime.GOOS + "/" + runtime.GOARCH
	build := func(dir string) map[string][]byte {
		t.Helper()
		dist := filepath.Join(t.TempDir(), "dist")
		cmd := exec.Command("bash", ".ci/release")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "VERSION=v1.2.3", "COMMIT=0123456789ab", "DATE=2026-01-31", "PLATFORMS="+platform, "DIST="+dist)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		files := map[string][]byte{}
		err := filepath.WalkDir(dist, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(dist, path)
			if err != nil {
				return err
			}
			files[name], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, program := range []string{"perfdiff", "qualdiff"} {
			path := filepath.Join(dist, strings.Replace(platform, "/", "_", 1), program)
			out, err := exec.Command(path, "--version").CombinedOutput()
			if want := program + " version 1.2.3 (commit 0123456789ab, 2026-01-31)\n"; err != nil || string(out) != want {
				t.Errorf("--version prints %q, want %q; error %v", out, want, err)
			}
			completion, err := exec.Command(path, "completion", "bash").Output()
			if have := files["completions/"+program+".bash"]; err != nil || !bytes.Equal(completion, have) {
				t.Errorf("%s completion bash prints %d bytes, the file has %d; error %v", program, len(completion), len(have), err)
			}
		}
		return files
	}
	here, there := build("."), build(elsewhere)
	if len(here) != len(there) || len(here) < 20 {
		t.Errorf("%d files, and %d of the copy", len(here), len(there))
	}
	for name, b := range here {
		if !bytes.Equal(b, there[name]) {
			t.Errorf("%s differs: %d and %d bytes", name, len(b), len(there[name]))
		}
		if wd, _ := os.Getwd(); bytes.Contains(b, []byte(wd)) {
			t.Errorf("%s names the directory it was built in", name)
		}
	}
	sums := string(here["SHA256SUMS"])
	for name := range here {
		if name != "SHA256SUMS" && !strings.Contains(sums, "  "+filepath.ToSlash(name)+"\n") {
			t.Errorf("SHA256SUMS lacks %s", name)
		}
	}
}
