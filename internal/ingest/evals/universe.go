package evals

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Universe reads the items that should be answered, as task and item, sorted and
// without repetition: from a list of ids, one a line; from a JSON array of ids;
// or from any file of answers or reports, of which the items count. A report of
// SWE-bench names items in any of its lists.
func (l *Loader) Universe(ctx context.Context, path string) (ids [][2]string, err error) {
	opener := ingest.Opener{Unpack: l.Unpack, Stdin: l.Stdin}
	if opener.Unpack == nil {
		opener.Unpack = unpack
	}
	in, err := opener.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r, _, err := l.choose(in.File)
	if err != nil {
		return nil, err
	}
	if r.read != nil && r.name != "records" {
		ids, err = universeOf(r.read(ctx, in.File, ingest.AnswerOptions{}))
	} else if ids, err = arrayOfIDs(ctx, in.File); err == nil && ids == nil {
		if ids, err = recordIDs(ctx, in.File); errors.Is(err, ingest.ErrNoRecords) || err != nil && plainLines(in.File) {
			ids, err = lineIDs(in.File)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%s: no ids in it", path)
	}
	slices.SortFunc(ids, func(a, b [2]string) int {
		if c := strings.Compare(a[0], b[0]); c != 0 {
			return c
		}
		return strings.Compare(a[1], b[1])
	})
	return slices.Compact(ids), nil
}

func universeOf(set *ingest.AnswerSet, err error) ([][2]string, error) {
	if err != nil {
		return nil, err
	}
	ids := slices.Clone(set.Universe)
	for _, a := range set.Answers {
		ids = append(ids, [2]string{a.Task, a.Item})
	}
	return ids, nil
}

// arrayOfIDs reads ["a", "b"]; nil for anything else.
func arrayOfIDs(ctx context.Context, f ingest.File) (ids [][2]string, err error) {
	s := fileStream(ctx, f)
	if c, err := s.peek(); err != nil || c != '[' {
		return nil, err
	}
	objects := false
	err = s.array(func() error {
		if c, err := s.peek(); err != nil || c == '{' {
			objects = true
			return errors.Join(err, errEnough)
		}
		v, err := s.raw()
		if err == nil && v.text() != "" {
			ids = append(ids, [2]string{"", v.text()})
		}
		return err
	})
	if objects && errors.Is(err, errEnough) {
		return nil, nil
	}
	return ids, err
}

// recordIDs reads the columns for item and task of records, which need no score.
func recordIDs(ctx context.Context, f ingest.File) (ids [][2]string, err error) {
	t, err := openTable(f)
	if err != nil {
		return nil, err
	}
	defer func() { err = t.close(err) }()
	item, task := -1, -1
	for _, a := range fieldAliases() {
		for _, alias := range a.aliases {
			i := slices.IndexFunc(t.cols, func(c ingest.ColumnInfo) bool { return ingest.NormalName(c.Name) == alias && single(c) })
			if i < 0 {
				continue
			}
			if a.field == itemField && item < 0 {
				item = i
			}
			if a.field == taskField && task < 0 {
				task = i
			}
		}
	}
	if item < 0 {
		return nil, ingest.ErrNoRecords
	}
	itemAt, taskAt := t.ask(item, ingest.Text), t.ask(task, ingest.Text)
	err = t.scan(ctx, func(b *ingest.Batch) error {
		for i := range b.N {
			if id := cell(b, itemAt, i); id != "" {
				ids = append(ids, [2]string{cell(b, taskAt, i), id})
			}
		}
		return nil
	})
	return ids, err
}

// plainLines reports whether a file begins with a line that is one word, such as
// an id that looks like a number where a table has the names of its columns.
func plainLines(f ingest.File) bool {
	head := make([]byte, min(f.Size, headBytes))
	n, _ := f.ReadAt(head, 0) // an error shows when the lines are read
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	return line != "" && !strings.ContainsAny(line, ",;\t{[\"")
}

// lineIDs reads an id a line.
func lineIDs(f ingest.File) (ids [][2]string, err error) {
	sc := bufio.NewScanner(io.NewSectionReader(f, 0, f.Size))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(sc.Text(), "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.IndexByte(line, 0) >= 0 {
			return nil, errors.New("the file is binary, expected an id a line")
		}
		ids = append(ids, [2]string{"", line})
	}
	return ids, sc.Err()
}
