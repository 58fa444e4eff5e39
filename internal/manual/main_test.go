package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/cli"
)

// TestPagesHaveEveryFlag: each command has a page, each flag an entry on it,
// with its usage as --help prints it.
func TestPagesHaveEveryFlag(t *testing.T) {
	dir := t.TempDir()
	if err := write([]string{dir}, "1.2.3", "2026-01-31"); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, root := range cli.Trees() {
		for _, c := range commands(root) {
			name := strings.ReplaceAll(c.CommandPath(), " ", "-")
			b, err := os.ReadFile(filepath.Join(dir, "man", "man1", name+".1"))
			if err != nil {
				t.Error(err)
				continue
			}
			page := plainText(string(b))
			c.LocalFlags().VisitAll(func(f *pflag.Flag) {
				if f.Hidden {
					return
				}
				seen++
				_, usage := pflag.UnquoteUsage(f)
				if !strings.Contains(page, "--"+f.Name) || !strings.Contains(page, plainText(usage)) {
					t.Errorf("%s.1 lacks --%s: %s", name, f.Name, usage)
				}
			})
			for _, want := range []string{`"Jan 2026"`, root.Name() + " 1.2.3"} {
				if !strings.Contains(string(b), want) {
					t.Errorf("%s.1 lacks %q", name, want)
				}
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d flags seen", seen)
	}
}

// plainText takes out the escapes of roff and everything that may be spaced
// otherwise.
func plainText(s string) string {
	s = strings.NewReplacer(`\-`, "-", `\fB`, "", `\fP`, "", `\fR`, "", `\(aq`, "'", `\&`, "", `\\`, `\`).Replace(s)
	return strings.Join(strings.Fields(s), " ")
}

// TestSameBytes: the pages depend on nothing but what is given.
func TestSameBytes(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if err := write([]string{dir}, "1.2.3", "2026-01-31"); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	err := filepath.WalkDir(a, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		x, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(a, path)
		y, err := os.ReadFile(filepath.Join(b, rel))
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs", rel)
		}
		return err
	})
	if err != nil || n < 20 {
		t.Errorf("%d files, error %v", n, err)
	}
}

// TestCompletions: each shell that is here can read its completions.
func TestCompletions(t *testing.T) {
	dir := t.TempDir()
	if err := write([]string{dir}, "1.2.3", "2026-01-31"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ shell, name string }{
		{"bash", "%.bash"}, {"zsh", "_%"}, {"fish", "%.fish"},
	} {
		for _, program := range []string{"perfdiff", "qualdiff"} {
			path := filepath.Join(dir, "completions", strings.Replace(c.name, "%", program, 1))
			b, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(b, []byte(program)) {
				t.Errorf("%s: %d bytes, error %v", path, len(b), err)
			}
			shell, err := exec.LookPath(c.shell)
			if err != nil {
				continue
			}
			if out, err := exec.Command(shell, "-n", path).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", path, err, out)
			}
		}
	}
}

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		dirs []string
		date string
		want string
	}{
		{nil, "2026-01-31", "0 directories: want one"},
		{[]string{dir}, "31.1.2026", "-date 31.1.2026: want a date as 2026-01-31"},
	} {
		if err := write(c.dirs, "1", c.date); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %s: error %v, want %q", c.dirs, c.date, err, c.want)
		}
	}
}

// What the generator takes for markup stays text.
func TestSpell(t *testing.T) {
	c := &cobra.Command{Use: "x", Run: func(*cobra.Command, []string) {}}
	c.Flags().String("slo", "", "`TERMS` such as a<1*b_c_d>2 and c<3")
	f := c.Flags().Lookup("slo")
	spell(f)
	if want := `TERMS such as a\<1\*b\_c\_d\>2 and c\<3`; f.Usage != want || f.DefValue != "TERMS" {
		t.Errorf("usage %q, want %q; default %q", f.Usage, want, f.DefValue)
	}
}
