package textio

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// TextStart returns where the text of a file begins: behind its UTF-8 byte order
// mark, if it has one.
func TextStart(f ingest.File) int64 {
	var head [3]byte
	if n, _ := f.ReadAt(head[:], 0); n == 3 && bytes.Equal(head[:], utf8BOM) {
		return 3
	}
	return 0
}

var errUTF16 = errors.New("the text is UTF-16; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)")

// looksUTF16 reports whether head is UTF-16 text: by its mark, or by a zero in
// every other byte as Latin letters give it.
func looksUTF16(head []byte) bool {
	mark := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	if mark {
		head = head[2:]
	}
	n := len(head) / 2
	if n > 2048 {
		n = 2048
	}
	if n < 2 {
		return false
	}
	var zero [2]int
	for i := 0; i < 2*n; i++ {
		if head[i] == 0 {
			zero[i&1]++
		}
	}
	hi, lo := max(zero[0], zero[1]), min(zero[0], zero[1])
	if mark {
		return hi >= n/4 && lo == 0
	}
	return n >= 8 && hi >= n*9/10 && lo == 0
}

// isText reports whether head, the beginning of a file of the given size, is
// UTF-8 without control characters other than tab and line ends.
func isText(head []byte, size int64) bool {
	for i := 0; i < len(head); {
		c := head[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		if !utf8.FullRune(head[i:]) {
			return int64(len(head)) < size // cut by the end of head, not of the file
		}
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 {
			return false
		}
		i += n
	}
	return true
}

// firstByte returns the first byte that is not blank, after a byte order mark,
// and its index; ok is false if there is none.
func firstByte(head []byte) (c byte, i int, ok bool) {
	if bytes.HasPrefix(head, utf8BOM) {
		i = len(utf8BOM)
	}
	for ; i < len(head); i++ {
		switch head[i] {
		case ' ', '\t', '\r', '\n':
		default:
			return head[i], i, true
		}
	}
	return 0, i, false
}
