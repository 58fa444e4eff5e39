package harness

import (
	"errors"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// fault is an error of the data whose place is still an offset in the file.
type fault struct {
	off    int64
	byteOf bool // the place is one byte, not only a line
	msg    string
}

func (f *fault) Error() string { return f.msg }

// place turns a fault into an error that names line and byte. Other errors are
// returned as they are.
func place(f ingest.File, err error) error {
	var ft *fault
	if !errors.As(err, &ft) {
		return err
	}
	return textio.ErrorAt(f, ft.off, ft.byteOf, ft.msg)
}
