package cli_test

import (
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A row that rests on fewer runs than the report has says so in every format that
// has rows, and the others do not.
func TestRowsOnFewerRuns(t *testing.T) {
	all := func(int, int) string { return "" }
	inOne := func(r, _ int) string { return map[bool]string{true: "null"}[r == 1] }
	less, whole := writeRuns(t, 1, inOne), writeRuns(t, 2, all)
	page := filepath.Join(t.TempDir(), "page.html")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"less=" + less, "whole=" + whole}, "3 + 4 runs"},
		{[]string{"whole=" + whole, "less=" + less}, "4 + 3 runs"},
		{[]string{"--format", "markdown", "less=" + less, "whole=" + whole}, "3 + 4 runs"},
		{[]string{"-o", page, "less=" + less, "whole=" + whole}, "3 + 4 runs"},
		{[]string{"describe", "less=" + less}, "requests; 3 runs"},
	} {
		args := []string{"-m", "ttft:p50", "-m", "e2e:p50"}
		if c.args[0] == "describe" {
			args = append([]string{"describe"}, args...)
			c.args = c.args[1:]
		} else {
			args = append(args, "--config", "none")
		}
		res := run(t, append(args, c.args...)...)
		text := res.stdout
		if c.args[0] == "-o" {
			b, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			text = html.UnescapeString(string(b))
		}
		n := 0
		for line := range strings.SplitSeq(text, "\n") {
			n += strings.Count(line, c.want)
			if strings.HasPrefix(line, "e2e") && strings.Contains(line, c.want) {
				t.Errorf("%v: %s", c.args, line)
			}
		}
		if res.code == 2 || n == 0 {
			t.Errorf("%v: exit code %d, %d of %q\n%s%s", c.args, res.code, n, c.want, text[:min(len(text), 2000)], res.stderr)
		}
	}
}
