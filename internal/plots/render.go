package plots

import (
	"math"
	"slices"
)

// render draws the laid-out figure.
func (l *layout) render(p *pen) {
	all := rect{0, 0, l.w, l.h}
	y := edge
	for _, line := range l.title {
		p.text(typeface{titleSize, Ink, true}, edge, y+titleSize, Start, line)
		y += titleSize * lineFeed
	}
	for _, k := range l.legend {
		l.sample(p, k)
		p.text(typeface{textSize, Ink, false}, k.x+sampleWidth+6, k.y+textSize, Start, k.Label)
	}
	for i := range l.panels {
		l.panels[i].render(p, all)
	}
	y = l.notesY
	for _, line := range l.notes {
		p.text(typeface{tickSize, Muted, false}, edge, y+tickSize, Start, line)
		y += tickSize * lineFeed
	}
}

// sample draws a legend entry's mark.
func (l *layout) sample(p *pen, k placedKey) {
	box := rect{k.x, k.y, k.x + sampleWidth, k.y + textSize + 3}
	mid := k.y + textSize*0.65
	middle := Point{k.x + sampleWidth/2, mid}
	ends := []Point{{k.x + 1, mid}, {k.x + sampleWidth - 1, mid}}
	switch m := k.Mark.(type) {
	case Line:
		p.stroke(box, m.Role, m.width(), m.dash(), ends...)
	case Band:
		p.box(box, m.Role, bandAlpha, rect{k.x, k.y + 1, k.x + sampleWidth, k.y + textSize + 2})
	case Area:
		p.box(box, m.Role, 1, rect{k.x, k.y + 1, k.x + sampleWidth, k.y + textSize + 2})
	case Dots:
		p.dot(m.Shape, m.Role, middle, 4.5)
	case Interval:
		p.stroke(box, m.Role, 1.8, nil, ends...)
		if !m.NoDot {
			p.dot(m.Shape, m.Role, middle, 4.5)
		}
	case Bar:
		p.box(box, m.Role, barAlpha(m), rect{k.x + 4, k.y + 1, k.x + sampleWidth - 4, k.y + textSize + 2})
	case Rule:
		p.stroke(box, m.Role, 1.3, ruleDash(m), ends...)
	}
}

func (m Line) width() float64 {
	if m.Thin {
		return 1.1
	}
	return 2
}

func (m Line) dash() []float64 {
	if m.Dashed {
		return []float64{6, 3}
	}
	return nil
}

const bandAlpha = 0.22

func barAlpha(m Bar) float64 {
	if m.Pale {
		return 0.35
	}
	return 1
}

func ruleDash(m Rule) []float64 {
	if m.Dashed {
		return []float64{4, 3}
	}
	return nil
}

func (p *placedPanel) render(c *pen, all rect) {
	y := p.top
	if p.title != "" {
		c.text(typeface{textSize, Ink, true}, p.left, y+textSize, Start, p.title)
		y += textSize*lineFeed + 2
	}
	if p.yLabel != "" {
		c.text(typeface{textSize, Muted, false}, p.left, y+textSize, Start, p.yLabel)
	}
	for _, m := range p.Marks {
		if a, ok := m.(Area); ok {
			p.area(c, a)
		}
	}
	p.grid(c, all)
	for _, m := range p.Marks {
		p.mark(c, m)
	}
	p.rows(c)
}

func (p *placedPanel) grid(c *pen, all rect) {
	r := p.plot
	for _, t := range p.X.Ticks {
		x := p.x(t.At)
		c.stroke(all, Grid, 1, nil, Point{x, r.y0}, Point{x, r.y1})
	}
	if p.Rows == nil {
		for _, t := range p.Y.Ticks {
			y := p.y(t.At)
			c.stroke(all, Grid, 1, nil, Point{r.x0, y}, Point{r.x1, y})
		}
		for _, t := range apart(p.Y.Ticks, func(t Tick) (float64, float64) { return p.y(t.At) - 7, p.y(t.At) + 7 }) {
			c.text(typeface{tickSize, Muted, false}, r.x0-6, p.y(t.At)+tickSize*0.36, End, t.Label)
		}
	}
	c.stroke(all, Frame, 1, nil, Point{r.x0, r.y1}, Point{r.x1, r.y1})
	half := func(t Tick) float64 { return textWidth(t.Label, tickSize, false) / 2 }
	for _, t := range apart(p.X.Ticks, func(t Tick) (float64, float64) { return p.x(t.At) - half(t) - 5, p.x(t.At) + half(t) + 5 }) {
		x := math.Max(half(t), math.Min(p.x(t.At), all.x1-half(t)-1))
		c.stroke(all, Frame, 1, nil, Point{p.x(t.At), r.y1}, Point{p.x(t.At), r.y1 + 4})
		c.text(typeface{tickSize, Muted, false}, x, r.y1+5+tickSize, Middle, t.Label)
	}
	if p.X.Label != "" {
		s := cut(p.X.Label, textSize, false, all.x1-2*edge)
		half := textWidth(s, textSize, false) / 2
		x := math.Max(edge+half, math.Min((r.x0+r.x1)/2, all.x1-edge-half))
		c.text(typeface{textSize, Muted, false}, x, r.y1+5+tickSize*lineFeed+textSize, Middle, s)
	}
}

// apart picks ticks whose labels do not touch: all of them, else the important
// ones first, else every second, third, …, counted from zero.
func apart(ticks []Tick, extent func(Tick) (lo, hi float64)) []Tick {
	var labelled []Tick
	zero, ranked := 0, false
	for _, t := range ticks {
		if t.Label != "" {
			if t.At == 0 {
				zero = len(labelled)
			}
			ranked = ranked || t.Rank > 0
			labelled = append(labelled, t)
		}
	}
	free := func(chosen []Tick, t Tick) bool {
		lo, hi := extent(t)
		return !slices.ContainsFunc(chosen, func(o Tick) bool {
			a, b := extent(o)
			return lo < b && a < hi
		})
	}
	if ranked {
		order := slices.Clone(labelled)
		slices.SortStableFunc(order, func(a, b Tick) int { return a.Rank - b.Rank })
		var chosen []Tick
		for _, t := range order {
			if free(chosen, t) {
				chosen = append(chosen, t)
			}
		}
		return chosen
	}
	for stride := 1; ; stride++ {
		var chosen []Tick
		ok := true
		for i := zero % stride; i < len(labelled); i += stride {
			if !free(chosen, labelled[i]) {
				ok = false
				break
			}
			chosen = append(chosen, labelled[i])
		}
		if ok {
			return chosen
		}
	}
}

// rows writes the names and the values of categories.
func (p *placedPanel) rows(c *pen) {
	for i, row := range p.Rows {
		top := p.rowTop[i]
		value := typeface{textSize, row.Role, row.bold()}
		switch {
		case p.above:
			room := p.plot.x1 - p.left - 12
			if row.Value != "" {
				room -= textWidth(row.Value, textSize, value.bold)
			}
			label := cut(row.Label, textSize, false, room)
			c.ground(p.left, top+textSize+4, Start, label, textSize, false)
			c.ground(p.plot.x1+6, top+textSize+4, End, row.Value, textSize, value.bold)
			c.text(typeface{textSize, Ink, false}, p.left, top+textSize+4, Start, label)
			c.text(value, p.plot.x1+6, top+textSize+4, End, row.Value)
		default:
			base := top + p.row/2 + textSize*0.36
			c.text(typeface{textSize, Ink, false}, p.left, base, Start, cut(row.Label, textSize, false, p.plot.x0-p.left-8))
			c.text(value, p.plot.x1+18, base, Start, row.Value)
		}
	}
}
