package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// svgText is a text of an SVG file.
type svgText struct {
	X      float64 `xml:"x,attr"`
	Y      float64 `xml:"y,attr"`
	Anchor string  `xml:"text-anchor,attr"`
	Weight string  `xml:"font-weight,attr"`
	Style  string  `xml:"style,attr"`
	Text   string  `xml:",chardata"`
}

// svgFile is what the tests look at in an SVG file.
type svgFile struct {
	width, height float64
	role, labels  string
	title, desc   string
	texts         []svgText
	paths         int
}

func readSVG(t testing.TB, b []byte) svgFile {
	t.Helper()
	var out svgFile
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		el, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		into := func(v any) {
			if err := d.DecodeElement(v, &el); err != nil {
				t.Fatal(err)
			}
		}
		switch el.Name.Local {
		case "svg":
			for _, a := range el.Attr {
				switch a.Name.Local {
				case "viewBox":
					f := strings.Fields(a.Value)
					out.width, _ = strconv.ParseFloat(f[2], 64)
					out.height, _ = strconv.ParseFloat(f[3], 64)
				case "role":
					out.role = a.Value
				case "aria-labelledby":
					out.labels = a.Value
				}
			}
		case "title":
			into(&out.title)
		case "desc":
			into(&out.desc)
		case "text":
			var x svgText
			into(&x)
			out.texts = append(out.texts, x)
		case "path":
			out.paths++
		}
	}
}

var fontSize = regexp.MustCompile(`font-size:([0-9.]+)px`)

// checkSVG holds for every figure at every width: valid, named, nothing outside
// the sheet, no number that is none.
func checkSVG(t *testing.T, f *Figure, o Options) svgFile {
	t.Helper()
	b, err := f.SVG(o)
	if err != nil {
		t.Fatalf("%s: %v", f.ID, err)
	}
	s := readSVG(t, b)
	if s.role != "img" || s.labels != f.ID+"-t "+f.ID+"-d" || s.title == "" || s.desc == "" {
		t.Errorf("%s: no text alternative: role %q, labelled by %q, title %q, desc %q", f.ID, s.role, s.labels, s.title, s.desc)
	}
	if s.paths == 0 || len(s.texts) == 0 {
		t.Errorf("%s: %d paths and %d texts", f.ID, s.paths, len(s.texts))
	}
	if len(b) > 300_000 {
		t.Errorf("%s: %d bytes", f.ID, len(b))
	}
	for _, bad := range []string{"NaN", "Inf", "\ue000", "\ue001", "%!"} {
		if bytes.Contains(b, []byte(bad)) {
			t.Errorf("%s: the file contains %q", f.ID, bad)
		}
	}
	for _, x := range s.texts {
		m := fontSize.FindStringSubmatch(x.Style)
		if m == nil {
			t.Fatalf("%s: text %q has no size", f.ID, x.Text)
		}
		size, _ := strconv.ParseFloat(m[1], 64)
		if size < 11 {
			t.Errorf("%s: %q is set in %v pixels", f.ID, x.Text, size)
		}
		w := textWidth(x.Text, size, x.Weight == "bold")
		from := x.X
		switch x.Anchor {
		case "middle":
			from -= w / 2
		case "end":
			from -= w
		}
		// Places are those of the canvas with its origin below.
		y := s.height + x.Y
		if from < -0.5 || from+w > s.width+0.5 || y < 0 || y > s.height {
			t.Errorf("%s at %v pixels: %q at (%.0f to %.0f, %.0f) leaves the sheet of %v x %v", f.ID, o.Width, x.Text, from, from+w, y, s.width, s.height)
		}
	}
	return s
}

func TestSVG(t *testing.T) {
	for _, f := range gallery(t) {
		for _, w := range []float64{0, 240, 360, 600, 1200} {
			s := checkSVG(t, f, Options{Width: w})
			if want := w; w != 0 && s.width != want {
				t.Errorf("%s: %v wide, want %v", f.ID, s.width, want)
			}
		}
	}
}

func TestInline(t *testing.T) {
	for _, f := range gallery(t) {
		b, err := f.Inline(Options{}, "-w")
		if err != nil {
			t.Fatal(err)
		}
		s := readSVG(t, b)
		if !bytes.HasPrefix(b, []byte("<svg ")) || s.labels != f.ID+"-w-t "+f.ID+"-w-d" {
			t.Errorf("%s: begins %.60q, labelled by %q", f.ID, b, s.labels)
		}
		for _, x := range s.texts {
			if x.Text == f.Title {
				t.Errorf("%s: the title is drawn though the page prints it", f.ID)
			}
		}
		if c := regexp.MustCompile(`:#[0-9A-F]{6}`).Find(b); c != nil {
			t.Errorf("%s: colour %s is not a variable", f.ID, c)
		}
		for _, want := range []string{"var(--fig-paper,#FFFFFF)", "var(--fig-muted,#57606A)"} {
			if !bytes.Contains(b, []byte(want)) {
				t.Errorf("%s: no %s", f.ID, want)
			}
		}
	}
}

func TestFormats(t *testing.T) {
	for i, f := range gallery(t) {
		for _, theme := range []Theme{Light, Dark} {
			o := Options{Theme: theme, Density: 1}
			b, err := f.PNG(o)
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if img.Bounds().Dx() != defaultWidth {
				t.Errorf("%s: %v", f.ID, img.Bounds())
			}
			r, g, bl, _ := img.At(1, 1).RGBA()
			if want := palettes[theme][Paper]; uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(bl>>8) != want.B {
				t.Errorf("%s: the ground is %v", f.ID, img.At(1, 1))
			}
			if i > 1 {
				continue
			}
			if again, _ := f.PNG(o); !bytes.Equal(b, again) {
				t.Errorf("%s: a second PNG differs", f.ID)
			}
		}
	}
}

func TestSameBytes(t *testing.T) {
	a, b := gallery(t), gallery(t)
	for i := range a {
		for name, draw := range map[string]func(*Figure) ([]byte, error){
			"svg": func(f *Figure) ([]byte, error) { return f.SVG(Options{}) },
			"pdf": func(f *Figure) ([]byte, error) { return f.PDF(Options{}) },
		} {
			x, err := draw(a[i])
			if err != nil {
				t.Fatal(err)
			}
			y, _ := draw(b[i])
			if !bytes.Equal(x, y) {
				t.Errorf("%s.%s: the bytes differ", a[i].ID, name)
			}
			if name == "pdf" && (!bytes.HasPrefix(x, []byte("%PDF-")) || !bytes.Contains(x, []byte("%%EOF"))) {
				t.Errorf("%s: no PDF", a[i].ID)
			}
		}
	}
}

func TestIDsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range gallery(t) {
		if seen[f.ID] || f.ID == "" || strings.ContainsAny(f.ID, "/\\. ") {
			t.Errorf("id %q", f.ID)
		}
		seen[f.ID] = true
	}
}

func TestOptions(t *testing.T) {
	f := gallery(t)[0]
	for _, o := range []Options{{Width: 10}, {Width: -1}, {Width: 1e9}} {
		if _, err := f.SVG(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if _, err := f.PNG(Options{Density: 100}); err == nil {
		t.Error("density 100: no error")
	}
}

// TestLetters draws labels that the built-in font lacks and labels that try to
// be markup.
func TestLetters(t *testing.T) {
	label := "模型<script>&\"' \x00\ue000é"
	f, err := Forest("x", label, []Group{{Unit: "%", Rows: []Change{{Label: label, Value: 0.1, Lo: 0, Hi: 0.2, Verdict: Open}}}}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	s := checkSVG(t, f, Options{})
	shown := "模型<script>&\"' \ufffd\ufffdé"
	if s.title != shown || s.texts[0].Text != shown {
		t.Errorf("title %q, drawn %q, want %q", s.title, s.texts[0].Text, shown)
	}
	if _, err := f.PNG(Options{}); err != nil {
		t.Error(err)
	}
	if _, err := f.PDF(Options{}); err != nil {
		t.Error(err)
	}
	g := f.spelled(drawnRaster)
	if want := `\u6a21\u578b<script>`; !strings.HasPrefix(g.Title, want) || len(g.Notes) != 1 {
		t.Errorf("title %q, notes %q", g.Title, g.Notes)
	}
	if f.Panels[0].Rows[0].Label != label {
		t.Error("the figure was changed")
	}
}
