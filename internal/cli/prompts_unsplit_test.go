package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shorter prompts hide that the system got slower. Where changes are split by another
// column, of which the shares are alike, or not split at all, that cannot pass.
func TestShorterPromptsThatAreNotSplit(t *testing.T) {
	side := func(seed uint64, length, slower float64, gold int) string {
		var b strings.Builder
		b.WriteString("run,tier,prompt_tokens,output_tokens,ttft_ms\n")
		for r := range 4 {
			for i := range 600 {
				z := -3.0 // about normal
				for k := range uint64(6) {
					z += unit(seed<<24 + uint64(r)<<16 + uint64(i)<<4 + k)
				}
				tier := map[bool]string{true: "gold", false: "free"}[i%10 < gold]
				p := math.Ceil(600 * length * math.Exp(z))
				if tier == "gold" && gold != 5 {
					p = math.Ceil(4 * p)
				}
				fmt.Fprintf(&b, "r%d,%s,%.0f,%d,%.4f\n", r, tier, p, 100+i%7, slower*(20+0.1*p)*math.Exp(0.02*unit(seed<<21+uint64(r)<<12+uint64(i))))
			}
		}
		path := filepath.Join(t.TempDir(), "side.csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole, half, slightly := side(1, 1, 1, 5), side(2, 0.5, 1.3, 5), side(3, 0.9, 1, 5)
	for _, tt := range []struct {
		name          string
		before, after string
		flags         []string
		code          int
		status, text  string
	}{
		{"split by length", whole, half, nil, 1, "warn", "Median prompt"},
		{"split by tier", whole, half, []string{"--mix", "tier"}, 3, "fail", "To compare like for like by it: --mix tier --mix prompt_tokens"},
		{"split by both", whole, half, []string{"--mix", "tier", "--mix", "prompt_tokens"}, 1, "warn", ""},
		{"not split", whole, half, []string{"--unit", "request"}, 3, "fail", "Prompts differ in length"},
		{"not to be split", whole, half, []string{"--mix", "none"}, 0, "warn", "Prompts differ in length"},
		{"slightly", whole, slightly, []string{"--mix", "tier"}, 0, "warn", "Prompts differ in length"},
		{"alike", whole, side(4, 1, 1, 5), []string{"--mix", "tier"}, 0, "ok", "Median prompt"},
		{"accounted for by tiers", side(5, 1, 1, 3), side(6, 1, 1, 7), []string{"--mix", "tier"}, 0, "warn", "Prompts differ in length"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := append([]string{"--config", "none", "-m", "ttft:p50", "--margin", "15%"}, tt.flags...)
			doc := document(t, tt.code, append(args, tt.before, tt.after)...)
			found := false
			for _, c := range doc.Comparability {
				if c.Check == "prompt_length" {
					found = true
					if c.Status != tt.status || !strings.Contains(c.Text, tt.text) {
						t.Errorf("%s: %q, want %s with %q", c.Status, c.Text, tt.status, tt.text)
					}
				}
			}
			if !found {
				t.Error("no row prompt_length")
			}
		})
	}
}

// Half of the prompts are short and half are long, so that the median is anything in
// between, and the same for answers: by chance they differ, and that is no objection.
func TestMediansThatDifferByChance(t *testing.T) {
	side := func(short int) string {
		var b strings.Builder
		b.WriteString("run,tier,prompt_tokens,output_tokens,ttft_ms\n")
		for r := range 4 {
			for i := range 500 {
				length := 100 + i%7
				if i%100 >= short {
					length *= 40
				}
				fmt.Fprintf(&b, "r%d,t%d,%d,%d,%.4f\n", r, i%2, length, length, 50*math.Exp(0.1*unit(uint64(1000*r+i))))
			}
		}
		path := filepath.Join(t.TempDir(), "side.csv")
		put(t, path, b.String())
		return path
	}
	for _, tt := range []struct {
		before, after, code int
		fails               bool
	}{{51, 49, 0, false}, {55, 42, 3, true}} {
		for _, flags := range [][]string{{"--mix", "tier"}, {"--unit", "request"}} {
			fails := map[string]bool{}
			args := append([]string{"--config", "none", "-m", "ttft:p50", "--margin", "30%"}, flags...)
			for _, c := range document(t, tt.code, append(args, side(tt.before), side(tt.after))...).Comparability {
				fails[c.Check] = c.Status == "fail"
			}
			if fails["prompt_length"] != tt.fails || fails["output_length"] != tt.fails {
				t.Errorf("%d and %d of 100 prompts are short, %v: %v", tt.before, tt.after, flags, fails)
			}
		}
	}
}
