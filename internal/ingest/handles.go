package ingest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// mostHandles is how many files of a side are open at a time: systems allow
// 256 to 1024, and a side may have thousands of runs.
const mostHandles = 128

// handles keeps the files open that were opened last.
type handles struct {
	mu   sync.Mutex
	open []*diskFile // in the order in which they were opened
}

// diskFile is a regular file that is opened when it is read.
type diskFile struct {
	path  string
	info  fs.FileInfo // when it was opened first
	pool  *handles
	file  *os.File // nil while it is closed
	users int      // reads under way
}

func (d *diskFile) ReadAt(b []byte, off int64) (int, error) {
	f, err := d.pool.take(d)
	if err != nil {
		return 0, err
	}
	defer d.pool.release(d)
	return f.ReadAt(b, off)
}

// hold takes a file that was just opened into the pool.
func (h *handles) hold(path string, info fs.FileInfo, f *os.File) *diskFile {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := &diskFile{path: path, info: info, pool: h}
	h.add(d, f)
	return d
}

// take opens the file, unless it is open, and closes an older one if
// there are too many.
func (h *handles) take(d *diskFile) (*os.File, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if d.file == nil {
		f, err := d.reopen()
		if err != nil {
			return nil, err
		}
		h.add(d, f)
	}
	d.users++
	return d.file, nil
}

func (h *handles) release(d *diskFile) {
	h.mu.Lock()
	d.users--
	h.mu.Unlock()
}

// add takes the open file of d into the pool.
func (h *handles) add(d *diskFile, f *os.File) {
	for i := 0; i < len(h.open) && len(h.open) >= mostHandles; {
		if h.open[i].users > 0 {
			i++
			continue
		}
		_ = h.open[i].shut() // was only read
		h.open = append(h.open[:i], h.open[i+1:]...)
	}
	d.file = f
	h.open = append(h.open, d)
}

// reopen opens the file again and verifies that it is the one it was.
func (d *diskFile) reopen() (*os.File, error) {
	f, err := os.Open(d.path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !(os.SameFile(info, d.info) && info.Size() == d.info.Size() && info.ModTime().Equal(d.info.ModTime())) {
		err = fmt.Errorf("%s: the file changed while it was read", d.path)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (d *diskFile) shut() error {
	f := d.file
	d.file = nil
	return f.Close()
}

// Close closes the file for good.
func (d *diskFile) Close() error {
	d.pool.mu.Lock()
	defer d.pool.mu.Unlock()
	if d.file == nil {
		return nil
	}
	for i, o := range d.pool.open {
		if o == d {
			d.pool.open = append(d.pool.open[:i], d.pool.open[i+1:]...)
			break
		}
	}
	return d.shut()
}
