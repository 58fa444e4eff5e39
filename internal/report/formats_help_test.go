package report

import (
	"math"
	"testing"
)

// hostile is a label that tries to be markup in every format.
const hostile = `<b>|"'&` + "`x`" + ` ::error::</script><script>alert(1)</script> ]]> 模型`

func str(s string) *string { return &s }

func estimateOf(v, lo, hi float64, n int64) Estimate {
	return Estimate{Value: Num(v), Lo: Num(lo), Hi: Num(hi), N: n, Units: 5}
}

// resultOf makes a gate with a relative margin.
func resultOf(metric, estimand string, before, after float64, verdict *string, kind string) Result {
	ratio := after / before
	return Result{
		Metric: metric, Estimand: estimand, Unit: "s", Direction: "lower", Level: 0.95, Exact: true,
		Baseline: estimateOf(before, before*0.97, before*1.04, 100_003), Candidate: estimateOf(after, after*0.96, after*1.05, 99_871),
		Delta: &Change{Num(after - before), Num((after - before) * 0.8), Num((after - before) * 1.3)},
		Ratio: &Change{Num(ratio), Num(ratio * 0.96), Num(ratio * 1.05)},
		Tests: []Test{}, Method: "jackknife of merged runs, Welch–Satterthwaite t", Kind: kind, Verdict: verdict, Blocking: verdict != nil,
		Margin: &Margin{"relative", 0.05}, PValue: 0.0123456, PSuperior: 0.00045, PAdjusted: none, AdjustedAlpha: 0.0125, MDE: 1.0467, Warnings: []Note{},
	}
}

// sample is a document with a row of every kind.
func sample(verdict string, exit int) *Document {
	runs, requests := 4, int64(12_345)
	fail := resultOf("ttft", "p99", 0.8123456, 0.9554321, str("FAIL"), "regressed")
	open := resultOf("ttft", "p95", 0.5401, 0.57123, str("INCONCLUSIVE"), "uncertain")
	open.Needed, open.Smallest = &Needed{Runs: &runs}, &Margin{"relative", 0.0912}
	pass := resultOf("tpot", "p50", 0.0312, 0.03151, str("PASS"), "equivalent")
	thin := resultOf("e2e", "p99.9", 7.1, 8.3, nil, "uncertain")
	thin.Delta, thin.Ratio = &Change{1.2, none, none}, &Change{Num(8.3 / 7.1), none, none}
	thin.Needed, thin.MDE, thin.PValue, thin.PSuperior = &Needed{Requests: &requests}, none, none, none
	thin.Warnings = []Note{{"thin_tail", "e2e p99.9 needs more"}}
	like := resultOf("e2e", "p50", 1.7, 2.1, str("PASS"), "equivalent")
	like.LikeForLike = &LikeForLike{Ratio: &Change{1.012345, 0.98, 1.04}, Delta: &Change{0.02, -0.034, 0.068}, EffectiveN: 900, Unsupported: 0.001}
	absolute := resultOf("queue_ms", "mean", 0.0021, 0.0019, str("PASS"), "improved")
	absolute.Margin = &Margin{"absolute", 0.0005}
	rate := resultOf("success_rate", "rate", 0.9991, 0.999, str("PASS"), "equivalent")
	rate.Unit, rate.Direction, rate.Ratio, rate.Margin = "1", "higher", nil, &Margin{"absolute", 0.005}
	rate.Method = "pooled counts, Miettinen–Nurminen score interval"
	limit := resultOf("ttft", "p99", 0.8123456, 0.9554321, str("FAIL"), "regressed")
	limit.Margin, limit.Limit = nil, &Limit{"<=", 0.8}
	slice := resultOf("ttft", "p99", 0.9, 0.93, nil, "uncertain")
	slice.Slice, slice.PAdjusted, slice.Margin = map[string]string{"region": hostile}, 0.04, &Margin{"relative", 0.05}
	missing := resultOf("itl", "p50", 1, 1, str("INCONCLUSIVE"), "no_data")
	missing.Baseline, missing.Candidate = Estimate{Value: none, Lo: none, Hi: none}, estimateOf(0.02, math.Inf(-1), 0.03, 7)
	missing.Delta, missing.Ratio, missing.PValue, missing.PSuperior, missing.MDE = nil, nil, none, none, none
	missing.Warnings = []Note{{"no_data", "There are no itl values in the baseline."}}
	first := "2025-03-01T10:00:00Z"
	side := func(label string) *Side {
		return &Side{Label: label, Runs: 5, Requests: 100_010, OK: 100_003, Failed: 7, Failures: []Count{{"status", 7, "status says failed"}},
			Rejected: []Count{{"negative_time", 3, hostile}}, Excluded: []Count{}, FirstStart: &first, LastStart: &first, Fingerprint: map[string]string{"model": hostile},
			Files: []File{{Path: "/data/" + label, Reader: "parquet", Rows: 100_013, SHA256: "00ff", Columns: map[string]FieldFrom{"ttft": {hostile, "ms"}}}}}
	}
	doc := &Document{
		SchemaVersion: SchemaVersion, Tool: Tool{"perfdiff", "v1.2.3"}, Command: "compare", Seed: 7, Level: 0.95, ExitCode: exit,
		Reasons:  []Reason{{"gate_failed", "ttft p99 is slower by 17.6 % (11.0 % to 24.5 %), margin 5 %."}, {"check_failed", "The load differs: " + hostile}},
		Baseline: side("before " + hostile), Candidate: side("after"),
		Design:        Design{Unit: "run", BaselineUnits: 5, CandidateUnits: 5, AssumedRunNoise: none, Text: "5 + 5 runs, 200,020 requests, run-level 95 % intervals"},
		Comparability: []Check{{"offered_load", "fail", 10, 12, "The load differs: " + hostile}, {"rejected_records", "ok", 0, 0, "No record was rejected."}, {"answer_length", "warn", 100, 120, "Answers differ in length."}},
		Results:       []Result{fail, open, pass, thin, like, absolute, rate, limit, slice, missing},
		MixShift: []MixShift{{Metric: "e2e", Estimand: "p50", By: "prompt length", Total: Change{0.2353, 0.2, 0.27}, Within: Change{0.0123, -0.02, 0.04}, Mix: Change{0.223, 0.19, 0.25},
			Factors: []FactorPart{{"prompt_tokens", Change{0.2, 0.18, 0.22}}, {hostile, Change{0.013, none, none}}}, OffSupport: Change{0.01, 0, 0.02},
			Strata: []Stratum{{"1–255", 0.7, 0.4, 1.5, 1.52, none, none, Change{0.013, -0.01, 0.04}, []Note{}}, {hostile, 0.3, 0.6, 3, none, none, none, Change{none, none, none}, []Note{{"tail_too_thin", "too few"}}}}}},
		Flips: []Flip{}, Plan: []Plan{}, Warnings: []Note{{"column_not_used", hostile}},
	}
	if verdict != "" {
		doc.Verdict = &verdict
	}
	return doc
}

// description is a document of one side.
func description() *Document {
	doc := sample("", 0)
	doc.Command, doc.Candidate, doc.Reasons, doc.Comparability, doc.MixShift = "describe", nil, []Reason{}, []Check{}, []MixShift{}
	doc.Results = doc.Results[:4]
	for i := range doc.Results {
		r := &doc.Results[i]
		r.Candidate, r.Delta, r.Ratio, r.Verdict, r.Margin = Estimate{Value: none, Lo: none, Hi: none}, nil, nil, nil, nil
	}
	return doc
}

// documents are those that every format must be able to write.
func documents(t testing.TB) map[string]*Document {
	t.Helper()
	empty := sample("INCONCLUSIVE", 3)
	empty.Results, empty.Comparability, empty.MixShift, empty.Reasons = []Result{}, []Check{}, []MixShift{}, []Reason{{"nothing_to_judge", "Nothing was judged."}}
	passed := sample("PASS", 0)
	passed.Results, passed.Comparability, passed.Reasons = passed.Results[2:3], passed.Comparability[1:2], []Reason{{"all_gates_passed", "Every gate is within its margin (1 gate)."}}
	censored := sample("FAIL", 1)
	censored.Results[0].Candidate.AtLeast = true
	return map[string]*Document{
		"censored": censored,
		"fail":     sample("FAIL", 1), "inconclusive": sample("INCONCLUSIVE", 3), "inconclusive lets": sample("INCONCLUSIVE", 0),
		"exception": sample("EXCEPTION_REQUIRED", 4), "pass": passed, "empty": empty, "description": description(),
	}
}
