package ingest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Input is one opened file of a side.
type Input struct {
	Path   string
	Format string
	File   File
	Source Source
	// Found tells that a directory or a pattern named the file, not the user.
	Found bool
	close []func() error
}

// Close releases the source, the file and any temporary copy.
func (in *Input) Close() error {
	var errs []error
	for _, c := range slices.Backward(in.close) {
		errs = append(errs, c())
	}
	return errors.Join(errs...)
}

// Opener opens inputs of the formats it is given, tried in order.
type Opener struct {
	Formats []Format
	// Force names the format to use whatever the content looks like; "" detects.
	Force string
	// Unpack, if not nil, replaces a compressed file by its content.
	Unpack func(f File) (File, func() error, error)
	// Stdin is read where the path is "-".
	Stdin io.Reader

	pool handles
}

const headBytes = 64 << 10

// ErrNoRecords marks a file that is of no known record format.
var ErrNoRecords = errors.New("not a record file")

// Open opens every file that a user's INPUT names: a file, a directory with
// all its record files, a glob pattern, or "-". Files come in sorted order.
// notes tells which files of a directory or glob were passed over.
func (o *Opener) Open(input string) (ins []*Input, notes []string, err error) {
	paths, many, err := Expand(input, Hidden)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range paths {
		in, err := o.openFile(p, many)
		if many && errors.Is(err, ErrNoRecords) {
			notes = append(notes, fmt.Sprintf("%s passed over: not a record file", p))
			continue
		}
		if err != nil {
			return nil, nil, errors.Join(err, CloseAll(ins))
		}
		ins = append(ins, in)
	}
	if len(ins) == 0 {
		return nil, nil, fmt.Errorf("%s: no record files in it; expected one of %s", input, o.formatNames())
	}
	return ins, notes, nil
}

// DisplayPath is how messages call an input: its path, or standard input.
func DisplayPath(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// CloseAll closes inputs and joins their errors.
func CloseAll(ins []*Input) error {
	var errs []error
	for _, in := range ins {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}

// Hidden tells which files and folders of a directory are no records by their
// names: those that begin with a dot, and with the underscore of Spark's marks.
func Hidden(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }

// readable tells a file from the pipes, sockets and devices of a directory, of
// which reading may never end.
func readable(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	st, err := os.Stat(path)
	return err != nil || st.Mode().IsRegular() // a dead link is an error of its own
}

// Expand lists the files an INPUT names in sorted order; many tells that it
// named a set. hidden says which names of a directory are passed over.
func Expand(input string, hidden func(name string) bool) (paths []string, many bool, err error) {
	if input == "-" {
		return []string{input}, false, nil
	}
	st, err := os.Stat(input)
	switch {
	case err == nil && st.IsDir():
		paths, err := walk(input, hidden)
		if err != nil {
			return nil, true, err
		}
		if len(paths) == 0 {
			return nil, true, fmt.Errorf("%s: the directory holds no files", input)
		}
		slices.Sort(paths)
		return paths, true, nil
	case err == nil:
		return []string{input}, false, nil
	case !strings.ContainsAny(input, "*?["):
		var pe *fs.PathError
		switch {
		case errors.As(err, &pe) && !errors.Is(err, fs.ErrNotExist):
			return nil, false, fmt.Errorf("%s: %w", input, pe.Err)
		case errors.Is(err, fs.ErrNotExist):
			return nil, false, fmt.Errorf("%s: no such file or directory", input)
		}
		return nil, false, err
	}
	matches, err := filepath.Glob(input)
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", input, err)
	}
	// As in a shell, a star stands for no hidden name; a directory that matches
	// stands for what is in it.
	named := hidden(filepath.Base(input))
	for _, m := range matches {
		if hidden(filepath.Base(m)) && !named {
			continue
		}
		if st, err := os.Stat(m); err != nil || !st.IsDir() {
			paths = append(paths, m)
			continue
		}
		below, err := walk(m, hidden)
		if err != nil {
			return nil, true, err
		}
		paths = append(paths, below...)
	}
	if len(paths) == 0 {
		return nil, true, fmt.Errorf("%s: no file matches the pattern", input)
	}
	slices.Sort(paths)
	return slices.Compact(paths), true, nil
}

// walk lists the files below a directory.
func walk(dir string, hidden func(name string) bool) (paths []string, err error) {
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		skip := p != dir && hidden(d.Name())
		switch {
		case d.IsDir() && skip:
			return fs.SkipDir
		case !d.IsDir() && !skip && readable(p, d):
			paths = append(paths, p)
		}
		return nil
	})
	return paths, err
}

// OpenFile opens and unpacks one file whatever its format is: Format and Source
// of the Input stay empty.
func (o *Opener) OpenFile(path string) (_ *Input, err error) {
	in := &Input{Path: path}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.Close())
		}
	}()
	if in.File, err = o.file(in, path); err != nil {
		return nil, err
	}
	if o.Unpack != nil {
		f, done, err := o.Unpack(in.File)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", DisplayPath(path), err)
		}
		if done != nil {
			in.close = append(in.close, done)
		}
		in.File = f
	}
	return in, nil
}

// openFile opens a file; found tells that a directory or a pattern named it.
func (o *Opener) openFile(path string, found bool) (_ *Input, err error) {
	in, err := o.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.Close())
		}
	}()
	if in.File.Size == 0 {
		return nil, fmt.Errorf("%s: the file is empty; expected one of %s", DisplayPath(path), o.formatNames())
	}
	format, err := o.detect(in.File, found)
	if err != nil {
		return nil, err
	}
	in.Format, in.Found = format.Name, found
	if in.Source, err = format.Open(in.File); err != nil {
		if !strings.HasPrefix(err.Error(), path) {
			err = fmt.Errorf("%s: %w", DisplayPath(path), err)
		}
		return nil, err
	}
	in.close = append(in.close, in.Source.Close)
	return in, nil
}

// file opens the bytes of a path. What cannot be read at random positions
// (standard input, a pipe) is first copied to a temporary file.
func (o *Opener) file(in *Input, path string) (File, error) {
	var from io.Reader = o.Stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				return File{}, fmt.Errorf("%s: %w", path, pe.Err)
			}
			return File{}, err
		}
		st, err := f.Stat()
		if err == nil && st.Mode().IsRegular() {
			d := o.pool.hold(path, st, f)
			in.close = append(in.close, d.Close)
			return File{Path: path, Size: st.Size(), ReaderAt: d}, nil
		}
		in.close = append(in.close, f.Close)
		if err != nil {
			return File{}, err
		}
		from = f
	}
	if from == nil {
		return File{}, errors.New("there is no standard input to read")
	}
	tmp, discard, err := TempFile("")
	if err != nil {
		return File{}, err
	}
	in.close = append(in.close, discard)
	n, err := io.Copy(tmp, from)
	if err != nil {
		return File{}, fmt.Errorf("%s: %w", DisplayPath(path), err)
	}
	return File{Path: path, Size: n, ReaderAt: tmp}, nil
}

func (o *Opener) detect(f File, found bool) (Format, error) {
	if o.Force != "" {
		for _, fm := range o.Formats {
			if fm.Name == o.Force {
				return fm, nil
			}
		}
		return Format{}, fmt.Errorf("there is no reader %q; readers are %s", o.Force, o.formatNames())
	}
	head := make([]byte, min(headBytes, f.Size))
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return Format{}, fmt.Errorf("%s: %w", DisplayPath(f.Path), err)
	}
	for _, fm := range o.Formats {
		if fm.Detect(head, f) && (!found || fm.Sure == nil || fm.Sure(head, f)) {
			return fm, nil
		}
	}
	return Format{}, fmt.Errorf("%s: %w: its content is none of %s", DisplayPath(f.Path), ErrNoRecords, o.formatNames())
}

func (o *Opener) formatNames() string {
	names := make([]string, len(o.Formats))
	for i, fm := range o.Formats {
		names[i] = fm.Name
	}
	return strings.Join(names, ", ")
}

// SplitModel splits "INPUT#model=NAME"; the name of a file that is there is
// never split.
func SplitModel(input string) (path, model string) {
	const mark = "#model="
	if _, err := os.Stat(input); err == nil {
		return input, ""
	}
	if i := strings.LastIndex(input, mark); i >= 0 {
		return input[:i], input[i+len(mark):]
	}
	return input, ""
}
