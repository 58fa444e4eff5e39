package plots

import (
	"fmt"
	"math"
	"strings"
)

// PromptBin is the time to first token of the prompts of about one length.
type PromptBin struct {
	Tokens        float64 // a typical length
	N             int64
	P10, P50, P90 float64 // seconds; NaN where there are too few
}

// PromptSide is one side: its bins and its line, seconds = Fixed + PerToken ·
// tokens. A line with NaN is not drawn.
type PromptSide struct {
	Label           string
	Role            Role
	Bins            []PromptBin
	Fixed, PerToken float64
}

// Prompts draws the time to first token against the length of the prompt, with
// the line of each side: its slope is the prefill rate, its start the fixed
// cost. An error of [ErrNothing] if no bin has a median.
func Prompts(metric string, sides []PromptSide) (*Figure, error) {
	f := &Figure{ID: "prompts-" + slug(metric), Title: metric + " against prompt length"}
	var xs, ys span
	for _, s := range sides {
		for _, b := range s.Bins {
			if b.ok() {
				xs.add(b.Tokens)
				ys.add(b.P10, b.P50, b.P90)
			}
		}
	}
	if xs.n == 0 {
		return nil, fmt.Errorf("%s against prompt length: no request has both: %w", metric, ErrNothing)
	}
	u := unitFor(seconds, ys.hi)
	p := Panel{X: xs.value(unit{factor: 1}, "prompt tokens", 7), Y: ys.value(u, metric, 6)}
	if p.X.Scale == Linear && p.Y.Scale == Log {
		p.Y = ys.linear(u, metric, 6)
	}
	var alts []string
	for i, s := range sides {
		marks, key, alt := promptMarks(&p, s, float64(i)-float64(len(sides)-1)/2)
		p.Marks, alts = append(p.Marks, marks...), append(alts, alt)
		f.Legend = append(f.Legend, Key{key, Interval{Role: s.Role, Shape: shapeOf(s.Role)}})
	}
	f.Panels = []Panel{p}
	f.Notes = append(f.Notes, "A dot is the median of the prompts of about that length, its bar spans the middle 80 %. The line is fitted through medians (Theil–Sen).")
	f.Alt = metric + " against prompt length. " + strings.Join(alts, ". ") + "."
	return f, nil
}

func (b PromptBin) ok() bool {
	return known(b.P50) && b.Tokens > 0 && known(b.Tokens)
}

// promptMarks draws one side and says in short, and in words, what its line is, its bins moved a little so that those of two
// sides stand beside each other.
func promptMarks(p *Panel, s PromptSide, shift float64) (marks []Mark, key, alt string) {
	var out []Mark
	if known(s.Fixed) && known(s.PerToken) {
		line := Line{Name: s.Label, Role: s.Role, Dashed: s.Role == Baseline}
		const pieces = 48
		lo, hi := p.X.transform(p.X.Min), p.X.transform(p.X.Max)
		for k := range pieces + 1 {
			x := lo + (hi-lo)*float64(k)/pieces
			if p.X.Scale == Log {
				x = math.Pow(10, x)
			}
			if y := s.Fixed + s.PerToken*x; p.Y.fits(y) == nil {
				line.Points = append(line.Points, Point{x, y})
			}
		}
		if len(line.Points) > 1 {
			out = append(out, line)
		}
	}
	for _, b := range s.Bins {
		if !b.ok() || p.Y.fits(b.P50) != nil {
			continue
		}
		at := b.Tokens + shift*0.012*(p.X.Max-p.X.Min)
		if p.X.Scale == Log {
			at = b.Tokens * math.Pow(p.X.Max/p.X.Min, shift*0.012)
		}
		iv := Interval{Name: s.Label, Role: s.Role, Shape: shapeOf(s.Role), At: at, Value: b.P50, Lo: b.P10, Hi: b.P90, Upright: true}
		if math.IsNaN(b.P10) || math.IsNaN(b.P90) {
			iv.Lo, iv.Hi = b.P50, b.P50
		}
		out = append(out, iv)
	}
	switch {
	case s.PerToken > 0:
		fixed, rate := unitFor(seconds, s.Fixed).print(s.Fixed), significant(1/s.PerToken, 3)
		// Short enough for a phone.
		return out, fmt.Sprintf("%s: %s, then %s tokens/s", s.Label, fixed, rate), fmt.Sprintf("%s: %s fixed, then %s tokens per second", s.Label, fixed, rate)
	case !math.IsNaN(s.PerToken):
		alt = s.Label + ": does not grow with the prompt"
	default:
		alt = s.Label + ": no line"
	}
	return out, alt, alt
}
