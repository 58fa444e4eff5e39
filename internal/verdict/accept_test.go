package verdict

import (
	"testing"
	"time"
)

// Of several acceptances the one holds that has not expired, then the one of the
// estimand. None makes a margin narrower.
func TestWhichAcceptanceHolds(t *testing.T) {
	r := logResult(known(t, "ttft"), 0.05, 0.2)
	for _, c := range []struct {
		why      string
		margins  string
		accepted []string // gate, bound, day
		margin   Margin
		bound    float64 // of the one that is told
	}{
		{"one", "", []string{"ttft", "12%", "2027-01-31"}, Margin{Relative, 0.12}, 0.12},
		{"expired", "", []string{"ttft", "12%", "2026-01-31"}, Margin{Relative, 0.05}, 0.12},
		{"expired and renewed", "", []string{"ttft", "12%", "2026-01-31", "ttft", "9%", "2027-01-31"}, Margin{Relative, 0.09}, 0.09},
		{"renewed above the old one", "", []string{"ttft", "9%", "2027-01-31", "ttft", "12%", "2026-01-31"}, Margin{Relative, 0.09}, 0.09},
		{"of the estimand", "", []string{"ttft:p50", "9%", "2027-01-31", "ttft", "12%", "2027-01-31"}, Margin{Relative, 0.09}, 0.09},
		{"of the metric where that of the estimand expired", "", []string{"ttft:p50", "9%", "2026-01-31", "ttft", "12%", "2027-01-31"}, Margin{Relative, 0.12}, 0.12},
		{"the last that expired", "", []string{"ttft", "9%", "2026-01-31", "ttft", "12%", "2026-02-28"}, Margin{Relative, 0.05}, 0.12},
		{"narrower than the margin", "", []string{"ttft", "2%", "2027-01-31"}, Margin{Relative, 0.05}, 0.02},
		{"narrower than a wide margin", "margins: {ttft: 20%}", []string{"ttft", "12%", "2027-01-31"}, Margin{Relative, 0.2}, 0.12},
		{"in another unit", "", []string{"ttft", "1ms", "2027-01-31"}, Margin{Absolute, 0.001}, 0.001},
	} {
		text := "version: 1\n" + c.margins + "\naccepted:\n"
		for i := 0; i < len(c.accepted); i += 3 {
			text += "  - {gate: " + `"` + c.accepted[i] + `", bound: ` + c.accepted[i+1] + ", reason: why, owner: who, expires: " + c.accepted[i+2] + "}\n"
		}
		f, err := ParseFile("p.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p := Default()
		if err := f.Apply(&p, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
		if m, ok := p.margin(&r); !ok || m != c.margin {
			t.Errorf("%s: the margin is %v, want %v", c.why, m, c.margin)
		}
		if got := p.acceptance(&r).Margin(r.Metric).Value; got != c.bound {
			t.Errorf("%s: what is told is accepted up to %v, want %v", c.why, got, c.bound)
		}
	}
	other := logResult(known(t, "e2e"), 0, 0)
	if p := (&Policy{Accepted: []Acceptance{{rule: MarginRule{target: target{metric: "ttft"}}}}}); p.acceptance(&other) != nil {
		t.Error("an acceptance of ttft is found for e2e")
	}
}

// Of two acceptances of one gate that have not expired neither is the one that was
// meant.
func TestTwoAcceptancesOfAGate(t *testing.T) {
	f, err := ParseFile("p.yaml", []byte(`version: 1
accepted:
  - {gate: ttft, bound: 12%, reason: why, owner: who, expires: 2027-01-31}
  - {gate: ttft, bound: 6%, reason: why, owner: who, expires: 2027-01-31}
`))
	if err != nil {
		t.Fatal(err)
	}
	p := Default()
	err = f.Apply(&p, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
	const want = `p.yaml: line 4: accepted regression "ttft" is listed twice, up to 12% and up to 6%, and neither has expired: leave one of them`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
