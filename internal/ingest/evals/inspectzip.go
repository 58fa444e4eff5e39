package evals

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Bounds of an archive, so that a small file cannot ask for endless work.
const (
	methodZstd   = 93
	maxMembers   = 4 << 20
	freeUnpacked = 1 << 30 // so much is always allowed
	unpackRatio  = 500     // beyond it, so many times the size of the archive
	maxWindow    = 128 << 20
)

func isZip(f ingest.File) bool {
	var head [4]byte
	n, _ := f.ReadAt(head[:], 0)
	return string(head[:n]) == zipMagic || string(head[:n]) == zipEmpty
}

// archive reads a .eval file: a zip archive with a member for each sample.
func (e *inspect) archive(ctx context.Context, f ingest.File) error {
	z, err := zip.NewReader(f, f.Size)
	if err != nil {
		return fmt.Errorf("the archive cannot be read, it may be cut short or still being written: %w", err)
	}
	if len(z.File) > maxMembers {
		return fmt.Errorf("the archive has %d members, the limit is %d", len(z.File), maxMembers)
	}
	a := &archive{ctx: ctx, budget: max(freeUnpacked, unpackRatio*f.Size)}
	z.RegisterDecompressor(methodZstd, a.unzstd)
	defer a.close()
	newest := map[string]*zip.File{} // of members with the same name the last counts
	for _, m := range z.File {
		newest[m.Name] = m
	}
	if err := e.header(a, newest); err != nil {
		return err
	}
	for _, m := range z.File {
		if path.Dir(m.Name) != "samples" || !strings.HasSuffix(m.Name, ".json") {
			continue
		}
		if newest[m.Name] != m {
			e.again++
			continue
		}
		if err := a.read(m, e.streamSample); err != nil {
			return err
		}
	}
	return nil
}

// header reads what was run from header.json or, where a run crashed before it
// was written, from the journal.
func (e *inspect) header(a *archive, members map[string]*zip.File) error {
	m := members["header.json"]
	if m == nil {
		if m = members["_journal/start.json"]; m == nil {
			return fmt.Errorf("%w: the archive is no log of Inspect: it has neither header.json nor _journal/start.json", ErrNoAnswers)
		}
		e.b.note("the log has no header, so the run did not end: samples may be missing")
	}
	return a.read(m, func(s *stream) error {
		found := false
		err := s.object(func(key string) error {
			if !slices.Contains([]string{"status", "eval", "plan"}, key) {
				return s.skip()
			}
			v, err := s.raw()
			switch {
			case err != nil:
				return err
			case key == "status":
				e.status = v.text()
			case key == "plan":
				e.plan(v)
			default:
				found = true
				return e.spec(v)
			}
			return nil
		})
		if err == nil && !found {
			err = errors.New("it has no eval, which says what was run")
		}
		return err
	})
}

// archive unpacks members, one after another, within a budget.
type archive struct {
	ctx    context.Context
	budget int64
	buf    []byte        // of the member before
	idle   *zstd.Decoder // to be used again
}

// read unpacks a member and hands its text over.
func (a *archive) read(m *zip.File, use func(s *stream) error) (err error) {
	r, err := m.Open()
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return fmt.Errorf("member %s is packed by method %d; only deflate and zstd are read", m.Name, m.Method)
	case err != nil:
		return fmt.Errorf("member %s: %w", m.Name, err)
	}
	defer r.Close()
	c := &metered{r: r, left: &a.budget}
	s := newStream(a.ctx, c)
	s.buf = a.buf[:0]
	defer func() { a.buf = s.buf }()
	if err := use(s); err != nil {
		return fmt.Errorf("member %s: %w", m.Name, err)
	}
	if err := s.finish(); err != nil { // to the end, where the checksum is verified
		return fmt.Errorf("member %s: %w", m.Name, err)
	}
	return nil
}

// metered stops reading when the budget is spent.
type metered struct {
	r    io.Reader
	left *int64
}

func (c *metered) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if *c.left -= int64(n); *c.left < 0 {
		return 0, fmt.Errorf("the archive unpacks to more than %d MiB and %d times its size, the limit", freeUnpacked>>20, unpackRatio)
	}
	return n, err
}

// unzstd unpacks zstd, which may consist of several frames.
func (a *archive) unzstd(r io.Reader) io.ReadCloser {
	d := a.idle
	a.idle = nil
	if d == nil {
		var err error
		if d, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow)); err != nil {
			return io.NopCloser(&failed{err})
		}
	}
	if err := d.Reset(r); err != nil {
		d.Close()
		return io.NopCloser(&failed{err})
	}
	return &lent{d, a}
}

// lent is a decoder that goes back when it is closed.
type lent struct {
	*zstd.Decoder
	owner *archive
}

func (l *lent) Close() error {
	if l.owner.idle != nil {
		l.Decoder.Close()
		return nil
	}
	l.owner.idle = l.Decoder
	return l.Reset(nil)
}

func (a *archive) close() {
	if a.idle != nil {
		a.idle.Close()
	}
}

type failed struct{ err error }

func (f *failed) Read([]byte) (int, error) { return 0, f.err }
