package verdict

import (
	"strings"
	"testing"
	"time"

	"github.com/perfdiff/perfdiff/internal/metric"
)

const wholePolicy = `version: 1
level: 0.9
run_noise: 3%
metrics: [ttft:p50, ttft:p99, e2e]
slo: ttft<500ms
margins:
  default: 4%
  ttft:p99: 20ms
limits: ["ttft:p99<=800ms"]
soft: [e2e]
by: [region]
critical: ["region=eu"]
mix: [class]
comparability:
  rejected: 2%
  load: 15%
  output_length: 30%
  cache_hit: 5%
  too_good: 8
  acknowledged: [too_good]
cost:
  gpu_hour: 2.5
  gpus: 4
  overhead:
    - {name: storage, per_hour: 1}
fingerprint:
  same: [gpu]
accepted:
  - gate: ttft:p99
    bound: 30%
    reason: new tokenizer
    owner: infra
    expires: 2027-01-31
`

func TestPolicyFile(t *testing.T) {
	f, err := ParseFile("perfdiff.yaml", []byte(wholePolicy))
	if err != nil {
		t.Fatal(err)
	}
	p := Default()
	if err := f.Apply(&p, time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	if p.MaxRejected != 0.02 || p.Comparability.Load != 0.15 || p.Comparability.Output != 0.3 || p.Comparability.Cache != 0.05 || p.TooGood != 8 {
		t.Errorf("thresholds: %+v", p)
	}
	if len(p.Margins) != 2 || len(p.Limits) != 1 || len(p.Soft) != 1 || len(p.Accepted) != 1 || p.Accepted[0].Expired || p.Same[0] != "gpu" {
		t.Errorf("policy: %+v", p)
	}
	if got := f.Cost.PerHour(); got != 11 {
		t.Errorf("cost per hour %v, want 4 × 2.5 + 1", got)
	}
	// What is written reads back the same.
	again, err := f.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	g, err := ParseFile("printed", again)
	if err != nil {
		t.Fatalf("%v\n%s", err, again)
	}
	if twice, _ := g.Marshal(); string(twice) != string(again) {
		t.Errorf("printed twice:\n%s\n%s", again, twice)
	}
}

// An acceptance holds on its last day and not after it.
func TestAcceptanceExpires(t *testing.T) {
	f, err := ParseFile("perfdiff.yaml", []byte(wholePolicy))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		day     time.Time
		expired bool
	}{
		{time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC), false},
		{time.Date(2027, 2, 1, 12, 0, 0, 0, time.UTC), true},
	} {
		p := Default()
		if err := f.Apply(&p, c.day); err != nil {
			t.Fatal(err)
		}
		if p.Accepted[0].Expired != c.expired {
			t.Errorf("%s: expired %v", c.day.Format(time.DateOnly), p.Accepted[0].Expired)
		}
	}
}

func TestPolicyFileFaults(t *testing.T) {
	for _, c := range []struct{ why, text, want string }{
		{"a typo in a key", "version: 1\nmargin:\n  ttft: 5%\n", `line 2: unknown field "margin"; keys are version, level`},
		{"a typo further down", "version: 1\ncost:\n  gpu_hours: 2\n", `line 3: unknown field "gpu_hours" of cost; keys are gpu_hour, gpus, overhead`},
		{"a typo in an item of a list", "version: 1\naccepted:\n  - gates: ttft\n    bound: 3%\n", `line 3: unknown field "gates" of accepted[0]; keys are gate, bound, reason, owner, expires`},
		{"a typo in a list of a map", "version: 1\ncost:\n  overhead:\n    - {name: a, per_hour: 1}\n    - {name: b, hourly: 1}\n", `line 5: unknown field "hourly" of cost.overhead[1]; keys are name, per_hour`},
		{"a margin without unit", "version: 1\nmargins:\n  default: 5%\n  ttft: 5\n", "perfdiff.yaml: line 4: margin 5 for ttft has no unit"},
		{"a default margin without unit", "version: 1\nmargins: {default: 5}\n", "perfdiff.yaml: line 2: margin \"5\" has no unit"},
		{"a limit without unit", "version: 1\nlimits:\n  - ttft:mean<1s\n  - ttft:mean<1\n", "perfdiff.yaml: line 4: limit ttft:mean<1"},
		{"a limit that is none", "version: 1\nlimits: [ttft]\n", "perfdiff.yaml: line 2: "},
		{"a threshold that is none", "version: 1\ncomparability:\n  load: 5%\n  drift: 5\n", "perfdiff.yaml: line 4: comparability drift: "},
		{"a factor below 1", "version: 1\ncomparability:\n  duration: 0.5\n", "perfdiff.yaml: line 3: comparability duration: 0.5"},
		{"a level that is none", "version: 1\n\nlevel: 95\n", "perfdiff.yaml: line 3: level 95"},
		{"a level of 0", "version: 1\nlevel: 0\n", "perfdiff.yaml: line 2: level 0: want a share"},
		{"a factor of 0", "version: 1\ncomparability:\n  too_good: 0\n", "perfdiff.yaml: line 3: comparability too_good: 0"},
		{"no dollars", "version: 1\ncost:\n  gpu_hour: 0\n", "perfdiff.yaml: line 3: cost: gpu_hour 0: want a number above 0"},
		{"no GPU", "version: 1\ncost:\n  gpu_hour: 2\n  gpus: 0\n", "perfdiff.yaml: line 4: cost: gpus 0: want a number above 0"},
		{"dollars that are no number", "version: 1\ncost:\n  gpu_hour: .nan\n", "perfdiff.yaml: line 3: cost: gpu_hour NaN"},
		{"dollars without end", "version: 1\ncost:\n  overhead: [{name: a, per_hour: .inf}]\n", "an hour: want a number from 0"},
		{"a typo behind a mark of UTF-8", "\xef\xbb\xbfversion: 1\nmargin: 5%\n", `line 2: unknown field "margin"`},
		{"a wrong type", "version: 1\nlevel: high\n", "line 2"},
		{"a list where a text belongs", "version: 1\npair: [night]\n", "line 2: found a list, want text"},
		{"keys where a text belongs", "version: 1\npair: {night: 1}\n", "line 2: found a map of keys, want text"},
		{"no version", "level: 0.9\n", "want version: 1"},
		{"another version", "version: 2\n", "version 2: want version: 1"},
		{"empty", "", "the policy is empty"},
		{"an acceptance without an owner", "version: 1\naccepted:\n  - {gate: ttft, bound: 10%, reason: x, expires: 2027-01-01}\n", "has no owner"},
		{"an acceptance without a day", "version: 1\naccepted:\n  - {gate: ttft, bound: 10%, reason: x, owner: y, expires: soon}\n", "is not a day such as"},
		{"a percentage without the sign", "version: 1\ncomparability: {load: 10}\n", "is not a percentage"},
		{"an unknown check", "version: 1\ncomparability: {acknowledged: [moon]}\n", `there is no check "moon"; checks are`},
		{"a soft gate that is none", "version: 1\nsoft: [\"ttft:p0\"]\n", "unknown estimand"},
		{"not YAML", "version: [1\n", "perfdiff.yaml"},
	} {
		f, err := ParseFile("perfdiff.yaml", []byte(c.text))
		if err == nil {
			// Margins are checked against a metric where they need one.
			p := Default()
			if err = f.Apply(&p, time.Time{}); err == nil {
				m, _ := metric.Known("ttft")
				err = p.Check([]metric.Item{{Metric: m, Estimands: []metric.Estimand{{Kind: metric.Mean}}}})
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "perfdiff.yaml") != 1 {
			t.Errorf("%s: error %v, want one with %q", c.why, err, c.want)
		}
	}
}

func FuzzParseFile(f *testing.F) {
	f.Add([]byte(wholePolicy))
	f.Add([]byte("version: 1\nmargins: {a: &x [*x]}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		file, err := ParseFile("p", data)
		if err == nil {
			p := Default()
			_ = file.Apply(&p, time.Time{})
		}
	})
}
