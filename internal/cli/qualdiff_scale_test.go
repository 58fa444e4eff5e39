package cli_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/cli"
)

// evaluationCSV writes n items in so many topics; every fifth outcome of a side
// that is changed differs from the other side's.
func evaluationCSV(t *testing.T, name string, n, topics int, changed bool, id func(i int) string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("item_id,topic,score\n")
	for i := range n {
		score := i % 3 / 2
		if changed && i%5 == 0 {
			score = 1 - score
		}
		fmt.Fprintf(&b, "%s,t%d,%d\n", id(i), i%topics, score)
	}
	return write(t, name, b.String())
}

// Ten thousand slices: the text shows the worst of them, the JSON report all,
// each with a p-value that allows for their number.
func TestManySlices(t *testing.T) {
	if testing.Short() {
		t.Skip("200,000 rows")
	}
	number := func(i int) string { return fmt.Sprint(i) }
	a := evaluationCSV(t, "a.csv", 100_000, 10_000, false, number)
	b := evaluationCSV(t, "b.csv", 100_000, 10_000, true, number)
	res := qual(t, "--by", "topic", "--flips", "0", a, b)
	if n := strings.Count(res.stdout, "topic=t"); n > 40 {
		t.Errorf("the text shows %d slices", n)
	}
	if !strings.Contains(res.stdout, "9,970 more slices in the JSON report.") {
		t.Errorf("the text does not say how many slices it leaves out:\n%s", res.stdout)
	}
	doc := qualDocument(t, res.code, "--by", "topic", a, b)
	slices, known := 0, 0
	for i := range doc.Results {
		if r := &doc.Results[i]; r.Slice != nil {
			slices++
			if p := float64(r.PAdjusted); p >= 0 && p <= 1 {
				known++
			}
			if r.Verdict != nil {
				t.Errorf("slice %v is judged", r.Slice)
			}
		}
	}
	if slices != 10_000 || known != slices {
		t.Errorf("%d slices, %d with a p-value", slices, known)
	}
	if len(doc.Flips) != 10_000 {
		t.Errorf("%d flips are listed", len(doc.Flips))
	}
}

// Ids are text in any script, and two that only look alike are two.
func TestStrangeIDs(t *testing.T) {
	ids := []string{"007", "7", "7.0", "é", "e\u0301", "问题一", "🙂", "a b", "A b", "\u2028x", "123456789012345678", "123456789012345679", "null", "NaN", "<b>|*_"}
	id := func(i int) string { return "\"" + ids[i] + "\"" }
	a := evaluationCSV(t, "a.csv", len(ids), 2, false, id)
	b := evaluationCSV(t, "b.csv", len(ids), 2, true, id)
	doc := qualDocument(t, 3, a, b)
	if p := doc.Pairs; p.Matched != len(ids) || p.BaselineOnly+p.CandidateOnly+p.Duplicates != 0 {
		t.Errorf("pairs %+v", p)
	}
	seen := map[string]bool{}
	for _, f := range doc.Flips {
		seen[f.Item] = true
	}
	for i, name := range ids {
		if seen[name] != (i%5 == 0) {
			t.Errorf("%q flipped: %v", name, seen[name])
		}
	}
	for _, format := range []string{"text", "markdown", "html", "junit", "github"} {
		if res := qual(t, "--format", format, a, b); res.code != 3 || format == "html" && strings.Contains(res.stdout, "<b>|") {
			t.Errorf("%s: exit %d", format, res.code)
		}
	}
}

// One answer set of 12,032 items a side, from files to report.
func BenchmarkQualdiff(b *testing.B) {
	args := []string{evalSample("mmlu-pro", "compact_Mistral-7B-v0.1_5shots.jsonl.gz"), evalSample("mmlu-pro", "compact_Mistral-7B-v0.2-hf_5shots.jsonl.gz")}
	for b.Loop() {
		env := cli.Env{Stdout: io.Discard, Stderr: io.Discard, Build: cli.Build{Version: "test"}}
		if code := cli.Qualdiff(b.Context(), env, args); code != 3 {
			b.Fatal(code)
		}
	}
}
