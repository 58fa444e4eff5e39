package plots

import "math"

// Sizes in pixels.
const (
	titleSize   = 15.0
	textSize    = 12.0
	tickSize    = 11.0
	edge        = 10.0
	gap         = 18.0 // between panels
	rowHeight   = 28.0
	tallRow     = 48.0 // a row with its label above
	sampleWidth = 26.0 // of a legend entry
	narrow      = 480.0
	lineFeed    = 1.35
)

// layout is where everything goes.
type layout struct {
	w, h   float64
	title  []string
	legend []placedKey
	panels []placedPanel
	notes  []string
	notesY float64
	small  bool // the sheet is narrow
}

type placedKey struct {
	Key
	x, y float64
}

// placedPanel is a panel with its rectangles.
type placedPanel struct {
	*Panel
	title  string
	yLabel string
	top    float64 // of the panel
	left   float64
	plot   rect
	rowTop []float64 // of the rows, in pixels
	row    float64   // height of a row
	above  bool      // labels of rows stand above them
}

// place lays the figure out for a width. words rewrites texts for the canvas.
func (f *Figure) place(width float64, bare bool) *layout {
	l := &layout{w: width, small: width < narrow}
	y := 4.0
	inner := width - 2*edge
	if !bare {
		y = edge
		l.title = wrapText(f.Title, titleSize, true, inner)
		y += float64(len(l.title))*titleSize*lineFeed + 6
	}
	y = l.placeLegend(f.Legend, y)
	columns := max(1, f.Columns)
	if l.small {
		columns = 1
	}
	columns = min(columns, len(f.Panels))
	cell := (inner - gap*float64(columns-1)) / float64(columns)
	var g []gutters
	for c := range columns {
		g = append(g, f.gutters(c, columns, cell))
	}
	for i := 0; i < len(f.Panels); i += columns {
		bottom := y
		for k := i; k < min(i+columns, len(f.Panels)); k++ {
			p, end := l.placePanel(&f.Panels[k], edge+float64(k-i)*(cell+gap), y, cell, g[k-i])
			l.panels = append(l.panels, p)
			bottom = math.Max(bottom, end)
		}
		y = bottom + gap
	}
	y -= gap - 4
	if !bare && len(f.Notes) > 0 {
		y += 8
		l.notesY = y
		for _, n := range f.Notes {
			l.notes = append(l.notes, wrapText(n, tickSize, false, inner)...)
		}
		y += float64(len(l.notes)) * tickSize * lineFeed
	}
	l.h = math.Ceil(y + 6)
	return l
}

func (l *layout) placeLegend(keys []Key, y float64) float64 {
	if len(keys) == 0 {
		return y
	}
	x := edge
	for _, k := range keys {
		k.Label = cut(k.Label, textSize, false, l.w-2*edge-sampleWidth-8)
		w := sampleWidth + 6 + textWidth(k.Label, textSize, false)
		if x > edge && x+w > l.w-edge {
			x, y = edge, y+textSize*1.6
		}
		l.legend = append(l.legend, placedKey{k, x, y})
		x += w + 18
	}
	return y + textSize*1.6 + 8
}

const plotHeight, smallPlotHeight = 270.0, 220.0

// gutters are what the panels of a column share, so that their axes begin and
// end below one another.
type gutters struct{ labels, values, ticks float64 }

func (f *Figure) gutters(column, columns int, width float64) gutters {
	var g gutters
	for i := column; i < len(f.Panels); i += columns {
		p := &f.Panels[i]
		for _, r := range p.Rows {
			g.labels = math.Max(g.labels, textWidth(r.Label, textSize, false))
			g.values = math.Max(g.values, textWidth(r.Value, textSize, r.bold()))
		}
		for _, t := range p.Y.Ticks {
			g.ticks = math.Max(g.ticks, textWidth(t.Label, tickSize, false))
		}
	}
	g.labels = math.Min(g.labels, 0.36*width)
	return g
}

// bold values are verdicts.
func (r Row) bold() bool { return r.Role >= Passed }

func (l *layout) placePanel(p *Panel, x, y, w float64, g gutters) (placedPanel, float64) {
	out := placedPanel{Panel: p, left: x, top: y}
	if p.Title != "" {
		out.title = cut(p.Title, textSize, true, w)
		y += textSize*lineFeed + 2
	}
	if p.Rows == nil && p.Y.Label != "" {
		out.yLabel = cut(p.Y.Label, textSize, false, w)
		y += textSize*lineFeed + 7
	}
	left, right, height := x, x+w, 0.0
	switch {
	case p.Rows != nil:
		out.above = l.small || g.values > 0 && g.labels+g.values > 0.62*w
		out.row = rowHeight
		if out.above {
			out.row = tallRow
			left, right = x+6, right-6
		} else {
			left += g.labels + 18
			right -= g.values + 20
		}
		for range p.Rows {
			out.rowTop = append(out.rowTop, y+height)
			height += out.row
		}
	default:
		left += g.ticks + 8
		right -= 14
		height = p.Height
		if height == 0 {
			height = plotHeight
			if l.small {
				height = smallPlotHeight
			}
		}
	}
	out.plot = rect{left, y, right, y + height}
	y += height + 5 + tickSize*lineFeed
	if p.X.Label != "" {
		y += textSize * lineFeed
	}
	return out, y
}

// x and y map the units of the axes to pixels. Far away is cut off at a
// distance that no canvas chokes on.
func (p *placedPanel) x(v float64) float64 {
	return p.plot.x0 + near(p.X.place(v))*(p.plot.x1-p.plot.x0)
}

func (p *placedPanel) y(v float64) float64 {
	if p.Rows != nil {
		return p.rowMiddle(v)
	}
	return p.plot.y1 - near(p.Y.place(v))*(p.plot.y1-p.plot.y0)
}

func near(v float64) float64 { return math.Max(-50, math.Min(51, v)) }

// rowMiddle is the height of the marks of a row; a fraction is one of the usual
// row height.
func (p *placedPanel) rowMiddle(v float64) float64 {
	i := math.Round(v)
	middle := p.plot.y0 + i*p.row + p.row/2
	if p.above {
		middle += 9
	}
	return middle + (v-i)*rowHeight
}
