package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// constants lists the constants of a type of package verdict, as its source has

// them, so that a new one without words is noticed.

func constants(t *testing.T, typeName string) (values []string) {
	t.Helper()
	files, err := filepath.Glob("../verdict/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.CONST {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.ValueSpec)
				if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != typeName {
					continue
				}
				for _, v := range spec.Values {
					text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, text)
				}
			}
		}
	}
	if len(values) < 3 {
		t.Fatalf("only %d constants of %s were found", len(values), typeName)
	}
	return values
}

// unfit is what a sentence must not have: words of the machine, doubled blanks

// and stops.

var unfit = regexp.MustCompile(`NaN|Inf\b|%!|  |\.\.|, \.|\(\)|: \.`)

// sentenceFaults says what is wrong with a sentence.

func sentenceFaults(text string) string {
	switch {
	case text == "":
		return "there is none"
	case !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?"):
		return "it does not end"
	case unfit.MatchString(text):
		return "it has " + unfit.FindString(text)
	}
	return ""
}

func known(t *testing.T, name string) *metric.Metric {
	t.Helper()
	m, ok := metric.Known(name)
	if !ok {
		t.Fatal(name)
	}
	return m
}

// gateOf is a gate of ttft p99 that changed by 8 %, a margin of 5 % and an

// interval from 2 % to 14 %.

func gateOf(t *testing.T) *verdict.Gate {
	t.Helper()
	log := compare.Contrast{OK: true, Value: math.Log(1.08), Lo: math.Log(1.02), Hi: math.Log(1.14), SELo: 0.03, SEHi: 0.03, DF: 8}
	delta := compare.Contrast{OK: true, Value: 0.08, Lo: 0.02, Hi: 0.14, SELo: 0.03, SEHi: 0.03, DF: 8}
	r := &compare.Result{
		Metric: known(t, "ttft"), Estimand: metric.Estimand{Q: 0.99}, Named: true, Delta: delta, Log: log, NeedRequests: 5000,
		Baseline: compare.Value{OK: true, Value: 1, Lo: 0.9, Hi: 1.1, N: 800, Units: 5}, Candidate: compare.Value{OK: true, Value: 1.08, Lo: 1, Hi: 1.2, N: 700, Units: 5},
		Bound: delta, Method: "jackknife of merged runs, Welch–Satterthwaite t",
	}
	return &verdict.Gate{Result: r, Margin: &verdict.Margin{Scale: verdict.Relative, Value: 0.05}, Judged: true, Outcome: verdict.Inconclusive,
		Harm: log.Value, HarmLo: log.Lo, HarmHi: log.Hi, Threshold: math.Log(1.05), PFail: 0.02, AdjustedAlpha: 0.01, Needed: verdict.Needed{Runs: 4}}
}

func comparison() *compare.Comparison {
	side := &metric.Side{Units: []*metric.Unit{{}, {}}}
	return &compare.Comparison{
		Options: compare.DefaultOptions(), Design: compare.Design{Unit: compare.Run, Baseline: 5, Candidate: 5}, Sides: []*metric.Side{side, side},
		Mix: &compare.Mix{By: "region", ByColumns: true, P: 1, PSI: 0.1},
	}
}

// Every cause of an open gate has a sentence, and a short note in its row.

func TestEveryWhyHasWords(t *testing.T) {
	ofItems := []verdict.Why{verdict.FewItems, verdict.MissingScores}
	silent := []verdict.Why{verdict.Decided, verdict.NoMargin} // nothing is open there
	for _, code := range constants(t, "Why") {
		why := verdict.Why(code)
		if slices.Contains(silent, why) {
			continue
		}
		g, c := gateOf(t), comparison()
		g.Why = why
		switch why {
		case verdict.Missing:
			g.Result.Candidate = compare.Value{}
		case verdict.Unsupported:
			g.Result.Like = &compare.Like{Unsupported: 0.3, UnsupportedBaseline: 0.3, UnsupportedCandidate: 0.2}
		case verdict.NoInterval:
			g.Result.Baseline.N = 3
		}
		if slices.Contains(ofItems, why) {
			g.Result.Items = &compare.ItemResult{Matched: 10, Unknown: 2}
			g.Result.Metric = metric.Score("accuracy", 0, 1, nil)
			c.Quality = &compare.Quality{}
			for _, ct := range []*compare.Contrast{&g.Result.Items.Lowest, &g.Result.Items.Highest, &g.Result.Items.Known} {
				*ct = compare.Contrast{OK: true, Value: 0.1}
			}
		}
		if fault := sentenceFaults(openText(g, c)); fault != "" {
			t.Errorf("%s: %s: %q", code, fault, openText(g, c))
		}
		if why == verdict.TooWide {
			continue // its interval says it all
		}
		row := result(g, c)
		if !slices.ContainsFunc(row.Warnings, func(n Note) bool { return n.Code == code && n.Text != "" }) {
			t.Errorf("%s: no warning in the result: %v", code, row.Warnings)
		}
		row.Needed = nil
		if _, note := verdictText(&row); note == "" {
			t.Errorf("%s: no note in the row", code)
		}
	}
}

// A missing value has words for the side that it is missing on, a missing

// interval for why.

func TestWhyInFull(t *testing.T) {
	c := comparison()
	for _, x := range []struct {
		why    string
		change func(g *verdict.Gate)
		want   string
	}{
		{"before", func(g *verdict.Gate) { g.Why, g.Result.Baseline = verdict.Missing, compare.Value{} }, "There are no ttft values in the baseline."},
		{"after", func(g *verdict.Gate) { g.Why, g.Result.Candidate = verdict.Missing, compare.Value{} }, "There are no ttft values in the candidate."},
		{"on both", func(g *verdict.Gate) {
			g.Why, g.Result.Baseline, g.Result.Candidate = verdict.Missing, compare.Value{}, compare.Value{}
		}, "There are no ttft values on either side."},
		{"of a slice", func(g *verdict.Gate) {
			g.Why, g.Result.Candidate = verdict.Missing, compare.Value{}
			g.Result.Slice = &compare.SliceOf{Columns: []string{"region"}, Values: []string{"eu"}}
		}, "There are no ttft values of region=eu in the candidate."},
		{"the largest value", func(g *verdict.Gate) {
			g.Why, g.Result.Estimand = verdict.NoInterval, metric.Estimand{Kind: metric.Max}
		}, "the largest value of ttft"},
		{"uneven in time", func(g *verdict.Gate) { g.Why = verdict.NoInterval }, "stretches of slow and fast ones"},
		{"too few", func(g *verdict.Gate) { g.Why, g.Result.Baseline.N = verdict.NoInterval, 1 }, "1 value and 700 values are too few"},
		{"no ratio", func(g *verdict.Gate) { g.Why, g.Result.Baseline.Value = verdict.NoRatio, 0 }, "the baseline is 0 s and the candidate 1.08 s. Give an absolute margin, for example --margin ttft=10ms."},
		{"many gates", func(g *verdict.Gate) { g.Why = verdict.Multiplicity }, "not once allowance is made for the number of gates (p = 0.020, needed 0.010)"},
		{"a limit", func(g *verdict.Gate) {
			g.Why, g.Margin = verdict.TooWide, nil
			g.Limit = &verdict.Limit{Metric: "ttft", Upper: true, Op: "<=", Value: 0.8}
		}, "and the limit is <= 800 ms, which lies inside that range."},
		{"runs that vary", func(g *verdict.Gate) { g.Why, g.Needed = verdict.TooWide, verdict.Needed{TooMany: 1000} }, "more than 1,000 a side would be needed"},
		{"on the margin", func(g *verdict.Gate) {
			g.Why, g.Needed = verdict.TooWide, verdict.Needed{OnMargin: true, TooMany: 1000}
		}, "no affordable amount of data"},
		{"requests", func(g *verdict.Gate) { g.Why, g.Needed = verdict.TooWide, verdict.Needed{Requests: 12000} }, "About 12,000 requests a side should settle it"},
		{"like for like", func(g *verdict.Gate) {
			g.Why = verdict.TooWide
			g.Result.Like = &compare.Like{Delta: g.Result.Delta, Log: g.Result.Log}
		}, "ttft p99 changed like for like by +8.0 % (+2.0 % to +14.0 %), and the margin of 5 % lies inside"},
		{"nothing in common", func(g *verdict.Gate) { g.Why, g.Result.Like = verdict.Unsupported, &compare.Like{} }, "too few of the candidate's requests"},
	} {
		g := gateOf(t)
		x.change(g)
		text := openText(g, c)
		if !strings.Contains(text, x.want) {
			t.Errorf("%s: %q, want %q", x.why, text, x.want)
		}
		if fault := sentenceFaults(text); fault != "" {
			t.Errorf("%s: %s: %q", x.why, fault, text)
		}
	}
}

// Every check has a sentence in each of its states.

func TestEveryCheckHasWords(t *testing.T) {
	for _, code := range constants(t, "CheckCode") {
		for _, status := range []verdict.CheckStatus{verdict.CheckOK, verdict.CheckWarn, verdict.CheckFail} {
			c := &verdict.Check{Code: verdict.CheckCode(code), Status: status, Baseline: 0.02, Candidate: 0.1, Limit: 0.05, Result: gateOf(t).Result,
				Name: "gpu", BaselineText: "H100", CandidateText: "A100", Count: 2, Of: 10, IDs: []string{"q1", "q2"}, Rule: "bound", BaselineInFlight: 8, CandidateInFlight: 8, Seconds: 3}
			text := checkText(c)
			if fault := sentenceFaults(text); fault != "" {
				t.Errorf("%s, %s: %s: %q", code, status, fault, text)
			}
			row := checkRow(c)
			if row.Check != code || row.Status != status.String() || row.Text != text {
				t.Errorf("%s: row %+v", code, row)
			}
		}
	}
	// Names that are not given are not left blank.
	for _, sides := range [][2]string{{"", ""}, {"H100", ""}, {"", "H100"}, {"H100", "H100"}} {
		text := checkText(&verdict.Check{Code: verdict.FingerprintCheck, Name: "gpu", BaselineText: sides[0], CandidateText: sides[1]})
		if fault := sentenceFaults(text); fault != "" || strings.Contains(text, "  ") {
			t.Errorf("%v: %s: %q", sides, fault, text)
		}
	}
}

// Every fact that decides has a sentence.

func TestEveryReasonHasWords(t *testing.T) {
	for _, code := range constants(t, "ReasonCode") {
		g := gateOf(t)
		g.Why, g.HarmHi = verdict.TooWide, 0.04
		check := verdict.Check{Code: verdict.TooGood, Status: verdict.CheckFail, Baseline: 1, Candidate: 0.1, Limit: 5, Result: g.Result}
		d := verdict.Decision{Gates: []verdict.Gate{*g}, Reasons: []verdict.Reason{{Code: verdict.ReasonCode(code), Gate: g, Check: &check}}}
		got := reasons(d, comparison())
		if len(got) != 1 || got[0].Code != code {
			t.Errorf("%s: reasons %v", code, got)
			continue
		}
		if fault := sentenceFaults(got[0].Text); fault != "" {
			t.Errorf("%s: %s: %q", code, fault, got[0].Text)
		}
	}
}

// The margin that would have passed is printed so that it does.

// One long name does not widen every row of the table.

// What is worse is called by the direction of the metric, and the size of an

// improvement is that of the ratio.

func TestDesignText(t *testing.T) {
	for _, c := range []struct {
		why    string
		d      compare.Design
		sides  int
		units  int
		ok     int64
		want   string
		noWant string
	}{
		{"five runs", compare.Design{Unit: compare.Run, Baseline: 5, Candidate: 5}, 2, 5, 100, "5 + 5 runs, 100 + 100 requests, run-level 95 % intervals", "screening"},
		{"two runs", compare.Design{Unit: compare.Run, Baseline: 2, Candidate: 2}, 2, 2, 100, "two runs a side are a screening", ""},
		{"one run", compare.Design{Unit: compare.Run, Baseline: 1, Candidate: 1, AssumedRunNoise: 0.025}, 2, 1, 100, "one run a side, 100 + 100 requests, 95 % intervals: within-run, widened by an assumed run-to-run noise of 2.5 %", ""},
		{"measured noise", compare.Design{Unit: compare.Run, Baseline: 1, Candidate: 1, AssumedRunNoise: 0.04, LeastRunNoise: 0.01, NoiseFrom: "n.json"}, 2, 1, 100, "measured in n.json (1.0 % to 4.0 %)", ""},
		{"no noise", compare.Design{Unit: compare.Run, Baseline: 1, Candidate: 1}, 2, 1, 100, "about these two runs only (--run-noise 0%)", ""},
		{"borrowed", compare.Design{Unit: compare.Run, Baseline: 1, Candidate: 5, BorrowedSpread: true}, 2, 1, 100, "the single run is taken to vary as the other side's runs do", ""},
		{"requests", compare.Design{Unit: compare.Request, Baseline: 100, Candidate: 100}, 2, 3, 100, "that take every request as independent (--unit request)", ""},
		{"replicas", compare.Design{Unit: compare.Replica, Baseline: 8, Candidate: 9}, 2, 1, 100, "8 + 9 replicas, replica-level 95 % intervals", ""},
		{"one side", compare.Design{Unit: compare.Run, Baseline: 5}, 1, 5, 100, "5 runs, 100 requests, run-level 95 % intervals", "screening"},
		{"one side of one run", compare.Design{Unit: compare.Run, Baseline: 1}, 1, 1, 1, "1 run, 1 request, within-run 95 % intervals", ""},
		{"nothing", compare.Design{Unit: compare.Run, Baseline: 1, Candidate: 1}, 2, 1, 0, "no usable record on either side", ""},
	} {
		cmp := &compare.Comparison{Options: compare.DefaultOptions(), Design: c.d}
		for range c.sides {
			s := &metric.Side{Units: make([]*metric.Unit, c.units)}
			s.Counts[0] = c.ok
			cmp.Sides = append(cmp.Sides, s)
		}
		got := designText(cmp)
		if !strings.Contains(got, c.want) || c.noWant != "" && strings.Contains(got, c.noWant) {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// A soft gate looks soft, whatever its outcome.

func TestVerdictWords(t *testing.T) {
	for _, c := range []struct {
		verdict *string
		soft    bool
		slice   bool
		margin  bool
		want    string
		tone    string
	}{
		{str("PASS"), false, false, true, "pass", "PASS"}, {str("FAIL"), false, false, true, "FAIL", "FAIL"}, {str("INCONCLUSIVE"), false, false, true, "inconclusive", "INCONCLUSIVE"},
		{str("PASS"), true, false, true, "soft pass", "PASS"}, {str("FAIL"), true, false, true, "soft FAIL", "EXCEPTION_REQUIRED"}, {str("INCONCLUSIVE"), true, false, true, "soft inconclusive", "INCONCLUSIVE"},
		{nil, false, false, true, "not judged", ""}, {nil, false, true, true, "explored", ""}, {nil, false, false, false, "shown", ""},
	} {
		r := resultOf("ttft", "p50", 1, 1.1, c.verdict, "uncertain")
		r.Soft = c.soft
		if c.slice {
			r.Slice = map[string]string{"a": "b"}
		}
		if !c.margin {
			r.Margin = nil
		}
		if got, _ := verdictText(&r); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
		if got := layRow(sample("FAIL", 1), &r).tone(); got != c.tone {
			t.Errorf("%+v: tone %q", c, got)
		}
	}
}

// The section of -v names every row once, and every file.

// Every reason to skip a column has a code and a sentence.

func TestSearchWords(t *testing.T) {
	c := comparison()
	c.Search = &compare.Search{Columns: []string{"region"}, Slices: 3, Tests: 9, Found: 1, Skipped: []compare.SkippedColumn{
		{Columns: []string{"user"}, Why: compare.ManyValues, Limit: 50}, {Columns: []string{"a", "b"}, Why: compare.ManyValues, Limit: 1000}, {Columns: []string{"z"}, Why: compare.ManyColumns, Limit: 12}}}
	c.Mix.Used = true
	notes := searchNotes(c)
	if len(notes) != 4 {
		t.Errorf("notes %v", notes)
	}
	for _, n := range notes {
		if fault := sentenceFaults(n.Text); fault != "" {
			t.Errorf("%s: %q", fault, n.Text)
		}
	}
	s := search(c.Search)
	for i, want := range []string{"many_values", "many_values", "many_columns"} {
		if s.Skipped[i].Reason != want {
			t.Errorf("reason %q", s.Skipped[i].Reason)
		}
	}
	if search(nil) != nil || moved(nil) != nil || searchNotes(&compare.Comparison{}) != nil {
		t.Error("without a search there is something to say of it")
	}
	doc := sample("FAIL", 1)
	for _, x := range []struct {
		why    string
		search Search
		want   string
	}{
		{"nothing to search", Search{}, "there is no slice with enough requests"},
		{"nothing moved", Search{Columns: []string{"region"}, Slices: 3, Tests: 9}, "no slice moved otherwise than the rest, among 3 slices of region (9 tests, Benjamini–Hochberg at 5 %)."},
	} {
		doc.Search = &x.search
		if p, ok := moversPart(doc); !ok || !strings.Contains(p.head, x.want) {
			t.Errorf("%s: %q", x.why, p.head)
		}
	}
	m := resultOf("ttft", "p50", 1, 1.5, nil, "regressed")
	m.Slice, m.PAdjusted = map[string]string{"region": hostile}, 0.003
	m.Moved = &Moved{Relative: true, Rest: Change{1.01, none, none}, Gap: Change{1.485, 1.3, 1.7}, P: 0.0001}
	rate := m
	rate.Metric, rate.Estimand, rate.Unit, rate.Moved = "success_rate", "rate", "1", &Moved{Rest: Change{0.001, none, none}, Gap: Change{-0.04, -0.06, -0.02}, P: 0.0001}
	depth := m
	depth.Metric, depth.Unit, depth.Moved = "depth", "1", &Moved{Rest: Change{0.5, none, none}, Gap: Change{3, 2, 4}, P: 0.0001}
	doc.Results, doc.Search = append(doc.Results, m, rate, depth), &Search{Columns: []string{"region"}, Slices: 3, Tests: 9, Found: 5}
	p, _ := moversPart(doc)
	if len(p.grid.rows) != 3 || !strings.Contains(p.tail, "2 more slices moved too") {
		t.Fatalf("%d rows, %q", len(p.grid.rows), p.tail)
	}
	for i, want := range [][]string{{"+1.0 %", "+48.5 %", "[+30.0, +70.0]", "0.0030"}, {"+0.10 pp", "-4.00 pp", "[-6.00, -2.00]", "0.0030"}, {"+0.500", "+3.00", "[+2.00, +4.00]", "0.0030"}} {
		if got := p.grid.rows[i][6:]; !slices.Equal(got, want) {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if row := layRow(doc, &m); !row.moved || !strings.HasPrefix(row.note, "moved otherwise than the rest (p = 0.0030") {
		t.Errorf("note %q", row.note)
	}
}
