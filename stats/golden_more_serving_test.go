package stats

import (
	"encoding/json"
	"math"
	"testing"
)

func TestGoldenServing(t *testing.T) {
	runMore(t, "serving.json", map[string]func(*moreRun){
		"tpot": func(g *moreRun) {
			var tokens []int64
			g.ok(json.Unmarshal(g.raw("n_out"), &tokens))
			r, err := TimePerToken(g.slice("ttft"), g.slice("e2e"), tokens)
			g.ok(err)
			values := make([]float64, len(tokens))
			for i, ok := range r.Defined {
				values[i] = math.Inf(1) // the case has null
				if ok {
					values[i] = r.PerRequest[i]
				}
			}
			g.want("tpot", values...)
			g.want("per_request_mean", r.RequestMean)
			g.want("per_token", r.TokenMean)
		},
		"ttft_regression": func(g *moreRun) {
			x, y := g.slice("prompt_tokens"), g.slice("ttft_ms")
			f, err := TheilSen(x, y, g.num("conf"))
			g.ok(err)
			g.want("theil_sen_slope", f.Slope.Value)
			g.want("slope_lower", f.Slope.Interval.Lo)
			g.want("slope_upper", f.Slope.Interval.Hi)
			g.want("intercept_separate", f.InterceptOfMedians)
			g.want("intercept_joint", f.Intercept)
			o, err := LeastSquares(x, y)
			g.ok(err)
			g.want("ols_slope", o.Slope)
			h, err := Huber(x, y, 1.345)
			g.ok(err)
			g.want("huber_slope", h.Slope)
			g.want("huber_intercept", h.Intercept)
		},
		"coordinated_omission": func(g *moreRun) {
			v, err := FillOmission(g.slice("values"), g.num("expected_interval"))
			g.ok(err)
			g.want("n", float64(len(v)))
			g.want("corrected_sorted", v...)
			mean, err := Mean(v)
			g.ok(err)
			g.want("mean", mean)
		},
		"goodput_joint_slo": func(g *moreRun) {
			r, err := JointGoodput(g.slice("ttft"), g.slice("tpot"), nil, nil, g.num("slo_ttft"), g.num("slo_tpot"), g.num("duration_s"), g.num("conf"))
			g.ok(err)
			g.want("good", float64(r.Good))
			g.want("fraction", r.Fraction.Value)
			g.want("wilson_lower", r.Fraction.Interval.Lo)
			g.want("wilson_upper", r.Fraction.Interval.Hi)
			g.want("goodput_rps", r.PerTime)
		},
		"burn_rate": func(g *moreRun) {
			b, err := BurnRate(int64(g.num("bad")), int64(g.num("total")), g.num("slo"), 0.95)
			g.ok(err)
			g.want("burn", b.Value)
		},
		"littles_law": func(g *moreRun) {
			l, err := LittlesLaw(g.num("arrivals_per_s"), g.num("mean_latency_s"))
			g.ok(err)
			g.want("L", l)
		},
	})
}
