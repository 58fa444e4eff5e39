package perfdiff_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
)

// elsewhere are the commands of shell blocks that other tests run, or that are
// not ours, by how they begin.
var elsewhere = []string{
	"go test ./...", "git diff ",
	"PERFDIFF_BASELINE=", // TestPipelineScript
}

// TestShellBlocks runs the commands of the shell blocks of the documents, which
// show no output, on files of the names that they use. None may end in an error.
func TestShellBlocks(t *testing.T) {
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	type block struct{ file, command string }
	var all []block
	for _, name := range append([]string{"README.md", "METHODS.md", "ci/README.md"}, names...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range shellCommands(string(src)) {
			all = append(all, block{name, c})
		}
	}
	layOut(t)
	ran := 0
	for _, b := range all {
		words := shellWords(b.command)
		run := map[string]func(cli.Env, []string) int{
			"perfdiff": func(e cli.Env, args []string) int { return cli.Perfdiff(t.Context(), e, args) },
			"qualdiff": func(e cli.Env, args []string) int { return cli.Qualdiff(t.Context(), e, args) },
		}[words[0]]
		if run == nil {
			known := false
			for _, start := range elsewhere {
				known = known || strings.HasPrefix(b.command, start)
			}
			if !known {
				t.Errorf("%s: nobody runs %q", b.file, b.command)
			}
			continue
		}
		ran++
		var stderr bytes.Buffer
		env := cli.Env{Stdout: new(bytes.Buffer), Stderr: &stderr, Stdin: strings.NewReader("")}
		if code := run(env, words[1:]); code == 2 {
			t.Errorf("%s: %s\nexit code 2: %s", b.file, b.command, &stderr)
		}
	}
	if ran < 10 {
		t.Errorf("%d commands ran", ran)
	}
}

// shellCommands returns the commands of the sh blocks of a document.
func shellCommands(doc string) (out []string) {
	inside, joined := false, ""
	for line := range strings.SplitSeq(doc, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == fence+"sh":
			inside = true
		case line == fence:
			inside = false
		case inside && strings.HasSuffix(line, `\`):
			joined += strings.TrimSuffix(line, `\`)
		case inside:
			command, _, _ := strings.Cut(joined+line, " #")
			joined = ""
			if command = strings.TrimSpace(command); command != "" {
				out = append(out, command)
			}
		}
	}
	return out
}

// shellWords splits a command at spaces outside of single quotes.
func shellWords(command string) (words []string) {
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 { // quoted
			words[len(words)-1] += part
			continue
		}
		fields := strings.Fields(part)
		if i > 0 && len(fields) > 0 && !strings.HasPrefix(part, " ") {
			words[len(words)-1] += fields[0]
			fields = fields[1:]
		}
		words = append(words, fields...)
		if strings.HasSuffix(part, " ") {
			words = append(words, "")
		}
	}
	kept := words[:0]
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return kept
}

// layOut makes the working directory one with the files that the documents name.
func layOut(t *testing.T) {
	t.Helper()
	copies := map[string]string{}
	for to, from := range map[string]string{
		"before.parquet": "regression/before.parquet", "after.parquet": "regression/after.parquet",
		"last-night.parquet": "single/before.parquet", "tonight.parquet": "single/after.parquet",
		"nights/all.parquet": "regression/before.parquet",
	} {
		b, err := os.ReadFile(filepath.Join("fixtures", from))
		if err != nil {
			t.Fatal(err)
		}
		copies[to] = string(b)
	}
	t.Chdir(t.TempDir())
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range copies {
		put(name, text)
	}
	records := func(seed int) string {
		var b strings.Builder
		b.WriteString("start_s,night,prompt_id,model,region,ttft_ms,e2e_ms,queue_ms,prompt_tokens,output_tokens,status\n")
		for i := range 400 {
			x := (i*7919 + seed*104729) % 1000
			fmt.Fprintf(&b, "%d.%03d,n%d,p%d,m%d,r%d,%d,%d,%d,%d,%d,ok\n", 1767603600+i/4, i%4*250, seed%10, i, i%2, i%3, 40+x/20, 900+x, x%7, 100+x, 50+x/10)
		}
		return b.String()
	}
	for i, dir := range []string{"before", "after", "baseline", "candidate", "release", "yesterday", "tonight", "unchanged"} {
		for run := range 4 {
			put(fmt.Sprintf("%s/run-%d.csv", dir, run), records(10*i+run))
		}
	}
	put("before.csv", records(100))
	put("after.csv", records(101))
	for i, name := range []string{"before.jsonl", "after.jsonl"} {
		var b strings.Builder
		for item := range 200 {
			fmt.Fprintf(&b, `{"item": "q%d", "score": %d}`+"\n", item, (item*31+i)%3%2)
		}
		put(name, b.String())
	}
	for _, name := range []string{"nightly.yaml", "daily.yaml"} {
		put(name, "version: 1\nmargins: {default: 5%}\n")
	}
}

func TestShellWords(t *testing.T) {
	for command, want := range map[string][]string{
		"perfdiff a b":                 {"perfdiff", "a", "b"},
		"perfdiff --limit 'a<= 1' b":   {"perfdiff", "--limit", "a<= 1", "b"},
		"perfdiff --x='a b' 'n/*.csv'": {"perfdiff", "--x=a b", "n/*.csv"},
		"perfdiff 'a' 'b c'd":          {"perfdiff", "a", "b cd"},
	} {
		if got := shellWords(command); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}
