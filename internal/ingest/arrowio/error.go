package arrowio

import (
	"errors"
	"fmt"
	"strings"
)

// Error says where a file is wrong, and how. The file's name is put before it
// by whoever opened the file.
type Error struct {
	Part   string // "row group 3", "record batch 0"; "" where the whole file is meant
	Column string // as stored; "" where no single column is meant
	Err    error  // what was found and what was expected
}

// Error returns, for example,
//
//	row group 3, column "ttft_ms": 999 rows found, 1000 expected
func (e *Error) Error() string {
	var place []string
	if e.Part != "" {
		place = append(place, e.Part)
	}
	if e.Column != "" {
		place = append(place, fmt.Sprintf("column %q", e.Column))
	}
	if len(place) == 0 {
		return e.Err.Error()
	}
	return strings.Join(place, ", ") + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

var (
	// errDecoder marks a panic of a decoder that was caught.
	errDecoder = errors.New("the decoder failed, so the data are damaged")
	errShort   = errors.New("the data end early")
	errLong    = errors.New("more bytes unpacked than the header says")
)

// guard turns a panic of a decoder into an error. It must be deferred directly,
// and no code of a caller may run under it.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w (%v)", errDecoder, r)
	}
}

// at gives err a place, unless it has one.
func at(part, column string, err error) error {
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	return &Error{Part: part, Column: column, Err: err}
}
