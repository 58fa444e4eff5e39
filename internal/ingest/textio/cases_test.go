package textio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The cases are faults that other tools had; each test says which.

// Missing and non-numeric cells were consumed silently.
func TestCaseEmptyAndNaN(t *testing.T) {
	const p, m, x = ingest.Present, ingest.Missing, ingest.Malformed
	before := column(t, open(t, caseFile(t, "cases/P04/before.csv")), "latency_ms", ingest.Number, ingest.Millisecond)
	if len(before.State) != 4 || before.count(p) != 4 || !math.IsNaN(before.Floats[1]) {
		t.Errorf("before: %+v", before)
	}
	after := column(t, open(t, caseFile(t, "cases/P04/after.csv")), "latency_ms", ingest.Number, ingest.Millisecond)
	if diff := cmp.Diff([]ingest.State{p, m, p, p, p, x}, after.State); diff != "" {
		t.Error(diff)
	}
	if !math.IsInf(after.Floats[4], 1) {
		t.Errorf("inf is read as %v", after.Floats[4])
	}
	near(t, "p50 before", quantile(before.good(), 0.5), 0.002)
	near(t, "p50 after", quantile(after.good(), 0.5), 0.002)
}

// Milliseconds were divided by seconds; a parser dropped an unknown suffix.
func TestCaseUnits(t *testing.T) {
	type read struct {
		file, column string
		unit         ingest.Unit
		cellUnits    bool
	}
	var first []float64
	for _, r := range []read{
		{"cases/P06/before.csv", "latency_ms", ingest.Millisecond, false},
		{"cases/P06/after.csv", "latency_s", ingest.Second, false},
		{"cases/P06/suffix/after.csv", "latency", ingest.Unit{}, true},
		{"cases/P06/suffix/after.csv", "latency", ingest.Hour, true}, // the cell's unit wins
	} {
		s := open(t, caseFile(t, r.file))
		if c := s.Columns()[index(t, s, r.column)]; c.Class != ingest.NumericClass || c.CellUnits != r.cellUnits {
			t.Errorf("%s: %+v", r.file, c)
		}
		got := column(t, s, r.column, ingest.Number, r.unit)
		if got.count(ingest.Present) != 60 || len(got.State) != 60 {
			t.Fatalf("%s: %d of %d present", r.file, got.count(ingest.Present), len(got.State))
		}
		near(t, r.file+" p50", quantile(got.Floats, 0.5), 0.157289)
		near(t, r.file+" p95", quantile(got.Floats, 0.95), 0.2508189)
		near(t, r.file+" mean", mean(got.Floats), 0.1608869)
		if first == nil {
			first = got.Floats
		}
		for i := range first { // equal but for the rounding of 203.555 and 0.203555
			near(t, r.file, got.Floats[i]/first[i], 1)
		}
	}
}

// Warm-up records leaked into the measured ones: the phase must be readable.
func TestCaseWarmup(t *testing.T) {
	s := open(t, caseFile(t, "cases/P17/after.jsonl"))
	want := []ingest.ColumnInfo{
		{Name: "metadata", Type: "object", Class: ingest.OtherClass},
		{Name: "metadata.request_num", Type: "number", Class: ingest.NumericClass},
		{Name: "metadata.benchmark_phase", Type: "text", Class: ingest.TextClass},
		{Name: "metrics", Type: "object", Class: ingest.OtherClass},
		{Name: "metrics.request_latency", Type: "number with unit", Class: ingest.NumericClass, CellUnits: true},
		{Name: "error", Type: "empty", Class: ingest.NullClass},
	}
	if diff := cmp.Diff(want, s.Columns()); diff != "" {
		t.Error(diff)
	}
	phase := column(t, s, "metadata.benchmark_phase", ingest.Text, ingest.Unit{})
	latency := column(t, s, "metrics.request_latency", ingest.Number, ingest.Unit{})
	var measured []float64
	for i, p := range phase.Texts {
		if p == "profiling" {
			measured = append(measured, latency.Floats[i])
		}
	}
	if len(measured) != 100 || len(latency.Floats) != 110 {
		t.Fatalf("%d measured of %d", len(measured), len(latency.Floats))
	}
	near(t, "mean", mean(measured), 0.1045)
	near(t, "p95", quantile(measured, 0.95), 0.109)
	near(t, "mean with warm-up", mean(latency.Floats), (10*5+100*0.1045)/110)
	if e := column(t, s, "error", ingest.Text, ingest.Unit{}); e.count(ingest.Missing) != 110 {
		t.Errorf("null errors: %v", e.State)
	}
}

// Negative latencies must arrive as they are, to be counted.
func TestCaseNegative(t *testing.T) {
	got := column(t, open(t, caseFile(t, "cases/P18/after.csv")), "latency_ms", ingest.Number, ingest.Millisecond)
	var ok []float64
	for _, v := range got.Floats {
		if v >= 0 {
			ok = append(ok, v)
		}
	}
	if len(ok) != 95 || len(got.Floats) != 100 {
		t.Fatalf("%d of %d not negative", len(ok), len(got.Floats))
	}
	near(t, "p50", quantile(ok, 0.5), 0.060)
	near(t, "p95", quantile(ok, 0.95), 0.0683)
	near(t, "mean of all", mean(got.Floats), 0.008)
}

// Line scanners stop at 64 KiB.
func TestCaseLongLines(t *testing.T) {
	for _, size := range []int{200_000, 20 << 20} {
		if size > 1<<20 && testing.Short() {
			continue
		}
		var b strings.Builder
		for i := range 3 {
			fmt.Fprintf(&b, `{"id": "q%d", "prompt": "%s", "correct": %d}`+"\n", i, repeat("x", size), i%2)
		}
		s := open(t, textFile(b.String()))
		if diff := cmp.Diff([]string{"id", "prompt", "correct"}, names(s)); diff != "" {
			t.Error(diff)
		}
		if got := column(t, s, "correct", ingest.Number, ingest.One); !slices.Equal(got.Floats, []float64{0, 1, 0}) {
			t.Errorf("%d: correct = %v", size, got.Floats)
		}
		if got := column(t, s, "id", ingest.Text, ingest.Unit{}); !slices.Equal(got.Texts, []string{"q0", "q1", "q2"}) {
			t.Errorf("%d: id = %v", size, got.Texts)
		}
		got := column(t, s, "prompt", ingest.Text, ingest.Unit{})
		if len(got.Texts) != 3 || len(got.Texts[2]) != size {
			t.Errorf("%d: prompts are cut", size)
		}
	}
}

// Offsets of a time zone were lost.
func TestCaseZones(t *testing.T) {
	for _, file := range []string{"before", "after"} {
		s := open(t, caseFile(t, "cases/P23/tz/"+file+".csv"))
		start := column(t, s, "start_time", ingest.Time, ingest.Unit{})
		end := column(t, s, "end_time", ingest.Time, ingest.Unit{})
		if len(start.Times) != 20 {
			t.Fatalf("%d rows", len(start.Times))
		}
		for i := range start.Times {
			if d := end.Times[i] - start.Times[i]; d != 250e6 {
				t.Errorf("%s, row %d: %d ns, want 250 ms", file, i, d)
			}
		}
		if c := s.Columns()[1]; c.Class != ingest.InstantClass {
			t.Errorf("class %v", c)
		}
	}
}

// A byte order mark stuck to the first column, a carriage return to the last.
func TestCaseBOM(t *testing.T) {
	for _, file := range []string{"before", "after"} {
		s := open(t, caseFile(t, "cases/P24/"+file+".csv"))
		if diff := cmp.Diff([]string{"latency_ms", "class"}, names(s)); diff != "" {
			t.Fatal(diff)
		}
		latency := column(t, s, "latency_ms", ingest.Number, ingest.Millisecond)
		near(t, "p50", quantile(latency.Floats, 0.5), 0.1145)
		count := map[string]int{}
		for _, c := range column(t, s, "class", ingest.Text, ingest.Unit{}).Texts {
			count[c]++
		}
		if diff := cmp.Diff(map[string]int{"naïve": 10, "日本語": 10, "emoji 🙂": 10}, count); diff != "" {
			t.Error(diff)
		}
	}
}
