package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/perfdiff/perfdiff/fixtures"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// realFiles are records of real load tests in the repository.
var realFiles = []string{
	"fixtures/real/llmperf/yi34b_vllm_c16_individual_responses.json",
	"fixtures/real/llmperf/yi34b_tgi_c16_individual_responses.json",
}

// realHalves compares random halves of one real run: whatever differs is chance.
func realHalves(ctx context.Context, w io.Writer, pairs, workers int) error {
	section(w, "A real run against itself", `
The requests of a real load test, dealt at random into two halves, %d times: nothing
differs but chance. As one run a side with the default run noise, and with the
request as the unit. The records have about 140 requests each, so that percentiles beyond
the median are too thin to judge.`, pairs)
	t := newTable(w, "records, unit", "p50 interval leaves out no change", "PASS", "FAIL", "INCONCLUSIVE")
	l := lab{ctx: ctx, w: w, workers: workers}
	for _, name := range realFiles {
		all, err := readLLMPerf(name)
		if err != nil {
			return err
		}
		for _, unit := range []compare.Unit{compare.Auto, compare.Request} {
			opt := compare.DefaultOptions()
			opt.Unit = unit
			outs, err := simulate(l, fmt.Sprint("halves ", name, unit), pairs, func() func(*rand.Rand) pairResult {
				return func(rng *rand.Rand) pairResult {
					a, b := deal(rng, all)
					return judge(ctx, []*fixtures.Records{a, b}, opt, 0)
				}
			})
			if err != nil {
				return err
			}
			var got tally
			for _, o := range outs {
				if o.err != nil {
					return o.err
				}
				got.add(o.ttft[0])
			}
			short := map[string]string{realFiles[0]: "yi-34b, vLLM", realFiles[1]: "yi-34b, TGI"}[name]
			t.row(append([]string{fmt.Sprintf("%s, %v", short, unit), fixed(got.rejected())},
				shares(outs, func(o outcome) verdict.Outcome { return o.all })...)...)
		}
	}
	return nil
}

// readLLMPerf reads the answers that succeeded. The files have no times of start,
// so the order of the file stands in for it.
func readLLMPerf(name string) (*fixtures.Records, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w (run it from the top of the repository)", err)
	}
	var rows []struct {
		Code *int    `json:"error_code"`
		TTFT float64 `json:"ttft_s"`
		E2E  float64 `json:"end_to_end_latency_s"`
		Out  float64 `json:"number_output_tokens"`
		In   float64 `json:"number_input_tokens"`
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, err
	}
	r := &fixtures.Records{}
	for i, row := range rows {
		if row.Code != nil {
			continue
		}
		appendRecord(r, int64(i)*1_000_000_000, row.TTFT, row.E2E, row.In, row.Out)
	}
	return r, nil
}

func appendRecord(r *fixtures.Records, start int64, ttft, e2e, prompt, output float64) {
	r.Run, r.Replica = append(r.Run, 0), append(r.Replica, 0)
	r.Start = append(r.Start, start)
	r.TTFT, r.E2E = append(r.TTFT, ttft), append(r.E2E, e2e)
	r.PromptTokens, r.OutputTokens = append(r.PromptTokens, prompt), append(r.OutputTokens, output)
	r.Status = append(r.Status, fixtures.StatusOK)
}

// deal gives each record to one of two halves at random.
func deal(rng *rand.Rand, all *fixtures.Records) (a, b *fixtures.Records) {
	a, b = &fixtures.Records{}, &fixtures.Records{}
	for k, i := range rng.Perm(all.Len()) {
		to := a
		if k%2 == 1 {
			to = b
		}
		appendRecord(to, all.Start[i], all.TTFT[i], all.E2E[i], all.PromptTokens[i], all.OutputTokens[i])
	}
	return a, b
}
