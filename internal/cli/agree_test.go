package cli_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/report"
)

// TestRenderingsAgree holds that text, Markdown and JSON of the same comparison
// tell the same numbers: the cells of both tables are the same, and each is the
// JSON number to the digits it shows.
func TestRenderingsAgree(t *testing.T) {
	fixture := func(name string) []string {
		return []string{"../../fixtures/" + name + "/before.parquet", "../../fixtures/" + name + "/after.parquet"}
	}
	for name, args := range map[string][]string{
		"regression":       fixture("regression"),
		"single":           with(fixture("single"), "--limit", "ttft:p99<=150ms", "--limit", "success_rate>=99.5%"),
		"failures":         fixture("failures"),
		"absolute":         with(fixture("null"), "-m", "ttft:p50", "-m", "tpot:mean", "-m", "output_tps:p50", "-m", "throughput_rps", "--margin", "ttft=4ms", "--margin", "tpot=900us", "--margin", "output_tps=5", "--margin", "throughput_rps=2"),
		"small":            fixture("small"),
		"one value":        with(requests, "-m", "latency:mean", before("P01"), after("P01")),
		"two values":       with(requests, "-m", "latency:mean", caseFile("P01", "n2", "before.csv"), caseFile("P01", "n2", "after.csv")),
		"zeros":            {"-m", "retries:mean", "--margin", "retries=0.5", "-m", "latency:p50", before("P03"), after("P03")},
		"large offset":     with(requests, "-m", "latency:mean", "--margin", "2ns", before("P05"), after("P05")),
		"no data":          {before("P08"), after("P08")},
		"all failed":       {before("P08"), caseFile("P08", "allfailed", "after.csv")},
		"microseconds":     {"-m", "latency:p50", caseFile("P23", "delta", "before.parquet"), caseFile("P23", "delta", "after.parquet")},
		"higher is better": with(requests, "-m", "tokens_per_s:mean", "--margin", "5%", before("P31"), after("P31")),
	} {
		t.Run(name, func(t *testing.T) {
			res := run(t, with(args, "--format", "json")...)
			doc := decode(t, res.stdout)
			markdown := markdownRows(run(t, with(args, "--format", "markdown")...).stdout)
			text := textRows(run(t, args...).stdout)
			if len(markdown) != len(doc.Results) || len(text) != len(doc.Results) {
				t.Fatalf("%d results, %d rows in Markdown, %d in text", len(doc.Results), len(markdown), len(text))
			}
			for i := range doc.Results {
				r := &doc.Results[i]
				cells := takeRow(t, &markdown, r, text[i])
				checkCells(t, r, cells)
			}
			if got := run(t, args...).stdout; doc.Verdict != nil && !strings.Contains(strings.SplitN(got, "\n", 2)[0], *doc.Verdict) {
				t.Errorf("the first line has no %s: %s", *doc.Verdict, got)
			}
		})
	}
}

// markdownRows returns the cells of the table rows, unescaped.
func markdownRows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| metric ") {
			continue
		}
		line = strings.NewReplacer(`\`, "", "&lt;", "<", "&gt;", ">", "**", "").Replace(strings.TrimSpace(line))
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// textRows returns the lines of the table.
func textRows(text string) (rows []string) {
	inside := false
	for _, line := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(line, "metric "):
			inside = true
		case line == "":
			inside = false
		case inside:
			rows = append(rows, line)
		}
	}
	return rows
}

// takeRow takes out of the Markdown rows the one of a result: the one whose
// cells stand in the line of the text, in order.
func takeRow(t *testing.T, rows *[][]string, r *report.Result, line string) []string {
	t.Helper()
	name := r.Metric
	if name == "success_rate" {
		name = "ok"
	}
next:
	for i, cells := range *rows {
		if cells[0] != name || cells[1] != r.Estimand || (cells[4] == "limit") != (r.Limit != nil) {
			continue
		}
		rest := line
		for _, c := range cells[1:] {
			at := strings.Index(rest, c)
			if at < 0 {
				continue next
			}
			rest = rest[at+len(c):]
		}
		*rows = append((*rows)[:i:i], (*rows)[i+1:]...)
		return cells
	}
	t.Fatalf("no row in Markdown has the cells of\n%s", line)
	return nil
}

// checkCells holds the printed numbers of a row against the result.
func checkCells(t *testing.T, r *report.Result, cells []string) {
	t.Helper()
	at := r.Metric + " " + r.Estimand
	printed(t, at+" before", cells[2], r.Baseline.Value)
	printed(t, at+" after", cells[3], r.Candidate.Value)
	change, unit := cells[4], ""
	var c *report.Change
	switch {
	case change == "limit":
		c = &report.Change{Lo: r.Candidate.Lo, Hi: r.Candidate.Hi}
		printed(t, at+" limit", strings.TrimLeft(cells[6], "<>= "), r.Limit.Value)
	case change == "n/a":
		if r.Delta != nil {
			t.Errorf("%s: a change of %v is not shown", at, r.Delta.Value)
		}
		return
	case strings.HasSuffix(change, "%"):
		unit = " %"
		c = &report.Change{Value: r.Ratio.Value - 1, Lo: r.Ratio.Lo - 1, Hi: r.Ratio.Hi - 1}
	default:
		c = r.Delta
		if i := strings.LastIndexByte(change, ' '); i >= 0 {
			unit = change[i:]
		} else if strings.HasSuffix(change, "/s") {
			unit = "/s"
		}
	}
	if change != "limit" {
		printed(t, at+" change", change, c.Value)
	}
	if r.Margin != nil {
		printed(t, at+" margin", cells[6], r.Margin.Value)
	}
	interval, ok := strings.CutPrefix(cells[5], "[")
	if !ok {
		if c.Lo.Known() || c.Hi.Known() {
			t.Errorf("%s: the interval [%v, %v] is printed %s", at, c.Lo, c.Hi, cells[5])
		}
		return
	}
	lo, hi, _ := strings.Cut(strings.TrimSuffix(interval, "]"), ", ")
	for _, limit := range []struct {
		text string
		want report.Num
	}{{lo, c.Lo}, {hi, c.Hi}} {
		if change != "limit" && limit.want.Known() {
			limit.text += unit
		}
		printed(t, at+" interval", limit.text, limit.want)
	}
	want := map[string]string{"pass": "PASS", "FAIL": "FAIL", "inconclusive": "INCONCLUSIVE", "not judged": "none", "shown": "none"}[cells[7]]
	if got := deref(r.Verdict); got != want {
		t.Errorf("%s: verdict %s is printed %s", at, got, cells[7])
	}
}

var printedNumber = regexp.MustCompile(`^([+-]?)([0-9,]+)(?:\.([0-9]+))? ?(s|ms|µs|ns|%|pp|/s|)$`)

// printed holds a printed number against the JSON number, to half of the last
// digit shown.
func printed(t *testing.T, what, text string, want report.Num) {
	t.Helper()
	if !want.Known() {
		if text != "none" && text != "-∞" && text != "+∞" && text != "n/a" {
			t.Errorf("%s: nothing is printed %q", what, text)
		}
		return
	}
	m := printedNumber.FindStringSubmatch(text)
	if m == nil {
		t.Errorf("%s: %q is not a number with a unit", what, text)
		return
	}
	v, err := strconv.ParseFloat(m[1]+strings.ReplaceAll(m[2], ",", "")+"."+m[3]+"0", 64)
	if err != nil {
		t.Fatal(err)
	}
	factor := map[string]float64{"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "%": 1e-2, "pp": 1e-2, "/s": 1, "": 1}[m[4]]
	half := 0.5 * math.Pow(10, -float64(len(m[3])))
	if diff := math.Abs(v - float64(want)/factor); diff > half*(1+1e-9)+1e-9*math.Abs(v) {
		t.Errorf("%s: %v is printed %q", what, want, text)
	}
	if m[1] == "" && strings.Contains(what, "change") && v != 0 {
		t.Errorf("%s: %q has no sign", what, text)
	}
}
