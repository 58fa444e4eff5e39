package evals

import (
	"context"
	"fmt"
	"io"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// eachRecord calls record for every object of a file that holds one object a
// line, an array of objects laid out in any way, or a single object. The value
// is valid until record returns. Errors of record name the place.
func eachRecord(ctx context.Context, f ingest.File, record func(v value) error) error {
	s := fileStream(ctx, f)
	n := 0
	one := func() error {
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c != '{' {
			return s.fault(s.pos, "found %s, expected a record, '{'", s.found(s.pos))
		}
		start := s.off + int64(s.pos)
		v, err := s.raw()
		if err != nil {
			return err
		}
		n++
		if err := record(v); err != nil {
			return s.placed(start, err)
		}
		return nil
	}
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c == '[' {
		if err := s.array(one); err != nil {
			return err
		}
		return s.finish()
	}
	for c != 0 {
		if err := one(); err != nil {
			return err
		}
		if c, err = s.peek(); err != nil {
			return err
		}
	}
	return nil
}

// placed adds the line of the offset start, which is still in memory.
func (s *stream) placed(start int64, err error) error {
	if ft, ok := s.fault(int(start-s.off), "").(*fault); ok {
		return fmt.Errorf("line %d: %w", ft.line, err)
	}
	return err
}

func fileStream(ctx context.Context, f ingest.File) *stream {
	return newStream(ctx, io.NewSectionReader(f, 0, f.Size))
}
