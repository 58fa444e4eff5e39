package cli_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// What is remarked on all files of a side alike is said once.
func TestNotesOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	for k := range 3 {
		var b strings.Builder
		for i := range 50 {
			fmt.Fprintf(&b, `{"ttft_ms":%d,"start":%d}`+"\n", 100+(k*50+i)%37, i)
		}
		put(t, filepath.Join(dir, fmt.Sprintf("run%d.jsonl", k)), b.String())
	}
	put(t, filepath.Join(dir, "run9.jsonl"), `{"ttft_ms":100,"end":5}`+"\n")
	var told []string
	for _, w := range decode(t, run(t, "describe", "--format", "json", dir).stdout).Warnings {
		if w.Code == "column_not_used" {
			told = append(told, filepath.Base(w.Text))
		}
	}
	if len(told) != 2 || !strings.HasPrefix(told[0], `run0.jsonl and 2 more: column "start"`) || !strings.HasPrefix(told[1], `run9.jsonl: column "end"`) {
		t.Errorf("told %q", told)
	}
}
