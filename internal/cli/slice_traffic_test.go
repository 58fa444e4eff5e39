package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where a critical slice is judged like for like and the whole is not, the report says why.
func TestTrafficOfOneSlice(t *testing.T) {
	side := func(seed uint64, gold float64) string {
		var b strings.Builder
		b.WriteString("run,tier,prompt_tokens,ttft_ms\n")
		for r := range 4 {
			for i := range 3000 {
				at := uint64(r)<<16 + uint64(i)<<2
				tier, long := "free", unit(at)
				if i%20 == 0 {
					tier, long = "gold", math.Pow(long, gold)
				}
				p := 100 * math.Exp(3*long)
				fmt.Fprintf(&b, "r%d,%s,%.0f,%.4f\n", r, tier, p, (20+0.1*p)*math.Exp(0.1*unit(seed<<24+at+1)))
			}
		}
		path := filepath.Join(t.TempDir(), "side.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for gold, want := range map[float64]string{1: "", 1.5: "The shares of prompt length differ in tier=gold (PSI "} {
		doc := decode(t, run(t, "--format", "json", "--config", "none", "-m", "ttft:p50", "--margin", "30%", "--critical", "tier=gold", "--critical", "tier=free", side(1, 1), side(2, gold)).stdout)
		var told []string
		for _, w := range doc.Warnings {
			if w.Code == "traffic_differs" {
				told = append(told, w.Text)
			}
		}
		if got := strings.Join(told, "; "); len(told) > 1 || !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("power %v: %q, want %q", gold, got, want)
		}
	}
}
