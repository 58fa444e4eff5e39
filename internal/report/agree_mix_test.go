package report

import (
	"html"
	"regexp"
	"strings"
	"testing"
)

var (
	mixBlock = regexp.MustCompile(`(?s)<details class="mix">(.*?)</details>`)
	mixText  = regexp.MustCompile(`(?s)<p>(.*?)</p>`)
	mixBody  = regexp.MustCompile(`(?s)<tbody>(.*?)</tbody>`)
	mixRow   = regexp.MustCompile(`(?s)<tr>(.*?)</tr>`)
)

// agreeMix holds the splits on the page against those of the JSON: the numbers
// of strata exactly, the intervals of strata, factors and parts as printed.
func agreeMix(t *testing.T, doc *Document, page string) {
	t.Helper()
	blocks := mixBlock.FindAllStringSubmatch(page, -1)
	if len(blocks) != len(doc.MixShift) {
		t.Fatalf("%d splits on the page, %d in the JSON", len(blocks), len(doc.MixShift))
	}
	percent := func(v Num, places int) string { return signed(float64(v)*100, places) }
	for i, m := range doc.MixShift {
		places, unit := 1, " %"
		if m.Estimand == "rate" {
			places, unit = 2, " pp"
		}
		printed := func(v Num) string {
			if !v.Known() {
				return "no bound"
			}
			return percent(v, places) + unit
		}
		part := func(c Change) string { return printed(c.Value) + " (" + printed(c.Lo) + " to " + printed(c.Hi) + ")" }
		text := html.UnescapeString(mixText.FindStringSubmatch(blocks[i][1])[1])
		wants := []string{"total " + part(m.Total), "like for like " + part(m.Within), "mix " + part(m.Mix)}
		for _, f := range m.Factors {
			wants = append(wants, Printable(f.By)+" "+part(f.Mix))
		}
		if len(m.Factors) > 0 {
			wants = append(wants, "counterpart "+printed(m.OffSupport.Value))
		}
		for _, w := range wants {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the page lacks %q in %q", m.Metric, w, text)
			}
		}
		rows := mixRow.FindAllStringSubmatch(mixBody.FindStringSubmatch(blocks[i][1])[1], -1)
		if len(rows) != len(m.Strata) {
			t.Fatalf("%d rows, %d strata", len(rows), len(m.Strata))
		}
		for k, s := range m.Strata {
			cells := cellsOfRow(rows[k][1])
			for label, v := range map[string]Num{"share before": s.BaselineShare, "share after": s.CandidateShare, "before": s.BaselineValue, "after": s.CandidateValue,
				"change": s.Change.Value, "from the system": s.WithinContribution, "from the mix": s.MixContribution} {
				if c := cellOf(t, cells, label); !c.hasValue || c.value != exact(v) {
					t.Errorf("%s: the page has %q for %s, the JSON %v", s.Label, c.value, label, v)
				}
			}
			want := ""
			if s.Change.Lo.Known() || s.Change.Hi.Known() {
				want = printed(s.Change.Lo) + " to " + printed(s.Change.Hi)
			}
			if got := cellOf(t, cells, "interval").text; got != want {
				t.Errorf("%s: the page has the interval %q, want %q", s.Label, got, want)
			}
		}
	}
}
