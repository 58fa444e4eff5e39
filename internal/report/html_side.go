package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// sideView is what is said of one side's data.
type sideView struct {
	Title      string
	Facts      []fact
	FilesTitle string
	Files      []fileView
}

type fileView struct {
	Path, Text, SHA256 string
	Columns            []fact
}

func sideOf(title string, s *Side) sideView {
	v := sideView{Title: title + ": " + Printable(s.Label)}
	number := func(name string, n int64) {
		v.Facts = append(v.Facts, fact{Name: name, Text: count(n), HasValue: true, Value: strconv.FormatInt(n, 10)})
	}
	number("runs", int64(s.Runs))
	if s.Replicas != nil {
		number("replicas", int64(*s.Replicas))
	}
	number("records", s.Requests)
	number("ok", s.OK)
	number("failed", s.Failed)
	list := func(name string, cs []Count) {
		for _, c := range cs {
			text := count(c.Count)
			if c.Text != "" {
				text += " – " + Printable(c.Text)
			}
			v.Facts = append(v.Facts, fact{Name: name + ": " + strings.ReplaceAll(c.Reason, "_", " "), Text: text, HasValue: true, Value: strconv.FormatInt(c.Count, 10)})
		}
	}
	list("failed", s.Failures)
	list("rejected", s.Rejected)
	list("left out", s.Excluded)
	if s.FirstStart != nil && s.LastStart != nil {
		v.Facts = append(v.Facts, fact{Name: "first start", Text: *s.FirstStart}, fact{Name: "last start", Text: *s.LastStart})
	}
	v.FilesTitle = plural(int64(len(s.Files)), "file")
	const most = 200
	for i, f := range s.Files {
		if i == most {
			v.Files = append(v.Files, fileView{Path: fmt.Sprintf("and %s more", count(int64(len(s.Files)-most)))})
			break
		}
		fv := fileView{Path: Printable(f.Path), Text: f.Reader + ", " + plural(f.Rows, "record"), SHA256: f.SHA256}
		for _, field := range slices.Sorted(maps.Keys(f.Columns)) {
			c := f.Columns[field]
			text := Printable(c.Column)
			if c.Unit != "" {
				text += " (" + c.Unit + ")"
			}
			fv.Columns = append(fv.Columns, fact{Name: field, Text: text})
		}
		v.Files = append(v.Files, fv)
	}
	return v
}
