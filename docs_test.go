package perfdiff_test

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// TestLinksResolve follows every relative link of every Markdown document.
func TestLinksResolve(t *testing.T) {
	walk(t, func(name string) {
		if path.Ext(name) != ".md" || strings.Contains(name, "testdata/") {
			return
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			if _, err := os.Stat(path.Join(path.Dir(name), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
	})
}

// TestMethodsAreIndexed keeps METHODS.md complete.
func TestMethodsAreIndexed(t *testing.T) {
	index, err := os.ReadFile("METHODS.md")
	if err != nil {
		t.Fatal(err)
	}
	walk(t, func(name string) {
		if path.Dir(name) == "docs/methods" && path.Ext(name) == ".md" && !strings.Contains(string(index), "("+name+")") {
			t.Errorf("METHODS.md does not link to %s", name)
		}
	})
}
