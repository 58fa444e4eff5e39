package plots

import "math"

func (p *placedPanel) mark(c *pen, m Mark) {
	switch m := m.(type) {
	case Line:
		p.line(c, m)
	case Band:
		p.band(c, m)
	case Dots:
		for _, at := range m.Points {
			if p.inside(at) {
				c.dot(m.Shape, m.Role, Point{p.x(at.X), p.y(at.Y)}, dotRadius(m.Small))
			}
		}
	case Interval:
		p.interval(c, m)
	case Bar:
		c.box(p.plot, m.Role, barAlpha(m), rect{p.x(m.X0), p.y(m.Y1), p.x(m.X1), p.y(m.Y0)})
	case Rule:
		p.rule(c, m)
	case Label:
		p.label(c, m)
	}
}

func dotRadius(small bool) float64 {
	if small {
		return 2.8
	}
	return 4.2
}

// inside reports whether a dot has its place on the panel.
func (p *placedPanel) inside(at Point) bool {
	const slack = 1e-6
	x := p.X.place(at.X)
	if !(x >= -slack && x <= 1+slack) {
		return false
	}
	if p.Rows != nil {
		return at.Y > -1 && at.Y < float64(len(p.Rows))
	}
	y := p.Y.place(at.Y)
	return y >= -slack && y <= 1+slack
}

func (p *placedPanel) line(c *pen, m Line) {
	var run []Point
	flush := func() {
		if len(run) == 1 {
			c.dot(Disc, m.Role, run[0], dotRadius(true))
		} else if len(run) > 1 {
			c.stroke(p.plot, m.Role, m.width(), m.dash(), run...)
		}
		run = nil
	}
	for _, at := range m.Points {
		if math.IsNaN(at.X) || math.IsNaN(at.Y) {
			flush()
			continue
		}
		run = append(run, Point{p.x(at.X), p.y(at.Y)})
	}
	flush()
}

func (p *placedPanel) band(c *pen, m Band) {
	var upper, lower []Point
	flush := func() {
		if len(upper) > 1 {
			for i := len(lower) - 1; i >= 0; i-- {
				upper = append(upper, lower[i])
			}
			c.fill(p.plot, m.Role, bandAlpha, upper...)
		}
		upper, lower = nil, nil
	}
	for i, x := range m.X {
		if math.IsNaN(m.Lo[i]) || math.IsNaN(m.Hi[i]) {
			flush()
			continue
		}
		upper = append(upper, Point{p.x(x), p.y(m.Hi[i])})
		lower = append(lower, Point{p.x(x), p.y(m.Lo[i])})
	}
	flush()
}

func (p *placedPanel) area(c *pen, a Area) {
	r := p.plot
	if a.OnY {
		c.box(r, a.Role, 1, rect{r.x0, p.y(a.Hi), r.x1, p.y(a.Lo)})
		return
	}
	c.box(r, a.Role, 1, rect{p.x(a.Lo), r.y0, p.x(a.Hi), r.y1})
}

func (p *placedPanel) rule(c *pen, m Rule) {
	r := p.plot
	width := 1.2
	if m.OnY {
		y := p.y(m.At)
		c.stroke(r, m.Role, width, ruleDash(m), Point{r.x0, y}, Point{r.x1, y})
		if m.Label != "" && y > r.y0 && y < r.y1 {
			c.text(typeface{tickSize, Muted, false}, r.x0+4, y-4, Start, m.Label) // on the right curves and bands are widest
		}
		return
	}
	x := p.x(m.At)
	if m.Short {
		y := p.rowMiddle(m.Row)
		c.stroke(r, m.Role, 2, nil, Point{x, y - 9}, Point{x, y + 9})
		return
	}
	c.stroke(r, m.Role, width, ruleDash(m), Point{x, r.y0}, Point{x, r.y1})
	if m.Label != "" && x > r.x0 && x < r.x1 {
		s := cut(m.Label, tickSize, false, r.x1-r.x0)
		w := textWidth(s, tickSize, false)
		at := math.Max(r.x0, math.Min(x+4, r.x1-w))
		c.text(typeface{tickSize, Muted, false}, at, r.y0+tickSize, Start, s)
	}
}

// interval draws limits as a bar with end strokes, or arrows where they lie
// outside the panel.
func (p *placedPanel) interval(c *pen, m Interval) {
	r := p.plot
	place, axis := p.x, &p.X
	along := func(a float64) Point { return Point{a, p.y(m.At)} }
	lo, hi := r.x0, r.x1
	if m.Upright {
		place, axis = p.y, &p.Y
		along = func(a float64) Point { return Point{p.x(m.At), a} }
		lo, hi = r.y1, r.y0
	}
	all := rect{r.x0 - 8, r.y0 - 8, r.x1 + 8, r.y1 + 8}
	end := func(v, limit float64) Point {
		f := axis.place(v)
		if f >= 0 && f <= 1 {
			return along(place(v))
		}
		return along(limit)
	}
	a, b := end(m.Lo, lo), end(m.Hi, hi)
	if fa, fb := axis.place(m.Lo), axis.place(m.Hi); fa > 1 {
		a = along(hi)
	} else if fb < 0 {
		b = along(lo)
	}
	c.stroke(all, m.Role, 1.8, nil, a, b)
	p.ending(c, m, a, axis.place(m.Lo), m.Upright)
	p.ending(c, m, b, axis.place(m.Hi), m.Upright)
	if f := axis.place(m.Value); !m.NoDot && f >= 0 && f <= 1 {
		c.dot(m.Shape, m.Role, along(place(m.Value)), 4.6)
	}
}

// ending draws what is at the end of an interval: a stroke, or an arrow when it
// goes on beyond the panel.
func (p *placedPanel) ending(c *pen, m Interval, at Point, f float64, upright bool) {
	all := rect{p.plot.x0 - 12, p.plot.y0 - 12, p.plot.x1 + 12, p.plot.y1 + 12}
	d := 1.0
	if f < 0 {
		d = -1
	}
	switch {
	case f >= 0 && f <= 1 && upright:
		c.stroke(all, m.Role, 1.8, nil, Point{at.X - 4, at.Y}, Point{at.X + 4, at.Y})
	case f >= 0 && f <= 1:
		c.stroke(all, m.Role, 1.8, nil, Point{at.X, at.Y - 4}, Point{at.X, at.Y + 4})
	case upright:
		c.fill(all, m.Role, 1, Point{at.X - 4.5, at.Y}, Point{at.X + 4.5, at.Y}, Point{at.X, at.Y - d*8})
	default:
		c.fill(all, m.Role, 1, Point{at.X, at.Y - 4.5}, Point{at.X, at.Y + 4.5}, Point{at.X + d*8, at.Y})
	}
}

func (p *placedPanel) label(c *pen, m Label) {
	r := p.plot
	s := cut(m.Text, textSize, false, r.x1-r.x0)
	w := textWidth(s, textSize, false)
	x, y := p.x(m.At.X), p.y(m.At.Y)+textSize*0.36
	switch {
	case m.Above:
		y = p.y(m.At.Y) - 8
	case m.Below:
		y = p.y(m.At.Y) + textSize + 4
	}
	switch m.Anchor {
	case Start:
		x = math.Max(r.x0, math.Min(x, r.x1-w))
	case Middle:
		x = math.Max(r.x0+w/2, math.Min(x, r.x1-w/2))
	case End:
		x = math.Min(r.x1, math.Max(x, r.x0+w))
	}
	y = math.Max(r.y0+textSize, math.Min(y, r.y1-3))
	c.text(typeface{textSize, m.Role, false}, x, y, m.Anchor, s)
}
