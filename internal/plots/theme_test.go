package plots

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

// TestContrast: text and marks can be read on their ground (4.5 : 1), axes can
// be seen (3 : 1).
func TestContrast(t *testing.T) {
	for theme, p := range palettes {
		for _, r := range []Role{Ink, Muted, Baseline, Candidate, Adjusted, Passed, Failed, Open} {
			for _, ground := range []Role{Paper, Zone} {
				least := 4.5
				if ground == Zone {
					least = 4
				}
				if c := contrast(p[r], p[ground]); c < least {
					t.Errorf("theme %d: %s on %s has a contrast of %.2f", theme, r, ground, c)
				}
			}
		}
		if c := contrast(p[Frame], p[Paper]); c < 3 {
			t.Errorf("theme %d: the frame has a contrast of %.2f", theme, c)
		}
	}
}

// TestRolesDiffer: every role has a colour of its own in the light theme, since
// inline figures find the role by the colour.
func TestRolesDiffer(t *testing.T) {
	for a := range numRoles {
		for b := range a {
			if palettes[Light][a] == palettes[Light][b] {
				t.Errorf("%s and %s are the same colour", a, b)
			}
		}
		c := palettes[Light][a]
		if got := roleOf(fmt.Sprintf("#%02X%02X%02X", c.R-min(c.R, 1), c.G-min(c.G, 1), c.B-min(c.B, 1)), Light); got != a {
			t.Errorf("a colour one step off %s is taken for %s", a, got)
		}
	}
}
