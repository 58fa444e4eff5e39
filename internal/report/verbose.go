package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// writeVerbose tells how each row was made and which column of which file was
// read as which field.
func writeVerbose(b *strings.Builder, doc *Document, width int) {
	for _, section := range []struct {
		head  string
		lines []string
	}{{"How each row was made:", methodLines(doc)}, {"What was read as what:", columnLines(doc)}} {
		if len(section.lines) == 0 {
			continue
		}
		b.WriteString("\n" + section.head + "\n")
		for _, l := range section.lines {
			wrap(b, "  ", l, width)
		}
	}
}

// methodLines lists the methods with the rows they were used for.
func methodLines(doc *Document) []string {
	var methods []string
	rowsOf := map[string][]string{}
	for i := range doc.Results {
		r := &doc.Results[i]
		m := r.Method
		switch {
		case m == "" || m == "none":
			m = "no interval"
		case !r.Exact && r.RelativeError.Known() && r.RelativeError > 0:
			m += fmt.Sprintf(", from a histogram (error at most %s %%)", digits(float64(r.RelativeError)*100, 2))
		}
		if r.LikeForLike != nil {
			m += "; judged like for like"
		}
		l := layRow(doc, r)
		name := strings.TrimSpace(l.metric + " " + l.at)
		if l.slice != "" {
			name += " of " + l.slice
		}
		if r.Limit != nil {
			name += " (limit)"
		}
		if rowsOf[m] == nil {
			methods = append(methods, m)
		}
		rowsOf[m] = append(rowsOf[m], name)
	}
	var out []string
	for _, m := range methods {
		out = append(out, named(rowsOf[m], mostNamed)+": "+m)
	}
	return out
}

// columnLines lists the columns of the files, files that were read alike
// together.
func columnLines(doc *Document) []string {
	var kinds []string
	files := map[string][]string{}
	for _, s := range []*Side{doc.Baseline, doc.Candidate} {
		if s == nil {
			continue
		}
		for _, f := range s.Files {
			kind := f.Reader + ": " + columnText(f.Columns)
			if s.items {
				kind = "output of " + f.Reader
			}
			if files[kind] == nil {
				kinds = append(kinds, kind)
			}
			if !slices.Contains(files[kind], f.Path) {
				files[kind] = append(files[kind], f.Path)
			}
		}
	}
	var out []string
	for _, kind := range kinds {
		out = append(out, named(files[kind], mostNamed)+" as "+kind)
	}
	for _, s := range []*Side{doc.Baseline, doc.Candidate} {
		if s != nil && s.Replicas != nil {
			out = append(out, fmt.Sprintf("%s: %s", s.Label, plural(int64(*s.Replicas), "replica")))
		}
	}
	return out
}

func columnText(columns map[string]FieldFrom) string {
	var parts []string
	for _, field := range slices.Sorted(maps.Keys(columns)) {
		from := columns[field]
		text := field + " from " + from.Column
		if from.Unit != "" && from.Unit != "1" {
			text += " (" + from.Unit + ")"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "no field was found"
	}
	return strings.Join(parts, ", ")
}

// mostNamed is how many rows or files a line names.
const mostNamed = 12

// named joins names, and counts those beyond most.
func named(names []string, most int) string {
	if len(names) > most {
		return strings.Join(names[:most-1], ", ") + fmt.Sprintf(" and %d more", len(names)-most+1)
	}
	return strings.Join(names, ", ")
}
