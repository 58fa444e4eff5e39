package cli_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// A change that goes one way in all and the other way in every slice is pointed out:
// there is other traffic, and no better system.
func TestReversalInSlices(t *testing.T) {
	side := func(seed uint64, share, factor, chat float64) string {
		dir := t.TempDir()
		for r := range 4 {
			var b strings.Builder
			for i := range 600 {
				at := seed<<30 + uint64(r)<<20 + uint64(i)<<2
				class, of := "chat", 100*chat
				if unit(at) < share {
					class, of = "batch", 300
				}
				rare := "no"
				if i%100 == 0 {
					rare = "yes"
				}
				fmt.Fprintf(&b, `{"ttft_ms":%.4f,"class":%q,"rare":%q}`+"\n", of*factor*math.Exp(0.2*(unit(at+1)-0.5)), class, rare)
			}
			put(t, filepath.Join(dir, fmt.Sprintf("r%d.jsonl", r)), b.String())
		}
		return dir
	}
	before := side(1, 0.5, 1, 1)
	const turned = "the other traffic turned the change round. --mix class compares like for like by it."
	for _, c := range []struct {
		why   string
		after string
		flags []string
		want  string
	}{
		{"all slower, fewer slow ones", side(2, 0.3, 1.1, 1), []string{"--by", "class"}, "ttft mean fell in all and rose in every slice by class: " + turned},
		{"all faster, more slow ones", side(3, 0.7, 0.9, 1), []string{"--by", "class"}, "ttft mean rose in all and fell in every slice by class: " + turned},
		{"with a column whose slices are small", side(2, 0.3, 1.1, 1), []string{"--by", "rare", "--by", "class"}, "ttft mean fell in all and rose in every slice by class that is shown: " + turned},
		{"one slice slower, the other not", side(4, 0.3, 1, 1.1), []string{"--by", "class"}, ""},
		{"slower in all and in slices", side(5, 0.5, 1.1, 1), []string{"--by", "class"}, ""},
		{"not asked", side(2, 0.3, 1.1, 1), nil, ""},
		{"split already", side(2, 0.3, 1.1, 1), []string{"--by", "class", "--mix", "class"}, "ttft mean fell in all and rose like for like: the other traffic turned the change round."},
	} {
		doc := decode(t, run(t, append([]string{"--format", "json", "-m", "ttft:mean", before, c.after}, c.flags...)...).stdout)
		var told []string
		for _, w := range doc.Warnings {
			if w.Code == "reversal" {
				told = append(told, w.Text)
			}
		}
		if got := strings.Join(told, "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
	}
}

// The quantiles that only figures show are in no table, and no remark is about them.
func TestNoRemarkOnTheQuantilesOfFigures(t *testing.T) {
	side := func(seed uint64, share, factor float64) string {
		var b strings.Builder
		for i := range 2400 {
			at := seed<<30 + uint64(i)<<2
			class, of := "chat", 100.0
			if unit(at) < share {
				class, of = "batch", 300
			}
			fmt.Fprintf(&b, `{"run":"r%d","ttft_ms":%.4f,"class":%q}`+"\n", i%4, of*factor*math.Exp(0.2*(unit(at+1)-0.5)), class)
		}
		path := filepath.Join(t.TempDir(), "side.jsonl")
		put(t, path, b.String())
		return path
	}
	page := filepath.Join(t.TempDir(), "page.html")
	doc := decode(t, run(t, "--format", "json", "-o", page, "-m", "ttft:mean", "--mix", "class", side(1, 0.5, 1), side(2, 0.3, 1.1)).stdout)
	var told []string
	for _, w := range doc.Warnings {
		if w.Code == "reversal" {
			told = append(told, w.Text)
		}
	}
	if len(told) != 1 || !strings.HasPrefix(told[0], "ttft mean ") {
		t.Errorf("%q, want one remark, on ttft mean", told)
	}
}
