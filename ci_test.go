package perfdiff_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// script runs a script of ci/ with the given environment and returns what it
// printed and its exit code.
func script(t *testing.T, dir, name string, env []string, args ...string) (string, int) {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", append([]string{path}, args...)...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func needBash(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
}

// TestPipelineScript runs what the pipelines run, with the built command.
func TestPipelineScript(t *testing.T) {
	needBash(t)
	dir := t.TempDir()
	bin := filepath.Join(dir, "perfdiff")
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/perfdiff").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	fixture := func(name string) string {
		path, err := filepath.Abs("fixtures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		why, baseline, candidate, args string
		code                           int
		verdict                        string
	}{
		{"a failure", fixture("regression/before.parquet"), fixture("regression/after.parquet"), "", 1, "FAIL"},
		{"arguments, one a line", fixture("regression/before.parquet"), fixture("regression/after.parquet"), "-m\r\nttft:p50\n\n--margin=50%\n", 0, "PASS"},
		{"an argument is no script", fixture("regression/before.parquet"), fixture("regression/after.parquet"), "--column=ttft=$(touch hacked):ms", 2, "ERROR"},
		{"a missing file", "nowhere.parquet", fixture("regression/after.parquet"), "", 2, "ERROR"},
	} {
		output := filepath.Join(dir, "output")
		_ = os.Remove(output)
		out, code := script(t, dir, "ci/run.sh", []string{"PERFDIFF_COMMAND=" + bin, "PERFDIFF_BASELINE=" + c.baseline, "PERFDIFF_CANDIDATE=" + c.candidate,
			"PERFDIFF_ARGS=" + c.args, "PERFDIFF_OUT=reports", "PERFDIFF_FORMAT=github", "GITHUB_OUTPUT=" + output})
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.why, code, c.code, out)
		}
		set, err := os.ReadFile(output)
		if err != nil || !strings.Contains(string(set), "verdict="+c.verdict+"\n") {
			t.Errorf("%s: outputs %q, error %v", c.why, set, err)
		}
		for _, name := range []string{"report.json", "report.md", "report.html", "report.xml", "gl-code-quality-report.json"} {
			_, err := os.Stat(filepath.Join(dir, "reports", name))
			if exists := err == nil; exists != (c.code != 2) {
				t.Errorf("%s: %s is there: %v", c.why, name, exists)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, "hacked")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: an argument ran as a script", c.why)
		}
	}
}

// TestCommentScripts puts a report into a comment, with programs in the place
// of gh and curl that write down how they are called.
func TestCommentScripts(t *testing.T) {
	needBash(t)
	report := "<!-- perfdiff report -->\n### PASS\n"
	for _, c := range []struct {
		why, script, fake, answer string
		env, args                 []string
		calls                     []string // parts of the last call
		code                      int
	}{
		{"a first comment", "ci/github/comment.sh", "gh", "", []string{"GITHUB_REPOSITORY=o/r", "GITHUB_REF=refs/pull/7/merge"}, nil, []string{"--method POST repos/o/r/issues/7/comments -F body=@"}, 0},
		{"a later one", "ci/github/comment.sh", "gh", "42\n43", []string{"GITHUB_REPOSITORY=o/r", "GITHUB_REF=refs/pull/7/merge"}, nil, []string{"--method PATCH repos/o/r/issues/comments/42 -F body=@"}, 0},
		{"by number and key", "ci/github/comment.sh", "gh", "", []string{"GITHUB_REPOSITORY=o/r", "PULL_REQUEST=8"}, []string{"chat-7b"}, []string{"issues/8/comments", "MARKER=<!-- perfdiff chat-7b -->"}, 0},
		{"a key that is markup", "ci/github/comment.sh", "gh", "", []string{"GITHUB_REPOSITORY=o/r", "PULL_REQUEST=8"}, []string{"-->"}, nil, 2},
		{"no pull request", "ci/github/comment.sh", "gh", "", []string{"GITHUB_REPOSITORY=o/r", "GITHUB_REF=refs/heads/main"}, nil, nil, 0},
		{"a first note", "ci/gitlab/comment.sh", "curl", `[{"id":5,"type":null,"body":"LGTM","author":{"id":1,"name":"x"}}]`,
			[]string{"CI_MERGE_REQUEST_IID=3", "CI_API_V4_URL=https://gitlab.example/api/v4", "CI_PROJECT_ID=9", "GITLAB_TOKEN=t"}, nil, []string{"--request POST", "/projects/9/merge_requests/3/notes"}, 0},
		{"a later note", "ci/gitlab/comment.sh", "curl", `[{"id":5,"type":null,"body":"LGTM","author":{"id":1,"name":"x"}},{"id":6,"type":null,"body":"\u003c!-- perfdiff report --\u003e\n### FAIL","author":{"id":1}}]`,
			[]string{"CI_MERGE_REQUEST_IID=3", "CI_API_V4_URL=https://gitlab.example/api/v4", "CI_PROJECT_ID=9", "GITLAB_TOKEN=t"}, nil, []string{"--request PUT", "/merge_requests/3/notes/6"}, 0},
		{"a note with plain signs", "ci/gitlab/comment.sh", "curl", `[{"id":6,"type":null,"body":"<!-- perfdiff report -->\n### FAIL","author":{"id":1}}]`,
			[]string{"CI_MERGE_REQUEST_IID=3", "CI_API_V4_URL=https://gitlab.example/api/v4", "CI_PROJECT_ID=9", "GITLAB_TOKEN=t"}, nil, []string{"--request PUT", "notes/6"}, 0},
		{"no merge request", "ci/gitlab/comment.sh", "curl", "", nil, nil, nil, 0},
	} {
		dir := t.TempDir()
		write := func(name, text string, mode os.FileMode) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
				t.Fatal(err)
			}
		}
		write("report.md", report, 0o644)
		write("answer", c.answer, 0o644)
		write(c.fake, "#!/usr/bin/env bash\necho \"$* MARKER=${MARKER:-}\" >>"+dir+"/calls\ncase \"$*\" in *--method*|*--request*) ;; *) cat "+dir+"/answer ;; esac\n", 0o755)
		out, code := script(t, dir, c.script, append([]string{"PATH=" + dir + ":" + os.Getenv("PATH")}, c.env...), append([]string{"report.md"}, c.args...)...)
		if code != c.code {
			t.Errorf("%s: exit code %d\n%s", c.why, code, out)
		}
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		for _, want := range c.calls {
			if !strings.Contains(string(calls), want) {
				t.Errorf("%s: the calls have no %q:\n%s", c.why, want, calls)
			}
		}
		if c.calls == nil && len(calls) > 0 {
			t.Errorf("%s: calls %s", c.why, calls)
		}
	}
}

// TestPipelineFiles reads the YAML of ci/: every input that is used is declared
// and the other way round, and no script has an expression in it.
func TestPipelineFiles(t *testing.T) {
	var action struct {
		Inputs  map[string]any
		Outputs map[string]any
		Runs    struct {
			Steps []struct {
				Run string
				Env map[string]string
				If  any
			}
		}
	}
	src, err := os.ReadFile("ci/github/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(src, &action); err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(string(src), -1) {
		used[m[1]] = true
		if _, ok := action.Inputs[m[1]]; !ok {
			t.Errorf("input %s is used and not declared", m[1])
		}
	}
	for name := range action.Inputs {
		if !used[name] {
			t.Errorf("input %s is declared and not used", name)
		}
	}
	for i, s := range action.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %d has an expression in its script", i)
		}
	}
	var gitlab map[string]any
	src, err = os.ReadFile("ci/gitlab/perfdiff.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(src, &gitlab); err != nil || gitlab[".perfdiff"] == nil {
		t.Errorf("error %v", err)
	}
}
