package verdict

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
)

// logResult is a result whose log ratio has the interval [lo, hi] with many
// degrees of freedom.
func logResult(m *metric.Metric, lo, hi float64) compare.Result {
	mid, se := (lo+hi)/2, (hi-lo)/2/1.96
	value := func(v float64) compare.Value { return compare.Value{OK: true, Value: v, N: 10000, Units: 5} }
	c := compare.Contrast{OK: true, Value: mid, Lo: lo, Hi: hi, SELo: se, SEHi: se, DF: 1e6}
	return compare.Result{Metric: m, Estimand: metric.Estimand{Kind: metric.Quantile, Q: .5}, Named: true,
		Baseline: value(1), Candidate: value(math.Exp(mid)), Delta: c, Log: c, UnitSDLog: 0.02, UnitSD: 0.02}
}

func decide(p Policy, rs ...compare.Result) Decision {
	c := &compare.Comparison{Options: compare.DefaultOptions(), Design: compare.Design{Unit: compare.Run, Baseline: 5, Candidate: 5},
		Sides: []*metric.Side{{}, {}}, Results: rs}
	return Decide(c, p)
}

func TestGrammar(t *testing.T) {
	ttft, tps := known(t, "ttft"), known(t, "output_tps")
	p := Default()
	r, err := ParseMargin("output_tps=5%")
	if err != nil {
		t.Fatal(err)
	}
	p.Margins = []MarginRule{r}
	m := math.Log(1.05)
	for _, c := range []struct {
		why     string
		m       *metric.Metric
		lo, hi  float64
		kind    Kind
		outcome Outcome
	}{
		{"the whole interval improves", ttft, -0.10, -0.02, Improved, Pass},
		{"inside the margin on both sides", ttft, -0.02, 0.02, Equivalent, Pass},
		{"worse for sure, and within the margin", ttft, 0.01, 0.04, RegressedWithinMargin, Pass},
		{"improved perhaps a lot, worse at most a little", ttft, -0.20, 0.02, Uncertain, Pass},
		{"beyond the margin", ttft, m + 0.01, m + 0.10, Regressed, Fail},
		{"the margin lies inside", ttft, 0.01, 0.09, Uncertain, Inconclusive},
		{"too wide to say anything", ttft, -0.5, 0.5, Uncertain, Inconclusive},
		{"an upper limit just at the margin does not pass", ttft, 0, m, Uncertain, Inconclusive},
		{"higher is better: a rise improves", tps, 0.02, 0.10, Improved, Pass},
		{"higher is better: a fall beyond the margin", tps, -0.20, -0.10, Regressed, Fail},
	} {
		d := decide(p, logResult(c.m, c.lo, c.hi))
		if g := d.Gates[0]; g.Kind != c.kind || g.Outcome != c.outcome || d.Outcome != c.outcome {
			t.Errorf("%s: kind %s, gate %s, verdict %s; want %s, %s", c.why, g.Kind, g.Outcome, d.Outcome, c.kind, c.outcome)
		}
	}
}

// The p-values agree with the interval: at a limit they are half of 1 − level.
func TestPValuesAgreeWithTheInterval(t *testing.T) {
	m := math.Log(1.05)
	d := decide(Default(), logResult(known(t, "ttft"), m-0.08, m))
	if p := d.Gates[0].PMargin; math.Abs(p-0.025) > 1e-4 {
		t.Errorf("p at the limit is %v, want 0.025", p)
	}
	swapped := decide(Default(), logResult(known(t, "ttft"), m, m+0.08))
	if p := swapped.Gates[0].PFail; math.Abs(p-0.025) > 1e-4 {
		t.Errorf("p of failing at the limit is %v, want 0.025", p)
	}
}

// A gate that exceeds its margin by a little among many does not fail the
// whole: it might be chance.
func TestFailingAllowsForTheNumberOfGates(t *testing.T) {
	ttft, m := known(t, "ttft"), math.Log(1.05)
	barely := logResult(ttft, m+0.001, m+0.081)
	if d := decide(Default(), barely); d.Outcome != Fail {
		t.Errorf("alone: %s, want FAIL", d.Outcome)
	}
	many := []compare.Result{barely}
	for range 9 {
		many = append(many, logResult(ttft, -0.02, 0.02))
	}
	d := decide(Default(), many...)
	if g := d.Gates[0]; d.Outcome != Inconclusive || g.Why != Multiplicity || math.Abs(g.AdjustedAlpha-0.0025) > 1e-12 {
		t.Errorf("among ten: %s, gate %+v", d.Outcome, g)
	}
}

func TestNoDataIsNeverAPass(t *testing.T) {
	r := logResult(known(t, "ttft"), -0.01, 0.01)
	r.Candidate = compare.Value{}
	if d := decide(Default(), r); d.Outcome != Inconclusive || d.Gates[0].Kind != NoData {
		t.Errorf("missing candidate: %s, %s", d.Outcome, d.Gates[0].Kind)
	}
	if d := decide(Default()); d.Outcome != Inconclusive || d.Reasons[0].Code != NothingToJudge {
		t.Errorf("nothing to judge: %+v", d)
	}
}

func TestSoftGatesAskForAnException(t *testing.T) {
	p := Default()
	p.Soft = []target{{metric: "e2e"}}
	pass := logResult(known(t, "ttft"), -0.01, 0.01)
	beyond := logResult(known(t, "e2e"), 0.2, 0.3)
	if d := decide(p, pass, beyond); d.Outcome != ExceptionRequired || d.Outcome.ExitCode() != 4 {
		t.Errorf("only a soft gate beyond its margin: %s", d.Outcome)
	}
	hard := logResult(known(t, "ttft"), 0.2, 0.3)
	if d := decide(p, hard, beyond); d.Outcome != Fail {
		t.Errorf("a hard gate beyond its margin too: %s", d.Outcome)
	}
	open := logResult(known(t, "ttft"), -0.2, 0.2)
	if d := decide(p, open, beyond); d.Outcome != Inconclusive {
		t.Errorf("a hard gate open: %s", d.Outcome)
	}
}

// An open soft gate blocks nothing where another gate is judged. Where all are soft
// nothing has been shown, and that is no pass.
func TestOpenSoftGates(t *testing.T) {
	p := Default()
	p.Soft = []target{{metric: "e2e"}, {metric: "tpot"}}
	hard, kept := logResult(known(t, "ttft"), -0.01, 0.01), logResult(known(t, "tpot"), -0.01, 0.01)
	open, none, beyond := logResult(known(t, "e2e"), -0.2, 0.2), logResult(known(t, "e2e"), -0.2, 0.2), logResult(known(t, "e2e"), 0.2, 0.3)
	none.Candidate.OK = false
	for _, c := range []struct {
		why     string
		results []compare.Result
		want    Outcome
		reasons int
	}{
		{"beside a hard gate", []compare.Result{hard, open}, Pass, 1},
		{"without values beside a hard gate", []compare.Result{hard, none}, Pass, 1},
		{"alone", []compare.Result{open}, Inconclusive, 1},
		{"alone, without values", []compare.Result{none}, Inconclusive, 1},
		{"beside another soft gate", []compare.Result{open, kept}, Inconclusive, 1},
		{"beside a soft gate beyond its margin", []compare.Result{open, beyond}, ExceptionRequired, 1},
		{"kept alone", []compare.Result{kept}, Pass, 1},
	} {
		if d := decide(p, c.results...); d.Outcome != c.want || len(d.Reasons) != c.reasons {
			t.Errorf("%s: %s for %d reasons, want %s for %d", c.why, d.Outcome, len(d.Reasons), c.want, c.reasons)
		}
	}
}

// A measurement that improved fivefold is doubted until it is acknowledged.
func TestTooGoodBlocksPass(t *testing.T) {
	r := logResult(known(t, "ttft"), math.Log(0.1), math.Log(0.12))
	p := Default()
	if d := decide(p, r); d.Outcome != Inconclusive || d.Reasons[0].Code != CheckFailed {
		t.Errorf("ten times faster: %s, %+v", d.Outcome, d.Reasons)
	}
	p.Acknowledged = []CheckCode{TooGood}
	if d := decide(p, r); d.Outcome != Pass {
		t.Errorf("acknowledged: %s", d.Outcome)
	}
}

func TestNeededRuns(t *testing.T) {
	d := decide(Default(), logResult(known(t, "ttft"), -0.01, 0.06))
	g := d.Gates[0]
	if g.Outcome != Inconclusive || g.Needed.Runs < 1 || g.Needed.OnMargin {
		t.Errorf("needed %+v", g.Needed)
	}
	m := math.Log(1.05)
	at := logResult(known(t, "ttft"), m-0.05, m+0.05)
	if g := decide(Default(), at).Gates[0]; !g.Needed.OnMargin || g.Needed.Runs != 0 {
		t.Errorf("on the margin: %+v", g.Needed)
	}
}

// Where the assumed noise between runs suffices to leave a gate open, no number of
// requests settles it.
func TestNoiseAlone(t *testing.T) {
	ttft, tps, rate := known(t, "ttft"), known(t, "output_tps"), known(t, "success_rate")
	absolute := Default()
	r, err := ParseMargin("ttft=30ms")
	if err != nil {
		t.Fatal(err)
	}
	absolute.Margins = []MarginRule{r}
	for _, c := range []struct {
		why    string
		m      *metric.Metric
		p      Policy
		noise  float64
		lo, hi float64
		want   bool
	}{
		{"6.9 % hide a margin of 5 %", ttft, Default(), 0.025, -0.07, 0.07, true},
		{"2.8 % do not: the requests are too few", ttft, Default(), 0.01, -0.07, 0.07, false},
		{"2.8 % about 3 % do", ttft, Default(), 0.01, -0.04, 0.10, true},
		{"2.8 % about 7 % do: it may be 5 % in truth", ttft, Default(), 0.01, 0.02, 0.12, true},
		{"2.8 % about 9 % do not", ttft, Default(), 0.01, 0.04, 0.14, false},
		{"decided all the same", ttft, Default(), 0.025, -0.14, -0.02, false},
		{"no noise", ttft, Default(), 0, -0.07, 0.07, false},
		{"30 ms of a second lie within 6.9 %", ttft, absolute, 0.025, -0.07, 0.07, true},
		{"30 ms of a second do not lie within 2.8 %", ttft, absolute, 0.01, -0.07, 0.07, false},
		{"higher is better, without a margin", tps, Default(), 0.025, -0.07, 0.07, false},
		{"shares are counted", rate, Default(), 0.025, -0.07, 0.07, false},
	} {
		res := logResult(c.m, c.lo, c.hi)
		res.AssumedNoise = c.noise
		if g := decide(c.p, res).Gates[0]; g.NoiseAlone != c.want {
			t.Errorf("%s: %v (%s, harm %.3f, threshold %.3f)", c.why, g.NoiseAlone, g.Outcome, g.Harm, g.Threshold)
		}
	}
}
