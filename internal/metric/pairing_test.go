package metric_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

const pairedRows = `run,night,status,latency_ms
a,n1,ok,10
b,n2,ok,20
a,n1,error,11
b,n3,ok,21
b,n4,ok,22
c,,ok,30
c,n5,ok,31
d,n6,ok,40
`

func TestWordsOfRuns(t *testing.T) {
	want := []metric.RunWords{
		{Run: "a", Words: []string{"n1"}},
		{Run: "b", Words: []string{"n2", "n3"}},
		{Run: "c", Words: []string{"n5"}, Missing: 1},
		{Run: "d", Words: []string{"n6"}},
	}
	lines := strings.SplitAfter(pairedRows, "\n")
	reversed := lines[0]
	for i := len(lines) - 2; i > 0; i-- {
		reversed += lines[i]
	}
	halves := []string{lines[0] + strings.Join(lines[5:], ""), strings.Join(lines[:5], "")}
	for name, in := range map[string]metric.Input{
		"in order": csv(t, pairedRows), "in reverse": csv(t, reversed), "in two files": csv(t, halves...),
	} {
		for workers := 1; workers <= 3; workers++ {
			got, err := metric.WordsOfRuns(t.Context(), []metric.Input{in, csv(t, "night,latency_ms\nx,1\n")}, "night", metric.Scan{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got[0]); diff != "" {
				t.Errorf("%s, %d workers:\n%s", name, workers, diff)
			}
			if diff := cmp.Diff([]metric.RunWords{{Run: "file-1", Words: []string{"x"}}}, got[1]); diff != "" {
				t.Errorf("a file as a run:\n%s", diff)
			}
		}
	}
	// Warm-up, duplicates and records that cannot be true say nothing of a run.
	got, err := metric.WordsOfRuns(t.Context(), []metric.Input{csv(t, "run,night,phase,latency_ms\na,n1,main,1\na,n2,warmup,1\nb,n1,warmup,1\n")}, "night", metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]metric.RunWords{{Run: "a", Words: []string{"n1"}}}, got[0]); diff != "" {
		t.Errorf("warm-up:\n%s", diff)
	}
}

// Records without a partner count for nothing, in whatever pass, and are counted.
func TestRecordsWithoutPartner(t *testing.T) {
	in := csv(t, pairedRows)
	in.Pairing = &metric.Pairing{Column: "night", Matched: func(word string) bool { return word == "n1" || word == "n2" || word == "n5" }}
	plan := metric.NewPlan(items(t, []string{"latency:p50"}, nil, in))
	plan.Facets = []metric.Facet{{Columns: []string{"night"}, Limit: 1 << 10, Bits: 9}}
	side := collect(t, in, plan)
	var got []string
	for _, u := range side.Units {
		got = append(got, fmt.Sprint(u.Label, u.OK(), u.Requests(), values(u, 0), len(u.Facets[0])))
	}
	if diff := cmp.Diff([]string{"a1 2 [0.01] 1", "b1 1 [0.02] 1", "c1 1 [0.031] 1"}, got); diff != "" {
		t.Errorf("runs:\n%s", diff)
	}
	if side.Counts[ingest.Unpaired] != 4 || side.Records() != 8 {
		t.Errorf("counts %v", side.Counts)
	}
	traffic, err := metric.LookAtTraffic(t.Context(), []metric.Input{csv(t, "model,latency_ms\nm1,1\nm2,1\n")}, nil, nil, metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	paired := csv(t, "model,latency_ms\nm1,1\nm2,1\n")
	paired.Pairing = &metric.Pairing{Column: "model", Matched: func(word string) bool { return word == "m2" }}
	left, err := metric.LookAtTraffic(t.Context(), []metric.Input{paired}, nil, nil, metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if traffic[0].Records != 2 || left[0].Records != 1 || len(left[0].Fingerprint["model"]) != 1 || !left[0].Fingerprint["model"]["m2"] {
		t.Errorf("traffic of %d records, of %d with a partner: %v", traffic[0].Records, left[0].Records, left[0].Fingerprint)
	}
}

// The same words fall into the same group on both sides, whatever the run and the
// order, and words of one side alone into none.
func TestMatchWords(t *testing.T) {
	a, b := "run,prompt_id,status,latency_ms\n", ""
	for i := range 60 {
		outcome := func(k int) string { return []string{"ok", "error", "ok"}[k%3] }
		a += fmt.Sprintf("r,p%d,%s,%d\n", i, outcome(i), 10+i)
		b = fmt.Sprintf("p%d,%s,%d\n", i+20, outcome(i+20), 10+i+20) + b
	}
	b = "prompt_id,status,latency_ms\n" + b
	a += "r,,ok,10\nr,p3,ok,10\n"
	sides := []metric.Input{csv(t, a), csv(t, b)}
	for workers := 1; workers <= 2; workers++ {
		m, err := metric.MatchWords(t.Context(), sides, "prompt_id", metric.Scan{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if m.Both != 40 || m.Alone != [2]int{20, 20} || !m.Has("p20") || !m.Has("p59") || m.Has("p19") || m.Has("p60") || m.Has("") {
			t.Errorf("%d words of both sides, %v of one", m.Both, m.Alone)
		}
		for i := range sides {
			sides[i].Pairing = &metric.Pairing{Column: "prompt_id", Matched: m.Has}
		}
		plan := metric.NewPlan(items(t, []string{"latency:p50"}, nil, sides...))
		plan.Within = metric.Within{By: metric.MatchedRequests, Groups: 7}
		groups, err := metric.Collect(t.Context(), sides, plan, metric.Scan{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		var requests [2]map[string]string
		for i, side := range groups {
			requests[i] = map[string]string{}
			for _, u := range side.Units {
				requests[i][u.Part] = fmt.Sprint(u.Requests(), values(u, 0))
			}
		}
		if diff := cmp.Diff(requests[0], requests[1]); diff != "" || len(requests[0]) != 7 {
			t.Errorf("requests of %d groups:\n%s", len(requests[0]), diff)
		}
		if n := groups[0].WithoutPartner(); n != 22 { // 20 words, one of them twice, and none
			t.Errorf("%d records without partner", n)
		}
		for i := range sides {
			sides[i].Pairing = nil
		}
	}
}

// How many words a side may have does not depend on how they are shared among the
// workers.
func TestTooManyWordsToMatch(t *testing.T) {
	var many metric.Input
	for file := range 8 {
		text := "prompt_id,latency_ms\n"
		for i := range 10 {
			text += fmt.Sprintf("p%d,10\np%d,10\n", 10*file+i, i) // the first ten are in all files
		}
		many.Files = append(many.Files, csv(t, text).Files...)
	}
	few := csv(t, "prompt_id,latency_ms\np0,1\n")
	for workers := 1; workers <= 8; workers++ {
		for most, want := range map[int64]string{80: "", 79: "column prompt_id has more than 79 words, which is too many to match"} {
			m, err := metric.MatchWordsUpTo(t.Context(), []metric.Input{many, few}, "prompt_id", metric.Scan{Workers: workers}, most)
			if got := fmt.Sprint(err); want != "" && got != want || want == "" && (err != nil || m.Both != 1 || m.Alone != [2]int{79, 0}) {
				t.Errorf("%d workers, at most %d words: %v, %v of one side", workers, most, err, m.Alone)
			}
		}
	}
}
