package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/arrowio"
	"github.com/perfdiff/perfdiff/internal/ingest/harness"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/report"
)

// recordFormats are tried in this order: the layouts of harnesses before the
// generic ones, which would take their files for something plainer.
var recordFormats = slices.Concat(
	[]ingest.Format{arrowio.Parquet, arrowio.IPC}, harness.Formats, []ingest.Format{textio.JSONL, textio.JSON, textio.CSV})

func readerNames() []string {
	names := make([]string, len(recordFormats))
	for i, f := range recordFormats {
		names[i] = f.Name
	}
	return names
}

// session is the opened inputs of a command.
type session struct {
	sides   []metric.Input
	meta    []report.SideMeta
	opened  []*ingest.Input
	layouts []*ingest.Layout
	notes   []report.Note
	sums    []string // checksums of opened, "" until they are made

	timeouts metric.Timeouts
}

func (s *session) paths() (out []string) {
	for _, in := range s.opened {
		out = append(out, in.Path)
	}
	return out
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
	if err := checkInputs(sides); err != nil {
		return nil, err
	}
	s := &session{}
	if s.timeouts, err = metric.ParseTimeouts(f.timeouts); err != nil {
		return nil, usage("--timeouts: %w", err)
	}
	var labels [][]label
	for _, inputs := range sides {
		named, err := s.openSide(opener, inputs, overrides, f)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		labels = append(labels, named)
	}
	if err := s.nameGaps(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for i, name := range sideNames(labels) {
		s.meta[i].Label = name
	}
	return s, nil
}

// checkInputs reports a choice of no model, and more than one input that is
// standard input.
func checkInputs(sides [][]string) error {
	n, empty := 0, ""
	for _, inputs := range sides {
		for _, input := range inputs {
			if _, err := os.Stat(input); err != nil && strings.HasSuffix(input, "#model=") {
				empty = input
			}
			if _, path, _ := splitInput(input); path == "-" {
				n++
			}
		}
	}
	if empty != "" {
		return usage("%s: no model is named behind #model=", empty)
	}
	if n > 1 {
		return usage("%d inputs are standard input (-); only one can be", n)
	}
	return nil
}

// openSide opens the files of a side. They are taken in the order of their
// paths, whatever the order in which they are named.
func (s *session) openSide(opener *ingest.Opener, inputs []string, overrides []ingest.Override, f *inputFlags) ([]label, error) {
	var labels []label
	var files []*ingest.Input
	chosen := map[*ingest.Input]choice{}
	for _, input := range inputs {
		l, path, model := splitInput(input)
		labels = append(labels, l)
		ins, notes, err := opener.Open(path)
		if err != nil {
			return nil, errors.Join(err, ingest.CloseAll(files))
		}
		for _, in := range ins {
			chosen[in] = choice{input, path, model}
		}
		files = append(files, ins...)
		for _, n := range notes {
			s.notes = append(s.notes, report.Note{Code: "passed_over", Text: n})
		}
	}
	slices.SortStableFunc(labels, func(a, b label) int { return strings.Compare(a.text, b.text) })
	slices.SortStableFunc(files, func(a, b *ingest.Input) int { return strings.Compare(a.Path, b.Path) })
	files, layouts, err := s.passOver(files, overrides)
	first := len(s.opened)
	s.opened = append(s.opened, files...)
	if err != nil {
		return nil, err
	}
	if err := twice(files); err != nil {
		return nil, err
	}
	if err := s.copies(first, f.files == "parts"); err != nil {
		return nil, err
	}
	in := metric.Input{Warmup: int64(f.warmup), Service: f.from == "service"}
	var meta report.SideMeta
	s.noteFiles(files, layouts)
	for i, file := range files {
		name, l := ingest.DisplayPath(file.Path), layouts[i]
		if err := histogramFlags(file, f); err != nil {
			return nil, err
		}
		if f.warmup > 0 && !l.Fields[ingest.Start].Bound() {
			return nil, fmt.Errorf("%s: --warmup needs a column for start, and the file has none; name it with --column start=COLUMN[:UNIT]", name)
		}
		s.layouts = append(s.layouts, l)
		run := file.Path
		if f.files == "parts" {
			run = ""
		}
		in.Files = append(in.Files, metric.File{Path: name, Label: run, Source: file.Source, Layout: l, Model: chosen[file].model})
		meta.Files = append(meta.Files, report.FileMeta{Path: file.Path, Reader: file.Format, Columns: columnsFrom(l)})
	}
	if err := s.keepModel(&in, files, chosen); err != nil {
		return nil, err
	}
	if err := oneKind(files); err != nil {
		return nil, err
	}
	if err := unitColumn(f.unit, in.Files); err != nil {
		return nil, err
	}
	in.Duplicates = checkDuplicates(in.Files, files)
	s.sides, s.meta = append(s.sides, in), append(s.meta, meta)
	return labels, nil
}

// noteFiles remarks on the files of a side, once where several give the same remark.
func (s *session) noteFiles(files []*ingest.Input, layouts []*ingest.Layout) {
	var said []report.Note
	from := map[report.Note][]string{}
	note := func(code, path, text string) {
		n := report.Note{Code: code, Text: text}
		if from[n] == nil {
			said = append(said, n)
		}
		from[n] = append(from[n], path)
	}
	for i, file := range files {
		name := ingest.DisplayPath(file.Path)
		for _, text := range layouts[i].Notes {
			note("column_not_used", name, text)
		}
		for _, kv := range file.Source.Metadata() {
			if strings.HasPrefix(kv.Key, "perfdiff.note.") {
				note("reader", name, kv.Value)
			}
		}
	}
	for _, n := range said {
		s.notes = append(s.notes, report.Note{Code: n.Code, Text: andMore(from[n]) + ": " + n.Text})
	}
}

// andMore names the first of some files, and how many more there are.
func andMore(paths []string) string {
	if len(paths) == 1 {
		return paths[0]
	}
	return fmt.Sprintf("%s and %d more", paths[0], len(paths)-1)
}

// nameGaps takes gaps that lie between chunks, and lists without any, for what
// they are.
func (s *session) nameGaps() error {
	sides, err := metric.NameGaps(context.Background(), s.sides)
	if err != nil {
		return err
	}
	for i, found := range sides {
		files := s.sides[i].Files
		for _, names := range []struct {
			code  string
			files []int
			text  string
		}{
			{"chunk_gaps", found.Chunks, "do not have one gap for every token after the first: they lie between chunks that may carry several tokens, and are compared as chunk_gap, not itl"},
			{"no_gaps", found.Empty, "are empty: no gaps were recorded, and none are compared"},
		} {
			if len(names.files) == 0 {
				continue
			}
			var of []string
			for _, k := range names.files {
				of = append(of, files[k].Path)
			}
			columns := s.meta[i].Files[names.files[0]].Columns
			column := columns["itl"].Column
			if column == "" {
				column = columns["chunk_gap"].Column
			}
			s.notes = append(s.notes, report.Note{Code: names.code, Text: fmt.Sprintf("%s: the lists in column %s %s", andMore(of), column, names.text)})
		}
	}
	return nil
}

// unitColumn reports a file without the column that tells what repeats.
func unitColumn(unit string, files []metric.File) error {
	field, needs := map[string]ingest.Field{"replica": ingest.Replica, "session": ingest.Session, "block": ingest.Start}[unit]
	if !needs {
		return nil
	}
	for _, file := range files {
		if !file.Layout.Fields[field].Bound() {
			return usage("%s: --unit %s needs a column for %s, and the file has none; name it with --column %s=COLUMN. Columns are %s", file.Path, unit, field, field, file.ColumnNames())
		}
	}
	return nil
}

// passOver closes and notes the files that a directory or a pattern brought in
// among records of requests, and that tell of none: settings, summaries. They
// would count as runs. It returns the layouts of the others. After an error all
// files are kept, to be closed.
func (s *session) passOver(files []*ingest.Input, overrides []ingest.Override) (kept []*ingest.Input, layouts []*ingest.Layout, err error) {
	all := make([]*ingest.Layout, len(files))
	some := false
	for i, file := range files {
		if all[i], err = ingest.Resolve(ingest.DisplayPath(file.Path), file.Source.Columns(), overrides); err != nil {
			return files, nil, err
		}
		some = some || all[i].TellsOfRequests()
	}
	for i, file := range files {
		if all[i].TellsOfRequests() || !some || !file.Found {
			kept, layouts = append(kept, file), append(layouts, all[i])
			continue
		}
		s.notes = append(s.notes, report.Note{Code: "passed_over", Text: fmt.Sprintf("%s passed over: no column of it tells of a request", file.Path)})
		err = errors.Join(err, file.Close())
	}
	return kept, layouts, err
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

// hashes fills in the checksum of every file.
func (s *session) hashes() error {
	k := 0
	for i := range s.meta {
		for j := range s.meta[i].Files {
			sum, err := s.sum(k)
			if err != nil {
				return err
			}
			s.meta[i].Files[j].SHA256 = sum
			k++
		}
	}
	return nil
}

// inputs is what the comparison reads.
func (s *session) inputs(items []metric.Item, progress func(int64)) compare.Inputs {
	plan := metric.NewPlan(items)
	plan.Timeouts = s.timeouts
	return compare.Inputs{Sides: s.sides, Plan: plan, Scan: metric.Scan{Workers: runtime.GOMAXPROCS(0), Progress: progress}}
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
