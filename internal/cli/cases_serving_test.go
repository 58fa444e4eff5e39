package cli_test

import (
	"math"
	"testing"
)

// P15: the first-token time was put among the gaps, and a chunk of several
// tokens counted as one token.
func TestCaseP15(t *testing.T) {
	doc := document(t, 3, "-m", "tpot:mean", "-m", "itl:mean", caseFile("P15", "before.jsonl"), caseFile("P15", "after.jsonl"))
	tpot, itl := row(t, doc, "tpot", "mean"), row(t, doc, "itl", "mean")
	value(t, "tpot before", tpot.Baseline, 0.02, 20)
	value(t, "tpot after", tpot.Candidate, 0.02, 20)
	value(t, "itl before", itl.Baseline, 0.02, 60)
	value(t, "itl after", itl.Candidate, 0.02, 60)
	warned(t, itl, "first_gap_dropped")

	doc = document(t, 3, "-m", "tpot:mean", caseFile("P15", "chunks", "before.jsonl"), caseFile("P15", "chunks", "after.jsonl"))
	tpot = row(t, doc, "tpot", "mean")
	near(t, "tpot before", tpot.Baseline.Value, 0.2/11)
	near(t, "tpot after", tpot.Candidate.Value, 0.22/11)
	near(t, "ratio", tpot.Ratio.Value, 1.1)
}

// P16: the time per token of a one-token answer was 0 or a division by zero.
func TestCaseP16(t *testing.T) {
	doc := document(t, 3, "-m", "tpot:mean", before("P16"), after("P16"))
	r := row(t, doc, "tpot", "mean")
	value(t, "before", r.Baseline, 0.015, 2)
	value(t, "after", r.Candidate, 0.015, 2)
	warned(t, r, "not_applicable")
	// An answer without a token is a failed request.
	counted(t, "failures before", doc.Baseline.Failures, map[string]int64{"status": 1, "empty": 1})
	counted(t, "failures after", doc.Candidate.Failures, map[string]int64{})

	one := write(t, "one.csv", "ttft_ms,latency_ms,output_tokens\n100,100,1\n120,120,1\n")
	doc = document(t, 3, "-m", "tpot:mean", one, one)
	if v := row(t, doc, "tpot", "mean").Baseline; v.Value.Known() || v.N != 0 {
		t.Errorf("tpot of one-token answers is %v, n = %d", v.Value, v.N)
	}
}

// P17: warm-up leaked into the measurement.
func TestCaseP17(t *testing.T) {
	doc := document(t, 3, "-m", "e2e:mean", "-m", "e2e:p95", caseFile("P17", "before.jsonl"), caseFile("P17", "after.jsonl"))
	for at, want := range map[string]float64{"mean": 0.1045, "p95": 0.109} {
		r := row(t, doc, "e2e", at)
		value(t, "before "+at, r.Baseline, want, 100)
		value(t, "after "+at, r.Candidate, want, 100)
		near(t, "delta "+at, r.Delta.Value, 0)
	}
	counted(t, "left out", doc.Candidate.Excluded, map[string]int64{"warmup_phase": 10})
}

// P18: clocks that disagree made latencies negative, and the median with them.
func TestCaseP18(t *testing.T) {
	doc := document(t, 3, "-m", "latency:mean", "-m", "latency:p50", "-m", "latency:p95", before("P18"), after("P18"))
	for at, want := range map[string]float64{"mean": 59.89, "p50": 60, "p95": 68.3} {
		r := row(t, doc, "latency", at)
		if got := 1e3 * float64(r.Candidate.Value); math.Abs(got-want) > 0.005 || r.Candidate.N != 95 {
			t.Errorf("%s = %v ms of %d, want %v of 95", at, got, r.Candidate.N, want)
		}
	}
	counted(t, "rejected", doc.Candidate.Rejected, map[string]int64{"negative": 5})
	hasReason(t, doc, "5.00 % of the candidate's could not be used")
}

// P19: a generator that sent fewer requests than asked looked unchanged.
func TestCaseP19(t *testing.T) {
	// About these two runs only, every latency passes: the load is the reason.
	doc := document(t, 3, "--run-noise", "0%", before("P19"), after("P19"))
	verdict(t, doc, "INCONCLUSIVE")
	hasReason(t, doc, "The load differs: 100 requests a second against 60")
	for _, at := range []string{"p50", "p95", "p99"} {
		r := row(t, doc, "latency", at)
		near(t, "latency "+at, r.Delta.Value, 0)
		if deref(r.Verdict) != "PASS" {
			t.Errorf("latency %s: %s, want PASS", at, deref(r.Verdict))
		}
	}
	doc = document(t, 1, "-m", "throughput_rps", "--margin", "throughput_rps=5%", before("P19"), after("P19"))
	r := row(t, doc, "throughput_rps", "rate")
	for _, side := range [][2]float64{{float64(r.Baseline.Value), 100}, {float64(r.Candidate.Value), 60}} {
		if math.Abs(side[0]-side[1]) > 0.01*side[1] {
			t.Errorf("rate %v/s, want %v/s", side[0], side[1])
		}
	}
	if v := float64(r.Ratio.Value); math.Abs(v-0.6) > 0.003 {
		t.Errorf("ratio %v, want 0.6", v)
	}
}

// P29: longer answers were called a slower system. Inside a class nothing varies,
// so that like for like nothing is left but the noise between runs that is
// assumed: 2.5 % hides more than the margin, as it does for two equal runs of
// equal traffic, 1 % does not, and with none the verdict is about these runs.
func TestCaseP29(t *testing.T) {
	for _, c := range []struct {
		noise string
		code  int
		kind  string
		hi    float64
	}{
		{"2.5%", 3, "uncertain", math.Exp(1.959963984540054 * 0.025 * math.Sqrt2)},
		{"1%", 0, "equivalent", math.Exp(1.959963984540054 * 0.01 * math.Sqrt2)},
		{"0%", 0, "equivalent", 1},
	} {
		for _, flags := range [][]string{nil, {"--mix", "class"}, {"--mix", "output_tokens"}} {
			r := row(t, document(t, c.code, with(flags, "-m", "latency:mean", "--run-noise", c.noise, before("P29"), after("P29"))...), "latency", "mean")
			if r.Kind != c.kind {
				t.Errorf("%q, noise %s: %s, want %s", flags, c.noise, r.Kind, c.kind)
			}
			near(t, "lower limit", r.LikeForLike.Ratio.Lo, 1/c.hi)
			near(t, "upper limit", r.LikeForLike.Ratio.Hi, c.hi)
		}
		r := row(t, document(t, 3, "-m", "latency:p50", "--run-noise", c.noise, before("P02"), before("P02")), "latency", "p50")
		near(t, "upper limit of two equal runs", r.Ratio.Hi, c.hi)
	}
	for _, flags := range [][]string{nil, {"--mix", "class"}, {"--mix", "output_tokens"}} {
		doc := document(t, 3, with(flags, "-m", "latency:mean", before("P29"), after("P29"))...)
		r := row(t, doc, "latency", "mean")
		value(t, "before", r.Baseline, 0.280, 100)
		value(t, "after", r.Candidate, 0.820, 100)
		near(t, "delta", r.Delta.Value, 0.540)
		if r.LikeForLike == nil || r.Kind == "regressed" {
			t.Fatalf("%q: %s, like for like %v", flags, r.Kind, r.LikeForLike)
		}
		near(t, "like for like", r.LikeForLike.Ratio.Value, 1)
		near(t, "like for like", r.LikeForLike.Delta.Value, 0)
		if len(doc.MixShift) != 1 {
			t.Fatalf("%q: %d splits, want 1", flags, len(doc.MixShift))
		}
		split := doc.MixShift[0]
		near(t, "total", split.Total.Value, 0.540/0.280)
		near(t, "within", split.Within.Value, 0)
		near(t, "mix", split.Mix.Value, 0.540/0.280)
		var within, mix float64
		for _, s := range split.Strata {
			within += float64(s.WithinContribution)
			mix += float64(s.MixContribution)
		}
		if math.Abs(within+mix-0.540/0.280) > 1e-12 {
			t.Errorf("the contributions sum to %v, want %v", within+mix, 0.540/0.280)
		}
	}
	says(t, "the text", run(t, before("P29"), after("P29")).stdout, "like for like 0.0 % [-6.7, +7.2]", "median 63 → 1,024 tokens",
		"The assumed noise between runs alone leaves latency p50 open: it spans -6.7 % to +7.2 %")
}

// P33: a summary was compared as if its numbers were requests.
func TestCaseP33(t *testing.T) {
	res := run(t, caseFile("P33", "before.json"), caseFile("P33", "after.json"))
	if res.code == 0 || res.code == 1 || res.stdout != "" && res.code == 2 {
		t.Errorf("exit code %d\n%s", res.code, res.stdout)
	}
	says(t, "the error", res.stderr, "before.json")
}
