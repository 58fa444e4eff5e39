package report

import (
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// pageView is what the template prints.
type pageView struct {
	Style      template.CSS
	Script     template.JS
	ScriptHash template.HTMLAttr

	Tool, Baseline, Candidate string
	Verdict, Tone, Meaning    string
	Reasons, MoreReasons      []template.HTML
	MoreTitle                 string
	Sure, Next                []template.HTML
	Design                    string
	Lead                      *pictureView
	Table, Numbers, Slices    tableView
	Figures                   []pictureView
	Missing                   []string
	Mix                       []mixView
	Checks                    []rowView
	ChecksText                string
	Remarks                   []template.HTML
	Sides                     []sideView
	Methods                   []methodView
	Guide, Reading            string
	Command                   string
	Prints                    []fact

	// Of scores of items.
	Pairs, Repeats string
	Flips          tableView
	FewFlips       bool

	// Slices that moved otherwise than the rest; of a report that is not about a
	// change, all its tables.
	Parts []partView
	Title string
	Lines []template.HTML
}

type pictureView struct {
	ID, Title, Alt string
	Notes          []string
	Wide, Narrow   template.HTML
}

type headCell struct {
	Text   string
	Number bool
}

// tableView is a table that can be filtered and sorted.
type tableView struct {
	ID, Caption string
	Verdicts    []string
	Head        []headCell
	Rows        []rowView
}

// trim leaves out the columns that no row fills.
func (t *tableView) trim() {
	for k := len(t.Head) - 1; k >= 0; k-- {
		if slices.ContainsFunc(t.Rows, func(r rowView) bool { return k >= len(r.Cells) || r.Cells[k].Text != "" || r.Cells[k].Tone != "" }) {
			continue
		}
		t.Head = slices.Delete(slices.Clone(t.Head), k, k+1)
		for i := range t.Rows {
			t.Rows[i].Cells = slices.Delete(t.Rows[i].Cells, k, k+1)
		}
	}
}

type rowView struct {
	Verdict string
	Cells   []cellView
}

// cellView is a cell; a tone makes a chip of it.
type cellView struct {
	Label, Text, Class, Tone string
	At                       string // stands beside the text where columns are folded
	HasValue                 bool
	Value                    string
}

// Chip is the cell as the chip's template prints it.
func (c cellView) Chip() map[string]string { return map[string]string{"Tone": c.Tone, "Word": c.Text} }

// fact is a name with a text, and perhaps the number behind it.
type fact struct {
	Name, Text string
	HasValue   bool
	Value      string
}

type mixView struct {
	Title, Text string
	Head        []headCell
	Rows        []rowView
}

func viewOf(doc *Document, o HTMLOptions) *pageView {
	if pg, ok := doc.sheet(); ok {
		return sheetView(doc, pg, o)
	}
	v := &pageView{
		Tool: toolName(doc), Baseline: Printable(doc.Baseline.Label),
		Design: Printable(doc.Design.Text), Missing: o.Missing, Command: o.Command,
		Guide: docLink(doc.Tool.Version, "METHODS.md"), Reading: docLink(doc.Tool.Version, "docs/reading-a-report.md"),
	}
	if doc.Candidate != nil {
		v.Candidate = Printable(doc.Candidate.Label)
	}
	if doc.Verdict != nil {
		v.Verdict, v.Tone, v.Meaning = *doc.Verdict, verdictTone(*doc.Verdict), meaning(doc)
		shown, _ := topReasons(doc)
		for _, r := range shown {
			v.Reasons = append(v.Reasons, prose(r.Text))
		}
		for _, r := range doc.Reasons {
			if !slices.Contains(shown, r) {
				v.MoreReasons = append(v.MoreReasons, prose(r.Text))
			}
		}
		v.MoreTitle = plural(int64(len(v.MoreReasons)), "more reason")
		for _, s := range howSure(doc) {
			v.Sure = append(v.Sure, prose(s))
		}
		for _, s := range nextSteps(doc) {
			v.Next = append(v.Next, prose(s))
		}
	}
	if o.Lead != nil {
		p := pictureOf(*o.Lead)
		v.Lead = &p
	}
	for _, p := range o.Pictures {
		v.Figures = append(v.Figures, pictureOf(p))
	}
	v.Table, v.Slices = resultTables(doc)
	v.Numbers = numbersTable(doc)
	for i := range doc.MixShift {
		v.Mix = append(v.Mix, mixOf(doc, &doc.MixShift[i]))
	}
	v.Checks, v.ChecksText = checkRows(doc)
	for _, n := range notes(doc) {
		v.Remarks = append(v.Remarks, prose(n))
	}
	if len(v.Remarks) == 0 {
		v.Remarks = []template.HTML{"Nothing was left out and nothing is remarkable."}
	}
	for i, s := range []*Side{doc.Baseline, doc.Candidate} {
		if s != nil {
			v.Sides = append(v.Sides, sideOf([...]string{"Baseline", "Candidate"}[i], s))
		}
	}
	v.Pairs, v.Repeats, v.Flips = itemsOf(doc)
	v.FewFlips = len(v.Flips.Rows) <= fewFlips
	v.Slices.trim()
	v.Flips.trim()
	if p, ok := moversPart(doc); ok {
		v.Parts = append(v.Parts, partOf(p))
	}
	v.Methods = methodsOf(doc)
	v.Prints = fingerprint(doc)
	return v
}

var (
	numberUnit = regexp.MustCompile(`(\d) (%|pp|ms|s|µs|ns)([^\w]|$)`)
	flagName   = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// prose makes a sentence safe for the page, keeps numbers and units on one line
// and sets flags as code.
func prose(s string) template.HTML {
	s = template.HTMLEscapeString(Printable(s))
	s = numberUnit.ReplaceAllString(s, "$1\u00a0$2$3")
	return template.HTML(flagName.ReplaceAllString(s, `<code class="flag">$0</code>`))
}

func pictureOf(p Picture) pictureView {
	return pictureView{ID: p.ID, Title: Printable(p.Title), Alt: Printable(p.Alt), Notes: p.Notes, Wide: template.HTML(p.Wide), Narrow: template.HTML(p.Narrow)}
}

func verdictTone(v string) string {
	switch v {
	case "PASS":
		return "t-pass"
	case "FAIL":
		return "t-fail"
	case "":
		return "t-none"
	}
	return "t-open"
}

// fingerprint lists what was compared and how, for someone who repeats it.
func fingerprint(doc *Document) []fact {
	out := []fact{
		{Name: "tool", Text: toolName(doc)},
		{Name: "seed", Text: count(int64(doc.Seed))},
		{Name: "level", Text: percentOf(doc.Level)},
		{Name: "unit of evidence", Text: doc.Design.Unit},
		{Name: "report schema", Text: doc.SchemaVersion},
	}
	var sides []*Side
	for _, s := range []*Side{doc.Baseline, doc.Candidate} {
		if s != nil { // a plan from given numbers has none
			sides = append(sides, s)
		}
	}
	keys := map[string]bool{}
	for _, s := range sides {
		for k := range s.Fingerprint {
			keys[k] = true
		}
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		var parts []string
		for _, s := range sides {
			t := s.Fingerprint[k]
			if t == "" {
				t = "not recorded"
			}
			if len(parts) == 0 || parts[0] != t {
				parts = append(parts, t)
			}
		}
		out = append(out, fact{Name: Printable(k), Text: Printable(strings.Join(parts, " → "))})
	}
	return out
}

func toolName(doc *Document) string {
	return strings.TrimSpace(Printable(doc.Tool.Name + " " + doc.Tool.Version))
}
