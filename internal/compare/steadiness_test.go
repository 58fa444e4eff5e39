package compare_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// paced is a simulated side of runs of which the arrivals and the latencies over
// time are known.
type paced struct {
	seed           uint64
	runs, requests int
	pattern        string
	// growth is how many times as slow the last request is as the first.
	growth float64
	// queue adds the wait at a server that is so busy.
	queue float64
	// slower is how many times as long the gaps between requests are.
	slower float64
	// concurrency and rate are what the client says that it was told.
	concurrency, rate float64
}

// gap returns the seconds to the next start, of mean 0.05.
func (c paced) gap(rng *rand.Rand, i int) float64 {
	const mean = 0.05
	switch c.pattern {
	case "poisson":
		return mean * rng.ExpFloat64()
	case "constant":
		return mean
	case "bursty": // gamma of shape ½: the square of a normal number; CV √2
		z := rng.NormFloat64()
		return mean * z * z
	case "volleys": // of twenty
		if i%20 > 0 {
			return 0
		}
		return 20 * mean
	}
	panic(c.pattern)
}

func (c paced) table() *table {
	rng := rand.New(rand.NewPCG(c.seed, 5))
	names := []string{"run", "start_s", "e2e_s"}
	cols := make([]column, len(names))
	for i := range names {
		cols[i].name = names[i]
	}
	for run := range c.runs {
		free := make([]float64, 8) // when the clients of a closed loop are free
		now, wait, effect := 0.0, 0.0, math.Exp(0.01*rng.NormFloat64())
		for i := range c.requests {
			latency := 0.4 * effect * math.Exp(0.35*rng.NormFloat64())
			if c.growth > 0 {
				latency *= 1 + (c.growth-1)*float64(i)/float64(c.requests)
			}
			if c.pattern == "closed" {
				k := 0
				for j := range free {
					if free[j] < free[k] {
						k = j
					}
				}
				now = free[k]
				free[k] += latency
			} else {
				gap := c.gap(rng, i)
				if c.slower > 0 {
					gap *= c.slower
				}
				now += gap
				wait = math.Max(0, wait-gap)
				if c.queue > 0 {
					wait += c.queue * 0.05 * rng.ExpFloat64()
				}
			}
			cols[0].words = append(cols[0].words, fmt.Sprint("run-", run))
			cols[1].numbers = append(cols[1].numbers, 1.7e9+0.123*float64(run+1)+float64(run)*1e4+now)
			cols[2].numbers = append(cols[2].numbers, latency+wait)
		}
	}
	told := func(name string, value float64) {
		if value > 0 {
			cols = append(cols, column{name: name, numbers: slices.Repeat([]float64{value}, c.runs*c.requests)})
		}
	}
	told("concurrency", c.concurrency)
	told("rate", c.rate)
	return &table{columns: cols}
}

// courseChecks are the checks of two sides that go by time.
func courseChecks(t *testing.T, a, b paced) (*compare.Comparison, map[verdict.CheckCode]verdict.Check) {
	t.Helper()
	in, err := tables([]string{"e2e:p50"}, a.table(), b.table())
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Compare(context.Background(), in, compare.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	out := map[verdict.CheckCode]verdict.Check{}
	for _, check := range verdict.Decide(c, verdict.Default()).Checks {
		out[check.Code] = check
	}
	return c, out
}

// Requests that come otherwise at the same mean rate are seen, and latencies that
// climb through the runs, in one run a side as in five.
func TestUnsteadyLoadIsSeen(t *testing.T) {
	const ok, warn, fail = verdict.CheckOK, verdict.CheckWarn, verdict.CheckFail
	for _, runs := range []int{1, 5} {
		steady := paced{seed: 1, runs: runs, requests: 1500, pattern: "poisson"}
		for _, x := range []struct {
			name           string
			change         func(a, b *paced)
			arrival, drift verdict.CheckStatus
		}{
			{"alike", func(_, _ *paced) {}, ok, ok},
			{"bursts", func(_, b *paced) { b.pattern = "bursty" }, fail, ok},
			{"volleys", func(_, b *paced) { b.pattern = "volleys" }, fail, ok},
			{"volleys of the baseline", func(a, _ *paced) { a.pattern = "volleys" }, fail, ok},
			{"evenly spaced", func(_, b *paced) { b.pattern = "constant" }, fail, ok},
			{"volleys against evenly spaced", func(a, b *paced) { a.pattern, b.pattern = "volleys", "constant" }, fail, ok},
			{"bursts on both", func(a, b *paced) { a.pattern, b.pattern = "bursty", "bursty" }, ok, ok},
			{"climbs", func(_, b *paced) { b.growth = 2 }, ok, fail},
			{"falls", func(a, _ *paced) { a.growth = 0.4 }, ok, fail},
			{"both climb", func(a, b *paced) { a.growth, b.growth = 2, 2 }, ok, warn},
			{"climbs by less than is tolerated", func(_, b *paced) { b.growth = 1.05 }, ok, ok},
			{"overload", func(_, b *paced) { b.queue = 1.3 }, ok, fail},
		} {
			a, b := steady, steady
			b.seed = 2
			x.change(&a, &b)
			c, checks := courseChecks(t, a, b)
			if got := checks[verdict.Arrivals]; got.Code == "" || got.Status != x.arrival {
				t.Errorf("%d runs, %s: arrivals are %s, want %s: %+v", runs, x.name, got.Status, x.arrival, c.Arrivals)
			}
			if got := checks[verdict.Drift]; got.Code == "" || got.Status != x.drift {
				t.Errorf("%d runs, %s: drift is %s, want %s: %+v", runs, x.name, got.Status, x.drift, c.Drift)
			}
		}
	}
}

// A load that follows the latency comes as the system lets it: that is remarked
// and does not block.
func TestArrivalsOfClosedLoops(t *testing.T) {
	a := paced{seed: 1, runs: 3, requests: 1000, pattern: "closed"}
	b := a
	b.seed = 2
	c, _ := courseChecks(t, a, b)
	if len(c.Arrivals) == 0 || c.Arrivals[len(c.Arrivals)-1].Burst[0] > 0.9 {
		t.Errorf("arrivals of a closed loop: %+v, want fewer bursts than at random", c.Arrivals)
	}
	for _, name := range []string{"", "slower"} {
		if name != "" {
			c.Load[1].Rate /= 1.2
			c.MeanLatency[1] *= 1.2
			c.LoadP = 1e-6
		}
		c.Arrivals = []compare.Arrival{{Window: 8, Burst: [2]float64{0.5, 1}}}
		want := map[string]verdict.CheckStatus{"": verdict.CheckFail, "slower": verdict.CheckWarn}[name]
		for _, check := range verdict.Decide(c, verdict.Default()).Checks {
			if check.Code == verdict.Arrivals && check.Status != want {
				t.Errorf("%q: %+v, want %s", name, check, want)
			}
		}
	}
}

// Pairs that are alike are seldom called unlike, by any check that goes by time:
// at most 1 % of them, whatever the arrivals.
func TestSteadyLoadIsNotCalledUnsteady(t *testing.T) {
	pairs := 120
	if testing.Short() {
		pairs = 20
	}
	alarms, all := 0, 0
	for _, pattern := range []string{"poisson", "constant", "bursty", "volleys", "closed"} {
		for _, runs := range []int{1, 2, 5} {
			for i := range pairs / runs {
				a := paced{seed: uint64(10 + 2*i), runs: runs, requests: 300, pattern: pattern}
				if i%2 == 1 && pattern != "closed" {
					a.queue = 0.7
				}
				b := a
				b.seed++
				_, checks := courseChecks(t, a, b)
				all++
				for _, code := range []verdict.CheckCode{verdict.OfferedLoad, verdict.WarmUp, verdict.Arrivals, verdict.Drift} {
					if got := checks[code]; got.Status != verdict.CheckOK && got.Rule != "chance" {
						alarms++
						t.Logf("%s, %d runs, pair %d: %s %+v", pattern, runs, i, code, got)
					}
				}
			}
		}
	}
	if t.Logf("%d of %d", alarms, all); alarms > max(1, all/100) {
		t.Errorf("%d of %d pairs that are alike are called unlike", alarms, all)
	}
}

// Thresholds are those of the policy.
func TestThresholdsOfCourses(t *testing.T) {
	steady := paced{seed: 1, runs: 3, requests: 1500, pattern: "poisson"}
	for _, x := range []struct {
		key, other string
		change     func(a, b *paced)
		plant      func(c *compare.Comparison)
		check      verdict.CheckCode
		usual, set verdict.CheckStatus
	}{
		{"arrival_pattern", "100%", func(_, b *paced) { b.pattern = "volleys" }, nil, verdict.Arrivals, verdict.CheckFail, verdict.CheckOK},
		{"drift", "200%", func(_, b *paced) { b.growth = 2 }, nil, verdict.Drift, verdict.CheckFail, verdict.CheckOK},
		{"duration", "4", func(_, b *paced) { b.requests *= 3 }, nil, verdict.RunLength, verdict.CheckWarn, verdict.CheckOK},
		{"closed_loop", "90%", nil, func(c *compare.Comparison) { c.Load[1].Rate, c.LoadP = 1.5*c.Load[1].Rate, 0 }, verdict.ClosedLoop, verdict.CheckOK, verdict.CheckWarn},
		{"group_share", "20%", nil, func(c *compare.Comparison) {
			c.Groups = []compare.GroupShift{{Column: "tenant", Word: "a", BaselineShare: 0.5, CandidateShare: 0.6}}
		}, verdict.GroupShare, verdict.CheckWarn, verdict.CheckOK},
	} {
		a, b := steady, steady
		b.seed = 2
		if x.change != nil {
			x.change(&a, &b)
		}
		c, _ := courseChecks(t, a, b)
		if x.plant != nil {
			x.plant(c)
		}
		file, err := verdict.ParseFile("policy", []byte("version: 1\ncomparability: {"+x.key+": "+x.other+"}\n"))
		if err != nil {
			t.Fatal(err)
		}
		p := verdict.Default()
		if err := file.Apply(&p, time.Time{}); err != nil {
			t.Fatal(err)
		}
		if got := statusOf(verdict.Decide(c, p), x.check); got != x.set {
			t.Errorf("%s: %s: %s is %s, want %s", x.key, x.other, x.check, got, x.set)
		}
		if got := statusOf(verdict.Decide(c, verdict.Default()), x.check); got != x.usual {
			t.Errorf("%s as usual: %s is %s, want %s", x.key, x.check, got, x.usual)
		}
	}
}

// statusOf is the status of a check, ok without one.
func statusOf(d verdict.Decision, code verdict.CheckCode) verdict.CheckStatus {
	for _, c := range d.Checks {
		if c.Code == code {
			return c.Status
		}
	}
	return verdict.CheckOK
}

// What one side shows for sure is a fault only where the sides differ for sure.
func TestCoursesThatDifferByChance(t *testing.T) {
	a := paced{seed: 1, runs: 2, requests: 500, pattern: "poisson"}
	b := a
	b.seed = 2
	c, _ := courseChecks(t, a, b)
	const sure, chance = 1e-6, 0.2
	for _, x := range []struct {
		first, second  float64 // logs
		p1, p2, differ float64
		warm, drift    verdict.CheckStatus
		whose          int
	}{
		{0.02, 0.3, chance, sure, sure, verdict.CheckFail, verdict.CheckFail, 1},
		{0.02, 0.3, chance, sure, chance, verdict.CheckWarn, verdict.CheckWarn, 1},
		{0.2, 0.35, chance, sure, chance, verdict.CheckWarn, verdict.CheckWarn, 2},
		{0.2, 0.6, sure, sure, sure, verdict.CheckFail, verdict.CheckFail, 2},
		{0.3, 0.32, sure, sure, sure, verdict.CheckWarn, verdict.CheckWarn, 2}, // too little to matter
		{0.02, 0.3, chance, chance, sure, verdict.CheckOK, verdict.CheckOK, 0},
		{-0.3, 0.02, sure, chance, sure, verdict.CheckOK, verdict.CheckFail, 1}, // faster at first is no warm-up
	} {
		log, p := [2]float64{x.first, x.second}, [2]float64{x.p1, x.p2}
		c.WarmUp.Log, c.WarmUp.P, c.WarmUp.Differ = log, p, x.differ
		c.Drift.Log, c.Drift.P, c.Drift.Differ = log, p, x.differ
		for _, check := range verdict.Decide(c, verdict.Default()).Checks {
			want, known := map[verdict.CheckCode]verdict.CheckStatus{verdict.WarmUp: x.warm, verdict.Drift: x.drift}[check.Code]
			if known && (check.Status != want || want != verdict.CheckOK && len(check.IDs) != x.whose) {
				t.Errorf("%+v: %s is %s of %v, want %s of %d", x, check.Code, check.Status, check.IDs, want, x.whose)
			}
		}
	}
}

// A load that differs by more than chance is a fault, and one that differs as short
// runs of random arrivals do is a remark at most.
func TestLoadBeyondChance(t *testing.T) {
	for _, x := range []struct {
		runs, requests int
		pattern        string
		slower         float64
		want           verdict.CheckStatus
	}{
		{5, 1500, "poisson", 1.2, verdict.CheckFail},
		{1, 1500, "poisson", 1.3, verdict.CheckFail},
		{3, 1500, "bursty", 1.3, verdict.CheckFail},
		{1, 200, "constant", 1.15, verdict.CheckFail},
		{1, 200, "constant", 1.05, verdict.CheckWarn},
		{1, 100, "poisson", 1.2, verdict.CheckWarn},
		{5, 1500, "poisson", 1, verdict.CheckOK},
	} {
		a := paced{seed: 3, runs: x.runs, requests: x.requests, pattern: x.pattern}
		b := a
		b.seed, b.slower = 4, x.slower
		c, checks := courseChecks(t, a, b)
		got, ok := checks[verdict.OfferedLoad]
		if !ok || got.Status != x.want || (got.Rule == "chance") != (x.want == verdict.CheckWarn && x.pattern == "poisson") {
			t.Errorf("%+v: load is %s (%q), want %s: p %v, %+v", x, got.Status, got.Rule, x.want, c.LoadP, c.Load)
		}
	}
}

// Where the clients were told to keep as many requests in flight, how these come is
// up to the system: that is remarked.
func TestArrivalsOfToldConcurrency(t *testing.T) {
	for _, x := range []struct {
		told, toldB, rate float64
		want              verdict.CheckStatus
	}{{0, 0, 0, verdict.CheckFail}, {8, 8, 0, verdict.CheckWarn}, {8, 16, 0, verdict.CheckFail}, {8, 8, 20, verdict.CheckFail}, {8, 0, 0, verdict.CheckFail}} {
		a := paced{seed: 1, runs: 3, requests: 1000, pattern: "poisson", concurrency: x.told, rate: x.rate}
		b := a
		b.seed, b.pattern, b.concurrency = 2, "volleys", x.toldB
		if _, checks := courseChecks(t, a, b); checks[verdict.Arrivals].Status != x.want {
			t.Errorf("%+v: %+v", x, checks[verdict.Arrivals])
		}
	}
}
