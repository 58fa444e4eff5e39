package plots

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// SVG returns the figure as a file of its own. Letters are text in a sans serif
// font of the reader's.
func (f *Figure) SVG(o Options) ([]byte, error) {
	body, l, err := f.svg(o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	f.head(&b, l, fmt.Sprintf(` width="%g" height="%g"`, l.w, l.h), "")
	b.WriteString(body)
	return b.Bytes(), nil
}

// Inline returns the figure as an element for an HTML page. Its colours are CSS
// variables (--fig-ink, --fig-candidate, …) with those of the theme as a
// fallback, so that the page can switch between light and dark. The suffix makes
// ids unique where a figure is on the page more than once.
func (f *Figure) Inline(o Options, suffix string) ([]byte, error) {
	o.Bare = true
	body, l, err := f.svg(o)
	if err != nil {
		return nil, err
	}
	body = anyColor.ReplaceAllStringFunc(body, func(s string) string {
		return ":var(--fig-" + roleOf(s[1:], o.Theme).String() + "," + s[1:] + ")"
	})
	var b bytes.Buffer
	f.head(&b, l, "", suffix)
	b.WriteString(body)
	return b.Bytes(), nil
}

// head writes the opening tag, the title and the text alternative.
func (f *Figure) head(b *bytes.Buffer, l *layout, size, suffix string) {
	id := f.ID + suffix
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg"%s viewBox="0 0 %g %g" role="img" aria-labelledby="%s-t %s-d" font-family="%s">`+"\n",
		size, l.w, l.h, id, id, fontFamily)
	fmt.Fprintf(b, "<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", id, html.EscapeString(printable(f.Title)), id, html.EscapeString(printable(f.Alt)))
}

const fontFamily = "Liberation Sans,Arial,Helvetica,sans-serif"

var (
	anyColor   = regexp.MustCompile(`:#[0-9A-F]{6}`)
	prologue   = regexp.MustCompile(`(?s)^.*?<svg[^>]*>\n`)
	textTag    = regexp.MustCompile(`<text ([^>]*?)\s+style="font-family:[^;]*;font-variant:[^;]*;font-weight:(normal|bold);font-style:normal;([^"]*)">(\x{e000}|\x{e001}|)`)
	emptyDash  = strings.NewReplacer("stroke-dasharray:none;", "", ";stroke-dasharray:none", "")
	textAnchor = map[string]string{anchorMiddle: ` text-anchor="middle"`, anchorEnd: ` text-anchor="end"`}
)

// svg returns all that follows the opening tag.
func (f *Figure) svg(o Options) (string, *layout, error) {
	var c *vgsvg.Canvas
	l, err := f.draw(o, &pen{anchored: true}, func(w, h float64) vg.Canvas {
		c = vgsvg.New(vg.Length(w), vg.Length(h))
		return c
	})
	if err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", nil, err
	}
	// The canvas writes font and weight into every text and knows no anchors.
	body := prologue.ReplaceAllString(b.String(), "")
	body = textTag.ReplaceAllStringFunc(body, func(tag string) string {
		m := textTag.FindStringSubmatch(tag)
		weight := ""
		if m[2] == "bold" {
			weight = ` font-weight="bold"`
		}
		return "<text " + m[1] + textAnchor[m[4]] + weight + ` style="` + m[3] + `">`
	})
	return emptyDash.Replace(body), l, nil
}

// roleOf finds the role of a colour as the canvas wrote it: one that shines
// through has lost a step in rounding.
func roleOf(hex string, t Theme) Role {
	var v color.NRGBA
	if _, err := fmt.Sscanf(hex, "#%02X%02X%02X", &v.R, &v.G, &v.B); err != nil {
		return Ink
	}
	best, least := Ink, math.MaxInt
	for r, c := range palettes[t] {
		d := 0
		for _, pair := range [][2]uint8{{v.R, c.R}, {v.G, c.G}, {v.B, c.B}} {
			diff := int(pair[0]) - int(pair[1])
			d += diff * diff
		}
		if d < least {
			best, least = Role(r), d
		}
	}
	return best
}
