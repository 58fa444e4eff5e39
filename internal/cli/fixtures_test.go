package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/report"
)

// exitCodes are those of the verdicts.
var exitCodes = map[string]int{"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3, "EXCEPTION_REQUIRED": 4}

// TestFixtures runs every expectation of the fixtures' manifest: the verdict is
// one of those that are right, and no gate contradicts the truth.
func TestFixtures(t *testing.T) {
	dir := filepath.FromSlash("../../fixtures")
	m, err := fixtures.ReadManifest(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Pairs {
		for _, e := range p.Expected {
			t.Run(strings.Join(append([]string{p.Name}, e.Flags...), " "), func(t *testing.T) {
				args := append(slices.Clone(e.Flags), "--format", "json", filepath.Join(dir, p.Before.Path), filepath.Join(dir, p.After.Path))
				res := run(t, args...)
				doc := decode(t, res.stdout)
				if doc.Verdict == nil || !slices.Contains(e.Verdicts, *doc.Verdict) {
					t.Fatalf("verdict %v, want one of %v: %s\n%s", doc.Verdict, e.Verdicts, e.Why, reasonsOf(res.stdout))
				}
				if want := exitCodes[*doc.Verdict]; res.code != want {
					t.Errorf("%s with exit code %d, want %d", *doc.Verdict, res.code, want)
				}
				if got := int(doc.Baseline.Requests); got != p.Before.Rows {
					t.Errorf("%d records of the baseline, want %d", got, p.Before.Rows)
				}
				if got := int(doc.Candidate.Requests); got != p.After.Rows {
					t.Errorf("%d records of the candidate, want %d", got, p.After.Rows)
				}
				if p.BeforeSpec.WarmupSeconds == p.AfterSpec.WarmupSeconds || len(e.Flags) > 0 {
					notBeyondTruth(t, doc, p.Truth) // which is of what follows the cold start
				}
			})
		}
	}
}

// notBeyondTruth holds that no gate fails whose metric did not change for the
// worse, and that none passes whose metric changed far beyond its margin.
func notBeyondTruth(t *testing.T, doc *report.Document, truth fixtures.Truth) {
	t.Helper()
	ratios := map[string]fixtures.Ratio{"ttft": truth.TTFT, "tpot": truth.TPOT, "e2e": truth.E2E}
	for _, r := range doc.Results {
		if r.Metric == "success_rate" && r.Verdict != nil && *r.Verdict == "FAIL" && truth.SuccessDelta >= 0 {
			t.Errorf("the success rate fails, and did not fall")
		}
		ratio, ok := ratios[r.Metric]
		if !ok || r.Verdict == nil || r.Margin == nil || r.Margin.Kind != "relative" || r.Slice != nil {
			continue
		}
		limit := 1 + float64(r.Margin.Value)
		if *r.Verdict == "FAIL" && ratio.Hi < limit {
			t.Errorf("%s %s fails, and the true ratio is at most %v", r.Metric, r.Estimand, ratio.Hi)
		}
		if *r.Verdict == "PASS" && ratio.Lo > limit {
			t.Errorf("%s %s passes, and the true ratio is at least %v", r.Metric, r.Estimand, ratio.Lo)
		}
	}
}
