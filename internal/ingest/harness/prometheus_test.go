package harness

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// promSource opens a text as a scrape.
func promSource(t *testing.T, text string) ingest.HistogramSource {
	t.Helper()
	return open(t, "prometheus", textFile(text)).(ingest.HistogramSource)
}

// counts lists the counts of a column's buckets.
func counts(t *testing.T, src ingest.HistogramSource, column string) (n []int64) {
	t.Helper()
	i := slices.IndexFunc(src.Columns(), func(c ingest.ColumnInfo) bool { return c.Name == column })
	if i < 0 {
		t.Fatalf("no column %s: %v", column, src.Columns())
	}
	for _, b := range src.Histograms()[i].Buckets {
		n = append(n, b.Count)
	}
	return n
}

func notesOf(src ingest.Source) (out []string) {
	for _, kv := range src.Metadata() {
		if strings.HasPrefix(kv.Key, "perfdiff.note.") {
			out = append(out, kv.Value)
		}
	}
	return out
}

// ttft writes one scrape of a server: cumulative counts up to 0.1, 0.2, +Inf.
func ttft(labels string, a, b, c int, sum float64) string {
	const name = "vllm:time_to_first_token_seconds"
	l := labels
	if l != "" {
		l += ","
	}
	return fmt.Sprintf("# TYPE %[1]s histogram\n%[1]s_bucket{%[2]sle=\"0.1\"} %[3]d.0\n%[1]s_bucket{%[2]sle=\"0.2\"} %[4]d\n%[1]s_bucket{%[2]sle=\"+Inf\"} %[5]d\n%[1]s_count{%[6]s} %[5]d\n%[1]s_sum{%[6]s} %[7]g\n",
		name, l, a, b, c, labels, sum)
}

// Between the two scrapes 4 values came up to 0.1, 7 more up to 0.2, 2 beyond.
func TestPrometheusTakesTheDifference(t *testing.T) {
	src := promSource(t, ttft("", 1, 3, 3, 0.4)+ttft("", 5, 14, 16, 2.9))
	if got, want := counts(t, src, "ttft_s"), []int64{4, 7, 2}; !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
	h := src.Histograms()[0]
	if math.Abs(h.Sum-2.5) > 1e-12 {
		t.Errorf("sum %v, want 2.5", h.Sum)
	}
	inf := math.Inf(1)
	want := []ingest.Bucket{{Lower: 0, Upper: 0.1, Count: 4}, {Lower: 0.1, Upper: 0.2, Count: 7}, {Lower: 0.2, Upper: inf, Count: 2}}
	if d := cmp.Diff(want, h.Buckets); d != "" {
		t.Error(d)
	}
	if n := notesOf(src); len(n) != 0 {
		t.Errorf("notes %q", n)
	}
	if _, _, known := src.Outcomes(); known {
		t.Error("outcomes without a counter")
	}
}

// Replicas by label are added: (4, 7, 2) and (1, 1, 1). A third scrape in
// between changes nothing.
func TestPrometheusAddsReplicas(t *testing.T) {
	first := ttft(`pod="a"`, 1, 3, 3, 0.4)
	second := ttft(`pod="b"`, 0, 0, 0, 0)
	strip := func(s string) string { return s[strings.IndexByte(s, '\n')+1:] } // one TYPE line a scrape
	src := promSource(t, first+strip(second)+
		ttft(`pod="a"`, 2, 6, 6, 1)+strip(ttft(`pod="b"`, 0, 1, 1, 0.15))+
		ttft(`pod="a"`, 5, 14, 16, 2.9)+strip(ttft(`pod="b"`, 1, 2, 3, 1)))
	if got, want := counts(t, src, "ttft_s"), []int64{5, 8, 3}; !slices.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
}

func TestPrometheusScrapes(t *testing.T) {
	const gauge = "# TYPE up gauge\nup 1\n"
	strip := func(s string) string { return strings.SplitN(s, "\n", 2)[1] } // one TYPE line a scrape
	process := func(labels string, at float64) string {
		return fmt.Sprintf("# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds{%s} %f\n", labels, at)
	}
	created := func(at float64) string {
		return fmt.Sprintf("# TYPE vllm:time_to_first_token_seconds_created gauge\nvllm:time_to_first_token_seconds_created{} %f\n", at)
	}
	for _, c := range []struct {
		name, text string
		want       []int64
		note       string
	}{
		{"one scrape", ttft("", 1, 3, 3, 1), []int64{1, 2, 0}, "one scrape only"},
		{"a restart", ttft("", 10, 30, 30, 1) + ttft("", 5, 14, 16, 2), []int64{5, 9, 2}, "a counter fell"},
		{"a restart between the second and the third", ttft("", 1, 3, 3, 1) + ttft("", 10, 30, 30, 1) + ttft("", 5, 14, 16, 2), []int64{14, 27, 2}, "a counter fell"},
		{"a series that appears later", gauge + ttft(`pod="a"`, 1, 3, 3, 1) + gauge + ttft(`pod="a"`, 2, 4, 4, 1) + strings.SplitN(ttft(`pod="b"`, 1, 2, 3, 1), "\n", 2)[1], []int64{2, 1, 1}, "appear after the first scrape"},
		{"a series that vanishes", ttft(`pod="a"`, 1, 3, 3, 1) + strings.SplitN(ttft(`pod="b"`, 1, 2, 3, 1), "\n", 2)[1] + ttft(`pod="a"`, 2, 4, 4, 1), []int64{1, 0, 0}, "in the first scrape only"},
		{"no TYPE lines", strings.SplitN(ttft("", 1, 3, 3, 1), "\n", 2)[1] + strings.SplitN(ttft("", 2, 5, 6, 2), "\n", 2)[1], []int64{1, 1, 1}, ""},
		{"OpenMetrics", ttft("", 1, 3, 3, 1) + "# EOF\n" + ttft("", 2, 5, 6, 2) + "# EOF\n", []int64{1, 1, 1}, ""},
		{"a restart by the process's word", process("", 1e9) + ttft("", 1, 3, 3, 0.4) + process("", 1e9+60) + ttft("", 5, 14, 16, 2.9), []int64{5, 9, 2}, "began anew"},
		{"a restart by the process's word, behind", ttft("", 1, 3, 3, 0.4) + process("", 1e9) + ttft("", 5, 14, 16, 2.9) + process("", 1e9+60), []int64{5, 9, 2}, "began anew"},
		{"a restart by the series' word", ttft("", 1, 3, 3, 0.4) + created(1e9) + ttft("", 5, 14, 16, 2.9) + created(1e9+60), []int64{5, 9, 2}, "began anew"},
		{"a start that is reckoned anew", process("", 1e9) + ttft("", 1, 3, 3, 0.4) + process("", 1e9+1.01) + ttft("", 5, 14, 16, 2.9), []int64{4, 7, 2}, ""},
		{"the restart of another", process(`pod="a"`, 1e9) + strip(process(`pod="b"`, 1e9)) + ttft(`pod="a",x="y"`, 1, 3, 3, 0.4) + process(`pod="a"`, 1e9) + strip(process(`pod="b"`, 1e9+60)) + ttft(`pod="a",x="y"`, 5, 14, 16, 2.9), []int64{4, 7, 2}, ""},
		{"the restart of one of two", process(`pod="a"`, 1e9) + ttft(`pod="a",x="y"`, 1, 3, 3, 0.4) + process(`pod="a"`, 1e9+60) + ttft(`pod="a",x="y"`, 5, 14, 16, 2.9), []int64{5, 9, 2}, "began anew"},
		{"gauges that end in _count and _bucket", "# TYPE thread_count gauge\nthread_count -0.5\n# TYPE load_bucket gauge\nload_bucket{le=\"1\"} -0.5\n" + ttft("", 1, 3, 3, 0.4) + strip(ttft(`pod="b"`, 1, 2, 3, 1)), []int64{2, 3, 1}, "one scrape only"},
		{"no type, and no histogram", ttft("", 1, 3, 3, 0.4) + "load_count 0.5\nload_bucket 0.5\nload_bucket{bucket=\"x\"} -1\n", []int64{1, 2, 0}, "one scrape only"},
		{"a count that is not that of the buckets", strings.Replace(ttft("", 1, 3, 4, 1), "_count{} 4", "_count{} 9", 1), []int64{1, 2, 1}, `le="+Inf" of vllm:time_to_first_token_seconds counts 4 values and vllm:time_to_first_token_seconds_count 9`},
		{"a sum that is too small", ttft("", 1, 3, 4, 0.3), []int64{1, 2, 1}, "no sum of values that lie in these buckets"},
		{"a sum that is too large", ttft("", 1, 3, 3, 0.6), []int64{1, 2, 0}, "no sum of values that lie in these buckets"},
		{"a sum of values on the edges", ttft("", 1, 3, 4, 0.4) + ttft("", 2, 5, 6, 0.4+0.1+0.2), []int64{1, 1, 0}, ""},
		{"an exemplar and stamps", strings.ReplaceAll(ttft("", 1, 3, 3, 1), "} 3\n", "} 3 1700000000 # {trace_id=\"a\"} 0.3\n") + ttft("", 2, 5, 6, 2), []int64{1, 1, 1}, ""},
		{"the order of edges does not matter", "# TYPE x histogram\nvllm:time_to_first_token_seconds_bucket{le=\"+Inf\"} 6\nvllm:time_to_first_token_seconds_bucket{le=\"10\"} 5\nvllm:time_to_first_token_seconds_bucket{le=\"2.5\"} 2\n", []int64{2, 3, 1}, "one scrape only"},
		{"+Inf from the count", strings.ReplaceAll(ttft("", 1, 3, 4, 1), "vllm:time_to_first_token_seconds_bucket{le=\"+Inf\"} 4\n", ""), []int64{1, 2, 1}, "one scrape only"},
		{"a byte order mark, carriage returns", "\ufeff" + strings.ReplaceAll(ttft("", 1, 3, 4, 1), "\n", "\r\n"), []int64{1, 2, 1}, "one scrape only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := promSource(t, c.text)
			if got := counts(t, src, "ttft_s"); !slices.Equal(got, c.want) {
				t.Errorf("counts %v, want %v", got, c.want)
			}
			notes := notesOf(src)
			if c.note == "" && len(notes) > 0 || c.note != "" && !strings.Contains(strings.Join(notes, "\n"), c.note) {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

func TestPrometheusRefuses(t *testing.T) {
	good := ttft("", 1, 3, 3, 1)
	for _, c := range []struct {
		name, text string
		parts      []string
	}{
		{"falling buckets", strings.Replace(good, "} 3\n", "} 0\n", 1), []string{"line 2", "cumulative", "up to 0.1", "0.2"}},
		{"no +Inf", strings.Replace(strings.Replace(good, `le="+Inf"`, `le="0.5"`, 1), "_count{} 3", "_other{} 3", 1), []string{"line 2", "+Inf"}},
		{"NaN", strings.Replace(good, "} 1.0", "} NaN", 1), []string{"line 2", "whole number", "NaN"}},
		{"negative", strings.Replace(good, "} 1.0", "} -1", 1), []string{"line 2", "whole number", "-1"}},
		{"a rate", strings.Replace(good, "} 1.0", "} 0.25", 1), []string{"line 2", "whole number", "rates"}},
		{"a huge count", strings.Replace(good, "} 1.0", "} 1e300", 1), []string{"line 2", "2^53"}},
		{"no number", strings.Replace(good, "} 1.0", "} one", 1), []string{"line 2", "number", "one"}},
		{"twice", good + "vllm:time_to_first_token_seconds_bucket{le=\"0.2\"} 3\n", []string{"line 7", "twice in one scrape"}},
		{"an edge that is none", strings.Replace(good, `"0.2"`, `"wide"`, 1), []string{"line 3", "le", "wide"}},
		{"a label without quotes", strings.Replace(good, `"0.2"`, `0.2`, 1), []string{"line 3", "quotes"}},
		{"a label twice", strings.Replace(good, `le="0.2"`, `le="0.2",le="0.2"`, 1), []string{"line 3", "twice"}},
		{"other buckets later", good + strings.ReplaceAll(good, `"0.2"`, `"0.3"`), []string{"line 8", "0.1, 0.2, +Inf", "0.1, 0.3, +Inf"}},
		{"replicas with other buckets", good + strings.ReplaceAll(strings.SplitN(ttft(`pod="b"`, 1, 3, 3, 1), "\n", 2)[1], `"0.2"`, `"0.3"`), []string{"cut across", "same buckets"}},
		{"two models", ttft(`model_name="a"`, 1, 3, 3, 1) + strings.SplitN(ttft(`model_name="b"`, 1, 3, 3, 1), "\n", 2)[1], []string{"2 models (a, b)"}},
		{"nothing between", good + good, []string{"no value", "2 scrapes"}},
		{"nothing at all", ttft("", 0, 0, 0, 0), []string{"before the first request"}},
		{"only +Inf", "# TYPE a histogram\na_bucket{le=\"+Inf\"} 3\n", []string{"native histograms"}},
		{"a summary", "# TYPE a summary\na{quantile=\"0.5\"} 3\na_sum 3\na_count 2\n", []string{"without a classic histogram"}},
		{"two processes", "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 100\n# TYPE a histogram\na_bucket{le=\"1\"} 90\na_bucket{le=\"+Inf\"} 100\n", []string{"line 5", "no two scrapes of one process"}},
		{"scrapes in the wrong order", strings.Replace(good, "} 1.0\n", "} 1.0 2000\n", 1) + strings.Replace(ttft("", 4, 9, 9, 1), "} 4.0\n", "} 4.0 1000\n", 1), []string{"line 8", "older"}},
		{"a gauge histogram", "# TYPE a gaugehistogram\na_bucket{le=\"1\"} 3\na_bucket{le=\"+Inf\"} 3\n", []string{"without a classic histogram"}},
		{"a rate as count", strings.Replace(good, "_count{} 3", "_count{} 0.5", 1), []string{"line 5", "whole number", "rates"}},
		{"a long line", good + strings.Repeat("x", maxPromLine+1), []string{"line 7", "longer than"}},
	} {
		t.Run(c.name, func(t *testing.T) { refuse(t, "prometheus", textFile(c.text), c.parts...) })
	}
}

// Requests by outcome: what was added, aborted ones and errors apart.
func TestPrometheusOutcomes(t *testing.T) {
	scrape := func(stop, length, abort, failed int) string {
		text := ttft("", stop, stop+length, stop+length+abort, 1) + "# TYPE vllm:request_success_total counter\n"
		for _, r := range []struct {
			reason string
			n      int
		}{{"stop", stop}, {"length", length}, {"abort", abort}, {"error", failed}} {
			if r.n > 0 { // a series appears with its first request
				text += fmt.Sprintf("vllm:request_success_total{finished_reason=%q} %d\n", r.reason, r.n)
			}
		}
		return text
	}
	ok, failed, known := promSource(t, scrape(10, 2, 0, 0)+scrape(110, 12, 3, 2)).Outcomes()
	if ok != 110 || failed != 5 || !known {
		t.Errorf("%d ok, %d failed, known %v; want 110, 5", ok, failed, known)
	}
	// The counters of a server that was restarted count from zero, though none fell.
	began := func(at float64) string {
		return fmt.Sprintf("# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds %f\n", at)
	}
	ok, failed, _ = promSource(t, began(1e9)+scrape(10, 2, 0, 0)+began(1e9+60)+scrape(110, 12, 3, 2)).Outcomes()
	if ok != 122 || failed != 5 {
		t.Errorf("after a restart %d ok, %d failed; want 122, 5", ok, failed)
	}
	sglang := ttft("", 1, 3, 3, 1) + "sglang:num_requests_total 50\nsglang:num_aborted_requests_total 4\n"
	if ok, failed, known := promSource(t, sglang).Outcomes(); ok != 46 || failed != 4 || !known {
		t.Errorf("sglang: %d ok, %d failed, known %v; want 46, 4", ok, failed, known)
	}
}

// Names of servers become the fields; others keep their own.
func TestPrometheusNames(t *testing.T) {
	family := func(name string) string {
		return fmt.Sprintf("# TYPE %[1]s histogram\n%[1]s_bucket{le=\"1\"} 1\n%[1]s_bucket{le=\"+Inf\"} 2\n%[1]s_sum 3\n%[1]s_count 2\n", name)
	}
	// TGI's mean time per token and SGLang's time per output token count the first
	// token in.
	for _, c := range promSource(t, family("tgi_request_mean_time_per_token_duration")+family("sglang:time_per_output_token_seconds")).Columns() {
		if stem, _ := ingest.SplitUnit(ingest.NormalName(c.Name)); stem == "tpot" || stem == "time_per_output_token" {
			t.Errorf("column %q is taken for tpot", c.Name)
		}
	}
	src := promSource(t, family("vllm:time_to_first_token_seconds")+family("vllm:inter_token_latency_seconds")+family("vllm:time_per_output_token_seconds")+
		family("vllm:request_time_per_output_token_seconds")+family("vllm:e2e_request_latency_seconds")+family("vllm:request_queue_time_seconds")+family("request_queue_time_seconds"))
	l, err := ingest.Resolve("mem", src.Columns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[ingest.Field]string{ingest.TTFT: "ttft_s", ingest.TPOT: "tpot_s", ingest.ITL: "itl_s", ingest.E2E: "e2e_s"} {
		if got := l.Fields[field].Name; got != want {
			t.Errorf("%s is column %q, want %q", field, got, want)
		}
	}
	var names []string
	for _, c := range src.Columns() {
		names = append(names, c.Name)
	}
	want := []string{"request_queue_time_seconds", "e2e_s", "itl_s", "vllm_request_queue_time_seconds", "tpot_s", "vllm_time_per_output_token_seconds", "ttft_s"}
	if !slices.Equal(names, want) {
		t.Errorf("columns %q, want %q", names, want)
	}
}

// vLLM observes the time of a step, however many tokens it gave: 100 tokens, 10
// of them the first ones, in 90 gaps or in 30.
func TestPrometheusChunkGaps(t *testing.T) {
	scrape := func(gaps, tokens int) string {
		return ttft("", 10, 10, 10, 0.5) + fmt.Sprintf("# TYPE %[1]s histogram\n%[1]s_bucket{le=\"0.1\"} %[2]d\n%[1]s_bucket{le=\"+Inf\"} %[2]d\n# TYPE vllm:generation_tokens_total counter\nvllm:generation_tokens_total %[3]d\n",
			"vllm:inter_token_latency_seconds", gaps, tokens)
	}
	if got := counts(t, promSource(t, scrape(90, 100)), "itl_s"); got[0] != 90 {
		t.Errorf("gaps %v", got)
	}
	src := promSource(t, scrape(30, 100))
	if got := counts(t, src, "chunk_gap_s"); got[0] != 30 || src.Columns()[0].Class != ingest.ListClass {
		t.Errorf("gaps %v of %v", got, src.Columns())
	}
	if n := strings.Join(notesOf(src), "\n"); !strings.Contains(n, "30 gaps for 90 tokens after the first ones") {
		t.Errorf("notes %q", n)
	}
}

func TestPromLine(t *testing.T) {
	s, err := parsePromLine([]byte(`a:b_total{ x = "q\"\\\n" , le="1e3",} 1e3 -5`))
	if err != nil {
		t.Fatal(err)
	}
	if s.name != "a:b_total" || s.label("x") != "q\"\\\n" || s.label("le") != "1e3" || s.value != 1000 || s.stamp != -5 {
		t.Errorf("%+v", s)
	}
}
