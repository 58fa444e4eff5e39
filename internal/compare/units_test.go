package compare_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// chats are runs of sessions whose logs differ by between, each of turns
// requests whose logs differ by within; the requests come in any order.
func chats(seed uint64, runs, sessions, turns int, between, within float64, session string) *table {
	rng := rand.New(rand.NewPCG(seed, 11))
	run, who := column{name: "run", words: []string{}}, column{name: session, words: []string{}}
	start, latency := column{name: "start_s", numbers: []float64{}}, column{name: "latency_s", numbers: []float64{}}
	effects := make([]float64, runs*sessions)
	for i := range effects {
		effects[i] = between * rng.NormFloat64()
	}
	for r := range runs {
		for k, i := range rng.Perm(sessions * turns) {
			s := i % sessions
			run.words, who.words = append(run.words, fmt.Sprint("r", r)), append(who.words, fmt.Sprint("s", s))
			start.numbers = append(start.numbers, float64(k))
			latency.numbers = append(latency.numbers, math.Exp(effects[r*sessions+s]+within*rng.NormFloat64()))
		}
	}
	return &table{columns: []column{run, who, start, latency}}
}

func unit(u compare.Unit) compare.Options {
	opt := noMix()
	opt.Unit = u
	return opt
}

// A session is to its run what a replica is.
func TestSessionsAreUnitsAsReplicasAre(t *testing.T) {
	ask := []string{"latency:p50", "latency:p90", "latency:mean", "success_rate", "throughput_rps"}
	of := func(name string, u compare.Unit) *compare.Comparison {
		return compareTables(t, unit(u), ask, chats(1, 2, 30, 10, 0.2, 0.2, name), chats(2, 2, 35, 10, 0.2, 0.2, name))
	}
	s, r := of("session", compare.Session), of("replica", compare.Replica)
	if d := s.Design; d.Unit != compare.Session || d.Baseline != 60 || d.Candidate != 70 || d.Grouped || d.AssumedRunNoise != 0 || !d.WithinRun() {
		t.Errorf("design %+v", d)
	}
	for i := range s.Results[:4] {
		if x, y := s.Results[i], r.Results[i]; !same(x.Delta, y.Delta) || i < 3 && !same(x.Log, y.Log) || x.Candidate != y.Candidate {
			t.Errorf("%s: %+v of sessions, %+v of replicas", x.Estimand, x.Delta, y.Delta)
		}
	}
	if len(s.Sides[0].Units) != 2 || len(r.Sides[0].Units) != 2 {
		t.Errorf("%d and %d runs: want 2", len(s.Sides[0].Units), len(r.Sides[0].Units))
	}
	// What has one value a run keeps its runs.
	byRun := compareTables(t, noMix(), ask, chats(1, 2, 30, 10, 0.2, 0.2, "session"), chats(2, 2, 35, 10, 0.2, 0.2, "session"))
	if x, y := s.Results[4], byRun.Results[4]; !same(x.Delta, y.Delta) || x.Baseline.Units != 2 {
		t.Errorf("throughput %+v by session, %+v by run", x, y)
	}
}

// Requests of a session are alike: taking them as independent makes intervals
// that leave out the truth too often; those of sessions do not, one by one or in
// groups, and neither do they where sessions do not matter.
func TestSessionIntervalsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation")
	}
	t.Parallel()
	for _, c := range []struct {
		why                  string
		unit                 compare.Unit
		sessions, turns      int
		between              float64
		least, most, grouped float64
	}{
		{"sessions", compare.Session, 40, 10, 0.4, 0.90, 1, 0},
		{"groups of sessions", compare.Session, 450, 4, 0.4, 0.90, 1, 1},
		{"requests", compare.Request, 40, 10, 0.4, 0, 0.75, 0},
		{"sessions that are alike", compare.Session, 40, 10, 0, 0.90, 0.99, 0},
		{"blocks where sessions are alike", compare.Block, 40, 10, 0, 0.90, 0.99, 0},
	} {
		const pairs = 150
		covered := 0
		for i := range uint64(pairs) {
			r := compareTables(t, unit(c.unit), []string{"latency:p50"},
				chats(2*i, 1, c.sessions, c.turns, c.between, 0.3, "session"), chats(2*i+1, 1, c.sessions, c.turns, c.between, 0.3, "session"))
			if r.Design.Grouped != (c.grouped == 1) {
				t.Fatalf("%s: grouped %v", c.why, r.Design.Grouped)
			}
			if ct := r.Results[0].Log; ct.Lo <= 0 && 0 <= ct.Hi {
				covered++
			}
		}
		// Standard error .02 at .95.
		if share := float64(covered) / pairs; share < c.least || share > c.most {
			t.Errorf("%s: intervals cover no change in %.3f of the pairs: want %.2f to %.2f", c.why, share, c.least, c.most)
		}
	}
}

// Records without a session are one, and the same name in two runs is two.
func TestSessionNames(t *testing.T) {
	a := chats(1, 2, 3, 10, 0.2, 0.2, "session")
	for i := range a.columns[1].words {
		if i%7 == 0 {
			a.columns[1].words[i] = ""
		}
	}
	if d := compareTables(t, unit(compare.Session), []string{"latency:p50"}, a, chats(2, 1, 3, 10, 0.2, 0.2, "session")).Design; d.Baseline != 8 || d.Candidate != 3 {
		t.Errorf("%d and %d sessions: want 2·4 and 3", d.Baseline, d.Candidate)
	}
}

func TestBlocksAsUnits(t *testing.T) {
	c := compareTables(t, unit(compare.Block), []string{"latency:p50"}, chats(1, 2, 30, 10, 0.2, 0.2, "session"), chats(2, 1, 30, 10, 0.2, 0.2, "session"))
	if d := c.Design; d.Baseline != 40 || d.Candidate != 20 {
		t.Errorf("%d and %d blocks: want 20 a run", d.Baseline, d.Candidate)
	}
	for s, side := range c.Sides {
		if len(side.Units) != 2-s {
			t.Errorf("side %d has %d runs", s, len(side.Units))
		}
	}
}

// What the data cannot give is an error that says what is wanted.
func TestUnitsThatAreNotThere(t *testing.T) {
	one := chats(1, 1, 1, 10, 0, 0.2, "session")
	timeless := chats(1, 1, 5, 10, 0, 0.2, "session")
	timeless.columns[2].numbers = make([]float64, 50) // all at once
	for _, c := range []struct {
		unit compare.Unit
		a    *table
		want string
	}{
		{compare.Session, one, "the baseline has one session alone"},
		{compare.Block, timeless, "the baseline has one block alone"},
	} {
		in, err := tables([]string{"latency:p50"}, c.a, chats(2, 1, 5, 10, 0, 0.2, "session"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := compare.Compare(t.Context(), in, unit(c.unit)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v: want %q", c.unit, err, c.want)
		}
		if _, err := compare.Describe(t.Context(), in, unit(c.unit)); err == nil || !strings.Contains(err.Error(), "the input has one") {
			t.Errorf("describe, %s: %v", c.unit, err)
		}
	}
}
