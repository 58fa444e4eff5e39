package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
	"github.com/perfdiff/perfdiff/internal/report"
)

// qual runs qualdiff in this process.
func qual(t *testing.T, args ...string) result {
	t.Helper()
	return runProgram(t, cli.Qualdiff, cli.Env{}, args)
}

// qualDocument runs qualdiff with --format json and returns the report.
func qualDocument(t *testing.T, wantCode int, args ...string) *report.Document {
	t.Helper()
	res := qual(t, append([]string{"--format", "json"}, args...)...)
	if res.code != wantCode {
		t.Errorf("qualdiff %q: exit code %d, want %d\n%s%s", args, res.code, wantCode, reasonsOf(res.stdout), res.stderr)
	}
	if res.code == 2 {
		t.FailNow()
	}
	return decode(t, res.stdout)
}

// nearTo compares numbers to about four digits.
func nearTo(t *testing.T, what string, got report.Num, want float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= 5e-5*math.Max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, float64(got), want)
	}
}

func evalSample(name ...string) string {
	return filepath.Join(append([]string{"..", "ingest", "evals", "testdata"}, name...)...)
}

const humanEvalFile = "rex.hEvalTest35_noExp_1dPro_1CPT_500Tkns_%s_Samples.jsonl_results.jsonl"

// TestRealPairs holds the counts and Tango's 90 % intervals of pairs of real
// evaluations, computed from the same files by other programs.
func TestRealPairs(t *testing.T) {
	copa := [2]string{evalSample("lm-eval", "copa", "sshleifer__tiny-gpt2"), evalSample("lm-eval", "copa", "hf-internal-testing__tiny-random-gpt2")}
	mmlu := [2]string{evalSample("mmlu-pro", "compact_Mistral-7B-v0.1_5shots.jsonl.gz"), evalSample("mmlu-pro", "compact_Mistral-7B-v0.2-hf_5shots.jsonl.gz")}
	light := func(layout string) [2]string {
		dir := evalSample("lighteval", layout, "details")
		file := func(model, date string) string {
			return filepath.Join(dir, model, date, "details_lighteval!copa!0_"+date+".parquet")
		}
		return [2]string{file("sshleifer/tiny-gpt2", "2025-11-05T14-43-47.148527"), file("hf-internal-testing/tiny-random-gpt2", "2025-11-05T14-52-08.352779")}
	}
	for _, c := range []struct {
		name          string
		inputs        [2]string
		args          []string
		code          int
		n, lost, won  int
		before, after float64
		lo, hi        float64
	}{
		{"lm-eval COPA", copa, nil, 3, 20, 2, 6, .6, .8, -.0357, .4174},
		{"lighteval before 0.8", light("v0.1-v0.7"), nil, 3, 20, 2, 6, .6, .8, -.0357, .4174},
		{"lighteval 0.8 to 0.10", light("v0.8-v0.10"), nil, 3, 20, 2, 6, .6, .8, -.0357, .4174},
		{"lighteval from 0.11", light("v0.11+"), nil, 3, 20, 2, 6, .6, .8, -.0357, .4174},
		{"MMLU-Pro at 1 pp", mmlu, nil, 3, 12032, 1073, 1001, .2977, .2917, -.0122, .0002},
		{"MMLU-Pro at 1.5 pp", mmlu, []string{"--margin", "1.5pp"}, 0, 12032, 1073, 1001, .2977, .2917, -.0122, .0002},
		{"HumanEval, the same model", [2]string{evalSample("human-eval", fmt.Sprintf(humanEvalFile, "1SPT")), evalSample("human-eval", fmt.Sprintf(humanEvalFile, "1SPT1"))}, nil,
			3, 164, 2, 0, .6585, .6463, -.0362, .0042},
		{"SWE-bench", [2]string{evalSample("swe-bench", "auto-code-rover-run-1.report.json"), evalSample("swe-bench", "auto-code-rover-run-2.report.json")},
			[]string{"--errors", "wrong", "--universe", testSplit(t)}, 3, 300, 16, 19, .18, .19, -.0231, .0436},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := qualDocument(t, c.code, append([]string{"--level", "0.9", c.inputs[0], c.inputs[1]}, c.args...)...)
			p, r := doc.Pairs, &doc.Results[0]
			if p.Matched != c.n || p.OnlyBaseline != c.lost || p.OnlyCandidate != c.won || *p.BothRight+*p.BothWrong+c.lost+c.won != c.n {
				t.Errorf("pairs %+v, want %d with %d lost and %d won", p, c.n, c.lost, c.won)
			}
			for _, v := range []struct {
				what string
				got  report.Num
				want float64
			}{{"before", r.Baseline.Value, c.before}, {"after", r.Candidate.Value, c.after}, {"lower limit", r.Delta.Lo, c.lo}, {"upper limit", r.Delta.Hi, c.hi}} {
				if math.Abs(float64(v.got)-v.want) > 5.01e-5 {
					t.Errorf("%s is %v, want %v", v.what, v.got, v.want)
				}
			}
			if lost := len(doc.Flips); lost != c.lost+c.won {
				t.Errorf("%d flips, want %d", lost, c.lost+c.won)
			}
		})
	}
}

// testSplit writes the ids of the test split of SWE-bench Lite: those of its
// report without the repositories of the development split.
func testSplit(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(evalSample("swe-bench", "universe.SWE-bench_Lite_golden.report.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), `"generated": [`)
	list, _, _ = strings.Cut(list, "]")
	var ids []string
	for id := range strings.SplitSeq(list, ",") {
		id = strings.Trim(strings.TrimSpace(id), `"`)
		repo, _, _ := strings.Cut(id, "__")
		switch repo {
		case "sqlfluff", "marshmallow-code", "pvlib", "pylint-dev", "pyvista", "pydicom":
			if repo != "pylint-dev" || strings.HasPrefix(id, "pylint-dev__astroid") {
				continue
			}
		}
		ids = append(ids, id)
	}
	if len(ids) != 300 {
		t.Fatalf("%d ids of the test split, want 300", len(ids))
	}
	return write(t, "ids.txt", strings.Join(ids, "\n"))
}

// 1,073 against 1,001 of 2,074: McNemar's exact p is .1188, the mid-p that much
// less the probability of the split itself, .1140 (sums of binomial terms).
func TestMcNemarOfRealPair(t *testing.T) {
	doc := qualDocument(t, 3, evalSample("mmlu-pro", "compact_Mistral-7B-v0.1_5shots.jsonl.gz"), evalSample("mmlu-pro", "compact_Mistral-7B-v0.2-hf_5shots.jsonl.gz"))
	for _, test := range doc.Results[0].Tests {
		if test.Name == "mcnemar_midp" && math.Abs(float64(test.P)-.1139) < 1e-4 {
			return
		}
	}
	t.Errorf("tests %+v", doc.Results[0].Tests)
}

// Two models in one folder; scores are fractions. The counts are those of the
// eight files that are here.
func TestModelsOfOneFolder(t *testing.T) {
	dir := evalSample("livebench")
	for model, want := range map[string][2]int{"-02": {45, 99}, "-03": {55, 36}} {
		doc := qualDocument(t, map[string]int{"-02": 0, "-03": 3}[model], dir+"#model=zft-community-8b-bs4", dir+"#model=zft-community-8b-bs4"+model)
		if p := doc.Pairs; p.Matched != 410 || p.OnlyBaseline != want[0] || p.OnlyCandidate != want[1] || p.BothRight != nil {
			t.Errorf("%s: pairs %+v, want %v", model, p, want)
		}
		if avg := doc.Results[0].Average; avg == nil || *avg != "micro" {
			t.Errorf("%s: the first row is %v, want the micro average", model, avg)
		}
		if avg := doc.Results[1].Average; avg == nil || *avg != "macro" {
			t.Errorf("%s: the second row is %v, want the macro average", model, avg)
		}
	}
	res := qual(t, dir, dir)
	if res.code != 2 || !strings.Contains(res.stderr, "#model=") {
		t.Errorf("several models: exit %d, %s", res.code, res.stderr)
	}
}
