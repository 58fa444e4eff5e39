package plots

import (
	"errors"
	"fmt"
	"math"
)

// ErrNothing reports data of which there is nothing to draw.
var ErrNothing = errors.New("nothing to draw")

// Figure is a drawing in the units of the data.
type Figure struct {
	ID    string // a file name without extension: "distribution-ttft"
	Title string
	// Alt is the text alternative: what a reader who cannot see the figure
	// should know of it.
	Alt string
	// Notes are sentences on what was left out or cut off.
	Notes  []string
	Legend []Key
	Panels []Panel
	// Columns is how many panels stand side by side where the width allows it;
	// 0 stands for 1.
	Columns int
}

// Key is an entry of the legend.
type Key struct {
	Label string
	Mark  Mark // a mark without data, drawn as a sample
}

// Panel is one pair of axes with its marks, drawn in their order.
type Panel struct {
	Title string
	X, Y  Axis
	Marks []Mark
	// Rows are the categories of the vertical axis from top to bottom, at the
	// heights 0, 1, 2, … An axis with rows has no scale of its own.
	Rows []Row
	// Height of the plotting area in pixels; 0 stands for the usual one, and
	// rows have a height of their own.
	Height float64
}

// Row is a category: its name stands left of the axis, its value right.
type Row struct {
	Label string
	Value string
	Role  Role // of the value
}

// Mark is a layer of a panel: [Line], [Band], [Dots], [Interval], [Bar],
// [Area], [Rule] or [Label].
type Mark interface{ check(p *Panel) error }

// Point is a place in the units of the axes.
type Point struct{ X, Y float64 }

// Line joins points. A point that is not finite interrupts it.
type Line struct {
	Name   string
	Role   Role
	Dashed bool
	Thin   bool
	Points []Point
}

// Band fills between Lo and Hi over X.
type Band struct {
	Name      string
	Role      Role
	X, Lo, Hi []float64
}

// Shape is the shape of a dot.
type Shape uint8

// The shapes.
const (
	Disc Shape = iota
	Ring
	Square
	Diamond
)

// Dots marks points.
type Dots struct {
	Name   string
	Role   Role
	Shape  Shape
	Small  bool
	Points []Point
}

// Interval is a bar from Lo to Hi with a dot at Value: along X at the height At,
// or along Y at the position At if Upright. An infinite limit is drawn as an
// arrow to the edge.
type Interval struct {
	Name          string
	Role          Role
	Shape         Shape
	At            float64
	Value, Lo, Hi float64
	Upright       bool
	NoDot         bool
}

// Bar is a filled rectangle.
type Bar struct {
	Name           string
	Role           Role
	X0, X1, Y0, Y1 float64
	Pale           bool
}

// Area shades a stretch of an axis over the whole panel, or over Rows only.
type Area struct {
	Role   Role
	Lo, Hi float64 // ±Inf reaches the edge
	OnY    bool
}

// Rule is a line across the panel at a value of an axis, or a short one across
// a row if Short.
type Rule struct {
	Role   Role
	At     float64
	OnY    bool
	Dashed bool
	Label  string
	// Short limits a rule on X to the row at height Row.
	Short bool
	Row   float64
}

// Label is text at a place; it is moved inside the panel if it would leave it.
type Label struct {
	Role   Role
	At     Point
	Text   string
	Anchor Anchor
	Above  bool // stands above the place, not at its height
	Below  bool // stands below it
}

// Anchor is the side of a text that its place is.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

func (m Line) check(p *Panel) error {
	any := false
	for _, at := range m.Points {
		if math.IsNaN(at.X) || math.IsNaN(at.Y) {
			continue
		}
		any = true
		if err := p.fits(at); err != nil {
			return fmt.Errorf("line %q: %w", m.Name, err)
		}
	}
	if !any && m.Points != nil {
		return fmt.Errorf("line %q has no point: %w", m.Name, ErrNothing)
	}
	return nil
}

func (m Band) check(p *Panel) error {
	if len(m.Lo) != len(m.X) || len(m.Hi) != len(m.X) {
		return fmt.Errorf("band %q: %d places, %d lower and %d upper limits", m.Name, len(m.X), len(m.Lo), len(m.Hi))
	}
	return nil
}

func (m Dots) check(p *Panel) error {
	for _, at := range m.Points {
		if err := p.fits(at); err != nil {
			return fmt.Errorf("dots %q: %w", m.Name, err)
		}
	}
	return nil
}

func (m Interval) check(*Panel) error {
	if !known(m.Value) {
		return fmt.Errorf("interval %q: the value is %v", m.Name, m.Value)
	}
	return nil
}

func (m Bar) check(p *Panel) error {
	for _, v := range []float64{m.X0, m.X1, m.Y0, m.Y1} {
		if !known(v) {
			return fmt.Errorf("bar %q: an edge is %v", m.Name, v)
		}
	}
	return nil
}

func (m Area) check(*Panel) error  { return nil }
func (m Rule) check(*Panel) error  { return nil }
func (m Label) check(*Panel) error { return nil }

// fits reports a place that the axes cannot show.
func (p *Panel) fits(at Point) error {
	if err := p.X.fits(at.X); err != nil {
		return err
	}
	if p.Rows != nil {
		return nil
	}
	return p.Y.fits(at.Y)
}

// check validates the figure before it is drawn.
func (f *Figure) check() error {
	if len(f.Panels) == 0 {
		return fmt.Errorf("figure %s has no panel: %w", f.ID, ErrNothing)
	}
	for i := range f.Panels {
		p := &f.Panels[i]
		if err := p.X.check(); err != nil {
			return fmt.Errorf("figure %s, horizontal axis: %w", f.ID, err)
		}
		if p.Rows == nil {
			if err := p.Y.check(); err != nil {
				return fmt.Errorf("figure %s, vertical axis: %w", f.ID, err)
			}
		}
		for _, m := range p.Marks {
			if err := m.check(p); err != nil {
				return fmt.Errorf("figure %s: %w", f.ID, err)
			}
		}
	}
	return nil
}
