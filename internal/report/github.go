package report

import (
	"fmt"
	"io"
	"strings"
)

// mostAnnotations is how many annotations of a level GitHub shows for a step.
const mostAnnotations = 10

// WriteGitHub writes workflow commands that GitHub Actions turns into
// annotations: the verdict first, an error for each gate that failed, a warning
// for each that is not decided and for each check that objects. Of each level
// no more are written than are shown; the last says how many are left out.
func WriteGitHub(w io.Writer, doc *Document) error {
	var b strings.Builder
	if pg, ok := doc.sheet(); ok {
		command(&b, "notice", Printable(pg.title), Printable(strings.Join(pg.lead, " ")))
		_, err := io.WriteString(w, b.String())
		return err
	}
	if doc.Verdict == nil {
		for i := range doc.Results {
			r := &doc.Results[i]
			if i == mostAnnotations {
				break
			}
			command(&b, "notice", doc.Tool.Name, rowSentence(doc, r))
		}
		_, err := io.WriteString(w, b.String())
		return err
	}
	level := map[string]string{"PASS": "notice", "FAIL": "error"}[*doc.Verdict]
	if level == "" {
		level = "warning"
	}
	shown, _ := topReasons(doc)
	var texts []string
	for _, r := range shown {
		texts = append(texts, Printable(r.Text))
	}
	texts = append(texts, capitalize(Printable(doc.Design.Text))+".")
	command(&b, level, doc.Tool.Name+": "+*doc.Verdict, strings.Join(texts, "\n"))

	var errors, warnings []string
	for i := range doc.Results {
		r := &doc.Results[i]
		switch {
		case r.Verdict == nil:
		case *r.Verdict == "FAIL" && !r.Soft:
			errors = append(errors, rowSentence(doc, r))
		case *r.Verdict != "PASS":
			warnings = append(warnings, rowSentence(doc, r))
		}
	}
	for _, c := range doc.Comparability {
		if c.Status == "fail" {
			warnings = append(warnings, Printable(c.Text))
		}
	}
	annotate(&b, doc, "error", errors, level)
	annotate(&b, doc, "warning", warnings, level)
	_, err := io.WriteString(w, b.String())
	return err
}

// annotate writes the annotations of a level, leaving room for the verdict.
func annotate(b *strings.Builder, doc *Document, level string, texts []string, verdict string) {
	room := mostAnnotations
	if level == verdict {
		room--
	}
	for i, t := range texts {
		if i == room-1 && len(texts) > room {
			command(b, level, doc.Tool.Name, fmt.Sprintf("%s more in the report", count(int64(len(texts)-i))))
			return
		}
		command(b, level, doc.Tool.Name, t)
	}
}

var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// command writes one workflow command. Escaped as they are, the texts cannot
// end it nor begin another.
func command(b *strings.Builder, level, title, text string) {
	fmt.Fprintf(b, "::%s title=%s::%s\n", level, commandProperty.Replace(title), commandData.Replace(text))
}
