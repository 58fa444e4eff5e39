package metric_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

var near = cmpopts.EquateApprox(1e-12, 1e-12)

// What each metric takes from records, and what it counts instead.
func TestExtract(t *testing.T) {
	for _, c := range []struct {
		why, metric, csv     string
		want                 []float64
		missing, na          int64
		chunkGaps, firstGaps int64
	}{
		{"tpot is of the tokens after the first", "tpot", "ttft_s,e2e_s,output_tokens\n1,3,5\n1,2,2\n1,2,1\n1,2,\n", []float64{0.5, 1}, 1, 1, 0, 0},
		{"a stored tpot is taken as it is", "tpot", "tpot_ms,ttft_s,e2e_s,output_tokens\n20,1,3,5\n,1,3,5\n", []float64{0.02}, 1, 0, 0, 0},
		{"tpot of a lone latency", "tpot", "ttft_s,latency_s,output_tokens\n1,3,5\n", []float64{0.5}, 0, 0, 0, 0},
		{"output tokens over the whole time", "output_tps", "e2e_s,output_tokens\n2,10\n4,1\n4,\n", []float64{0.25, 5}, 1, 0, 0, 0},
		{"e2e where only a latency is known", "e2e", "latency_ms\n100\n200\n", []float64{0.1, 0.2}, 0, 0, 0, 0},
		{"e2e of start and end", "e2e", "start_s,end_s\n10,11.5\n20,20.5\n", []float64{0.5, 1.5}, 0, 0, 0, 0},
		{"ttft of start and first token", "ttft", "start_s,first_token_s,end_s\n10,10.25,11\n", []float64{0.25}, 0, 0, 0, 0},
		{"latency is not e2e", "latency", "e2e_s,latency_s\n1,2\n", []float64{2}, 0, 0, 0, 0},
		{"a gap a token", "itl", "ttft_s,e2e_s,output_tokens,itl_s\n1,2,3,\"[0.4,0.6]\"\n", []float64{0.4, 0.6}, 0, 0, 0, 0},
		{"a first gap that is the first-token time is dropped", "itl", "ttft_s,e2e_s,output_tokens,itl_s\n1,2,3,\"[1,0.4,0.6]\"\n", []float64{0.4, 0.6}, 0, 0, 0, 1},
		{"a first gap of another length stays", "itl", "ttft_s,e2e_s,output_tokens,itl_s\n0.9,2,3,\"[1,0.4,0.6]\"\n", []float64{0.4, 0.6, 1}, 0, 0, 1, 0},
		{"fewer gaps than tokens are gaps of chunks", "itl", "ttft_s,e2e_s,output_tokens,itl_s\n1,2,9,\"[0.4,0.6]\"\n1,2,3,\n1,2,1,[]\n", []float64{0.4, 0.6}, 1, 1, 1, 0},
		{"a column by its name", "queue_ms", "latency_s,queue_ms\n1,7\n1,\n1,-3\n", []float64{-0.003, 0.007}, 1, 0, 0, 0},
	} {
		in := csv(t, c.csv)
		side := collect(t, in, metric.NewPlan(items(t, []string{c.metric + ":mean"}, nil, in)))
		if len(side.Units) != 1 {
			t.Errorf("%s: %d units", c.why, len(side.Units))
			continue
		}
		cell := &side.Units[0].Cells[0]
		if d := cmp.Diff(c.want, values(side.Units[0], 0), near); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, d)
		}
		got := [4]int64{cell.Missing, cell.NotApplicable, cell.ChunkGaps, cell.FirstGaps}
		if want := [4]int64{c.missing, c.na, c.chunkGaps, c.firstGaps}; got != want {
			t.Errorf("%s: missing, not applicable, chunk gaps, first gaps %v, want %v", c.why, got, want)
		}
		sum := 0.0
		for _, v := range c.want {
			sum += v
		}
		if got := cell.Sum.Value(); !closeTo(got, sum) {
			t.Errorf("%s: sum %v, want %v", c.why, got, sum)
		}
	}
}

// A failed request is in no distribution, and an impossible one nowhere.
func TestCollectCounts(t *testing.T) {
	in := csv(t, "status,ttft_ms,e2e_ms\nok,100,200\nerror,1,1\ntimeout,,\nok,300,200\nok,-5,200\nok,,\nok,120,220\n")
	side := collect(t, in, metric.NewPlan(items(t, nil, nil, in)))
	if side.OK() != 2 || side.Failed() != 2 || side.Rejected() != 3 || side.Records() != 7 || side.Excluded() != 0 {
		t.Errorf("ok %d, failed %d, rejected %d of %d", side.OK(), side.Failed(), side.Rejected(), side.Records())
	}
	if d := cmp.Diff([]float64{0.1, 0.12}, values(side.Units[0], 0), near); d != "" {
		t.Errorf("ttft: %s", d)
	}
	codes := func(rs []metric.ReasonCount) (out []string) {
		for _, r := range rs {
			if r.Text == "" || r.N != 1 {
				t.Errorf("reason %+v", r)
			}
			out = append(out, r.Code)
		}
		return out
	}
	if d := cmp.Diff([]string{"status", "timeout"}, codes(side.Failures())); d != "" {
		t.Errorf("failures: %s", d)
	}
	if d := cmp.Diff([]string{"negative", "no_latency", "ttft_over_e2e"}, codes(side.Rejections())); d != "" {
		t.Errorf("rejections: %s", d)
	}
	if u := side.Units[0]; u.OK() != 2 || u.Requests() != 4 {
		t.Errorf("unit: %d of %d", u.OK(), u.Requests())
	}
}

// Runs may come in any order, in any file; records that name none belong to the
// run without a name.
func TestCollectRuns(t *testing.T) {
	in := csv(t,
		"run,latency_s\nb,1\na,2\nb,3\n,9\na,4\n",
		"run,latency_s\na,6\nb,5\nc,7\n")
	side := collect(t, in, metric.NewPlan(items(t, []string{"latency:mean"}, nil, in)))
	got := map[string][]float64{}
	for _, u := range side.Units {
		got[u.Label] = values(u, 0)
	}
	want := map[string][]float64{"": {9}, "a": {2, 4, 6}, "b": {1, 3, 5}, "c": {7}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("runs (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]int{0, 1}, side.Units[1].Files); d != "" {
		t.Errorf("files of run a: %s", d)
	}
	if d := cmp.Diff([]metric.FileTally{{Rows: 5, PartitionRows: []int64{5}}, {Rows: 3, PartitionRows: []int64{3}}}, side.Files); d != "" {
		t.Errorf("files: %s", d)
	}
	// Without a run column each file is a run.
	in = csv(t, "latency_s\n1\n", "latency_s\n2\n")
	side = collect(t, in, metric.NewPlan(items(t, []string{"latency:mean"}, nil, in)))
	if len(side.Units) != 2 || side.Units[0].Label != "file-1" {
		t.Errorf("%d runs, the first %q", len(side.Units), side.Units[0].Label)
	}
	if n := len(side.Sketches(0)); n != 2 {
		t.Errorf("%d sketches", n)
	}
}

func TestCollectReplicas(t *testing.T) {
	in := csv(t, "run,replica,latency_s\na,x,1\na,y,2\nb,x,3\na,x,5\na,,7\n")
	plan := metric.NewPlan(items(t, []string{"latency:mean"}, nil, in))
	plan.Within = metric.Within{By: metric.Replicas}
	side := collect(t, in, plan)
	got := map[string][]float64{}
	for _, u := range side.Units {
		got[u.Label+"|"+u.Part] = values(u, 0)
	}
	want := map[string][]float64{"a/x|x": {1, 5}, "a/y|y": {2}, "b/x|x": {3}, "a/|": {7}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("replicas (-want +got)\n%s", d)
	}
	if !metric.HasReplicas(in.Files) || metric.HasReplicas(csv(t, "latency_s\n1\n").Files) || metric.HasReplicas(nil) {
		t.Error("which files name replicas is not told")
	}
}

// What is measured per run.
func TestRunValues(t *testing.T) {
	// Four requests from 100 s to 104 s that last until 110 s; one fails.
	in := csv(t, "start_s,e2e_s,output_tokens,status\n100,2,10,ok\n101,2,10,ok\n102,8,40,ok\n104,1,5,error\n")
	slo, err := metric.ParseSLO("e2e<5s")
	if err != nil {
		t.Fatal(err)
	}
	share, rate := slo.Goodput()
	defined := append([]*metric.Metric{share, rate}, metric.Cost{PerHour: 3600}.Metrics(slo)...)
	ask := []string{"throughput_rps", "throughput_tps", "goodput", "goodput_rps", "cost_per_good", "cost_per_mtok"}
	its := items(t, ask, defined, in)
	side := collect(t, in, metric.NewPlan(its))
	u := side.Units[0]
	if !u.HasTime || u.Duration() != 10 || u.OutputTokens != 60 || u.Good != 2 {
		t.Fatalf("duration %v, tokens %d, good %d", u.Duration(), u.OutputTokens, u.Good)
	}
	// 3, 60 and 2 in 10 s; 10 dollars for 2 and for 60 tokens.
	for name, want := range map[string]float64{"throughput_rps": 0.3, "throughput_tps": 6, "goodput_rps": 0.2, "cost_per_good": 5, "cost_per_mtok": 10.0 / 60 * 1e6} {
		for _, it := range its {
			if it.Metric.Name != name {
				continue
			}
			if got, ok := it.Metric.RunValue(u); !ok || !closeTo(got, want) {
				t.Errorf("%s: %v, %v; want %v", name, got, ok, want)
			}
		}
	}
	if n := share.Hits(u.OK(), u.Good); n != 2 {
		t.Errorf("goodput counts %d", n)
	}
	empty := &metric.Unit{}
	for _, it := range its {
		if v, ok := it.Metric.RunValue(empty); ok {
			t.Errorf("%s of nothing is %v", it.Metric, v)
		}
	}
	if m, _ := metric.Known("success_rate"); m.Hits(3, 2) != 3 {
		t.Error("the success rate counts what succeeded")
	}
}

// A request is good if it meets every term that is defined for it.
func TestGoodput(t *testing.T) {
	for _, c := range []struct {
		why, slo, csv string
		good          int64
	}{
		{"both terms", "ttft<500ms,tpot<30ms", "ttft_s,e2e_s,output_tokens\n0.4,0.6,11\n0.4,1.4,11\n0.6,0.7,11\n", 1},
		{"tpot of one token is no fault", "ttft<500ms,tpot<30ms", "ttft_s,e2e_s,output_tokens\n0.4,0.9,1\n", 1},
		{"what is not recorded is one", "ttft<500ms", "ttft_s,e2e_s\n0.4,1\n,1\n", 1},
		{"a failed request is never good", "e2e<5s", "status,e2e_s\nok,1\nerror,1\n", 1},
		{"a bound that counts itself", "latency<=1s", "latency_s\n1\n1.01\n", 1},
		{"a stored tpot", "tpot<30ms", "tpot_ms,e2e_s\n20,1\n40,1\n", 1},
		{"more is better", "output_tps>=10", "e2e_s,output_tokens\n1,10\n1,9\n", 1},
	} {
		slo, err := metric.ParseSLO(c.slo)
		if err != nil {
			t.Fatal(err)
		}
		share, rate := slo.Goodput()
		in := csv(t, c.csv)
		side := collect(t, in, metric.NewPlan(items(t, []string{"goodput"}, []*metric.Metric{share, rate}, in)))
		if got := side.Units[0].Good; got != c.good {
			t.Errorf("%s: %d good, want %d", c.why, got, c.good)
		}
	}
}

// The warm-up of a run begins with its first request, in whatever file.
func TestWarmup(t *testing.T) {
	in := csv(t, "run,start_s,latency_s\na,100,1\na,101,2\na,105,3\nb,200,4\n", "run,start_s,latency_s\nb,190,5\nb,203,6\n")
	in.Warmup = 2e9
	side := collect(t, in, metric.NewPlan(items(t, []string{"latency:mean"}, nil, in)))
	if d := cmp.Diff([][]float64{{3}, {4, 6}}, [][]float64{values(side.Units[0], 0), values(side.Units[1], 0)}); d != "" {
		t.Errorf("after the warm-up: %s", d)
	}
	if side.Excluded() != 3 || side.Exclusions()[0].Code != "warmup" {
		t.Errorf("excluded %d: %v", side.Excluded(), side.Exclusions())
	}
	// A file without a run column begins for itself.
	in = csv(t, "start_s,latency_s\n100,1\n103,2\n", "start_s,latency_s\n200,3\n201,4\n203,5\n")
	in.Warmup = 2e9
	side = collect(t, in, metric.NewPlan(items(t, []string{"latency:mean"}, nil, in)))
	if d := cmp.Diff([][]float64{{2}, {5}}, [][]float64{values(side.Units[0], 0), values(side.Units[1], 0)}); d != "" {
		t.Errorf("files: %s", d)
	}
}

func TestDuplicates(t *testing.T) {
	in := csv(t, "request_id,latency_s\nx,1\ny,2\nx,3\n")
	in.Duplicates = true
	side := collect(t, in, metric.NewPlan(items(t, []string{"latency:mean"}, nil, in)))
	if side.OK() != 2 || side.Rejected() != 1 || !side.DuplicatesChecked {
		t.Errorf("ok %d, rejected %d", side.OK(), side.Rejected())
	}
}

// Cells hold the same whatever the number of workers, and whatever the order of
// the files.
func TestCollectIsDeterministic(t *testing.T) {
	spec := fixtures.Default()
	spec.Runs, spec.RequestsPerRun, spec.FailureRate = 4, 3000, 0.02
	in := made(t, spec)
	slo, err := metric.ParseSLO("ttft<100ms")
	if err != nil {
		t.Fatal(err)
	}
	share, rate := slo.Goodput()
	plan := metric.NewPlan(items(t, []string{"ttft", "ttft:mean", "tpot", "e2e", "success_rate", "throughput_tps", "goodput"}, []*metric.Metric{share, rate}, in))
	plan.Limit = 500 // so that cells become histograms
	plan.Facets = []metric.Facet{{Columns: []string{"replica"}, Limit: 100, Bits: 8}, {Columns: []string{"replica", "status"}, Limit: 1 << 12, Bits: 8}}
	type cell struct {
		N              int64
		Sum, P50, P999 float64
		Missing, NA    int64
	}
	look := func(side *metric.Side) (out []any) {
		add := func(cells []metric.Cell) {
			for i := range cells {
				s := cells[i].Sketch
				c := cell{N: s.N(), Sum: cells[i].Sum.Value(), Missing: cells[i].Missing, NA: cells[i].NotApplicable}
				if c.N > 0 {
					c.P50, _ = s.Quantile(0.5)
					c.P999, _ = s.Quantile(0.999)
				}
				out = append(out, c)
			}
		}
		for _, u := range side.Units {
			out = append(out, u.Label, u.Counts, u.Good, u.OutputTokens, u.FirstStart, u.LastEnd)
			add(u.Cells)
			for k := range plan.Facets {
				for _, key := range metric.Keys([]*metric.Side{side}, k) {
					if p := u.Facets[k][key]; p != nil {
						out = append(out, key, p.Counts, p.Good)
						add(p.Cells)
					}
				}
			}
		}
		return append(out, side.Counts, side.FirstStart, side.LastStart)
	}
	var want []any
	for _, workers := range []int{1, 2, 4} {
		var seen int64
		sides, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: workers, Progress: func(n int64) {}})
		if err != nil {
			t.Fatal(err)
		}
		seen = sides[0].Records()
		if seen != 12000 {
			t.Errorf("%d records", seen)
		}
		got := look(sides[0])
		if want == nil {
			want = got
			continue
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d workers:\n%s", workers, d)
		}
	}
}

// The error is that of the first faulty part, whatever the number of workers,
// and names the file and the line.
func TestCollectErrors(t *testing.T) {
	good, bad := "latency_s\n1\n", "latency_s,x\n"+strings.Repeat("1,2\n", 2000)+"3\n"
	for _, workers := range []int{1, 4} {
		in := csv(t, good, bad, good, bad)
		plan := metric.NewPlan(items(t, []string{"latency:mean"}, nil, in))
		_, err := metric.Collect(t.Context(), []metric.Input{in}, plan, metric.Scan{Workers: workers})
		if err == nil || !strings.HasPrefix(err.Error(), "file-2: line 2002") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	in := csv(t, good)
	if _, err := metric.Collect(ctx, []metric.Input{in}, metric.NewPlan(items(t, nil, nil, in)), metric.Scan{Workers: 1}); err == nil {
		t.Error("a cancelled pass ends without an error")
	}
}

func TestUnknownPhases(t *testing.T) {
	in := csv(t, "phase,latency_s\nwarmup,1\nprofiling,2\nmoon,3\nlunch,4\n")
	side := collect(t, in, metric.NewPlan(items(t, nil, nil, in)))
	if d := cmp.Diff([]string{"lunch", "moon"}, side.UnknownPhases); d != "" {
		t.Errorf("phases: %s", d)
	}
	if side.OK() != 3 || side.Excluded() != 1 {
		t.Errorf("ok %d, excluded %d", side.OK(), side.Excluded())
	}
}

func TestLarge(t *testing.T) {
	m, _ := metric.Known("ttft")
	rps, _ := metric.Known("throughput_rps")
	big := metric.Input{Files: []metric.File{{Source: rowsOnly(2 << 20)}}}
	small := metric.Input{Files: []metric.File{{Source: rowsOnly(1000)}, {Source: rowsOnly(-1)}}}
	for _, c := range []struct {
		why  string
		m    *metric.Metric
		in   []metric.Input
		want bool
	}{
		{"many records", m, []metric.Input{small, big}, true},
		{"few", m, []metric.Input{small, small}, false},
		{"a metric that needs the times", rps, []metric.Input{big}, false},
	} {
		plan := metric.NewPlan([]metric.Item{{Metric: c.m}})
		if got := plan.Large(c.in); got != c.want {
			t.Errorf("%s: %v", c.why, got)
		}
	}
}

// rowsOnly is a source that knows its size.
type rowsOnly int64

func (r rowsOnly) Rows() int64                  { return int64(r) }
func (r rowsOnly) Columns() []ingest.ColumnInfo { return nil }
func (r rowsOnly) Partitions() int              { return 1 }
func (r rowsOnly) Metadata() []ingest.KeyValue  { return nil }
func (r rowsOnly) Close() error                 { return nil }
func (r rowsOnly) Scan(context.Context, int, []ingest.Request, func(*ingest.Batch) error) error {
	return nil
}
