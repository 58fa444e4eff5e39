package cli_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/report"
)

// P09: a document is there once per answer filter. Ten pairs per filter, never
// twenty.
func TestP09Filters(t *testing.T) {
	doc := qualDocument(t, 3, caseFile("P09", "before.jsonl"), caseFile("P09", "after.jsonl"))
	want := map[string][3]float64{"flexible-extract": {10, .7, .6}, "strict-match": {10, .4, .5}}
	if len(doc.Results) != 2 {
		t.Fatalf("%d results, want one a filter", len(doc.Results))
	}
	for i := range doc.Results {
		r := &doc.Results[i]
		w := want[*r.Filter]
		if float64(r.Baseline.N) != w[0] || float64(r.Baseline.Value) != w[1] || float64(r.Candidate.Value) != w[2] {
			t.Errorf("%s: %v → %v of %d, want %v", *r.Filter, r.Baseline.Value, r.Candidate.Value, r.Baseline.N, w)
		}
	}
	one := qualDocument(t, 3, "--filter", "strict-match", caseFile("P09", "before.jsonl"), caseFile("P09", "after.jsonl"))
	if len(one.Results) != 1 || *one.Results[0].Filter != "strict-match" {
		t.Errorf("--filter: %d results", len(one.Results))
	}
}

// P10: partners are found by id, so the order of rows changes nothing. The
// numbers are those of a paired t test in R.
func TestP10Order(t *testing.T) {
	doc := qualDocument(t, 0, before("P10"), after("P10"))
	r := &doc.Results[0]
	nearTo(t, "change", r.Delta.Value, .01994)
	nearTo(t, "lower limit", r.Delta.Lo, .01209)
	nearTo(t, "upper limit", r.Delta.Hi, .02780)
	text, err := os.ReadFile(after("P10"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, j := 1, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	turned := write(t, "after.csv", strings.Join(lines, "\n")+"\n")
	again := qualDocument(t, 0, before("P10"), turned)
	if a, b := doc.Results[0].Delta, again.Results[0].Delta; *a != *b {
		t.Errorf("another order gives %+v, not %+v", b, a)
	}
}

// P11: ten items failed on one side. The score must not rise by their absence,
// the rule is stated, and the ids are named.
func TestP11Missing(t *testing.T) {
	for _, c := range []struct {
		rule          string
		before, after float64
		matched       int
		says          string
	}{
		{"bound", 80. / 90, 80. / 90, 90, "worst and the best"},
		{"wrong", .8, .8, 100, "count as wrong"},
		{"drop", 80. / 90, 80. / 90, 90, "left out"},
	} {
		doc := qualDocument(t, 3, "--errors", c.rule, before("P11"), after("P11"))
		r := &doc.Results[0]
		if r.Delta.Value != 0 || math.Abs(float64(r.Baseline.Value)-c.before) > 1e-12 || math.Abs(float64(r.Candidate.Value)-c.after) > 1e-12 || doc.Pairs.Matched != c.matched {
			t.Errorf("%s: %v → %v, change %v of %d", c.rule, r.Baseline.Value, r.Candidate.Value, r.Delta.Value, doc.Pairs.Matched)
		}
		if r.Missing == nil || r.Missing.Items != 10 || r.Missing.Policy != c.rule {
			t.Errorf("%s: missing %+v", c.rule, r.Missing)
		}
		check := checkOf(doc, "coverage")
		if check == nil || !strings.Contains(check.Text, c.says) || !strings.Contains(check.Text, "q090") {
			t.Errorf("%s: %+v", c.rule, check)
		}
		if want := map[string]string{"bound": "warn", "wrong": "warn", "drop": "fail"}[c.rule]; check.Status != want {
			t.Errorf("%s: status %s, want %s", c.rule, check.Status, want)
		}
	}
	// At worst all ten are wrong: no change. At best all ten are right: 10 pp.
	m := qualDocument(t, 3, before("P11"), after("P11")).Results[0].Missing
	if m.Lowest.Value != 0 || math.Abs(float64(m.Highest.Value)-.1) > 1e-12 {
		t.Errorf("extremes %+v and %+v", m.Lowest, m.Highest)
	}
	// Ten of a hundred left out stop a PASS that the rest would give.
	doc := qualDocument(t, 3, "--errors", "drop", "--margin", "20pp", before("P11"), after("P11"))
	if v := doc.Results[0].Verdict; *v != "PASS" {
		t.Errorf("the gate alone is %s", *v)
	}
}

func checkOf(doc *report.Document, code string) *report.Check {
	for i := range doc.Comparability {
		if doc.Comparability[i].Check == code {
			return &doc.Comparability[i]
		}
	}
	return nil
}

// P12: five questions a passage change together. The limits by cluster are those
// of clubSandwich's CR2 with Satterthwaite degrees of freedom; with 20 equal
// clusters they are CR1 with t(19).
func TestP12Clusters(t *testing.T) {
	naive := qualDocument(t, 0, "--margin", "15pp", before("P12"), after("P12"))
	hint := ""
	for _, w := range naive.Warnings {
		if w.Code == "unused_cluster" {
			hint = w.Text
		}
	}
	if !strings.Contains(hint, "--cluster passage") || !strings.Contains(hint, "2.3 times") {
		t.Errorf("hint %q", hint)
	}
	doc := qualDocument(t, 3, "--margin", "15pp", "--cluster", "passage", before("P12"), after("P12"))
	r := &doc.Results[0]
	nearTo(t, "change", r.Delta.Value, .1)
	if math.Abs(float64(r.Delta.Lo)+.2) > 5e-4 || math.Abs(float64(r.Delta.Hi)-.4) > 5e-4 {
		t.Errorf("limits %v, %v; want -.200, .400", r.Delta.Lo, r.Delta.Hi)
	}
	if r.Clusters == nil || r.Clusters.N != 20 || r.Clusters.By != "passage" || doc.Design.Unit != "cluster" || doc.Design.BaselineUnits != 20 {
		t.Errorf("clusters %+v, design %+v", r.Clusters, doc.Design)
	}
	if e := float64(r.Clusters.DesignEffect); math.Abs(e-5.2) > .05 {
		t.Errorf("design effect %v, want 2.28² ", e)
	}
	res := qual(t, "--cluster", "topic", before("P12"), after("P12"))
	if res.code != 2 || !strings.Contains(res.stderr, "columns are passage") {
		t.Errorf("an unknown column: exit %d, %s", res.code, res.stderr)
	}
}

// P28: twenty metrics of the same law. Nothing is called changed.
func TestP28ManyMetrics(t *testing.T) {
	args := []string{"--column", "item=request_id", before("P28"), after("P28")}
	for i := range 20 {
		name := "m" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "_ms"
		args = append(args, "-m", name, "--margin", name+"=1")
	}
	doc := qualDocument(t, 3, args...)
	if len(doc.Results) != 20 {
		t.Fatalf("%d results", len(doc.Results))
	}
	beyond := 0
	for i := range doc.Results {
		r := &doc.Results[i]
		if r.Verdict != nil && *r.Verdict == "FAIL" {
			t.Errorf("%s fails", r.Metric)
		}
		if float64(r.Delta.Lo) > 0 {
			beyond++
		}
		if r.Direction != "lower" {
			t.Errorf("%s: %s is better", r.Metric, r.Direction)
		}
	}
	if beyond != 1 {
		t.Errorf("%d metrics alone differ from 0, want one (m09)", beyond)
	}
}

// P30: a margin says its scale, or is refused.
func TestP30Margins(t *testing.T) {
	args := func(margin string) []string {
		return []string{"--column", "item=request_id", "-m", "latency_ms", "--margin", margin, before("P30"), after("P30")}
	}
	for margin, want := range map[string]report.Margin{
		"10%":           {Kind: "relative", Value: .1},
		"latency_ms=10": {Kind: "absolute", Value: 10},
	} {
		doc := qualDocument(t, 0, args(margin)...)
		if m := doc.Results[0].Margin; *m != want {
			t.Errorf("%s: margin %+v", margin, m)
		}
	}
	for margin, says := range map[string]string{
		"10": "no unit", "0.1": "no unit", "10ms": "not a time", "1pp": "between 0 and 1",
	} {
		res := qual(t, args(margin)...)
		if res.code != 2 || !strings.Contains(res.stderr, says) {
			t.Errorf("%s: exit %d, %s", margin, res.code, res.stderr)
		}
	}
	// A fraction takes points, or a share of the old score; never a bare number.
	res := qual(t, "--margin", "correct=0.01", before("P12"), after("P12"))
	if res.code != 2 || !strings.Contains(res.stderr, "no unit") {
		t.Errorf("exit %d, %s", res.code, res.stderr)
	}
}

// P32: ten of ten on both sides is no certainty.
func TestP32Degenerate(t *testing.T) {
	doc := qualDocument(t, 3, "--margin", "5pp", before("P32"), after("P32"))
	r := &doc.Results[0]
	nearTo(t, "Wilson's lower limit", r.Baseline.Lo, .7225)
	nearTo(t, "Wilson's upper limit", r.Baseline.Hi, 1)
	// Tango without a discordant item: z²/(n + z²).
	nearTo(t, "lower limit", r.Delta.Lo, -.2775)
	nearTo(t, "upper limit", r.Delta.Hi, .2775)
	rel := qualDocument(t, 3, "--margin", "5%", before("P32"), after("P32"))
	if c := rel.Results[0].Ratio; float64(c.Lo) >= .75 || float64(c.Hi) <= 1.25 {
		t.Errorf("ratio %+v", c)
	}
}
