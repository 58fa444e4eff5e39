package report

import (
	"html"
	"math/rand/v2"
	"regexp"
	"strconv"
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
		mix, factors, offSupport := printedMix(&m, places+2)
		wants := []string{"total " + part(m.Total), "like for like " + part(m.Within), "mix " + part(mix)}
		for _, f := range factors {
			wants = append(wants, Printable(f.By)+" "+part(f.Mix))
		}
		if len(factors) > 0 {
			wants = append(wants, "counterpart "+printed(offSupport))
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

// The page prints parts that add up to the total to the last digit printed, and none is
// farther from its own value than rounding takes it.
func TestMixAddsUpAsPrinted(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	value := regexp.MustCompile(`([-+]?[0-9,]+\.[0-9]+) (?:%|pp)`)
	limits := regexp.MustCompile(`\(.*?\)`)
	read := func(text string) (values []int64) {
		for _, m := range value.FindAllStringSubmatch(limits.ReplaceAllString(text, ""), -1) {
			n, err := strconv.ParseInt(strings.NewReplacer(",", "", ".", "", "+", "").Replace(m[1]), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, n)
		}
		return values
	}
	sum := func(values []int64) (s int64) {
		for _, v := range values {
			s += v
		}
		return s
	}
	for i := range 3000 {
		m := MixShift{Metric: "e2e", Estimand: []string{"p95", "rate"}[i%2], By: "kind"}
		draw := func() Change { return Change{Num(rng.NormFloat64() * 0.3), none, none} }
		m.Within = draw()
		if factors := i % 4; factors > 1 {
			for range factors {
				m.Factors = append(m.Factors, FactorPart{"a", draw()})
				m.Mix.Value += m.Factors[len(m.Factors)-1].Mix.Value
			}
			m.OffSupport = draw()
			m.Mix.Value += m.OffSupport.Value
		} else {
			m.Mix = draw()
		}
		m.Total.Value = m.Within.Value + m.Mix.Value
		view := mixOf(&Document{}, &m)
		text, factors, _ := strings.Cut(view.Text, " The mix is ")
		for _, parts := range [][]int64{read(view.Title), read(text)} {
			if len(parts) != 3 || parts[0] != parts[1]+parts[2] {
				t.Fatalf("%q, %q: does not add up", view.Title, view.Text)
			}
		}
		if parts := read(factors); len(m.Factors) > 0 && (len(parts) != len(m.Factors)+1 || sum(parts) != read(text)[2]) {
			t.Fatalf("%q: the mix does not add up", view.Text)
		}
		mix, printed, _ := printedMix(&m, 3+i%2)
		digit := []float64{1e-3, 1e-4}[i%2]
		if d := float64(mix.Value - m.Mix.Value); d < -1.01*digit || d > 1.01*digit {
			t.Fatalf("a mix of %v is printed as %v", m.Mix.Value, mix.Value)
		}
		for k, f := range printed {
			if d := float64(f.Mix.Value - m.Factors[k].Mix.Value); d < -3.01*digit || d > 3.01*digit {
				t.Fatalf("a part of %v is printed as %v", m.Factors[k].Mix.Value, f.Mix.Value)
			}
		}
	}
}
