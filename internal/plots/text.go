package plots

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/width"
)

// printable leaves out what has no shape: control characters become spaces,
// marks of our own and stray bytes a replacement character.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cs, r):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// textWidth measures a text; a letter that the font lacks is taken to be as
// wide as those of its script.
func textWidth(s string, size float64, bold bool) float64 {
	f := face(size, bold)
	var known strings.Builder
	extra := 0.0
	for _, r := range s {
		switch {
		case hasGlyph(r):
			known.WriteRune(r)
		case wideRune(r):
			extra += size
		default:
			extra += 0.6 * size
		}
	}
	return float64(f.Width(known.String())) + extra
}

func wideRune(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth || r > 0xffff
}

func hasGlyph(r rune) bool {
	if r < 0x7f {
		return true
	}
	var buf sfnt.Buffer
	i, err := face(10, false).Face.GlyphIndex(&buf, r)
	return err == nil && i != 0
}

// cut shortens a text to a width, with an ellipsis in the middle: names that
// differ at either end stay apart.
func cut(s string, size float64, bold bool, room float64) string {
	if textWidth(s, size, bold) <= room {
		return s
	}
	rs := []rune(s)
	lo, hi := 0, len(rs) // letters kept
	short := func(n int) string {
		head := (n + 1) / 2
		return strings.TrimRight(string(rs[:head]), " ") + "…" + strings.TrimLeft(string(rs[len(rs)-(n-head):]), " ")
	}
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if textWidth(short(mid), size, bold) <= room {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return short(lo)
}

// wrapText breaks a text into lines of at most the given width.
func wrapText(s string, size float64, bold bool, room float64) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(printable(s)) {
		next := w
		if line != "" {
			next = line + " " + w
		}
		if line != "" && textWidth(next, size, bold) > room {
			lines = append(lines, line)
			next = w
		}
		line = next
		if textWidth(line, size, bold) > room {
			line = cut(line, size, bold, room)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// drawnRaster writes the letters that the built-in font lacks as code points.
func drawnRaster(s string) string { return escapeUnless(s, hasGlyph) }

// drawnPDF does the same for letters outside the code page of the PDF's font.
func drawnPDF(s string) string {
	return escapeUnless(s, func(r rune) bool {
		_, ok := charmap.Windows1252.EncodeRune(r)
		return ok && hasGlyph(r)
	})
}

// simpler are signs that a plain letter says as well.
var simpler = map[rune]string{'−': "-", '→': "->", '≤': "<=", '≥': ">=", '∞': "infinity", '≈': "about"}

func escapeUnless(s string, ok func(rune) bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case ok(r):
			b.WriteRune(r)
		case simpler[r] != "":
			b.WriteString(simpler[r])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func toCP1252(s string) string {
	var b []byte
	for _, r := range s {
		if c, ok := charmap.Windows1252.EncodeRune(r); ok {
			b = append(b, c)
		} else {
			b = append(b, '?')
		}
	}
	return string(b)
}
