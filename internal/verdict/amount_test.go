package verdict

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/internal/metric"
)

func TestAmounts(t *testing.T) {
	for text, want := range map[string]Amount{
		"4%":    {Scale: Relative, Value: 0.04, Text: "4%"},
		"-3.5%": {Scale: Relative, Value: -0.035, Text: "-3.5%"},
		"8ms":   {Scale: Absolute, Value: 0.008, Time: true, Text: "8ms"},
		"0.5pp": {Scale: Absolute, Value: 0.005, Points: true, Text: "0.5pp"},
		"12":    {Scale: Absolute, Value: 12, Text: "12"},
	} {
		if got, err := ParseAmount(text); err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "4 bananas", "x%", "%"} {
		if got, err := ParseAmount(text); err == nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestHarmOfAmounts(t *testing.T) {
	for _, d := range []metric.Direction{metric.LowerIsBetter, metric.HigherIsBetter} {
		for _, m := range []Margin{{Relative, 0.05}, {Absolute, 0.02}} {
			if back := m.Scale.HarmShare(m.Harm(d), d); math.Abs(back-m.Value) > 1e-15 {
				t.Errorf("%v %v comes back as %v", d, m, back)
			}
		}
	}
	up := Amount{Scale: Relative, Value: 0.1}
	if h, err := up.Harm(metric.LowerIsBetter); err != nil || math.Abs(h-math.Log(1.1)) > 1e-15 {
		t.Errorf("slower: %v %v", h, err)
	}
	if h, err := up.Harm(metric.HigherIsBetter); err != nil || math.Abs(h+math.Log(1.1)) > 1e-15 {
		t.Errorf("more throughput: %v %v", h, err)
	}
	if _, err := (Amount{Scale: Relative, Value: -1}).Harm(metric.LowerIsBetter); err == nil {
		t.Error("a change of -100 % was accepted")
	}
	rule, err := ParseMargin("5ms")
	if a, ok := rule.Amount(); err != nil || !ok || a.Value != 0.005 || !a.Time {
		t.Errorf("%+v %v %v", a, ok, err)
	}
	rule, err = ParseMargin("ttft=5ms")
	if _, ok := rule.Amount(); err != nil || ok {
		t.Error("a rule that names a metric is not for every metric")
	}
	p := Default()
	p.Margins = append(p.Margins, rule)
	ttft, _ := metric.Known("ttft")
	if m, ok := p.MarginOf(ttft, metric.Estimand{Q: 0.5}); !ok || m != (Margin{Absolute, 0.005}) {
		t.Errorf("%+v %v", m, ok)
	}
}
