package metric_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// gapFile has n requests of three tokens, of which the first uneven ones have
// one gap instead of two.
func gapFile(n, uneven int) string {
	var b strings.Builder
	b.WriteString("ttft_s,e2e_s,output_tokens,itl_s\n")
	for i := range n {
		list := "[0.4,0.6]"
		if i < uneven {
			list = "[1]"
		}
		fmt.Fprintf(&b, "0.5,1.5,3,\"%s\"\n", list)
	}
	return b.String()
}

func TestNameGaps(t *testing.T) {
	for _, c := range []struct {
		why, csv, want string
	}{
		{"a gap for every token after the first", gapFile(200, 0), "tokens"},
		{"slips of counting in one of a hundred", gapFile(200, 2), "tokens"},
		{"more than that are chunks", gapFile(200, 3), "chunks"},
		{"the first-token time among the gaps", "ttft_s,e2e_s,output_tokens,itl_s\n0.5,1.5,3,\"[0.5,0.4,0.6]\"\n", "tokens"},
		{"failed requests do not count", "ttft_s,e2e_s,output_tokens,itl_s,status\n0.5,1.5,3,\"[0.4,0.6]\",ok\n0.5,1.5,9,\"[0.4]\",error\n", "tokens"},
		{"an answer of one token tells nothing", "ttft_s,e2e_s,output_tokens,itl_s\n0.5,0.6,1,\"[0.1]\"\n", "tokens"},
		{"no count of tokens: as the column says", "ttft_s,itl_s\n0.5,\"[0.4]\"\n", "tokens"},
		{"a column that says it", "ttft_s,output_tokens,chunk_gap_s\n0.5,3,\"[0.4,0.6]\"\n", "chunks"},
		{"both kinds", "ttft_s,output_tokens,chunk_gap_s,itl_s\n0.5,3,\"[1]\",\"[0.4,0.6]\"\n", ""},
		{"no gaps", "ttft_s\n0.5\n", ""},
	} {
		in := csv(t, c.csv)
		names, err := metric.NameGaps(t.Context(), []metric.Input{in})
		if err != nil {
			t.Fatal(err)
		}
		if got := in.Gaps(); got != c.want {
			t.Errorf("%s: gaps between %q, want %q", c.why, got, c.want)
		}
		if want := c.want == "chunks" && in.Files[0].Layout.Fields[ingest.ChunkGap].Name == "itl_s"; want != slices.Contains(names[0].Chunks, 0) {
			t.Errorf("%s: renamed %v", c.why, names)
		}
	}
}

// Gaps that are found to lie between chunks are a metric of their own, and
// lists that turn uneven behind the records looked at are no gaps of tokens.
func TestChunkGaps(t *testing.T) {
	in := csv(t, gapFile(10, 10))
	if _, err := metric.NameGaps(t.Context(), []metric.Input{in}); err != nil {
		t.Fatal(err)
	}
	side := collect(t, in, metric.NewPlan(items(t, []string{"chunk_gap:p50", "itl:p50"}, nil, in)))
	if got := values(side.Units[0], 0); len(got) != 10 || got[0] != 1 {
		t.Errorf("chunk gaps %v", got)
	}
	if n := side.Units[0].Cells[1].Sketch.N(); n != 0 {
		t.Errorf("%d gaps between tokens", n)
	}
	if metric.BetweenChunks([]*metric.Side{side}, 0)[0] {
		t.Error("chunk_gap does not want gaps between tokens")
	}
	for uneven, want := range map[int]bool{2: false, 3: true} {
		in := csv(t, gapFile(200, uneven))
		side := collect(t, in, metric.NewPlan(items(t, []string{"itl:p50"}, nil, in)))
		if got := metric.BetweenChunks([]*metric.Side{side}, 0)[0]; got != want {
			t.Errorf("%d of 200 uneven lists: between chunks %v", uneven, got)
		}
	}
}

// The kind of the gaps is one for all files of both sides, unless a side clearly
// has chunks and the other tokens.
func TestNameGapsOfBothSides(t *testing.T) {
	const empty = "ttft_s,e2e_s,output_tokens,itl_s\n0.5,1.5,3,[]\n0.5,1.5,3,[]\n"
	for _, c := range []struct {
		why  string
		a, b []string
		want [2]string
	}{
		{"a run above the share, all below", []string{gapFile(200, 1), gapFile(200, 3)}, []string{gapFile(200, 1), gapFile(200, 1)}, [2]string{"tokens", "tokens"}},
		{"a side above the share, all below", []string{gapFile(200, 0)}, []string{gapFile(200, 4)}, [2]string{"tokens", "tokens"}},
		{"all above the share", []string{gapFile(200, 1)}, []string{gapFile(200, 0), gapFile(200, 9)}, [2]string{"chunks", "chunks"}},
		{"clearly unlike", []string{gapFile(200, 0)}, []string{gapFile(200, 11)}, [2]string{"tokens", "chunks"}},
		{"clearly unlike, a small side", []string{gapFile(2000, 0)}, []string{gapFile(10, 10)}, [2]string{"tokens", "chunks"}},
		{"one run of chunks", []string{gapFile(200, 0)}, []string{gapFile(200, 0), gapFile(200, 200)}, [2]string{"tokens", "chunks"}},
		{"no gap at all", []string{empty}, []string{empty, empty}, [2]string{"", ""}},
		{"no gap on one side", []string{gapFile(200, 0)}, []string{empty}, [2]string{"tokens", ""}},
	} {
		var sides []metric.Input
		for _, files := range [][]string{c.a, c.b} {
			var side metric.Input
			for _, text := range files {
				side.Files = append(side.Files, csv(t, text).Files...)
			}
			sides = append(sides, side)
		}
		if _, err := metric.NameGaps(t.Context(), sides); err != nil {
			t.Fatal(err)
		}
		if got := [2]string{sides[0].Gaps(), sides[1].Gaps()}; got != c.want {
			t.Errorf("%s: gaps between %q, want %q", c.why, got, c.want)
		}
	}
}
