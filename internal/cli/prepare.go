package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/report"
)

// recordFormats are tried in this order.
var recordFormats = []ingest.Format{arrowio.Parquet, arrowio.IPC, textio.JSONL, textio.JSON, textio.CSV}

func formatNames() string {
	names := make([]string, len(recordFormats))
	for i, f := range recordFormats {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}

// session is the opened inputs of a command.
type session struct {
	sides   []metric.Input
	meta    []report.SideMeta
	opened  []*ingest.Input
	layouts []*ingest.Layout
	notes   []report.Note
}

func (s *session) Close() error { return ingest.CloseAll(s.opened) }

// open opens every input of every side and finds its columns.
func open(env Env, sides [][]string, f *inputFlags) (*session, error) {
	overrides, err := f.check()
	if err != nil {
		return nil, err
	}
	opener := &ingest.Opener{Formats: recordFormats, Force: f.reader, Stdin: env.Stdin,
		Unpack: func(file ingest.File) (ingest.File, func() error, error) { return textio.Decompress(file, "") }}
	s := &session{}
	for _, inputs := range sides {
		if err := s.openSide(opener, inputs, overrides, f); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if len(s.meta) == 2 {
		s.meta[0].Label, s.meta[1].Label = shorten(s.meta[0].Label, s.meta[1].Label)
	}
	return s, nil
}

func (s *session) openSide(opener *ingest.Opener, inputs []string, overrides []ingest.Override, f *inputFlags) error {
	in := metric.Input{Warmup: int64(f.warmup), Service: f.from == "service"}
	var meta report.SideMeta
	var labels []string
	for _, input := range inputs {
		label, path := splitLabel(input)
		labels = append(labels, label)
		files, notes, err := opener.Open(path)
		if err != nil {
			return err
		}
		s.opened = append(s.opened, files...)
		for _, n := range notes {
			s.notes = append(s.notes, report.Note{Code: "passed_over", Text: n})
		}
		for _, file := range files {
			l, err := ingest.Resolve(file.Path, file.Source.Columns(), overrides)
			if err != nil {
				return err
			}
			for _, n := range l.Notes {
				s.notes = append(s.notes, report.Note{Code: "column_not_used", Text: file.Path + ": " + n})
			}
			if f.warmup > 0 && !l.Fields[ingest.Start].Bound() {
				return fmt.Errorf("%s: --warmup needs a column for start, and the file has none; name it with --column start=COLUMN[:UNIT]", file.Path)
			}
			s.layouts = append(s.layouts, l)
			in.Files = append(in.Files, metric.File{Path: file.Path, Label: file.Path, Source: file.Source, Layout: l})
			meta.Files = append(meta.Files, report.FileMeta{Path: file.Path, Reader: file.Format, Columns: columnsFrom(l)})
		}
	}
	if f.files == "parts" {
		for i := range in.Files {
			in.Files[i].Label = ""
		}
	}
	in.Duplicates = checkDuplicates(in.Files, s.opened[len(s.opened)-len(in.Files):])
	meta.Label = strings.Join(labels, " + ")
	s.sides, s.meta = append(s.sides, in), append(s.meta, meta)
	return nil
}

// columnsFrom lists which column each field is read from.
func columnsFrom(l *ingest.Layout) map[string]report.FieldFrom {
	out := map[string]report.FieldFrom{}
	for field := ingest.Field(0); field < ingest.NumFields; field++ {
		if b := l.Fields[field]; b.Bound() {
			out[field.String()] = report.FieldFrom{Column: b.Name, Unit: b.Unit.Name}
		}
	}
	return out
}

// checkDuplicates decides whether request ids are looked at: where there are
// some, and few enough records. Text files tell only their size.
func checkDuplicates(files []metric.File, ins []*ingest.Input) bool {
	const leastRecord = 32 // bytes
	var rows int64
	ids := false
	for i, f := range files {
		ids = ids || f.Layout.Fields[ingest.RequestID].Bound()
		n := f.Source.Rows()
		if n < 0 {
			n = ins[i].File.Size / leastRecord
		}
		rows += n
	}
	return ids && rows <= ingest.MaxDuplicateRows
}

// splitLabel splits label=INPUT; an existing path is never split.
func splitLabel(input string) (label, path string) {
	if _, err := os.Stat(input); err == nil {
		return short(input), input
	}
	if label, path, ok := strings.Cut(input, "="); ok && label != "" && path != "" {
		return label, path
	}
	return short(input), input
}

func short(path string) string {
	if path == "-" {
		return "standard input"
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// shorten cuts from the labels of two sides the folders that both share.
func shorten(a, b string) (string, string) {
	for {
		x, restA, okA := strings.Cut(a, "/")
		y, restB, okB := strings.Cut(b, "/")
		if !okA || !okB || x != y {
			return a, b
		}
		a, b = restA, restB
	}
}

// hashes fills in the checksum of every file.
func (s *session) hashes() error {
	k := 0
	for i := range s.meta {
		for j := range s.meta[i].Files {
			h := sha256.New()
			f := s.opened[k].File
			if _, err := io.Copy(h, io.NewSectionReader(f, 0, f.Size)); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
			s.meta[i].Files[j].SHA256 = hex.EncodeToString(h.Sum(nil))
			k++
		}
	}
	return nil
}

// inputs is what the comparison reads.
func (s *session) inputs(items []metric.Item, progress func(int64)) compare.Inputs {
	return compare.Inputs{Sides: s.sides, Plan: metric.NewPlan(items), Scan: metric.Scan{Workers: runtime.GOMAXPROCS(0), Progress: progress}}
}

// rows is the number of records that the files say they hold, 0 if one does
// not say.
func (s *session) rows() int64 {
	var n int64
	for _, in := range s.opened {
		k := in.Source.Rows()
		if k < 0 {
			return 0
		}
		n += k
	}
	return n
}
