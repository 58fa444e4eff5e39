package plots

import (
	"image/color"
	"math"
	"sync"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// fonts are read when the first figure is drawn.
var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

func face(size float64, bold bool) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return fonts().Lookup(f, vg.Length(size))
}

// pen draws on a canvas in pixels from the top left corner.
type pen struct {
	c      vg.Canvas
	height float64
	pal    *[numRoles]color.NRGBA
	// anchored tells that the canvas places text by its anchor itself.
	anchored bool
	plain    bool // has no bold letters
	encode   func(string) string
}

func (p *pen) at(x, y float64) vg.Point {
	return vg.Point{X: vg.Length(x), Y: vg.Length(p.height - y)}
}

func (p *pen) color(r Role, alpha float64) color.NRGBA {
	c := p.pal[r]
	c.A = uint8(math.Round(255 * alpha))
	return c
}

type rect struct{ x0, y0, x1, y1 float64 }

func (p *pen) clip(r rect) draw.Canvas {
	return draw.Canvas{Canvas: p.c, Rectangle: vg.Rectangle{Min: p.at(r.x0, r.y1), Max: p.at(r.x1, r.y0)}}
}

func (p *pen) points(pts []Point) []vg.Point {
	out := make([]vg.Point, len(pts))
	for i, at := range pts {
		out[i] = p.at(at.X, at.Y)
	}
	return out
}

// stroke draws a line through pixel places, inside r.
func (p *pen) stroke(r rect, role Role, width float64, dash []float64, pts ...Point) {
	c := p.clip(r)
	style := draw.LineStyle{Color: p.color(role, 1), Width: vg.Length(width)}
	for _, d := range dash {
		style.Dashes = append(style.Dashes, vg.Length(d))
	}
	lines := c.ClipLinesXY(p.points(pts))
	if len(lines) > 0 {
		c.StrokeLines(style, lines...)
	}
}

// fill fills a polygon, inside r.
func (p *pen) fill(r rect, role Role, alpha float64, pts ...Point) {
	c := p.clip(r)
	if poly := c.ClipPolygonXY(p.points(pts)); len(poly) > 2 {
		c.FillPolygon(p.color(role, alpha), poly)
	}
}

func (p *pen) box(r rect, role Role, alpha float64, b rect) {
	p.fill(r, role, alpha, Point{b.x0, b.y0}, Point{b.x1, b.y0}, Point{b.x1, b.y1}, Point{b.x0, b.y1})
}

// dot draws a shape of the given radius.
func (p *pen) dot(s Shape, role Role, at Point, radius float64) {
	var path vg.Path
	c := p.at(at.X, at.Y)
	r := vg.Length(radius)
	switch s {
	case Square:
		r *= 0.9
		path.Move(vg.Point{X: c.X - r, Y: c.Y - r})
		path.Line(vg.Point{X: c.X + r, Y: c.Y - r})
		path.Line(vg.Point{X: c.X + r, Y: c.Y + r})
		path.Line(vg.Point{X: c.X - r, Y: c.Y + r})
	case Diamond:
		r *= 1.25
		path.Move(vg.Point{X: c.X - r, Y: c.Y})
		path.Line(vg.Point{X: c.X, Y: c.Y - r})
		path.Line(vg.Point{X: c.X + r, Y: c.Y})
		path.Line(vg.Point{X: c.X, Y: c.Y + r})
	default:
		path.Move(vg.Point{X: c.X + r, Y: c.Y})
		path.Arc(c, r, 0, 2*math.Pi)
	}
	path.Close()
	fill := role
	if s == Ring {
		fill = Paper
	}
	p.c.SetColor(p.color(fill, 1))
	p.c.Fill(path)
	if s == Ring {
		p.c.SetColor(p.color(role, 1))
		p.c.SetLineWidth(1.6)
		p.c.SetLineDash(nil, 0)
		p.c.Stroke(path)
	}
}

// Marks at the head of a string tell an anchored canvas where its place is.
const (
	anchorMiddle = "\ue000"
	anchorEnd    = "\ue001"
)

// ground clears the place of a text that stands on grid lines.
func (p *pen) ground(x, y float64, a Anchor, s string, size float64, bold bool) {
	w := textWidth(printable(s), size, bold)
	switch a {
	case Middle:
		x -= w / 2
	case End:
		x -= w
	}
	if w > 0 {
		b := rect{x - 2, y - size, x + w + 2, y + 4}
		p.box(b, Paper, 1, b)
	}
}

type typeface struct {
	size float64
	role Role
	bold bool
}

// text writes one line with its baseline at y.
func (p *pen) text(t typeface, x, y float64, a Anchor, s string) {
	s = printable(s)
	if s == "" {
		return
	}
	f := face(t.size, t.bold && !p.plain)
	head := ""
	switch {
	case p.anchored && a == Middle:
		head = anchorMiddle
	case p.anchored && a == End:
		head = anchorEnd
	case a == Middle:
		x -= textWidth(s, t.size, t.bold) / 2
	case a == End:
		x -= textWidth(s, t.size, t.bold)
	}
	if p.encode != nil {
		s = p.encode(s)
	}
	p.c.SetColor(p.color(t.role, 1))
	p.c.FillString(f, p.at(x, y), head+s)
}
