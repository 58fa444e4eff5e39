package plots

import (
	"bytes"
	"fmt"
	"image/png"
	"regexp"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// Options say how a figure is drawn.
type Options struct {
	// Width in pixels; 0 stands for 720. Below 480 the figure is laid out for a
	// phone. The height follows from what is drawn.
	Width float64
	Theme Theme
	// Bare leaves out the title and the notes, for a page that prints them.
	Bare bool
	// Density is how many dots of a PNG make a pixel; 0 stands for 2.
	Density int
}

const (
	defaultWidth   = 720.0
	leastWidth     = 240.0
	defaultDensity = 2
	dotsPerInch    = 72 // one pixel of ours is one point of the canvas
)

func (o Options) width() (float64, error) {
	switch {
	case o.Width == 0:
		return defaultWidth, nil
	case !(o.Width >= leastWidth && o.Width <= 1e4):
		return 0, fmt.Errorf("a figure cannot be %v pixels wide: want %v to 10,000", o.Width, leastWidth)
	}
	return o.Width, nil
}

// draw lays the figure out and draws it on the canvas that make returns.
func (f *Figure) draw(o Options, p *pen, make func(w, h float64) vg.Canvas) (*layout, error) {
	w, err := o.width()
	if err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	l := f.place(w, o.Bare)
	p.c, p.height, p.pal = make(l.w, l.h), l.h, &palettes[o.Theme]
	all := rect{0, 0, l.w, l.h}
	p.box(all, Paper, 1, all)
	l.render(p)
	return l, nil
}

// PNG returns the figure as a bitmap. Letters that the built-in font lacks are
// written as code points, with a note.
func (f *Figure) PNG(o Options) ([]byte, error) {
	g := f.spelled(drawnRaster)
	density := o.Density
	if density == 0 {
		density = defaultDensity
	}
	if density < 1 || density > 8 {
		return nil, fmt.Errorf("a density of %d is not possible: want 1 to 8", density)
	}
	var c *vgimg.Canvas
	_, err := g.draw(o, &pen{}, func(w, h float64) vg.Canvas {
		c = vgimg.NewWith(vgimg.UseWH(vg.Length(w), vg.Length(h)), vgimg.UseDPI(dotsPerInch*density))
		return c
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, c.Image()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// dates are written into every PDF; a figure has none.
var dates = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}\)`)

// PDF returns the figure as a document of one page, with its font.
func (f *Figure) PDF(o Options) ([]byte, error) {
	g := f.spelled(drawnPDF)
	var c *vgpdf.Canvas
	_, err := g.draw(o, &pen{plain: true, encode: toCP1252}, func(w, h float64) vg.Canvas {
		c = vgpdf.New(vg.Length(w), vg.Length(h))
		return c
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	// The same length, so that the offsets inside the file stay right.
	return dates.ReplaceAll(b.Bytes(), []byte("/$1 (D:20000101000000)")), nil
}

// spelled returns the figure with its texts in letters that a font has.
func (f *Figure) spelled(spell func(string) string) *Figure {
	g := *f
	changed := false
	word := func(s string) string {
		t := spell(printable(s))
		changed = changed || t != s && bytes.Contains([]byte(t), []byte(`\u`))
		return t
	}
	axis := func(a Axis) Axis {
		a.Label = word(a.Label)
		ticks := a.Ticks
		a.Ticks = nil
		for _, t := range ticks {
			t.Label = word(t.Label)
			a.Ticks = append(a.Ticks, t)
		}
		return a
	}
	g.Title = word(f.Title)
	g.Notes, g.Legend, g.Panels = nil, nil, nil
	for _, k := range f.Legend {
		g.Legend = append(g.Legend, Key{word(k.Label), k.Mark})
	}
	for _, p := range f.Panels {
		p.Title, p.X, p.Y = word(p.Title), axis(p.X), axis(p.Y)
		rows := p.Rows
		if rows != nil {
			p.Rows = []Row{}
		}
		for _, r := range rows {
			r.Label, r.Value = word(r.Label), word(r.Value)
			p.Rows = append(p.Rows, r)
		}
		marks := p.Marks
		p.Marks = nil
		for _, m := range marks {
			switch t := m.(type) {
			case Label:
				t.Text = word(t.Text)
				m = t
			case Rule:
				t.Label = word(t.Label)
				m = t
			}
			p.Marks = append(p.Marks, m)
		}
		g.Panels = append(g.Panels, p)
	}
	for _, n := range f.Notes {
		g.Notes = append(g.Notes, word(n))
	}
	if changed {
		g.Notes = append(g.Notes, `Letters that the font of this format lacks are written as \u and their code point; the SVG shows them.`)
	}
	return &g
}
