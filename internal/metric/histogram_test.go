package metric

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// counted is a source of one histogram of ttft in milliseconds.
type counted struct {
	ingest.HistogramSource
	hist       ingest.Histogram
	ok, failed int64
	known      bool
}

func (c counted) Columns() []ingest.ColumnInfo {
	return []ingest.ColumnInfo{{Name: "ttft_ms", Type: "histogram", Class: ingest.NumericClass}}
}
func (c counted) Histograms() []ingest.Histogram           { return []ingest.Histogram{c.hist} }
func (c counted) Outcomes() (ok, failed int64, known bool) { return c.ok, c.failed, c.known }
func (c counted) Rows() int64                              { return -1 }
func (c counted) Partitions() int                          { return 0 }
func (c counted) Metadata() []ingest.KeyValue              { return nil }

// bucketsOf makes buckets of their upper edges and their counts, from 0 on.
func bucketsOf(pairs ...float64) (out []ingest.Bucket) {
	lower := 0.0
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, ingest.Bucket{Lower: lower, Upper: pairs[i], Count: int64(pairs[i+1])})
		lower = pairs[i]
	}
	return out
}

// collectCounted collects one side whose files hold histograms, by run label.
func collectCounted(t *testing.T, files map[string]counted) (*Side, error) {
	t.Helper()
	var in Input
	var layouts []*ingest.Layout
	for i, name := range slices.Sorted(maps.Keys(files)) {
		src := files[name]
		l, err := ingest.Resolve(name, src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		label, _, _ := strings.Cut(name, "/")
		in.Files = append(in.Files, File{Path: fmt.Sprintf("%s.%d", name, i), Label: label, Source: src, Layout: l})
		layouts = append(layouts, l)
	}
	items, err := Select([]string{"ttft", "ttft:mean", "success_rate"}, nil, nil, Directions{}, layouts)
	if err != nil {
		t.Fatal(err)
	}
	sides, err := Collect(context.Background(), []Input{in}, NewPlan(items), Scan{Workers: 2})
	if err != nil {
		return nil, err
	}
	return sides[0], nil
}

// The percentiles of merged replicas are PromQL's histogram_quantile of the sum
// of their buckets. By hand, counts 1000 + 3000 up to 100 ms, 2000 + 1000 up to
// 200, 1000 + 2000 up to 400:
//
//	p50: rank 5000 of 10000, 1000 of the 3000 into (100, 200]: 133.3 ms
//	p90: rank 9000, 2000 of the 3000 into (200, 400]: 333.3 ms
//	p20: rank 2000 of the 4000 in (0, 100]: 50 ms
//
// The average of the replicas' own medians would be (150 + 100) / 2 = 125 ms, that
// of their p90 (320 + 340) / 2 = 330 ms.
func TestMergedReplicasGiveHistogramQuantile(t *testing.T) {
	side, err := collectCounted(t, map[string]counted{
		"run/a": {hist: ingest.Histogram{Buckets: bucketsOf(100, 1000, 200, 2000, 400, 1000), Sum: 700_000}},
		"run/b": {hist: ingest.Histogram{Buckets: bucketsOf(100, 3000, 200, 1000, 400, 2000), Sum: 800_000}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(side.Units) != 1 {
		t.Fatalf("%d units, want one run", len(side.Units))
	}
	u := side.Units[0]
	cell := &u.Cells[0]
	for _, c := range []struct{ q, want, lo, hi float64 }{{0.5, 0.4 / 3, 0.1, 0.2}, {0.9, 1.0 / 3, 0.2, 0.4}, {0.2, 0.05, 0, 0.1}} {
		got, err := cell.Sketch.Quantile(c.q)
		// A sketch is off by 2^-11, and a rank is one in ten thousand.
		if err != nil || math.Abs(got-c.want) > 1e-3*c.want {
			t.Errorf("p%v = %v, want %v (%v)", 100*c.q, got, c.want, err)
		}
		lo, hi := side.Bracket(0, c.q, true, 10_000)
		if math.Abs(lo-c.lo) > 1e-9 || math.Abs(hi-c.hi) > 1e-9 {
			t.Errorf("p%v lies in [%v, %v], want [%v, %v]", 100*c.q, lo, hi, c.lo, c.hi)
		}
	}
	if got := cell.Sum.Value(); math.Abs(got-1500) > 1e-9 {
		t.Errorf("sum %v s, want 1500", got)
	}
	if !u.NoOutcomes || u.OK() != 10_000 || !side.NoOutcomes() || !side.HasHistograms() {
		t.Errorf("outcomes %v, %d ok", u.NoOutcomes, u.OK())
	}
}

// Runs have one vote each: a run of 100 slow values weighs as much as one of
// 10,000 fast ones.
func TestBracketOfRunsWithOneVote(t *testing.T) {
	side, err := collectCounted(t, map[string]counted{
		"a": {hist: ingest.Histogram{Buckets: bucketsOf(100, 10_000, 200, 0), Sum: math.NaN()}},
		"b": {hist: ingest.Histogram{Buckets: bucketsOf(100, 0, 200, 100), Sum: math.NaN()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if lo, hi := side.Bracket(0, 0.4, true, 400); lo != 0 || math.Abs(hi-0.1) > 1e-12 {
		t.Errorf("p40 lies in [%v, %v], want the first bucket", lo, hi)
	}
	if lo, hi := side.Bracket(0, 0.6, true, 400); math.Abs(lo-0.1) > 1e-12 || math.Abs(hi-0.2) > 1e-12 {
		t.Errorf("p60 lies in [%v, %v], want the second bucket", lo, hi)
	}
	if lo, hi := side.Bracket(0, 0.6, false, 10_100); lo != 0 || math.Abs(hi-0.1) > 1e-12 {
		t.Errorf("p60 by count lies in [%v, %v], want the first bucket", lo, hi)
	}
	// Without a sum the mean is that of the middles, give or take half a bucket.
	c := &side.Units[1].Cells[0]
	if got := c.Sum.Value() / 100; math.Abs(got-0.15) > 1e-12 || math.Abs(c.SumError[0]-5) > 1e-9 || math.Abs(c.SumError[1]-5) > 1e-9 {
		t.Errorf("mean %v, sum off by %v, want 0.15 and 5 either way", got, c.SumError)
	}
}

func TestOpenBucket(t *testing.T) {
	side, err := collectCounted(t, map[string]counted{"a": {hist: ingest.Histogram{Buckets: bucketsOf(100, 90, math.Inf(1), 10), Sum: math.NaN()}}})
	if err != nil {
		t.Fatal(err)
	}
	if lo, hi := side.Bracket(0, 0.99, true, 100); math.Abs(lo-0.1) > 1e-12 || !math.IsInf(hi, 1) {
		t.Errorf("p99 lies in [%v, %v], want from 0.1 without end", lo, hi)
	}
	// 90 values within 0.05 of 0.05, and 10 of at least 0.1.
	c := &side.Units[0].Cells[0]
	if got := c.Sum.Value(); math.Abs(got-5.5) > 1e-12 || math.Abs(c.SumError[0]-4.5) > 1e-12 || !math.IsInf(c.SumError[1], 1) {
		t.Errorf("sum %v, off by %v; want 5.5, by 4.5 below and without end above", got, c.SumError)
	}
	if sd := c.Buckets.MostSD(); !math.IsInf(sd, 1) {
		t.Errorf("standard deviation of at most %v", sd)
	}
}

// No values within the buckets have a larger standard deviation: of 50 each in
// (0, 2] and (2, 4], at 0 and 4 it is 2, and the middles 1 and 3 give 1 + 1.
func TestMostSD(t *testing.T) {
	b := Buckets{{Lower: 0, Upper: 2, Count: 50}, {Lower: 2, Upper: 4, Count: 50}, {Lower: 4, Upper: math.Inf(1)}}
	if got := b.MostSD(); math.Abs(got-2) > 1e-12 {
		t.Errorf("%v, want 2", got)
	}
	narrow := Buckets{{Lower: 0.999, Upper: 1.001, Count: 3}, {Lower: 2.999, Upper: 3.001, Count: 1}}
	if got, want := narrow.MostSD(), math.Sqrt(0.75)+0.001; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestHistogramsThatDoNotMerge(t *testing.T) {
	other := ingest.Histogram{Buckets: bucketsOf(150, 10), Sum: 1}
	for name, files := range map[string]map[string]counted{
		"the run":    {"a/1": {hist: ingest.Histogram{Buckets: bucketsOf(100, 10, 200, 5), Sum: 1}}, "a/2": {hist: other}},
		"of a side:": {"a": {hist: ingest.Histogram{Buckets: bucketsOf(100, 10, 200, 5), Sum: 1}}, "b": {hist: other}},
	} {
		_, err := collectCounted(t, files)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "ttft") || !strings.Contains(err.Error(), "same buckets") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHistogramOutcomes(t *testing.T) {
	side, err := collectCounted(t, map[string]counted{"a": {hist: ingest.Histogram{Buckets: bucketsOf(100, 90), Sum: 1}, ok: 80, failed: 20, known: true}})
	if err != nil {
		t.Fatal(err)
	}
	if side.OK() != 80 || side.Failed() != 20 || side.NoOutcomes() || side.Files[0].Rows != 100 {
		t.Errorf("%d ok, %d failed, rows %d", side.OK(), side.Failed(), side.Files[0].Rows)
	}
}

func TestAround(t *testing.T) {
	b := Buckets(bucketsOf(1, 5, 2, 0, 4, 5, 8, 5, math.Inf(1), 1))
	for _, c := range []struct{ v, lo, hi float64 }{
		{0.5, 0, 1},
		{1.5, 0, 4}, // in the gap: of a value below it and one above
		{3, 2, 4},
		{4, 2, 8}, // on an edge
		{4.1, 4, 8},
		{9, 8, math.Inf(1)},
	} {
		if lo, hi := b.Around(c.v); lo != c.lo || hi != c.hi {
			t.Errorf("around %v: [%v, %v], want [%v, %v]", c.v, lo, hi, c.lo, c.hi)
		}
	}
}
