package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func markdownText(t *testing.T, doc *Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteMarkdown(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMarkdownBegins: a hidden marker and the verdict come first, whatever the
// labels are.
func TestMarkdownBegins(t *testing.T) {
	for name, doc := range documents(t) {
		if text := markdownText(t, doc); !strings.HasPrefix(text, "<!-- perfdiff report -->\n### ") {
			t.Errorf("%s begins %.60q", name, text)
		}
	}
	if got := Marker("a-->b"); strings.Count(got, "--") != 2 {
		t.Errorf("marker %q", got)
	}
}

// TestMarkdownOrder: failed rows first, then undecided ones, then those that
// passed and changed for sure; the others are folded.
func TestMarkdownOrder(t *testing.T) {
	head, folded, ok := strings.Cut(markdownText(t, sample("FAIL", 1)), "<details>")
	if !ok {
		t.Fatal("nothing is folded")
	}
	var got []string
	for _, r := range markdownRows(head) {
		got = append(got, r[0]+" "+r[1]+" "+r[7])
	}
	want := []string{"ttft p99 FAIL", "ttft p99 FAIL", "ttft p95 inconclusive", "itl p50 inconclusive", "queue_ms mean pass"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(markdownRows(folded)); n != 5 {
		t.Errorf("%d rows are folded", n)
	}
}

// TestMarkdownFits: a report of any size fits a comment, keeps its verdict and
// its failed rows, and says what it leaves out.
func TestMarkdownFits(t *testing.T) {
	long := strings.Repeat("模型<|>", 400)
	for name, grow := range map[string]func(*Document){
		"rows": func(d *Document) {
			for i := range 3000 {
				d.Results = append(d.Results, resultOf(fmt.Sprintf("metric_%d", i), "p50", 1, 1.01, str("PASS"), "equivalent"))
			}
		},
		"failed rows": func(d *Document) {
			for i := range 3000 {
				d.Results = append(d.Results, resultOf(fmt.Sprintf("metric_%d", i), "p50", 1, 2, str("FAIL"), "regressed"))
			}
		},
		"slices": func(d *Document) {
			for i := range 3000 {
				r := resultOf("ttft", "p50", 1, 1.01, str("FAIL"), "regressed")
				r.Slice = map[string]string{"model": fmt.Sprint(i, long)}
				d.Results = append(d.Results, r)
			}
		},
		"remarks": func(d *Document) {
			for i := range 3000 {
				d.Warnings = append(d.Warnings, Note{"x", fmt.Sprint(i, long)})
			}
		},
		"labels": func(d *Document) {
			d.Baseline.Label, d.Candidate.Label = strings.Repeat(long, 50), strings.Repeat(long, 50)
			d.Reasons[0].Text, d.Design.Text = strings.Repeat(long, 50), strings.Repeat(long, 50)
		},
		"describe": func(d *Document) {
			d.Command, d.Candidate, d.Verdict = "describe", nil, nil
			for range 3000 {
				d.Results = append(d.Results, resultOf(long, "p50", 1, 1, nil, "uncertain"))
			}
		},
	} {
		doc := sample("FAIL", 1)
		grow(doc)
		text := markdownText(t, doc)
		if len(text) > 65_535 || !utf8.ValidString(text) {
			t.Errorf("%s: %d bytes", name, len(text))
		}
		if name != "labels" && !strings.Contains(text, "left out, to fit a comment") {
			t.Errorf("%s: it does not say what is left out", name)
		}
		if doc.Verdict != nil && !strings.Contains(text, "❌ FAIL") {
			t.Errorf("%s: no verdict", name)
		}
		if a, b := strings.Count(text, "<details>"), strings.Count(text, "</details>"); a != b {
			t.Errorf("%s: %d parts folded, %d ends", name, a, b)
		}
	}
	if text := cutMarkdown(strings.Repeat("<details>\n", 10_000)); len(text) > mostMarkdown || !strings.HasSuffix(text, "the JSON report has all.\n") {
		t.Errorf("%d bytes, ending %.80q", len(text), text[len(text)-80:])
	}
}
