// Command manual writes the manual pages and the shell completions of both
// programs: man/man1 and completions in the directory that is named.
//
//	go run ./internal/manual -version 1.2.3 -date 2026-01-31 dist
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/cli"
)

func main() {
	version := flag.String("version", "devel", "the `VERSION` that the pages name")
	date := flag.String("date", "1970-01-01", "the `DATE` that the pages carry, as 2026-01-31")
	flag.Parse()
	if err := write(flag.Args(), *version, *date); err != nil {
		fmt.Fprintln(os.Stderr, "manual:", err)
		os.Exit(2)
	}
}

func write(dirs []string, version, date string) error {
	if len(dirs) != 1 {
		return fmt.Errorf("%d directories: want one", len(dirs))
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return fmt.Errorf("-date %s: want a date as 2026-01-31", date)
	}
	for _, root := range cli.Trees() {
		files, err := pages(root, version, day)
		if err != nil {
			return err
		}
		more, err := completions(root)
		if err != nil {
			return err
		}
		for _, f := range append(files, more...) {
			path := filepath.Join(dirs[0], f.name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
			if err := os.WriteFile(path, f.text, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

type file struct {
	name string
	text []byte
}

// pages returns the manual page of a command and those of its commands.
func pages(cmd *cobra.Command, version string, day time.Time) ([]file, error) {
	cmd.Version = version
	var out []file
	for _, c := range commands(cmd) {
		c.DisableAutoGenTag = true
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		c.NonInheritedFlags().VisitAll(spell)
		header := &doc.GenManHeader{Section: "1", Date: &day, Source: cmd.Name() + " " + version, Manual: "User Commands"}
		var b bytes.Buffer
		if err := doc.GenMan(c, header, &b); err != nil {
			return nil, err
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		out = append(out, file{filepath.Join("man", "man1", name), b.Bytes()})
	}
	return out, nil
}

// commands lists a command and those below it, without helps.
func commands(cmd *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, commands(c)...)
		}
	}
	return out
}

// spell makes of a flag what the generator prints well: --name=VALUE, the usage
// as text that is no markup, and a default that says something.
func spell(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	if f.NoOptDefVal == "" {
		switch f.DefValue {
		case "", "0", "0s", "[]":
		default:
			usage += " (default " + f.DefValue + ")"
		}
		f.DefValue = value
		f.Value = plain{f.Value}
	}
	f.Usage = markup.Replace(usage)
}

// markup escapes what Markdown takes for markup.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`)

// plain is a value that is printed without quotation marks.
type plain struct{ pflag.Value }

func (plain) Type() string { return "value" }

// completions returns the completions of a program for each shell, under the
// names that the shells look for.
func completions(root *cobra.Command) ([]file, error) {
	var bash, zsh, fish, power bytes.Buffer
	err := errors.Join(root.GenBashCompletionV2(&bash, true), root.GenZshCompletion(&zsh),
		root.GenFishCompletion(&fish, true), root.GenPowerShellCompletionWithDesc(&power))
	at := func(name string) string { return filepath.Join("completions", name) }
	return []file{{at(root.Name() + ".bash"), bash.Bytes()}, {at("_" + root.Name()), zsh.Bytes()},
		{at(root.Name() + ".fish"), fish.Bytes()}, {at(root.Name() + ".ps1"), power.Bytes()}}, err
}
