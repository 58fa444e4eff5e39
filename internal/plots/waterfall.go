package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Step is a part of a change with its interval, in the unit of the values.
type Step struct {
	Value, Lo, Hi float64 // NaN limits are not available
}

// Part is a named step of a split.
type Part struct {
	Name string
	Step
}

// Split is a change cut into what the traffic did and what the system did:
// After = Before + Mix + LikeForLike. Where the mix has several parts, they add
// up to it.
type Split struct {
	Name             string // "ttft p99"
	Unit             string
	By               string // what the mix is of: "prompt length"
	Before, After    float64
	Mix, LikeForLike Step
	Factors          []Part // of Mix; empty for a single one
}

// steps are the bars between the ends.
func (s *Split) steps() []Part {
	out := s.Factors
	if len(out) == 0 {
		out = []Part{{"mix of traffic", s.Mix}}
	}
	return append(slices.Clip(out), Part{"like for like", s.LikeForLike})
}

// splitTolerance is by how much the parts may miss the total, relative to it.
const splitTolerance = 1e-6

// Waterfall draws the way from before over the mix and the change like for like
// to after. The axis need not begin at zero, so the ends are levels and not
// bars. Errors: [ErrNothing] if a number is missing; parts that do not add up.
func Waterfall(s Split) (*Figure, error) {
	steps := s.steps()
	from := []float64{s.Before} // where each step begins, and the last ends
	for _, st := range steps {
		from = append(from, from[len(from)-1]+st.Value)
	}
	if !known(s.Before) || !known(s.After) || !known(s.Mix.Value) || !known(from[len(steps)]) {
		return nil, fmt.Errorf("mix of %s: a part is not available: %w", s.Name, ErrNothing)
	}
	if miss := math.Max(math.Abs(from[len(steps)]-s.After), math.Abs(from[len(steps)-1]-s.Before-s.Mix.Value)); miss > splitTolerance*math.Max(math.Abs(s.Before), math.Abs(s.After)) {
		return nil, fmt.Errorf("mix of %s: the parts miss the total by %v", s.Name, miss)
	}
	var sp span
	sp.add(s.Before, s.After)
	sp.add(from[:len(steps)]...)
	reach := 1.5 * math.Max(sp.hi-sp.lo, math.SmallestNonzeroFloat64)
	for i, st := range steps {
		for _, v := range []float64{st.Lo, st.Hi} {
			sp.add(math.Max(sp.lo-reach, math.Min(sp.hi+reach, from[i]+v)))
		}
	}
	u := unitFor(s.Unit, math.Max(math.Abs(sp.lo), math.Abs(sp.hi)))
	signed := stepUnit(s.Unit, steps)
	printed := signed.addUp(s.After-s.Before, steps)
	last := float64(len(steps) + 1)
	p := Panel{Y: sp.linear(u, s.Name, 6), X: Axis{Min: -0.5, Max: last + 0.5, Ticks: []Tick{{At: 0, Label: "before"}}}}
	for i, st := range steps {
		p.X.Ticks = append(p.X.Ticks, Tick{At: float64(i + 1), Label: clipLabel(st.Name)})
	}
	p.X.Ticks = append(p.X.Ticks, Tick{At: last, Label: "after"})
	p.Y.Max += 0.1 * (p.Y.Max - p.Y.Min) // for the numbers
	level := func(x, v float64, role Role, text string) {
		p.Marks = append(p.Marks, Line{Name: text, Role: role, Points: []Point{{x - 0.34, v}, {x + 0.34, v}}},
			Label{Role: role, At: Point{x, v}, Text: text, Anchor: Middle, Above: true})
	}
	step := func(x, from float64, st Step, text string, role Role) {
		to := from + st.Value
		p.Marks = append(p.Marks, Bar{Name: "step", Role: role, X0: x - 0.26, X1: x + 0.26, Y0: math.Min(from, to), Y1: math.Max(from, to), Pale: true})
		top := math.Max(from, to)
		if !math.IsNaN(st.Lo) && !math.IsNaN(st.Hi) {
			p.Marks = append(p.Marks, Interval{Name: "step", Role: role, At: x, Value: to, Lo: from + st.Lo, Hi: from + st.Hi, Upright: true})
			top = math.Max(top, from+st.Hi)
		}
		p.Marks = append(p.Marks, Label{Role: role, At: Point{x, math.Min(top, p.Y.Max)}, Text: text, Anchor: Middle, Above: true})
	}
	join := func(x, v float64) {
		p.Marks = append(p.Marks, Line{Name: "join", Role: Frame, Thin: true, Points: []Point{{x, v}, {x + 1, v}}})
	}
	for i := range len(steps) {
		join(float64(i), from[i])
	}
	join(last-1, s.After)
	for i, st := range steps {
		role := Adjusted
		if i == len(steps)-1 {
			role = Candidate
		}
		step(float64(i+1), from[i], st.Step, signed.print(printed[i]), role)
	}
	level(0, s.Before, Baseline, u.print(s.Before))
	level(last, s.After, Candidate, u.print(s.After))
	mix, like := 0.0, printed[len(steps)-1]
	for _, v := range printed[:len(steps)-1] {
		mix += v
	}
	f := &Figure{ID: "mix-" + slug(s.Name), Title: "What the traffic changed and what the system changed: " + s.Name, Panels: []Panel{p}}
	f.Alt = fmt.Sprintf("%s went from %s to %s, by %s: the mix of %s accounts for %s, the change like for like is %s.",
		s.Name, u.print(s.Before), u.print(s.After), signed.print(mix+like), s.By, signed.print(mix), signed.print(like))
	if len(s.Factors) > 0 {
		var parts []string
		for i, st := range s.Factors {
			parts = append(parts, st.Name+" "+signed.print(printed[i]))
		}
		f.Alt += " Of the mix: " + strings.Join(parts, ", ") + "."
	}
	return f, nil
}

// stepUnit is the unit of the steps: the one that suits the largest of them, with
// as many decimals for each; a step of shares is one of percentage points.
func stepUnit(base string, steps []Part) unit {
	if base == "%" {
		return points
	}
	most := 0.0
	for _, st := range steps {
		most = math.Max(most, math.Abs(st.Value))
	}
	u := unitFor(base, most).even(most)
	u.signed = true
	return u
}

// addUp returns the values of steps that are printed: rounded, and the first so that
// they add up to the total as that is printed.
func (u unit) addUp(total float64, steps []Part) []float64 {
	round := func(v float64) float64 {
		scale := u.factor * math.Pow10(max(0, u.places))
		return math.Round(v*scale) / scale
	}
	out := make([]float64, len(steps))
	rest := round(total)
	for i := len(steps) - 1; i > 0; i-- {
		out[i] = round(steps[i].Value)
		rest -= out[i]
	}
	out[0] = rest
	return out
}

// clipLabel shortens a name to what fits below a bar.
func clipLabel(s string) string {
	const most = 16
	if rs := []rune(s); len(rs) > most {
		return string(rs[:most-1]) + "…"
	}
	return s
}
