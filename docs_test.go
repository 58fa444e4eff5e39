package perfdiff_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the outputs in the documents")

// TestDocs runs every command of a console block in the documents and compares
// what it prints with what the document shows.
func TestDocs(t *testing.T) {
	names, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, name := range append([]string{"README.md", "METHODS.md"}, names...) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, n := runBlocks(t, string(src))
		blocks += n
		if got == string(src) {
			continue
		}
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s shows outputs that the commands no longer print; run go test . -run TestDocs -update\n%s", name, got)
	}
	if blocks == 0 {
		t.Error("no console block was found")
	}
}

const fence = "```"

// runBlocks returns the document with the output of each console block made
// anew, and the number of blocks.
func runBlocks(t *testing.T, doc string) (string, int) {
	t.Helper()
	var out strings.Builder
	inside, blocks := false, 0
	for _, line := range strings.SplitAfter(doc, "\n") {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case text == fence+"console":
			inside = true
			blocks++
		case inside && text == fence:
			inside = false
		case inside:
			if command, ok := strings.CutPrefix(text, "$ "); ok {
				out.WriteString(line)
				out.WriteString(runCommand(t, command))
			}
			continue
		}
		out.WriteString(line)
	}
	return out.String(), blocks
}

// runCommand runs a command of a document in this process.
func runCommand(t *testing.T, command string) string {
	t.Helper()
	args := strings.Fields(command)
	name, rest := args[0], args[1:]
	if len(args) > 2 && args[0] == "go" && args[1] == "run" {
		name, rest = filepath.Base(args[2]), args[3:]
	}
	for i, a := range rest {
		rest[i] = strings.Trim(a, "'")
	}
	var stdout, stderr bytes.Buffer
	env := cli.Env{Stdout: &stdout, Stderr: &stderr, Build: cli.Build{Version: "devel"}}
	switch name {
	case "perfdiff":
		if code := cli.Perfdiff(context.Background(), env, rest); code == 2 {
			t.Errorf("%s: exit code 2: %s", command, &stderr)
		}
	case "qualdiff":
		if code := cli.Qualdiff(context.Background(), env, rest); code == 2 {
			t.Errorf("%s: exit code 2: %s", command, &stderr)
		}
	default:
		t.Errorf("%s: a document may run perfdiff and qualdiff only", command)
	}
	return stdout.String()
}
