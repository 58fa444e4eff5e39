package cli

import (
	"os"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// emptySize is that of a text file with a header and no record, at most.
const emptySize = 1 << 10

// copies reports files of one side, the opened ones from first on, that hold the
// same bytes, be they runs or parts of one. Checksums are made only where the sizes agree.
func (s *session) copies(first int, parts bool) error {
	bySize := map[int64]int{}
	for i := first; i < len(s.opened); i++ {
		size := s.opened[i].File.Size
		other, ok := bySize[size]
		if !ok {
			bySize[size] = i
			continue
		}
		if s.opened[i].Source.Rows() == 0 || size <= emptySize {
			continue // the empty parts of a table
		}
		for j := other; j < i; j++ {
			if s.opened[j].File.Size != size {
				continue
			}
			a, err := s.sum(j)
			if err != nil {
				return err
			}
			b, err := s.sum(i)
			if err != nil {
				return err
			}
			if a == b {
				why := "a copy of a run is no second run"
				if parts {
					why = "the requests of a part would count double"
				}
				return usage("%s and %s hold the same bytes: %s; leave one out",
					ingest.DisplayPath(s.opened[j].Path), ingest.DisplayPath(s.opened[i].Path), why)
			}
		}
	}
	return nil
}

// twice reports a file that a side holds more than once: its requests would
// count double.
func twice(files []*ingest.Input) error {
	type named struct {
		path string
		info os.FileInfo
	}
	var seen []named
	for _, file := range files {
		info, err := os.Stat(file.Path)
		if err != nil {
			continue // standard input
		}
		for _, other := range seen {
			switch {
			case !os.SameFile(info, other.info):
			case other.path == file.Path:
				return usage("%s is named twice: a side counts a file once", file.Path)
			default:
				return usage("%s and %s are the same file: a side counts a file once", other.path, file.Path)
			}
		}
		seen = append(seen, named{file.Path, info})
	}
	return nil
}
