package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// htmlCell is a cell of a table of the page.
type htmlCell struct {
	label, text, value string
	hasValue           bool
}

var (
	tableOf = func(id string) *regexp.Regexp {
		return regexp.MustCompile(`(?s)<table[^>]* id="` + id + `">.*?</table>`)
	}
	bodyRow  = regexp.MustCompile(`(?s)<tr data-verdict="([^"]*)">(.*?)</tr>`)
	bodyCell = regexp.MustCompile(`(?s)<td([^>]*)>(.*?)</td>`)
	anyTag   = regexp.MustCompile(`<[^>]*>`)
	label    = regexp.MustCompile(` data-label="([^"]*)"`)
	dataAttr = regexp.MustCompile(` data-value="([^"]*)"`)
)

// htmlTable reads the rows of a table of the page by its id.
func htmlTable(t *testing.T, page, id string) [][]htmlCell {
	t.Helper()
	table := tableOf(id).FindString(page)
	if table == "" {
		t.Fatalf("no table %s", id)
	}
	var rows [][]htmlCell
	for _, tr := range bodyRow.FindAllStringSubmatch(table, -1) {
		rows = append(rows, cellsOfRow(tr[2]))
	}
	return rows
}

func cellsOfRow(tr string) (row []htmlCell) {
	for _, td := range bodyCell.FindAllStringSubmatch(tr, -1) {
		c := htmlCell{text: html.UnescapeString(anyTag.ReplaceAllString(td[2], ""))}
		if m := label.FindStringSubmatch(td[1]); m != nil {
			c.label = html.UnescapeString(m[1])
		}
		if m := dataAttr.FindStringSubmatch(td[1]); m != nil {
			c.hasValue, c.value = true, m[1]
		}
		row = append(row, c)
	}
	return row
}

func cellOf(t *testing.T, row []htmlCell, label string) htmlCell {
	t.Helper()
	i := slices.IndexFunc(row, func(c htmlCell) bool { return c.label == label })
	if i < 0 {
		t.Fatalf("no cell %q", label)
	}
	return row[i]
}

// markdownRows returns the cells of all table rows, unescaped.
func markdownRows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| metric ") {
			continue
		}
		line = strings.TrimSpace(line)
		line = strings.ReplaceAll(line, `\|`, "\x00")
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i, c := range cells {
			c = strings.NewReplacer("\x00", "|", `\`, "", "&lt;", "<", "&gt;", ">", "&amp;", "&", "**", "", "\u200b", "").Replace(c)
			cells[i] = strings.TrimSpace(c)
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestFormatsAgree walks text, Markdown, HTML, JUnit and JSON of the same
// document number by number. The printed cells are the same text in all three
// that print; each carries the number of the JSON to the digits it shows; and
// the numbers that HTML and JUnit carry for programs are exactly those.
func TestFormatsAgree(t *testing.T) {
	for name, original := range documents(t) {
		t.Run(name, func(t *testing.T) {
			var js, text, md, page, junit bytes.Buffer
			for _, err := range []error{
				WriteJSON(&js, original), WriteText(&text, original, TextOptions{Width: 400}), WriteMarkdown(&md, original),
				WriteHTML(&page, original, HTMLOptions{}), WriteJUnit(&junit, original),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			var doc Document
			if err := json.Unmarshal(js.Bytes(), &doc); err != nil {
				t.Fatal(err)
			}
			var suites junitSuites
			if err := xml.Unmarshal(junit.Bytes(), &suites); err != nil {
				t.Fatal(err)
			}
			cases := suites.Suites[0].Cases
			mdRows := markdownRows(md.String())
			if doc.Verdict != nil {
				for form, out := range map[string]string{"text": text.String(), "Markdown": md.String(), "HTML": page.String(), "JUnit": junit.String()} {
					if !strings.Contains(out, *doc.Verdict) {
						t.Errorf("%s has no %s", form, *doc.Verdict)
					}
				}
			}
			agreeMix(t, &doc, page.String())
			if len(doc.Results) == 0 {
				return
			}
			whole := htmlTable(t, page.String(), "table-results")
			var sliced [][]htmlCell
			if slices.ContainsFunc(doc.Results, func(r Result) bool { return r.Slice != nil }) {
				sliced = htmlTable(t, page.String(), "table-slices")
			}
			numbers := htmlTable(t, page.String(), "table-numbers")
			if len(numbers) != len(doc.Results) || len(whole)+len(sliced) != len(doc.Results) || len(mdRows) < len(doc.Results) {
				t.Fatalf("%d results; HTML has %d rows of numbers and %d + %d results, Markdown %d rows", len(doc.Results), len(numbers), len(whole), len(sliced), len(mdRows))
			}
			for i := range doc.Results {
				r := &doc.Results[i]
				var row []htmlCell
				if r.Slice != nil {
					row, sliced = sliced[0], sliced[1:]
				} else {
					row, whole = whole[0], whole[1:]
				}
				agreeCells(t, &doc, r, row, &mdRows, text.String())
				agreeNumbers(t, &doc, r, numbers[i])
				agreeJUnit(t, r, cases[i])
			}
		})
	}
}

// agreeCells holds the row of the page against Markdown, text and the result.
func agreeCells(t *testing.T, doc *Document, r *Result, row []htmlCell, md *[][]string, text string) {
	t.Helper()
	names := []string{"at", "before", "after", "change", "95 % interval", "margin", "verdict", "remark"}
	if doc.Command == "describe" {
		names = []string{"at", "value", "95 % interval", "n"}
	}
	var cells []string
	for _, n := range names {
		cells = append(cells, cellOf(t, row, n).text)
	}
	i := slices.IndexFunc(*md, func(c []string) bool { return slices.Equal(c[1:], cells) })
	if i < 0 {
		t.Errorf("%s: Markdown has no row with the cells %q, only %q", caseName(r), cells, *md)
		return
	}
	*md = slices.Delete(*md, i, i+1)
	found := false
	for line := range strings.Lines(text) {
		rest, ok := line, true
		for _, c := range cells {
			at := strings.Index(rest, c)
			if ok = at >= 0; !ok {
				break
			}
			rest = rest[at+len(c):]
		}
		found = found || ok
	}
	if !found {
		t.Errorf("%s: text has no line with the cells %q", caseName(r), cells)
	}
	if doc.Command == "describe" {
		shows(t, r, "value", cells[1], r.Baseline.Value)
		return
	}
	for i, e := range []Estimate{r.Baseline, r.Candidate} {
		bare, atLeast := strings.CutPrefix(cells[i+1], "≥ ")
		if atLeast != e.AtLeast {
			t.Errorf("%s: %q, and at_least is %v", caseName(r), cells[i+1], e.AtLeast)
		}
		shows(t, r, names[i+1], bare, e.Value)
	}
	switch {
	case r.Limit != nil || cells[3] == "n/a":
	case strings.HasSuffix(cells[3], "%"):
		shows(t, r, "change", cells[3], r.Ratio.Value-1)
	default:
		shows(t, r, "change", cells[3], r.Delta.Value)
	}
}

// factors turn a printed unit into the base unit.
var factors = map[string]float64{"": 1, "s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "%": 1e-2, "pp": 1e-2}

// shows holds a printed number against the one it stands for.
func shows(t *testing.T, r *Result, what, printed string, v Num) {
	t.Helper()
	if printed == "none" {
		if v.Known() {
			t.Errorf("%s %s: %q for %v", caseName(r), what, printed, v)
		}
		return
	}
	num, unit, _ := strings.Cut(printed, " ")
	num = strings.ReplaceAll(num, ",", "")
	x, err := strconv.ParseFloat(num, 64)
	factor, ok := factors[unit]
	if err != nil || !ok {
		t.Errorf("%s %s: cannot read %q", caseName(r), what, printed)
		return
	}
	decimals := 0
	if i := strings.IndexByte(num, '.'); i >= 0 {
		decimals = len(num) - i - 1
	}
	if tolerance := 0.5000001 * math.Pow(10, -float64(decimals)); math.Abs(x-float64(v)/factor) > tolerance {
		t.Errorf("%s %s: %q is not %v", caseName(r), what, printed, v)
	}
}

// agreeNumbers holds the row of all numbers against the result, exactly.
func agreeNumbers(t *testing.T, doc *Document, r *Result, row []htmlCell) {
	t.Helper()
	want := func(label string, v Num) {
		t.Helper()
		c := cellOf(t, row, label)
		if !c.hasValue || c.value != exact(v) {
			t.Errorf("%s: the page has %q for %s, the JSON %v", caseName(r), c.value, label, v)
		}
	}
	three := func(label string, value, lo, hi Num) {
		t.Helper()
		want(label, value)
		want(label+" from", lo)
		want(label+" to", hi)
	}
	three("before", r.Baseline.Value, r.Baseline.Lo, r.Baseline.Hi)
	want("n before", Num(r.Baseline.N))
	want("units before", Num(r.Baseline.Units))
	want("histogram error", r.RelativeError)
	if doc.Command == "describe" {
		return
	}
	three("after", r.Candidate.Value, r.Candidate.Lo, r.Candidate.Hi)
	want("n after", Num(r.Candidate.N))
	want("units after", Num(r.Candidate.Units))
	for label, c := range map[string]*Change{"difference": r.Delta, "ratio": r.Ratio} {
		if c == nil {
			c = &Change{none, none, none}
		}
		three(label, c.Value, c.Lo, c.Hi)
	}
	if r.LikeForLike != nil {
		three("like for like ratio", r.LikeForLike.Ratio.Value, r.LikeForLike.Ratio.Lo, r.LikeForLike.Ratio.Hi)
	}
	want("p (harm ≥ margin)", r.PValue)
	want("p (harm ≥ 0)", r.PSuperior)
	want("p over all slices", r.PAdjusted)
	want("α of the gate", r.AdjustedAlpha)
	want("smallest effect seen", r.MDE)
	if r.Smallest != nil {
		want("smallest margin passed", r.Smallest.Value)
	}
}

// agreeJUnit holds the properties of a test case against the result, exactly.
func agreeJUnit(t *testing.T, r *Result, c junitTestcase) {
	t.Helper()
	if c.Name != caseName(r) {
		t.Fatalf("test case %q, want %q", c.Name, caseName(r))
	}
	have := map[string]string{}
	for _, p := range c.Properties.List {
		if _, twice := have[p.Name]; twice {
			t.Errorf("%s: property %s twice", c.Name, p.Name)
		}
		have[p.Name] = p.Value
	}
	wants := map[string]Num{
		"baseline.value": r.Baseline.Value, "baseline.lo": r.Baseline.Lo, "baseline.hi": r.Baseline.Hi, "baseline.n": Num(r.Baseline.N), "baseline.units": Num(r.Baseline.Units),
		"candidate.value": r.Candidate.Value, "candidate.lo": r.Candidate.Lo, "candidate.hi": r.Candidate.Hi, "candidate.n": Num(r.Candidate.N), "candidate.units": Num(r.Candidate.Units),
		"p_value": r.PValue, "p_superior": r.PSuperior, "p_adjusted": r.PAdjusted, "adjusted_alpha": r.AdjustedAlpha, "mde": r.MDE, "relative_error": r.RelativeError,
	}
	for name, ch := range map[string]*Change{"delta": r.Delta, "ratio": r.Ratio} {
		if ch != nil {
			wants[name+".value"], wants[name+".lo"], wants[name+".hi"] = ch.Value, ch.Lo, ch.Hi
		}
	}
	if l := r.LikeForLike; l != nil {
		wants["like_for_like.ratio.value"], wants["like_for_like.ratio.lo"], wants["like_for_like.ratio.hi"] = l.Ratio.Value, l.Ratio.Lo, l.Ratio.Hi
		wants["like_for_like.delta.value"], wants["like_for_like.delta.lo"], wants["like_for_like.delta.hi"] = l.Delta.Value, l.Delta.Lo, l.Delta.Hi
	}
	if r.Margin != nil {
		wants["margin.value"] = r.Margin.Value
	}
	if r.Limit != nil {
		wants["limit.value"] = r.Limit.Value
	}
	if r.Needed != nil && r.Needed.Runs != nil {
		wants["needed.runs"] = Num(*r.Needed.Runs)
	}
	if r.Needed != nil && r.Needed.Requests != nil {
		wants["needed.requests"] = Num(*r.Needed.Requests)
	}
	for name, v := range wants {
		if have[name] != exact(v) {
			t.Errorf("%s: property %s is %q, the JSON has %v", c.Name, name, have[name], v)
		}
		delete(have, name)
	}
	for _, word := range []string{"unit", "kind", "verdict", "margin.kind", "limit.op"} {
		delete(have, word)
	}
	for name := range have {
		t.Errorf("%s: property %s is not checked", c.Name, name)
	}
}
