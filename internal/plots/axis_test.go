package plots

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func labels(ticks []Tick) []string {
	var out []string
	for _, t := range ticks {
		out = append(out, t.Label)
	}
	return out
}

func TestTicks(t *testing.T) {
	plain := unit{factor: 1}
	for _, c := range []struct {
		why  string
		got  []Tick
		want []string
	}{
		{"round steps", linearTicks(0, 1, 6, plain), []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}},
		{"signed per cent", linearTicks(-0.06, 0.22, 6, percent), []string{"-5", "0", "+5", "+10", "+15", "+20"}},
		{"milliseconds of seconds", linearTicks(0.78, 0.99, 5, unit{name: "ms", factor: 1000}), []string{"800", "850", "900", "950"}},
		{"thousands", linearTicks(0, 20000, 5, plain), []string{"0", "5,000", "10,000", "15,000", "20,000"}},
		{"millions need no zeros", linearTicks(0, 4e8, 5, plain), []string{"0", "1e8", "2e8", "3e8", "4e8"}},
		{"an offset keeps its digits", linearTicks(1e12, 1e12+4, 5, plain), []string{"1,000,000,000,000", "1,000,000,000,001", "1,000,000,000,002", "1,000,000,000,003", "1,000,000,000,004"}},
		{"1, 2, 5", logTicks(40, 2100, 7, plain), []string{"50", "100", "200", "500", "1,000", "2,000"}},
		{"decades", logTicks(1e-4, 1e4, 7, plain), []string{"1e-4", "0.01", "1", "100", "10,000"}},
		{"less than a decade", logTicks(1.1, 1.9, 4, plain), []string{"1.2", "1.4", "1.6", "1.8"}},
	} {
		if diff := cmp.Diff(c.want, labels(c.got)); diff != "" {
			t.Errorf("%s: %s", c.why, diff)
		}
	}
}

// TestTicksInside: ticks lie inside the range, rise, and there are some, for
// ranges of every size.
func TestTicksInside(t *testing.T) {
	for e := -300.0; e <= 300; e += 7 {
		for _, w := range []float64{1e-9, 0.3, 1, 7, 1e5} {
			lo := math.Pow(10, e)
			hi := lo * (1 + w)
			for _, ticks := range [][]Tick{linearTicks(lo, hi, 6, unit{factor: 1}), logTicks(lo, hi, 6, unit{factor: 1})} {
				if len(ticks) == 0 || len(ticks) > 24 {
					t.Errorf("%v to %v: %d ticks", lo, hi, len(ticks))
				}
				for i, k := range ticks {
					if k.At < lo*(1-1e-9) || k.At > hi*(1+1e-9) || i > 0 && k.At <= ticks[i-1].At {
						t.Errorf("%v to %v: tick %d at %v", lo, hi, i, k.At)
					}
				}
			}
		}
	}
}

func TestPlace(t *testing.T) {
	for _, c := range []struct {
		axis    Axis
		v, want float64
	}{
		{Axis{Min: 2, Max: 4}, 3, 0.5},
		{Axis{Scale: Log, Min: 1, Max: 100}, 10, 0.5},
		{Axis{Scale: Log, Min: 1, Max: 100}, 0, -1},
		{Axis{Scale: Log, Min: 1, Max: 100}, math.Inf(1), 2},
		{Axis{Scale: Percentile, Min: 0.01, Max: 0.99}, 0.5, 0.5},
		{Axis{Scale: Percentile, Min: 0.01, Max: 0.99}, 1, 2},
		{Axis{Min: -1e300, Max: 1e300}, 0, 0.5},
		{Axis{Min: 0, Max: 1}, math.Inf(-1), -1},
	} {
		if got := c.axis.place(c.v); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v lies at %v, want %v", c.axis, c.v, got, c.want)
		}
	}
}

// TestApart: labels that do not fit are left out, the important ones last.
func TestApart(t *testing.T) {
	extent := func(t Tick) (float64, float64) { return t.At - 1, t.At + 1 }
	for _, c := range []struct {
		why  string
		in   []Tick
		want []string
	}{
		{"all fit", []Tick{{At: 0, Label: "0"}, {At: 2, Label: "2"}}, []string{"0", "2"}},
		{"every second, with zero", []Tick{{At: -1, Label: "-1"}, {At: 0, Label: "0"}, {At: 1, Label: "1"}, {At: 2, Label: "2"}}, []string{"0", "2"}},
		{"by rank", []Tick{{At: 0, Label: "p90", Rank: 3}, {At: 1, Label: "p95", Rank: 2}, {At: 3, Label: "p99", Rank: 1}}, []string{"p99", "p95"}},
	} {
		if diff := cmp.Diff(c.want, labels(apart(c.in, extent))); diff != "" {
			t.Errorf("%s: %s", c.why, diff)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		u    unit
		v    float64
		want string
	}{
		{unitFor("s", 0.182), 0.182, "182 ms"},
		{unitFor("s", 2.5), 2.5, "2.50 s"},
		{unitFor("s", 3e-5), 3e-5, "30.0 µs"},
		{unitFor("1/s", 1234), 1234, "1,234 per second"},
		{unitFor("tokens", 7), 7, "7.00 tokens"},
		{percent, 0.1764, "+17.6 %"},
		{percent, -0.00001, "0.0 %"},
		{points, 0.00005, "+0.01 pp"},
	} {
		if got := c.u.print(c.v); got != c.want {
			t.Errorf("%v is printed %q, want %q", c.v, got, c.want)
		}
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{"ttft p99": "ttft-p99", "queue_ms": "queue-ms", "../../etc": "etc", "模型": "xe6a8a1e59e8b", "": "x"} {
		if got := slug(in); got != want {
			t.Errorf("slug(%q) = %q, want %q", in, got, want)
		}
	}
}
