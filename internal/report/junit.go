package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties *junitProps     `xml:"properties,omitempty"`
	Cases      []junitTestcase `xml:"testcase"`
	Out        string          `xml:"system-out,omitempty"`
}

type junitProps struct {
	List []junitProp `xml:"property"`
}

type junitProp struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitTestcase struct {
	Class      string        `xml:"classname,attr"`
	Name       string        `xml:"name,attr"`
	Time       string        `xml:"time,attr"`
	Properties *junitProps   `xml:"properties,omitempty"`
	Failure    *junitOutcome `xml:"failure,omitempty"`
	Error      *junitOutcome `xml:"error,omitempty"`
	Skipped    *junitOutcome `xml:"skipped,omitempty"`
}

type junitOutcome struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a test case for every result and
// every comparability check. A gate that fails is a failure. One that is not
// decided is an error, since nothing is shown, and only skipped where the
// pipeline lets INCONCLUSIVE pass. A row that is not judged is skipped. The
// numbers are properties in full precision, the text report is the output.
func WriteJUnit(w io.Writer, doc *Document) error {
	if pg, ok := doc.sheet(); ok {
		return writeJUnitSheet(w, doc, pg)
	}
	s := junitSuite{Name: suiteName(doc), Time: "0", Properties: &junitProps{suiteProps(doc)}}
	for i := range doc.Results {
		s.add(resultCase(doc, &doc.Results[i]))
	}
	for i := range doc.Comparability {
		s.add(checkCase(doc, &doc.Comparability[i]))
	}
	if doc.Verdict != nil && *doc.Verdict != "PASS" && s.Failures+s.Errors == 0 && doc.ExitCode != 0 {
		// Nothing above says why, so that the file is not green when the command
		// is not.
		s.add(verdictCase(doc))
	}
	return s.write(w, doc)
}

// writeJUnitSheet writes a report without gates: one case that passes.
func writeJUnitSheet(w io.Writer, doc *Document, pg sheet) error {
	s := junitSuite{Name: Printable(pg.title), Time: "0"}
	s.add(junitTestcase{Class: doc.Tool.Name, Name: doc.Command})
	return s.write(w, doc)
}

func (s junitSuite) write(w io.Writer, doc *Document) error {
	var text strings.Builder
	if err := WriteText(&text, doc, TextOptions{}); err != nil {
		return err
	}
	s.Out = text.String()
	all := junitSuites{Name: doc.Tool.Name, Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Skipped: s.Skipped, Suites: []junitSuite{s}}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(b)+"\n")
	return err
}

func (s *junitSuite) add(c junitTestcase) {
	c.Time = "0"
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func suiteName(doc *Document) string {
	if doc.Candidate == nil {
		return Printable(doc.Baseline.Label)
	}
	return Printable(doc.Baseline.Label + " -> " + doc.Candidate.Label)
}

func suiteProps(doc *Document) []junitProp {
	p := []junitProp{
		{"tool", strings.TrimSpace(doc.Tool.Name + " " + doc.Tool.Version)}, {"schema_version", doc.SchemaVersion},
		{"seed", strconv.FormatUint(doc.Seed, 10)}, {"level", exact(Num(doc.Level))}, {"exit_code", strconv.Itoa(doc.ExitCode)}, {"design", Printable(doc.Design.Text)},
	}
	if doc.Verdict != nil {
		p = append(p, junitProp{"verdict", *doc.Verdict})
	}
	for i, r := range doc.Reasons {
		p = append(p, junitProp{fmt.Sprintf("reason.%d", i+1), Printable(r.Text)})
	}
	return p
}

// caseName names a result as --metric and --margin would.
func caseName(r *Result) string {
	name := r.Metric + ":" + r.Estimand
	if r.items {
		metric, task := itemCells(r)
		name = metric
		if task != "" {
			name = task + " " + name
		}
	}
	if s := sliceText(r.Slice); s != "" {
		name += " [" + s + "]"
	}
	if r.Limit != nil {
		name += " limit"
	}
	return Printable(name)
}

func resultCase(doc *Document, r *Result) junitTestcase {
	c := junitTestcase{Class: doc.Tool.Name + "." + Printable(r.Metric), Name: caseName(r), Properties: &junitProps{resultProps(r)}}
	message := rowSentence(doc, r)
	out := &junitOutcome{Message: message}
	switch {
	case doc.Command == "describe":
		if r.Kind == "no_data" {
			c.Skipped = &junitOutcome{Message: "no data"}
		}
	case r.Verdict == nil:
		out.Message = "not judged: " + message
		c.Skipped = out
	case *r.Verdict == "FAIL":
		out.Type, out.Text = r.Kind, details(r)
		c.Failure = out
	case *r.Verdict == "INCONCLUSIVE":
		out.Text = details(r)
		if lets(doc) {
			out.Text, out.Message = "", "inconclusive: "+message
			c.Skipped = out
			break
		}
		out.Type = "inconclusive"
		c.Error = out
	}
	return c
}

// lets reports whether the pipeline lets an INCONCLUSIVE pass.
func lets(doc *Document) bool {
	return doc.Verdict != nil && *doc.Verdict == "INCONCLUSIVE" && doc.ExitCode == 0
}

// rowSentence tells a row of the table in one line.
func rowSentence(doc *Document, r *Result) string {
	l := layRow(doc, r)
	s := fmt.Sprintf("%s: %s to %s", caseName(r), l.before, l.after)
	if l.change != "" && r.Limit == nil {
		s += ", change " + l.change
	}
	if l.interval != "" {
		s += " " + l.interval
	}
	switch {
	case r.Limit != nil:
		s += ", limit " + l.margin
	case l.margin != "":
		s += ", margin " + l.margin
	}
	if l.note != "" {
		s += ", " + l.note
	}
	return Printable(s)
}

func details(r *Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "method: %s\n", r.Method)
	for _, n := range r.Warnings {
		fmt.Fprintf(&b, "%s: %s\n", n.Code, Printable(n.Text))
	}
	return b.String()
}

// resultProps are the numbers of a result; unknown ones are left out.
func resultProps(r *Result) []junitProp {
	var p []junitProp
	num := func(name string, v Num) {
		if v.Known() {
			p = append(p, junitProp{name, exact(v)})
		}
	}
	text := func(name, v string) {
		if v != "" {
			p = append(p, junitProp{name, Printable(v)})
		}
	}
	side := func(name string, e Estimate) {
		num(name+".value", e.Value)
		num(name+".lo", e.Lo)
		num(name+".hi", e.Hi)
		p = append(p, junitProp{name + ".n", strconv.FormatInt(e.N, 10)}, junitProp{name + ".units", strconv.Itoa(e.Units)})
	}
	change := func(name string, c *Change) {
		if c != nil {
			num(name+".value", c.Value)
			num(name+".lo", c.Lo)
			num(name+".hi", c.Hi)
		}
	}
	text("unit", r.Unit)
	side("baseline", r.Baseline)
	side("candidate", r.Candidate)
	change("delta", r.Delta)
	change("ratio", r.Ratio)
	if l := r.LikeForLike; l != nil {
		change("like_for_like.delta", l.Delta)
		change("like_for_like.ratio", l.Ratio)
	}
	num("p_value", r.PValue)
	num("p_superior", r.PSuperior)
	num("p_adjusted", r.PAdjusted)
	num("adjusted_alpha", r.AdjustedAlpha)
	num("mde", r.MDE)
	num("relative_error", r.RelativeError)
	if r.Margin != nil {
		text("margin.kind", r.Margin.Kind)
		num("margin.value", r.Margin.Value)
	}
	if r.Limit != nil {
		text("limit.op", r.Limit.Op)
		num("limit.value", r.Limit.Value)
	}
	text("kind", r.Kind)
	if r.Verdict != nil {
		text("verdict", *r.Verdict)
	}
	if n := r.Needed; n != nil {
		if n.Runs != nil {
			p = append(p, junitProp{"needed.runs", strconv.Itoa(*n.Runs)})
		}
		if n.Requests != nil {
			p = append(p, junitProp{"needed.requests", strconv.FormatInt(*n.Requests, 10)})
		}
		if n.Items != nil {
			p = append(p, junitProp{"needed.items", strconv.FormatInt(*n.Items, 10)})
		}
	}
	return p
}

func checkCase(doc *Document, c *Check) junitTestcase {
	out := junitTestcase{Class: doc.Tool.Name + ".comparability", Name: strings.ReplaceAll(c.Check, "_", " ")}
	if c.Status == "fail" && doc.Verdict != nil && *doc.Verdict != "PASS" && !lets(doc) {
		out.Error = &junitOutcome{Type: "not_comparable", Message: Printable(c.Text)}
	}
	return out
}

func verdictCase(doc *Document) junitTestcase {
	var texts []string
	for _, r := range doc.Reasons {
		texts = append(texts, Printable(r.Text))
	}
	return junitTestcase{Class: doc.Tool.Name, Name: "verdict", Error: &junitOutcome{Type: strings.ToLower(*doc.Verdict), Message: strings.Join(texts, " ")}}
}
