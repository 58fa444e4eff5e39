package report

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
)

// failing is a writer that fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("disk full")

func (w *failing) Write(b []byte) (int, error) {
	if len(b) <= w.left {
		w.left -= len(b)
		return len(b), nil
	}
	n := w.left
	w.left = 0
	return n, errFull
}

// TestWritersFail: a writer that fails is reported by every format.
func TestWritersFail(t *testing.T) {
	for name, doc := range documents(t) {
		for form, write := range map[string]func(*failing) error{
			"json": func(w *failing) error { return WriteJSON(w, doc) }, "text": func(w *failing) error { return WriteText(w, doc, TextOptions{}) },
			"markdown": func(w *failing) error { return WriteMarkdown(w, doc) }, "html": func(w *failing) error { return WriteHTML(w, doc, HTMLOptions{}) },
			"junit": func(w *failing) error { return WriteJUnit(w, doc) }, "gitlab": func(w *failing) error { return WriteGitLab(w, doc) },
			"github": func(w *failing) error { return WriteGitHub(w, doc) },
		} {
			if err := write(&failing{1}); !errors.Is(err, errFull) {
				t.Errorf("%s of %s: error %v", form, name, err)
			}
		}
	}
}

func pageOf(t *testing.T, doc *Document, o HTMLOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, doc, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageIsClosed: the page loads nothing, runs no script but its own, and no
// label of the data becomes markup.
func TestPageIsClosed(t *testing.T) {
	for name, doc := range documents(t) {
		page := pageOf(t, doc, HTMLOptions{Command: "perfdiff '" + hostile + "'", Missing: []string{hostile},
			Pictures: []Picture{{ID: "x", Title: hostile, Alt: hostile, Wide: []byte("<svg></svg>"), Narrow: []byte("<svg></svg>")}}})
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%s: %d scripts", name, n)
		}
		for _, bad := range []string{"<b>", "alert(1)</script>", "ZgotmplZ", "<link", "<img", "<iframe", "src=", "@import", "url("} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page contains %q", name, bad)
			}
		}
		for _, m := range regexp.MustCompile(`(?:href|action)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "https://github.com/perfdiff/perfdiff/blob/v1.2.3/") {
				t.Errorf("%s: link to %q", name, m[1])
			}
		}
		if !strings.Contains(page, `default-src 'none'`) || !strings.Contains(page, `script-src 'sha256-`) {
			t.Errorf("%s: no content policy", name)
		}
		if strings.Contains(page, "<no value>") || strings.Contains(page, "NaN") || strings.Contains(page, "%!") {
			t.Errorf("%s: a hole in the template", name)
		}
		ids := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("%s: id %q twice", name, m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !ids[m[1]] {
				t.Errorf("%s: link to #%s, which is not there", name, m[1])
			}
		}
	}
}

// TestPageAnswers: verdict, why, how sure and what next are on the page before
// any table.
func TestPageAnswers(t *testing.T) {
	page := pageOf(t, sample("INCONCLUSIVE", 3), HTMLOptions{})
	head, _, _ := strings.Cut(page, "<main>")
	at := 0
	for _, want := range []string{
		`id="verdict">INCONCLUSIVE<`, "No verdict: the two sides are not comparable", ">Why<", "margin 5\u00a0%", ">How sure<", "5 + 5 runs, 200,020 requests", "Of 100 comparisons like this one, about 95",
		">What to do next<", "Settle what the comparability checks object to", "Measure 4 more runs a side.", "The smallest that would have passed: ttft p95 9.2\u00a0%", "Too few requests to judge every percentile: p99.9 takes 12,345 a side.",
	} {
		i := strings.Index(head[at:], want)
		if i < 0 {
			t.Fatalf("%q is not on the page, or not in its place", want)
		}
		at += i
	}
	for verdict, want := range map[string]string{
		"FAIL":               "Hold the change back and look at ttft p99 and ttft p99 first.",
		"PASS":               "Nothing in these data stands against the change.",
		"EXCEPTION_REQUIRED": "Ask the owner of ttft p99 and ttft p99 to accept the harm or to hold the change back.",
	} {
		if page := pageOf(t, sample(verdict, 1), HTMLOptions{}); !strings.Contains(page, want) {
			t.Errorf("the page of %s does not say %q", verdict, want)
		}
	}
}

// TestPageShowsFigures: pictures stand where they belong, with their words.
func TestPageShowsFigures(t *testing.T) {
	lead := Picture{ID: "gates", Title: "Gates", Alt: "gates in words", Wide: []byte(`<svg id="gates-w"></svg>`), Narrow: []byte(`<svg id="gates-n"></svg>`)}
	more := lead
	more.ID, more.Wide, more.Narrow, more.Notes = "runs", []byte(`<svg id="runs-w"></svg>`), []byte(`<svg id="runs-n"></svg>`), []string{"A note."}
	page := pageOf(t, sample("FAIL", 1), HTMLOptions{Lead: &lead, Pictures: []Picture{more}, Missing: []string{"there are no runs"}})
	at := 0
	for _, want := range []string{`id="results"`, `id="gates-w"`, `id="gates-n"`, "gates in words", `id="table-results"`, `id="figures"`, `id="runs-w"`, "A note.", "No figure: there are no runs."} {
		i := strings.Index(page[at:], want)
		if i < 0 {
			t.Fatalf("%q is not on the page, or not in its place", want)
		}
		at += i
	}
}

// TestMethodLinks: every page that the report links to has the heading.
func TestMethodLinks(t *testing.T) {
	for _, m := range append(methodPages, struct{ words, page string }{"", "docs/methods/multiplicity.md#which-correction"}) {
		file, anchor, _ := strings.Cut(m.page, "#")
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Error(err)
			continue
		}
		found := false
		for line := range strings.Lines(string(text)) {
			if title, ok := strings.CutPrefix(line, "## "); ok && slug(title) == anchor {
				found = true
			}
		}
		if !found {
			t.Errorf("%s has no heading for #%s", file, anchor)
		}
	}
}

// slug is the anchor that GitHub gives a heading.
func slug(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(title)) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 0x7f && r != '–' && r != '…':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Columns that no row fills are left out, with their cells.
func TestTrim(t *testing.T) {
	row := func(texts ...string) rowView {
		var r rowView
		for _, s := range texts {
			r.Cells = append(r.Cells, cellView{Text: s})
		}
		return r
	}
	head := []headCell{{"a", false}, {"b", false}, {"c", true}}
	table := tableView{Head: head, Rows: []rowView{row("1", "", ""), row("", "", "")}}
	table.Rows[1].Cells[2].Tone = "good"
	table.trim()
	if len(table.Head) != 2 || table.Head[1].Text != "c" || len(table.Rows[0].Cells) != 2 || table.Rows[1].Cells[1].Tone != "good" {
		t.Errorf("%+v", table)
	}
	if head[1].Text != "b" {
		t.Error("the head of another table was changed")
	}
}
