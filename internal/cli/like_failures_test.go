package cli_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// Like for like, too, no failure in a few hundred requests is no proof that none
// occurs: the interval is no point, and is about as wide as that of the total change.
func TestRareFailuresLikeForLike(t *testing.T) {
	side := func(seed uint64, requests, failures int) string {
		dir := t.TempDir()
		for r := range 4 {
			var b strings.Builder
			for i := range requests {
				status := "ok"
				if r == 0 && i < failures {
					status = "error"
				}
				region := "eu"
				if unit(seed<<30+uint64(r)<<20+uint64(i)) < 0.5 {
					region = "us"
				}
				fmt.Fprintf(&b, `{"ttft_ms":%.4f,"region":%q,"status":%q}`+"\n", 100+10*unit(seed<<40+uint64(r)<<20+uint64(i)), region, status)
			}
			put(t, filepath.Join(dir, fmt.Sprintf("r%d.jsonl", r)), b.String())
		}
		return dir
	}
	for _, c := range []struct {
		why          string
		requests     int
		failA, failB int
		code         int
		verdict      string
	}{
		{"none in few requests", 80, 0, 0, 3, "INCONCLUSIVE"},
		{"one in few requests", 80, 0, 1, 3, "INCONCLUSIVE"},
		{"none in many", 800, 0, 0, 0, "PASS"},
	} {
		doc := document(t, c.code, "--config", "none", "-m", "success_rate", "--mix", "region", side(1, c.requests, c.failA), side(2, c.requests, c.failB))
		r := doc.Results[0]
		if r.LikeForLike == nil || r.Verdict == nil || *r.Verdict != c.verdict {
			t.Fatalf("%s: %+v", c.why, r)
		}
		like, total := r.LikeForLike.Delta, r.Delta
		if wide, of := like.Hi-like.Lo, total.Hi-total.Lo; wide < 0.99*of || wide > 1.2*of {
			t.Errorf("%s: like for like %v to %v, in all %v to %v", c.why, like.Lo, like.Hi, total.Lo, total.Hi)
		}
		m := doc.MixShift[0]
		if m.Within.Lo != like.Lo || math.Abs(float64(m.Total.Hi-total.Hi)) > 1e-12 || math.Abs(float64(m.Total.Value-m.Within.Value-m.Mix.Value)) > 1e-12 || !(m.Within.Lo < m.Within.Value && m.Within.Value < m.Within.Hi) {
			t.Errorf("%s: the parts are %+v", c.why, m)
		}
	}
}
