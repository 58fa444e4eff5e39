package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// TextOptions are the choices of a terminal rendering.
type TextOptions struct {
	Color bool
	Width int // columns to wrap sentences at; 0 stands for 100
	// Verbose also tells how each row was made and what was read as what.
	Verbose bool
	// Columns are those of the terminal, which tables are laid out for; 0 for
	// none. Bars draws each change against its margin where there is room.
	Columns int
	Bars    bool
}

const defaultWidth = 100

// paint colours by meaning; every coloured word also says it in letters.
type paint bool

func (p paint) verdict(v, text string) string {
	if !p {
		return text
	}
	code := "33"
	switch v {
	case "PASS":
		code = "32"
	case "FAIL":
		code = "31"
	case "":
		return text
	}
	return "\x1b[1;" + code + "m" + text + "\x1b[0m"
}

func (p paint) dim(text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[2m" + text + "\x1b[0m"
}

// WriteText writes the report for a terminal.
func WriteText(w io.Writer, doc *Document, opt TextOptions) error {
	if opt.Width <= 0 {
		opt.Width = defaultWidth
	}
	if pg, ok := doc.sheet(); ok {
		return pg.text(w, doc, opt)
	}
	p := paint(opt.Color)
	var b strings.Builder
	title := doc.Tool.Name + "  " + Printable(doc.Baseline.Label)
	if doc.Candidate != nil {
		title += " -> " + Printable(doc.Candidate.Label)
	} else {
		title = doc.Tool.Name + " describe  " + Printable(doc.Baseline.Label)
	}
	if doc.Verdict != nil {
		gap := max(2, min(82, opt.Width)-displayWidth(title)-len(*doc.Verdict))
		if opt.Columns > 0 && displayWidth(title)+2+len(*doc.Verdict) > opt.Width {
			title += "\n"
			gap = 2
		}
		title += strings.Repeat(" ", gap) + p.verdict(*doc.Verdict, *doc.Verdict)
	}
	b.WriteString(title + "\n")
	shown, more := topReasons(doc)
	for _, r := range shown {
		wrap(&b, "  ", r.Text, opt.Width)
	}
	if more > 0 {
		fmt.Fprintf(&b, "  %s below.\n", plural(int64(more), "more reason"))
	}
	wrap(&b, "  ", fmt.Sprintf("%s, seed %d", doc.Design.Text, doc.Seed), opt.Width)
	b.WriteString("\n")
	whole, slices := split(doc)
	table(&b, doc, opt, whole)
	itemSection(&b, doc, opt.Width)
	if len(slices) > 0 {
		b.WriteString("\n")
		shown, more := cutSlices(slices)
		table(&b, doc, opt, shown)
		if more > 0 {
			fmt.Fprintf(&b, "%s in the JSON report.\n", plural(int64(more), "more slice"))
		}
	}
	moversText(&b, doc, opt)
	notes := notes(doc)
	if len(notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range notes {
		wrap(&b, "", n, opt.Width)
	}
	if opt.Verbose {
		writeVerbose(&b, doc, opt.Width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// topReasons are the deciding facts to print at the top: of a failure only the
// failed gates, else all, three at most.
func topReasons(doc *Document) (shown []Reason, more int) {
	all := doc.Reasons
	if doc.Verdict != nil && *doc.Verdict == "FAIL" {
		all = nil
		for _, r := range doc.Reasons {
			if r.Code == "gate_failed" {
				all = append(all, r)
			}
		}
	}
	const most = 3
	if len(all) > most {
		return all[:most], len(all) - most
	}
	return all, 0
}

// wrap writes text in lines of at most width columns, each with the indent.
func wrap(b *strings.Builder, indent, text string, width int) {
	line := indent
	for _, word := range words(Printable(text)) {
		if line != indent && displayWidth(line)+1+displayWidth(word) > width {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// words splits text at spaces, but keeps a number and its unit together.
func words(text string) []string {
	var out []string
	for _, w := range strings.Split(text, " ") {
		if bare := strings.Trim(w, ".,;:)(]"); len(out) > 0 && (bare == "%" || bare == "pp" || bare == "ms" || bare == "s" || bare == "µs" || bare == "ns") {
			out[len(out)-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

// Printable replaces what a terminal would take as a command or a line break:
// labels, paths and column names come from outside.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar:
			return '?'
		}
		return r
	}, s)
}

// displayWidth counts terminal columns: wide characters take two.
func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}
