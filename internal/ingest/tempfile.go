package ingest

import (
	"errors"
	"os"
)

// TempFile makes a temporary file in dir, "" being the system's folder, and
// returns what closes and removes it.
func TempFile(dir string) (f *os.File, discard func() error, err error) {
	if f, err = os.CreateTemp(dir, "perfdiff-*.tmp"); err != nil {
		return nil, nil, err
	}
	// Where the system allows it the file loses its name at once, so that not
	// even a killed process leaves it behind.
	unnamed := os.Remove(f.Name()) == nil
	return f, func() error {
		err := f.Close()
		if !unnamed {
			err = errors.Join(err, os.Remove(f.Name()))
		}
		return err
	}, nil
}
