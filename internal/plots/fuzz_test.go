package plots

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// FuzzFigures draws whatever the numbers are: a figure or a sentence, never a
// panic and never a file with a number that is none.
func FuzzFigures(f *testing.F) {
	f.Add(0.1, -0.2, 0.3, 0.05, "ttft p99")
	f.Add(0.0, 0.0, 0.0, 0.0, "")
	f.Add(1e300, -1e300, math.MaxFloat64, 1e-300, "模型")
	f.Add(math.NaN(), math.Inf(-1), math.Inf(1), -1.0, "<b>|\x00")
	f.Add(5e-324, -5e-324, 1e-310, 5e-324, "\ue000")
	f.Fuzz(func(t *testing.T, a, b, c, d float64, name string) {
		if len(name) > 1000 || strings.Contains(name, "NaN") || strings.Contains(name, "Inf") || strings.Contains(name, "%!") {
			t.Skip()
		}
		m := math.Abs(d)
		if !(m < 1e6) {
			m = 0
		}
		for _, draw := range []func() (*Figure, error){
			func() (*Figure, error) {
				return Forest("x", name, []Group{{Title: name, Unit: "%", Rows: []Change{{name, a, b, c, d, Open}, {name, b, a, c, 0, Passed}}}, {Unit: "s", Rows: []Change{{name, c, a, b, a, Failed}}}}, 0.95)
			},
			func() (*Figure, error) {
				return QuantileChange(name, []ChangeAt{{0.5, a, b, c, d}, {0.9, math.Abs(b), c, a, b}, {0.99, math.Abs(c), a, b, c}}, 0.95, Against{Margin: m, LikeForLike: a > 0})
			},
			func() (*Figure, error) {
				return Runs([]RunValues{{name, "s", [2][]float64{{a, b}, {c}}, [2]float64{d, a}}}, [2]string{name, name})
			},
			func() (*Figure, error) {
				return Waterfall(Split{name, "s", name, a, a + b + c, Step{b, d, a}, Step{c, d, b}, []Part{{name, Step{b - d, c, a}}, {name, Step{d, a, b}}}})
			},
			func() (*Figure, error) {
				return Windows(Over{name, "s", 300, []float64{0.5}, [2]string{name, name}}, []Series{{name, Baseline, []Window{{a, 1, []float64{b}}, {c, 1, []float64{d}}}}})
			},
			func() (*Figure, error) {
				return Prompts(name, []PromptSide{{name, Candidate, []PromptBin{{a, 1, b, c, d}, {b, 1, a, c, d}}, a, b}})
			},
			func() (*Figure, error) {
				return Power(name, []PowerLine{{name, []Point{{a, b}, {c, d}}, a}}, 0.8)
			},
		} {
			fig, err := draw()
			if err != nil {
				if !errors.Is(err, ErrNothing) && err.Error() == "" {
					t.Error("an error without a sentence")
				}
				continue
			}
			checkSVG(t, fig, Options{})
		}
	})
}

func BenchmarkSVG(b *testing.B) {
	f := gallery(b)[0]
	for b.Loop() {
		if _, err := f.SVG(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	f := gallery(b)[0]
	for b.Loop() {
		if _, err := f.PNG(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
