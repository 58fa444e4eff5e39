package compare_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// TestManyRuns holds that of more than 400 runs groups are left out, which the
// method says, and that the error is what leaving out each alone gives, up to the
// noise of 96 degrees of freedom a side.
func TestManyRuns(t *testing.T) {
	change := func(runs int) *compare.Result {
		c := compareTables(t, noMix(), []string{"latency:p50"}, drawn(1, runs, 101, 0.05, 1), drawn(2, runs, 101, 0.05, 1))
		return &c.Results[0]
	}
	alone, groups := change(400), change(401)
	if alone.Method != "jackknife of merged runs, Welch–Satterthwaite t" || alone.Log.DF < 700 {
		t.Errorf("400 runs: %s, %v degrees of freedom", alone.Method, alone.Log.DF)
	}
	if groups.Method != "jackknife of groups of merged runs, Welch–Satterthwaite t" || groups.Log.DF > 2*96+1e-9 || groups.Log.DF < 150 {
		t.Errorf("401 runs: %s, %v degrees of freedom", groups.Method, groups.Log.DF)
	}
	if ratio := groups.Log.SEHi / alone.Log.SEHi; math.Abs(math.Log(ratio)) > 4*math.Sqrt(1.0/(4*96)) {
		t.Errorf("the error of 401 runs is %v times that of 400", ratio)
	}
	if ratio := groups.UnitSDLog / alone.UnitSDLog; math.Abs(math.Log(ratio)) > 4*math.Sqrt(1.0/(4*96)) {
		t.Errorf("the spread of one run of 401 is %v times that of 400", ratio)
	}
}

// counted is a context that ends after it was asked a number of times.
type counted struct {
	context.Context
	left *atomic.Int64
}

func (c counted) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterrupted holds that a context that ends at any time, in the middle of
// the estimates too, ends the comparison soon and without a result.
func TestInterrupted(t *testing.T) {
	side := func(seed uint64, east int) *table {
		tb := drawn(seed, 12, 100, 0.05, 1)
		region := column{name: "region", words: []string{}}
		for i := range tb.len() {
			region.words = append(region.words, []string{"east", "west"}[min(i%10/east, 1)])
		}
		tb.columns = append(tb.columns, region)
		return tb
	}
	in, err := tables([]string{"latency:p50", "latency:p90"}, side(1, 3), side(2, 6))
	if err != nil {
		t.Fatal(err)
	}
	in.Scan.Workers = 1
	for _, all := range []bool{false, true} {
		opt := compare.DefaultOptions()
		opt.Mix = []string{"region"}
		if all {
			opt.By, opt.Movers = []string{"region"}, true
		}
		run := func(asks int64) (c *compare.Comparison, more int64, err error) {
			ctx := counted{context.Background(), new(atomic.Int64)}
			ctx.left.Store(asks)
			c, err = compare.Compare(ctx, in, opt)
			return c, -ctx.left.Load(), err
		}
		const enough = 1 << 40
		c, left, err := run(enough)
		if err != nil || c.Results[0].Like == nil || all != (c.Search != nil) {
			t.Fatalf("nothing to interrupt: error %v, %+v", err, c)
		}
		asked := enough + left
		if asked < 100 {
			t.Errorf("the context is asked %d times: an interrupt takes long", asked)
		}
		for at := int64(0); at < asked; at++ {
			if at < asked-20 && at%(asked/60+1) != 0 {
				continue
			}
			c, more, err := run(at)
			if !errors.Is(err, context.Canceled) || c != nil {
				t.Errorf("interrupted when asked %d times of %d: error %v", at, asked, err)
			}
			if more > 30 {
				t.Errorf("interrupted when asked %d times of %d, it is asked %d times more", at, asked, more)
			}
		}
	}
}
