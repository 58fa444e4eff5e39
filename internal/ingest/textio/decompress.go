package textio

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// bounds limit what a compressed file may unpack to.
type bounds struct {
	free  int64 // so much is always allowed
	ratio int64 // beyond it, at most so many times the compressed size
	total int64 // and never more than this
}

// unpackBounds are generous to logs, which shrink 5 to 50 times, and stop a
// decompression bomb early.
var unpackBounds = bounds{free: 256 << 20, ratio: 100, total: 64 << 30}

// maxZstdWindow is the most a zstd stream can ask for: what --ultra and
// --long=27 use.
const maxZstdWindow = 128 << 20

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// Decompress unpacks a gzip or zstd file, recognised by its first bytes, into a
// temporary file in dir ("" is the system's) and returns that as the file to
// read. A file that is neither is returned as it is. The function returned
// closes and removes the temporary file; it is never nil and may be called in
// any case, also after an error.
//
// A file may unpack to 256 MiB, or beyond that to 100 times its size, and to
// 64 GiB at most. A checksum or an end that is missing is an error.
func Decompress(f ingest.File, dir string) (ingest.File, func() error, error) {
	return decompress(f, dir, unpackBounds)
}

func decompress(f ingest.File, dir string, lim bounds) (_ ingest.File, cleanup func() error, err error) {
	nothing := func() error { return nil }
	var head [4]byte
	n, err := readFull(f, head[:min(f.Size, 4)], 0)
	if err != nil && err != io.EOF {
		return f, nothing, err
	}
	var unpacked io.Reader
	var name string
	packed := io.NewSectionReader(f, 0, f.Size)
	switch {
	case bytes.HasPrefix(head[:n], gzipMagic):
		name = "gzip"
		z, err := gzip.NewReader(packed)
		if err != nil {
			return f, nothing, unpackError(name, err)
		}
		defer z.Close()
		unpacked = z
	case bytes.HasPrefix(head[:n], zstdMagic):
		name = "zstd"
		z, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return f, nothing, unpackError(name, err)
		}
		defer z.Close()
		unpacked = z
	default:
		return f, nothing, nil
	}

	tmp, discard, err := ingest.TempFile(dir)
	if err != nil {
		return f, nothing, fmt.Errorf("unpacking %s: %w", name, err)
	}
	size, err := spool(tmp, unpacked, name, f.Size, lim)
	if err != nil {
		return f, nothing, errors.Join(err, discard())
	}
	return ingest.File{Path: f.Path, Size: size, ReaderAt: tmp}, discard, nil
}

// spool copies within the bounds.
func spool(dst io.Writer, src io.Reader, name string, packed int64, lim bounds) (int64, error) {
	limit := min(max(lim.free, lim.ratio*min(packed, lim.total)), lim.total)
	size, err := io.Copy(struct{ io.Writer }{dst}, io.LimitReader(src, limit+1))
	switch {
	case err != nil:
		return 0, unpackError(name, err)
	case size <= limit:
		return size, nil
	case limit == lim.total:
		return 0, fmt.Errorf("unpacking %s: the file grows beyond %d MiB, the limit; unpack it first", name, limit>>20)
	}
	return 0, fmt.Errorf("unpacking %s: %d bytes grow beyond %d MiB, more than %d times; unpack the file first if that is right",
		name, packed, limit>>20, lim.ratio)
}

// unpackError words the errors of the decoders.
func unpackError(name string, err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return fmt.Errorf("unpacking %s: the file seems cut off: %w", name, err)
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		return fmt.Errorf("unpacking %s: the file asks for a window of more than %d MiB, the limit: %w", name, maxZstdWindow>>20, err)
	}
	return fmt.Errorf("unpacking %s: %w", name, err)
}
