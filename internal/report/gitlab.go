package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// codeQuality is an entry of GitLab's code quality report.
type codeQuality struct {
	Description string          `json:"description"`
	CheckName   string          `json:"check_name"`
	Fingerprint string          `json:"fingerprint"`
	Severity    string          `json:"severity"`
	Location    qualityLocation `json:"location"`
}

type qualityLocation struct {
	Path  string       `json:"path"`
	Lines qualityLines `json:"lines"`
}

type qualityLines struct {
	Begin int `json:"begin"`
}

// WriteGitLab writes what is not well as a GitLab code quality report: failed
// gates as critical, soft ones and undecided ones as minor, checks that object
// as major. The fingerprints stay the same from run to run, so that GitLab can
// tell new findings from old ones. Nothing to find is an empty list.
func WriteGitLab(w io.Writer, doc *Document) error {
	out := []codeQuality{}
	add := func(severity, check, text string) {
		sum := sha256.Sum256([]byte(doc.Tool.Name + "\x00" + check))
		out = append(out, codeQuality{Description: text, CheckName: doc.Tool.Name + "/" + check, Fingerprint: hex.EncodeToString(sum[:]),
			Severity: severity, Location: qualityLocation{Path: findingPath(doc), Lines: qualityLines{1}}})
	}
	for i := range doc.Results {
		r := &doc.Results[i]
		switch {
		case r.Verdict == nil || *r.Verdict == "PASS":
		case *r.Verdict == "FAIL" && !r.Soft:
			add("critical", caseName(r), rowSentence(doc, r))
		case *r.Verdict == "FAIL":
			add("minor", caseName(r), rowSentence(doc, r))
		default:
			add("minor", caseName(r), "inconclusive: "+rowSentence(doc, r))
		}
	}
	for _, c := range doc.Comparability {
		if c.Status == "fail" {
			add("major", "comparability:"+c.Check, Printable(c.Text))
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// findingPath is the file that findings are shown at: the first of the
// candidate, as a relative path.
func findingPath(doc *Document) string {
	side := doc.Candidate
	if side == nil {
		side = doc.Baseline
	}
	if side == nil {
		return "."
	}
	p := side.Label
	if len(side.Files) > 0 {
		p = side.Files[0].Path
	}
	p = strings.TrimPrefix(path.Clean("/"+filepath.ToSlash(Printable(p))), "/")
	if p == "" {
		return "."
	}
	return p
}
