package metric_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/metric"
)

func hundreds(v float64) (int, bool) { return int(v) / 100, v > 0 }

const asked = `run,prompt_tokens,output_tokens,cached_tokens,concurrency,rate,gpu,model,status,latency_s
a,100,10,50,8,2,H100,m1,ok,1
a,250,20,,8,2,H100,m1,ok,1
b,110,30,0,8,2,A100,m1,error,1
b,,40,,8,2,H100,,ok,1
b,-5,40,,8,2,H100,m1,ok,1
`

func TestTraffic(t *testing.T) {
	in := []metric.Input{csv(t, asked), csv(t, "latency_s\n1\n")}
	ts, err := metric.LookAtTraffic(t.Context(), in, []metric.Length{metric.PromptLength}, hundreds, metric.Scan{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	tr := ts[0]
	if tr.Sampled || tr.Records != 4 { // the negative length cannot be true
		t.Errorf("%d records, sampled %v", tr.Records, tr.Sampled)
	}
	if d := cmp.Diff([]float64{100, 110, 250}, tr.Prompt.Sorted()); d != "" {
		t.Errorf("prompts of all requests: %s", d)
	}
	if d := cmp.Diff([]float64{10, 20, 40}, tr.Output.Sorted()); d != "" {
		t.Errorf("answers of successful ones: %s", d)
	}
	if d := cmp.Diff(map[int]int64{1: 2, 2: 1}, tr.Bins[metric.PromptLength]); d != "" {
		t.Errorf("bins: %s", d)
	}
	if v, ok := tr.CachedShare(); !ok || v != 50.0/210 {
		t.Errorf("cached %v, %v", v, ok)
	}
	for setting, want := range map[metric.Setting]float64{metric.PromptSetting: 110, metric.OutputSetting: 20, metric.ConcurrencySetting: 8, metric.RateSetting: 2} {
		if v, ok := tr.Median(setting); !ok || v != want {
			t.Errorf("setting %v: %v, %v; want %v", setting, v, ok, want)
		}
	}
	if d := cmp.Diff([]string{"A100", "H100"}, slices.Sorted(maps.Keys(tr.Fingerprint["gpu"]))); d != "" {
		t.Errorf("gpu: %s", d)
	}
	// Nothing tells of the other side.
	if _, ok := ts[1].Median(metric.PromptSetting); ok || ts[1].Records != 1 {
		t.Errorf("a side without lengths: %+v", ts[1])
	}
	if _, ok := ts[1].CachedShare(); ok {
		t.Error("a side without lengths has a cached share")
	}
	// By the length of the answers, failed ones have none.
	ts, err = metric.LookAtTraffic(t.Context(), in[:1], []metric.Length{metric.OutputLength}, hundreds, metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[int]int64{0: 3}, ts[0].Bins[metric.OutputLength]); d != "" {
		t.Errorf("bins of answers: %s", d)
	}
}

// The traffic of the units adds up to that of the side.
func TestTrafficOfUnits(t *testing.T) {
	in := csv(t, asked)
	units, err := metric.TrafficOfUnits(t.Context(), in, []metric.Length{metric.PromptLength}, hundreds, metric.Within{}, metric.Scan{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a", "b"}, slices.Sorted(maps.Keys(units))); d != "" {
		t.Fatalf("units: %s", d)
	}
	if units["a"].Records != 2 || units["b"].Records != 2 {
		t.Errorf("%d and %d records", units["a"].Records, units["b"].Records)
	}
	all, err := metric.MergeTraffic([]*metric.Traffic{units["a"], nil, units["b"]})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := metric.LookAtTraffic(t.Context(), []metric.Input{in}, []metric.Length{metric.PromptLength}, hundreds, metric.Scan{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if all.Records != whole[0].Records || !maps.Equal(all.Bins[metric.PromptLength], whole[0].Bins[metric.PromptLength]) || all.CachedTokens != whole[0].CachedTokens {
		t.Errorf("merged %+v, whole %+v", all, whole[0])
	}
}

func TestLoadOf(t *testing.T) {
	// Ten requests a second apart, and twenty half a second apart.
	text := "run,start_s,e2e_s\n"
	for i := range 10 {
		text += "a," + itoa(100+i) + ",2\n"
	}
	for i := range 20 {
		text += "b," + itoa(200+i/2) + []string{"", ".5"}[i%2] + ",2\n"
	}
	in := csv(t, text)
	its := items(t, []string{"e2e:mean"}, nil, in)
	side := collect(t, in, metric.NewPlan(its))
	l := metric.LoadOf(&in, side)
	// (1 + 2) / 2 requests a second; runs of 11 s and 11.5 s.
	if l.PerPart || !closeTo(l.Rate, 1.5) || !closeTo(l.Duration, 11.25) {
		t.Errorf("load %+v", l)
	}
	if v := metric.MeanLatency(its, side); !closeTo(v, 2) {
		t.Errorf("mean latency %v", v)
	}
	few := csv(t, "start_s,ttft_s\n1,1\n2,1\n")
	fewItems := items(t, []string{"ttft:mean"}, nil, few)
	side = collect(t, few, metric.NewPlan(fewItems))
	if l := metric.LoadOf(&few, side); l.Rate != 0 || l.Duration != 0 {
		t.Errorf("the load of two requests: %+v", l)
	}
	if v := metric.MeanLatency(fewItems, side); v != 0 {
		t.Errorf("the mean latency of first tokens: %v", v)
	}
	// Generated records arrive at the rate that they were made with.
	spec := fixtures.Default()
	spec.Rate, spec.RequestsPerRun = 40, 4000
	gen := made(t, spec)
	side = collect(t, gen, metric.NewPlan(items(t, []string{"e2e:mean"}, nil, gen)))
	if l := metric.LoadOf(&gen, side); l.Rate < 38 || l.Rate > 42 {
		t.Errorf("rate %v, made 40", l.Rate)
	}
}

func itoa(i int) string {
	return string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10))
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]float64{"ms": 0.0015, "s": 1.5, "us": 1.5e-6, "h": 5400} {
		if v, ok := metric.ToSeconds(1.5, text); !ok || !closeTo(v, want) {
			t.Errorf("1.5 %s is %v s, %v", text, v, ok)
		}
	}
	if _, ok := metric.ToSeconds(1, "parsec"); ok {
		t.Error("a parsec is a time")
	}
	if d := cmp.Diff([]string{"h", "min", "ms", "ns", "s", "us"}, metric.TimeUnits()); d != "" {
		t.Errorf("units: %s", d)
	}
}

// Who asked is counted by words, failures too; a column of ids is not.
func TestGroupCounts(t *testing.T) {
	const who = "tenant,priority,customer_id,latency_s,status\n"
	ids := ""
	for i := range 150 {
		ids += fmt.Sprintf("a,,c%d,1,ok\n", i)
	}
	in := []metric.Input{csv(t, who+"a,1,x,1,ok\nb,2,x,1,error\n,2,x,1,ok\n"), csv(t, who+ids)}
	ts, err := metric.LookAtTraffic(t.Context(), in, nil, hundreds, metric.Scan{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := metric.GroupCounts(ts)
	want := map[string][]map[string]int64{
		"tenant":   {{"a": 1, "b": 1, "": 1}, {"a": 150}},
		"priority": {{"1": 1, "2": 2}, {"": 150}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
