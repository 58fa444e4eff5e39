package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"
)

// Picture is a figure of the page, drawn twice: for a wide and for a narrow
// window. The drawings are trusted SVG elements without scripts.
type Picture struct {
	ID, Title, Alt string
	Notes          []string
	Wide, Narrow   []byte
}

// HTMLOptions are what the page shows beside the document.
type HTMLOptions struct {
	// Lead is the picture above the results, nil for none; Pictures follow the
	// tables.
	Lead     *Picture
	Pictures []Picture
	// Missing says why pictures are not there.
	Missing []string
	// Command is the command line that made the report.
	Command string
}

var (
	//go:embed html/page.tmpl
	pageTemplate string
	//go:embed html/page.css
	pageStyle string
	//go:embed html/page.js
	pageScript string
)

var page = sync.OnceValues(func() (*template.Template, error) { return template.New("page").Parse(pageTemplate) })

// WriteHTML writes the report as one HTML page that loads nothing: it can be
// opened from a disk, kept as an artifact and printed, works without scripts
// and follows the reader's light or dark theme. Everything that comes from the
// data is escaped, and a content policy forbids all but the page's own script.
func WriteHTML(w io.Writer, doc *Document, o HTMLOptions) error {
	t, err := page()
	if err != nil {
		return err
	}
	v := viewOf(doc, o)
	v.Style, v.Script = template.CSS(pageStyle), template.JS(pageScript)
	sum := sha256.Sum256([]byte(pageScript))
	v.ScriptHash = template.HTMLAttr("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
	var b bytes.Buffer
	if err := t.Execute(&b, v); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
