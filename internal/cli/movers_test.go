package cli_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
)

// sliced writes records with a region and a user beside them; the last region is
// slower by the factor.
func sliced(t *testing.T, name string, seed uint64, factor float64) string {
	t.Helper()
	spec := fixtures.Default()
	spec.Seed, spec.Runs, spec.RequestsPerRun, spec.FailureRate = seed, 4, 1000, 0
	r, err := fixtures.Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	regions := []string{"eu", "us", "asia <b>|"}
	var b strings.Builder
	b.WriteString("run,region,user,ttft_s,e2e_s\n")
	for i := range r.Len() {
		region := regions[i%len(regions)]
		ttft := r.TTFT[i]
		if region == regions[2] {
			ttft *= factor
		}
		fmt.Fprintf(&b, "r%d,%s,u%d,%v,%v\n", r.Run[i], region, i, ttft, ttft+r.E2E[i])
	}
	return write(t, name, b.String())
}

func TestMovers(t *testing.T) {
	before, after := sliced(t, "before.csv", 1, 1), sliced(t, "after.csv", 2, 1.5)
	args := []string{"--movers", "-m", "ttft:p50", "-m", "ttft:p95", before, after}
	res := run(t, with(args, "--format", "json")...)
	doc := decode(t, res.stdout)
	if doc.Search == nil || doc.Search.Found == 0 || doc.Search.Tests == 0 || strings.Join(doc.Search.Columns, " ") != "region" {
		t.Fatalf("search %+v", doc.Search)
	}
	found := 0
	for _, r := range doc.Results {
		if r.Moved == nil {
			continue
		}
		found++
		if r.Slice["region"] != "asia <b>|" || r.Verdict != nil {
			t.Errorf("slice %v, verdict %v", r.Slice, r.Verdict)
		}
		if !(r.PAdjusted <= 0.05) || !(r.Moved.P <= r.PAdjusted) {
			t.Errorf("p %v, adjusted %v", r.Moved.P, r.PAdjusted)
		}
		if got := float64(r.Ratio.Value) / float64(r.Moved.Rest.Value); !r.Moved.Relative || math.Abs(got-float64(r.Moved.Gap.Value)) > 1e-9 {
			t.Errorf("ratio %v, rest %v, gap %v", r.Ratio.Value, r.Moved.Rest.Value, r.Moved.Gap.Value)
		}
		if lo, hi := r.Moved.Gap.Lo, r.Moved.Gap.Hi; lo > 1.5 || hi < 1.5 {
			t.Errorf("gap %v to %v, made 1.5", lo, hi)
		}
	}
	if found != 1 {
		t.Errorf("%d slices, want 1", found)
	}
	text := run(t, args...).stdout
	for _, want := range []string{"Moved most otherwise than the rest, among 3 slices of region:", "region=asia <b>|", "beyond it", "Column user has more than 50 values and was not searched"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
	}
	markdown := run(t, with(args, "--format", "markdown")...).stdout
	if !strings.Contains(markdown, `region=asia &lt;b&gt;\|`) {
		t.Errorf("the Markdown does not escape:\n%s", markdown)
	}
	// Other tables do not repeat what the search found.
	if n := strings.Count(text, "region=asia"); n != 1 {
		t.Errorf("the slice stands %d times in the text:\n%s", n, text)
	}
	// Where nothing moved, that is said.
	same := run(t, "--movers", "-m", "ttft:p50", before, sliced(t, "again.csv", 3, 1)).stdout
	if !strings.Contains(same, "no slice moved otherwise than the rest") {
		t.Errorf("nothing moved:\n%s", same)
	}
	// Without the flag nothing is searched.
	if doc := decode(t, run(t, "--format", "json", "-m", "ttft:p50", before, after).stdout); doc.Search != nil {
		t.Errorf("search %+v", doc.Search)
	}
	none := write(t, "plain.csv", "ttft_ms\n100\n101\n102\n")
	if out := run(t, "--movers", "-m", "ttft:mean", none, none).stdout; !strings.Contains(out, "there is no slice with enough requests") || strings.Contains(out, "\n\n\n") {
		t.Errorf("nothing to search:\n%s", out)
	}
}
