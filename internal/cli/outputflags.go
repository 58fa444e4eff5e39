package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// outputFlags say where the report goes.
type outputFlags struct {
	format     string
	files      []string
	plots      string
	color      string
	noProgress bool
	quiet      bool
	verbose    bool

	// command is the command line, and figures are what was drawn: what the
	// report shows beside the document.
	command string
	figures figures
}

func (f *outputFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", "text", "`FORMAT` of standard output: "+strings.Join(formats, ", "))
	fs.StringArrayVarP(&f.files, "output", "o", nil, "also write `FILE`, format by its name: "+strings.Join(extensions(), ", ")+" (a figure: .svg, .png, .pdf); repeatable")
	fs.StringVar(&f.plots, "plots", "", "write every figure as SVG into `DIR`")
	fs.StringVar(&f.color, "color", "auto", "`WHEN` to use colours: auto, always, never")
	fs.BoolVar(&f.noProgress, "no-progress", false, "show no progress bar")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing on standard output; the exit code tells")
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "also say, below the text report, how each row was made and which column was read as which field")
}

// formats are what standard output can get.
var formats = []string{"text", "markdown", "json", "html", "junit", "github", "gitlab"}

// fileFormats tells the format of a file by the end of its name. GitLab's code
// quality report is known by the name that GitLab gives it.
var fileFormats = []struct{ end, format string }{
	{gitlabFile, "gitlab"},
	{".json", "json"}, {".md", "markdown"}, {".txt", "text"}, {".html", "html"}, {".xml", "junit"},
	{".svg", "svg"}, {".png", "png"}, {".pdf", "pdf"},
}

const gitlabFile = "gl-code-quality-report.json"

// figureFormats are those of a single figure.
var figureFormats = []string{"svg", "png", "pdf"}

func extensions() []string {
	var out []string
	for _, f := range fileFormats {
		if !slices.Contains(figureFormats, f.format) {
			out = append(out, f.end)
		}
	}
	return out
}

func (f *outputFlags) check() error {
	if !slices.Contains(formats, f.format) {
		return usage("--format %s: want %s", f.format, strings.Join(formats, ", "))
	}
	if f.color != "auto" && f.color != "always" && f.color != "never" {
		return usage("--color %s: want auto, always or never", f.color)
	}
	for _, o := range f.files {
		if _, err := formatOf(o); err != nil {
			return err
		}
	}
	return nil
}

func formatOf(path string) (string, error) {
	for _, f := range fileFormats {
		if strings.HasSuffix(path, f.end) && (f.end != gitlabFile || filepath.Base(path) == gitlabFile) {
			return f.format, nil
		}
	}
	var all []string
	for _, f := range fileFormats {
		if f.end != gitlabFile {
			all = append(all, f.end)
		}
	}
	last := len(all) - 1
	return "", usage("--output %s: the extension names no report format; want %s or %s", path, strings.Join(all[:last], ", "), all[last])
}

// wants reports whether some output has one of the formats.
func (f *outputFlags) wants(formats ...string) bool {
	if slices.Contains(formats, f.format) && !f.quiet {
		return true
	}
	return slices.ContainsFunc(f.files, func(o string) bool {
		format, err := formatOf(o)
		return err == nil && slices.Contains(formats, format)
	})
}

// wantsFigures reports whether some output shows figures.
func (f *outputFlags) wantsFigures() bool {
	return f.plots != "" || f.wants("html") || f.wants(figureFormats...)
}

// wantsStrata reports whether some output shows the changes of single strata.
func (f *outputFlags) wantsStrata() bool { return f.wantsFigures() || f.wants("json") }

// hashedByPage is the size of all inputs, in bytes, up to which a page shows
// their checksums: of larger ones they would take longer than the report.
const hashedByPage = 64 << 20

// wantsHashes reports whether some output shows the checksums of the inputs.
func (f *outputFlags) wantsHashes(s *session) bool {
	if f.wants("json") {
		return true
	}
	var size int64
	for _, in := range s.opened {
		size += in.File.Size
	}
	return f.wants("html") && size <= hashedByPage
}
