package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/cli"
)

// TestScripts runs the scripts in testdata/script, each in a directory of its
// own with the files it carries. A line of a script is one of
//
//	perfdiff ARGS...          run the command; it must exit with 0
//	qualdiff ARGS...          the same for qualdiff
//	exit N perfdiff ARGS...   run the command; it must exit with N
//	stdin FILE                standard input of the next command
//	env NAME=VALUE            set a variable for the commands that follow
//	terminal [COLUMNS]        standard output is a terminal from here on, so wide
//	records FILE KEY=VALUE... make records; the keys are those of fixtures.Spec
//	scrape FILE KEY=VALUE...  make histograms; the keys are those of fixtures.Scrape
//	concat FILE A B...        join files
//	show FILE                 put a file that a command wrote into the transcript
//	none PATTERN              no file may match
//	# text                    a remark, kept in the transcript
//
// with words quoted as in rc: '…', where two quotes stand for one. What the commands print
// must be the file "transcript" of the script: standard output as it is, lines
// of standard error behind "2> ". -update rewrites transcripts, never the exit
// codes in the script.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runScript(t, path) })
	}
}

type script struct {
	t          *testing.T
	line       int
	env        map[string]string
	terminal   bool
	columns    int // of the terminal; 0 if it does not say
	stdin      string
	transcript bytes.Buffer
}

func runScript(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := parseArchive(text)
	t.Chdir(t.TempDir())
	for _, f := range a.files {
		if f.name == transcript {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.name, f.data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := &script{t: t, env: map[string]string{}}
	for i, line := range strings.Split(string(a.script), "\n") {
		s.line = i + 1
		s.do(line)
	}
	got := s.transcript.Bytes()
	if bytes.Equal(got, a.get(transcript)) {
		return
	}
	if *update {
		a.set(transcript, got)
		if err := os.WriteFile(path, a.format(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the transcript differs; if the new one is right, run go test ./internal/cli -run TestScripts -update\n%s", firstDifference(a.get(transcript), got))
}

const transcript = "transcript"

func (s *script) do(line string) {
	t := s.t
	t.Helper()
	if strings.HasPrefix(line, "#") {
		fmt.Fprintf(&s.transcript, "%s\n", line)
		return
	}
	words, err := splitWords(line)
	if err != nil {
		t.Fatalf("line %d: %v", s.line, err)
	}
	if len(words) == 0 {
		return
	}
	args := words[1:]
	switch words[0] {
	case "perfdiff", "qualdiff":
		s.command(line, 0, words)
	case "exit":
		code, err := strconv.Atoi(args[0])
		if err != nil || args[1] != "perfdiff" && args[1] != "qualdiff" {
			t.Fatalf("line %d: want exit N perfdiff ARGS or exit N qualdiff ARGS", s.line)
		}
		_, rest, _ := strings.Cut(line, args[1])
		s.command(args[1]+rest, code, args[1:])
	case "stdin":
		s.stdin = string(s.read(args[0]))
	case "env":
		name, value, _ := strings.Cut(args[0], "=")
		s.env[name] = value
	case "terminal":
		s.terminal = true
		if len(args) > 0 {
			if s.columns, err = strconv.Atoi(args[0]); err != nil {
				t.Fatal(err)
			}
		}
	case "records":
		s.records(args[0], args[1:])
	case "scrape":
		s.scrape(args[0], args[1:])
	case "concat":
		var all []byte
		for _, name := range args[1:] {
			all = append(all, s.read(name)...)
		}
		s.write(args[0], all)
	case "show":
		text := s.read(args[0])
		fmt.Fprintf(&s.transcript, "$ cat %s\n%s", args[0], text)
		if filepath.Ext(args[0]) == ".json" {
			decode(t, string(text))
		}
	case "none":
		if found, err := filepath.Glob(args[0]); err != nil || len(found) > 0 {
			t.Errorf("line %d: %v %v", s.line, found, err)
		}
	default:
		t.Fatalf("line %d: unknown command %s", s.line, words[0])
	}
}

func (s *script) command(line string, code int, words []string) {
	program := cli.Perfdiff
	if words[0] == "qualdiff" {
		program = cli.Qualdiff
	}
	env := cli.Env{
		Stdin: strings.NewReader(s.stdin), StdoutTTY: s.terminal, Columns: s.columns,
		LookupEnv: func(name string) (string, bool) { v, ok := s.env[name]; return v, ok },
	}
	s.stdin = ""
	res := runProgram(s.t, program, env, words[1:])
	fmt.Fprintf(&s.transcript, "$ %s\n%s", line, strings.ReplaceAll(res.stdout, "\x1b", "␛"))
	for l := range strings.Lines(res.stderr) {
		fmt.Fprintf(&s.transcript, "2> %s", l)
	}
	fmt.Fprintf(&s.transcript, "[exit %d]\n", res.code)
	if res.code != code {
		s.t.Errorf("line %d: exit code %d, want %d\n$ %s\n%s%s", s.line, res.code, code, line, res.stdout, res.stderr)
	}
}

// scrape writes the histograms of a fixtures.Scrape that differs from the default
// by the given keys: an HdrHistogram log, or scrapes as Prometheus reads them.
func (s *script) scrape(name string, pairs []string) {
	s.t.Helper()
	sc := fixtures.DefaultScrape()
	var keys []string
	for _, p := range pairs {
		key, value, _ := strings.Cut(p, "=")
		keys = append(keys, fmt.Sprintf("%q:%s", key, value))
	}
	d := json.NewDecoder(strings.NewReader("{" + strings.Join(keys, ",") + "}"))
	d.DisallowUnknownFields()
	if err := d.Decode(&sc); err != nil {
		s.t.Fatalf("line %d: %v", s.line, err)
	}
	text := sc.Text()
	if filepath.Ext(name) == ".hlog" {
		text = sc.HdrLog()
	}
	s.write(name, []byte(text))
}

// records writes fixtures: a Spec that differs from the default by the given
// keys, as CSV, JSONL or Parquet. no_run=1 leaves out the run column.
func (s *script) records(name string, pairs []string) {
	t := s.t
	t.Helper()
	spec, columns, keys := fixtures.Default(), fixtures.Columns{}, []string{}
	for _, p := range pairs {
		key, value, _ := strings.Cut(p, "=")
		if key == "no_run" {
			columns.NoRun = true
			continue
		}
		keys = append(keys, fmt.Sprintf("%q:%s", key, value))
	}
	d := json.NewDecoder(strings.NewReader("{" + strings.Join(keys, ",") + "}"))
	d.DisallowUnknownFields()
	if err := d.Decode(&spec); err != nil {
		t.Fatalf("line %d: %v", s.line, err)
	}
	r, err := fixtures.Generate(spec)
	if err != nil {
		t.Fatalf("line %d: %v", s.line, err)
	}
	var b bytes.Buffer
	switch filepath.Ext(name) {
	case ".csv":
		err = fixtures.WriteCSV(&b, &r, columns)
	case ".jsonl":
		err = fixtures.WriteJSONL(&b, &r, columns)
	case ".parquet":
		err = fixtures.WriteParquet(&b, &r, columns)
	default:
		t.Fatalf("line %d: %s: no such format", s.line, name)
	}
	if err != nil {
		t.Fatalf("line %d: %v", s.line, err)
	}
	s.write(name, b.Bytes())
}

func (s *script) read(name string) []byte {
	s.t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		s.t.Fatalf("line %d: %v", s.line, err)
	}
	return b
}

func (s *script) write(name string, data []byte) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// splitWords splits a line at spaces; '…' keeps them, and two quotes within
// stand for one.
func splitWords(line string) (words []string, err error) {
	var word []byte
	begun, quoted := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			word = append(word, c)
			i++
		case c == '\'':
			begun, quoted = true, !quoted
		case (c == ' ' || c == '\t') && !quoted:
			if begun {
				words = append(words, string(word))
			}
			word, begun = word[:0], false
		default:
			word, begun = append(word, c), true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed: %s", line)
	}
	if begun {
		words = append(words, string(word))
	}
	return words, nil
}

// firstDifference shows where two texts part, with the lines around it.
func firstDifference(want, got []byte) string {
	w, g := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	part := func(lines []string) string {
		return strings.Join(lines[min(max(0, i-3), len(lines)):min(i+12, len(lines))], "\n")
	}
	return fmt.Sprintf("line %d, want\n%s\n\ngot\n%s", i+1, part(w), part(g))
}

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                  nil,
		"  a  b ":           {"a", "b"},
		"a '' 'b c'd":       {"a", "", "b cd"},
		"'it''s' x=' y'":    {"it's", "x= y"},
		"--limit 'p<=8 ms'": {"--limit", "p<=8 ms"},
	} {
		if got, err := splitWords(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q %v, want %q", line, got, err, want)
		}
	}
	if _, err := splitWords("a 'b"); err == nil {
		t.Error("an open quote went unseen")
	}
}

func TestArchive(t *testing.T) {
	text := "run\n-- a/b.csv --\n1,2\n-- transcript --\nx\n"
	a := parseArchive([]byte(text))
	if string(a.script) != "run\n" || string(a.get("a/b.csv")) != "1,2\n" || string(a.get("transcript")) != "x\n" {
		t.Errorf("%+v", a)
	}
	if got := string(a.format()); got != text {
		t.Errorf("%q, want %q", got, text)
	}
}
