package cli_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/report"
)

// startsOf writes three runs of n requests each, gap seconds apart, the first
// tenth of them slow times as slow as the others. bad replaces the start of the
// requests whose number it takes.
func startsOf(t *testing.T, seed uint64, n int, gap, slow float64, bad func(i int) (start string, ok bool)) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("run,start_s,ttft_ms\n")
	for run := range 3 {
		for i := range n {
			start := fmt.Sprintf("%.3f", 1764450000+float64(seed)*1e5+float64(run)*1e4+float64(i)*gap)
			if text, ok := bad(i); ok {
				start = text
			}
			v := 100 + 2*rng.NormFloat64()
			if i < 20 {
				v *= slow
			}
			fmt.Fprintf(&b, "%d,%s,%.3f\n", run, start, v)
		}
	}
	return write(t, "starts.csv", b.String())
}

// A few requests without a usable start leave the checks of the load and of the
// warm-up on; many are said to have switched them off. Requests that start at once
// are no like load to ones that start one by one.
func TestChecksOfStarts(t *testing.T) {
	none := func(int) (string, bool) { return "", false }
	every := func(text string, n int) func(int) (string, bool) {
		return func(i int) (string, bool) { return text, i%n == n/2 }
	}
	const load, warm = "offered_load", "warm_up"
	for _, c := range []struct {
		name          string
		gapA, gapB    float64
		slow          float64
		badA, badB    func(int) (string, bool)
		check, status string
		text          string
		nB            int // requests of a run of the candidate, 200 without
	}{
		{"alike", 1, 1, 1, none, none, load, "ok", "1.00 and 1.00", 0},
		{"a faster load", 1, 0.1, 1, none, none, load, "fail", "10.0", 0},
		{"and a start of 0", 1, 0.1, 1, none, every("0", 200), load, "fail", "10.0", 0},
		{"and a start in the year 2100", 1, 0.1, 1, every("4102444800", 200), every("4102444800", 200), load, "fail", "10.0", 0},
		{"alike with starts in the future", 1, 1, 1, every("4102444800", 200), every("4118342400", 25), load, "ok", "1.00 and 1.00", 0},
		{"a cold start and starts in the future", 1, 1, 3, none, every("4102444800", 25), warm, "fail", "candidate begin slow", 0},
		{"and empty starts", 1, 0.1, 1, none, every("", 20), load, "fail", "10.0", 0},
		{"alike with empty starts", 1, 1, 1, every("", 20), every("0", 25), load, "ok", "1.00 and 1.00", 0},
		{"too many empty starts", 1, 0.1, 1, none, every("", 12), load, "fail", "of the candidate more than 5 %", 0},
		{"too many on both sides", 1, 0.1, 1, every("", 12), every("", 10), load, "warn", "of both sides", 0},
		{"a cold start", 1, 1, 3, none, none, warm, "fail", "candidate begin slow", 0},
		{"a cold start and starts of 0", 1, 1, 3, none, every("0", 25), warm, "fail", "candidate begin slow", 0},
		{"a cold start and empty starts", 1, 1, 3, none, every("", 25), warm, "fail", "candidate begin slow", 0},
		{"warm, and starts of 0", 1, 1, 1, none, every("0", 25), warm, "ok", "", 0},
		{"at once", 1, 0, 1, none, none, load, "fail", "1.00 requests a second against all 200 requests of a run at once", 0},
		{"the baseline at once", 0, 1, 1, none, none, load, "fail", "all 200 requests of a run at once against 1.00", 0},
		{"both at once", 0, 0, 1, none, none, load, "ok", "all 200 requests of a run at once and all 200 requests of a run at once", 0},
		{"both at once, of twice as many", 0, 0, 1, none, none, load, "fail", "all 200 requests of a run at once against all 400 requests of a run at once", 400},
		{"at once, as whole seconds would be", 0.004, 0, 1, none, none, load, "ok", "250 requests a second and all", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := startsOf(t, 1, 200, c.gapA, 1, c.badA), startsOf(t, 2, max(200, c.nB), c.gapB, c.slow, c.badB)
			code := map[string]int{"fail": 3}[c.status]
			doc := document(t, code, "-m", "ttft:p50", filepath.ToSlash(a), filepath.ToSlash(b))
			var found *report.Check
			for i := range doc.Comparability {
				if doc.Comparability[i].Check == c.check {
					found = &doc.Comparability[i]
				}
			}
			if found == nil || found.Status != c.status || !strings.Contains(found.Text, c.text) {
				t.Errorf("%s: %+v, want %s with %q", c.check, found, c.status, c.text)
			}
		})
	}
}
