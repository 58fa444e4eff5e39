package textio

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func packGzip(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func packZstd(b []byte, opts ...zstd.EOption) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, opts...)
	if err != nil {
		panic(err)
	}
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func TestDecompress(t *testing.T) {
	text := []byte("a,b\n" + repeat("1,2\n", 1000))
	half := len(text) / 2
	for _, c := range []struct {
		name string
		in   []byte
		want []byte
	}{
		{"plain", text, text},
		{"empty", nil, nil},
		{"short", []byte{0x1f}, []byte{0x1f}},
		{"gzip", packGzip(text), text},
		{"zstd", packZstd(text), text},
		{"empty gzip", packGzip(nil), nil},
		{"empty zstd", packZstd(nil), nil},
		{"two gzip members", append(packGzip(text[:half]), packGzip(text[half:])...), text},
		{"two zstd frames", append(packZstd(text[:half]), packZstd(text[half:])...), text},
	} {
		dir := t.TempDir()
		f := memFile(c.in)
		f.Path = "runs/a.csv.gz"
		out, cleanup, err := Decompress(f, dir)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, err := io.ReadAll(io.NewSectionReader(out, 0, out.Size))
		if err != nil || !bytes.Equal(got, c.want) || out.Path != f.Path {
			t.Errorf("%s: %d bytes, %v", c.name, len(got), err)
		}
		if err := cleanup(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %s is left", c.name, left[0].Name())
		}
	}
}

func TestDecompressMessages(t *testing.T) {
	lim := bounds{free: 1 << 20, ratio: 2, total: 8 << 20}
	bomb := packGzip(make([]byte, 2<<20))
	noise := bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, 1<<20)
	gz, zs := packGzip(noise[:1000]), packZstd(noise[:1000])
	flipped := bytes.Clone(gz)
	flipped[len(flipped)-8] ^= 1                                         // the checksum
	huge := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x98, 0x01, 0x00, 0x00} // a window of 512 MiB
	for _, c := range []struct {
		name string
		in   []byte
		lim  bounds
		want string
	}{
		{"gzip bomb", bomb, lim, fmt.Sprint("unpacking gzip: ", len(bomb), " bytes grow beyond 1 MiB, more than 2 times; unpack the file first if that is right")},
		{"total", packZstd(noise, zstd.WithEncoderLevel(zstd.SpeedFastest)), bounds{8 << 20, 1 << 20, 8 << 20}, "unpacking zstd: the file grows beyond 8 MiB, the limit; unpack it first"},
		{"cut gzip", gz[:len(gz)-9], lim, "unpacking gzip: the file seems cut off: unexpected EOF"},
		{"cut gzip header", gz[:5], lim, "unpacking gzip: the file seems cut off: unexpected EOF"},
		{"cut zstd", zs[:len(zs)-5], lim, "unpacking zstd: the file seems cut off: unexpected EOF"},
		{"checksum", flipped, lim, "unpacking gzip: gzip: invalid checksum"},
		{"garbage behind", append(bytes.Clone(gz), "what is this?"...), lim, "unpacking gzip: gzip: invalid header"},
		{"window", huge, lim, "unpacking zstd: the file asks for a window of more than 128 MiB, the limit: window size exceeded"},
	} {
		out, cleanup, err := decompress(memFile(c.in), t.TempDir(), c.lim)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s (%d bytes)", c.name, err, c.want, out.Size)
		}
		if err := cleanup(); err != nil {
			t.Errorf("%s: cleanup: %v", c.name, err)
		}
	}
	if _, _, err := Decompress(memFile(gz), "/nowhere/at/all"); err == nil || !strings.HasPrefix(err.Error(), "unpacking gzip: ") {
		t.Error(err)
	}
}
