package compare_test

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/harness"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// scraped makes an input of one run a scrape.
func scraped(t *testing.T, format ingest.Format, scrapes ...fixtures.Scrape) metric.Input {
	t.Helper()
	var in metric.Input
	for i, s := range scrapes {
		text := s.Text()
		if format.Name == harness.HdrLog.Name {
			text = s.HdrLog()
		}
		src, err := format.Open(ingest.File{Path: "mem", Size: int64(len(text)), ReaderAt: bytes.NewReader([]byte(text))})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ingest.Resolve("mem", src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Files = append(in.Files, metric.File{Path: "mem", Label: string(rune('a' + i)), Source: src, Layout: l})
	}
	return in
}

func compareScraped(t *testing.T, opt compare.Options, asked []string, a, b metric.Input) *compare.Comparison {
	t.Helper()
	var layouts []*ingest.Layout
	for _, f := range append(a.Files, b.Files...) {
		layouts = append(layouts, f.Layout)
	}
	items, err := metric.Select(asked, nil, nil, metric.Directions{}, layouts)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Compare(context.Background(), compare.Inputs{Sides: []metric.Input{a, b}, Plan: metric.NewPlan(items), Scan: metric.Scan{Workers: 1}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// 400 values of one run, half of them 0 and half 1, have a standard error of
// 0.5/20; one bucket from 0 to 1 tells no less.
func TestMeanIsNoSurerThanItsBuckets(t *testing.T) {
	const name = "vllm:time_to_first_token_seconds"
	text := "# TYPE " + name + " histogram\n" + name + "_bucket{le=\"1\"} 400\n" + name + "_bucket{le=\"+Inf\"} 400\n" + name + "_sum 200\n" + name + "_count 400\n"
	input := func() metric.Input {
		src, err := harness.Prometheus.Open(ingest.File{Path: "mem", Size: int64(len(text)), ReaderAt: bytes.NewReader([]byte(text))})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ingest.Resolve("mem", src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return metric.Input{Files: []metric.File{{Path: "mem", Label: "a", Source: src, Layout: l}}}
	}
	r := compareScraped(t, compare.DefaultOptions(), []string{"ttft:mean"}, input(), input()).Results[0]
	const want = 1.9659 * 0.5 / 20 // Student's t, 399 degrees of freedom
	if v := r.Baseline; v.Value != 0.5 || math.Abs(v.Hi-0.5-want) > 1e-4 || math.Abs(0.5-v.Lo-want) > 1e-4 {
		t.Errorf("mean %v in [%v, %v], want 0.5 ± %v", v.Value, v.Lo, v.Hi, want)
	}
}

// Whatever the buckets and the change, the true ratio lies inside the interval
// even where nothing is allowed for noise, the interpolated value lies inside its
// bucket, and swapped sides give the swapped interval.
func TestTruthLiesWithinTheBuckets(t *testing.T) {
	opt := compare.DefaultOptions()
	opt.RunNoise = 0
	asked := []string{"ttft:p50", "ttft:p90", "ttft:p99", "ttft:mean", "e2e:p50", "e2e:p99"}
	for _, format := range []ingest.Format{harness.Prometheus, harness.HdrLog} {
		for _, step := range []float64{0, 1.01, 1.1, 2} {
			for _, slower := range []float64{0.8, 1, 1.03, 1.15, 2.2} {
				before, after := fixtures.DefaultScrape(), fixtures.DefaultScrape()
				before.Step, after.Step, after.Slower = step, step, slower
				before.Requests, after.Requests = 20_000, 20_000 // hardly any noise
				a, b := scraped(t, format, before), scraped(t, format, after)
				c, swapped := compareScraped(t, opt, asked, a, b), compareScraped(t, opt, asked, b, a)
				for i := range c.Results {
					r, s := &c.Results[i], &swapped.Results[i]
					truth := math.Log(slower)
					if !(r.Log.Lo <= truth && truth <= r.Log.Hi) {
						t.Errorf("%s, step %v, %s %s: ratio %v, interval %v to %v", format.Name, step, r.Metric, r.Estimand, slower, math.Exp(r.Log.Lo), math.Exp(r.Log.Hi))
					}
					if math.Abs(r.Log.Lo+s.Log.Hi) > 1e-9 || math.Abs(r.Log.Hi+s.Log.Lo) > 1e-9 {
						t.Errorf("%s, step %v, %s %s: %v to %v, swapped %v to %v", format.Name, step, r.Metric, r.Estimand, r.Log.Lo, r.Log.Hi, s.Log.Lo, s.Log.Hi)
					}
					if r.Baseline.Lo > r.Baseline.Value || r.Baseline.Hi < r.Baseline.Value {
						t.Errorf("%s %s: %+v", r.Metric, r.Estimand, r.Baseline)
					}
					if p, q := r.Log.PBelow(r.Log.Lo), r.Log.PAbove(r.Log.Hi); math.Abs(p-0.025) > 1e-6 || math.Abs(q-0.025) > 1e-6 {
						t.Errorf("%s, step %v, %s %s: p at the limits %v, %v", format.Name, step, r.Metric, r.Estimand, p, q)
					}
				}
			}
		}
	}
}

// The bucket is the stated error: with edges at ratios of 2 a value is off by up
// to the whole of its bucket, with three digits by less than a thousandth.
func TestBucketIsTheStatedError(t *testing.T) {
	opt := compare.DefaultOptions()
	wide := fixtures.DefaultScrape()
	wide.Step = 2
	r := compareScraped(t, opt, []string{"ttft:p50"}, scraped(t, harness.Prometheus, wide), scraped(t, harness.Prometheus, wide)).Results[0]
	lo, hi := r.Baseline.Lo, r.Baseline.Hi
	if math.Abs(hi/lo-2) > 1e-3 || r.Exact || math.Abs(r.RelErr-math.Max(hi-r.Baseline.Value, r.Baseline.Value-lo)/r.Baseline.Value) > 1e-9 {
		t.Errorf("value %v in %v to %v, relative error %v", r.Baseline.Value, lo, hi, r.RelErr)
	}
	if want := math.Log(hi / lo); math.Abs(r.BucketsLog-want) > 0.05*want {
		t.Errorf("the buckets widen the change by %v, want about %v", r.BucketsLog, want)
	}
	fine := fixtures.DefaultScrape()
	r = compareScraped(t, opt, []string{"ttft:p50"}, scraped(t, harness.HdrLog, fine), scraped(t, harness.HdrLog, fine)).Results[0]
	if !(r.RelErr > 0 && r.RelErr < 1e-3) {
		t.Errorf("relative error %v of three digits", r.RelErr)
	}
}

// Several runs of histograms are compared by what differs from run to run.
func TestRunsOfHistograms(t *testing.T) {
	side := func(slower float64) metric.Input {
		var runs []fixtures.Scrape
		for _, f := range []float64{0.97, 1, 1.03} {
			s := fixtures.DefaultScrape()
			s.Step, s.Slower = 1.01, slower*f
			runs = append(runs, s)
		}
		return scraped(t, harness.Prometheus, runs...)
	}
	c := compareScraped(t, compare.DefaultOptions(), []string{"ttft:p50", "success_rate"}, side(1), side(1.15))
	r := c.Results[0]
	if c.Design.Unit != compare.Run || c.Design.Baseline != 3 || c.Design.AssumedRunNoise != 0 {
		t.Errorf("design %+v", c.Design)
	}
	if d := math.Abs(r.Log.Value - math.Log(1.15)); d > 0.003 {
		t.Errorf("change %v, want 1.15", math.Exp(r.Log.Value))
	}
	for _, w := range r.Warnings {
		if w.Code == "order_unknown" {
			t.Error("the order within runs is said to matter between runs")
		}
	}
	if s := c.Results[1]; s.Baseline.N != 3*2*3000 || s.Baseline.Value != 1 {
		t.Errorf("success rate %+v", s.Baseline)
	}
}
