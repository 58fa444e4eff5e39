package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// sum returns the checksum of an opened file, made once.
func (s *session) sum(file int) (string, error) {
	for len(s.sums) < len(s.opened) {
		s.sums = append(s.sums, "")
	}
	if s.sums[file] == "" {
		f := s.opened[file].File
		sum, err := checksum(ingest.DisplayPath(f.Path), io.NewSectionReader(f, 0, f.Size))
		if err != nil {
			return "", err
		}
		s.sums[file] = sum
	}
	return s.sums[file], nil
}

// checksum returns the SHA-256 sum of a file's bytes in hexadecimal.
func checksum(name string, r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", fmt.Errorf("%s: %w", name, cause(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sameData reports whether the two sides hold the same bytes, whatever the
// names and the order of their files. Checksums are made only where the sizes
// agree and the files are not the same ones.
func (s *session) sameData() (bool, error) {
	n := len(s.meta[0].Files)
	if !slices.Equal(s.sides[0].Models(), s.sides[1].Models()) {
		return false, nil
	}
	if 2*n != len(s.opened) {
		return false, nil
	}
	files := make([]int, 2*n) // of the baseline, then of the candidate
	for i := range files {
		files[i] = i
	}
	a, b := files[:n], files[n:]
	size := func(i int) int64 { return s.opened[i].File.Size }
	for _, side := range [][]int{a, b} {
		slices.SortStableFunc(side, func(x, y int) int { return cmp.Compare(size(x), size(y)) })
	}
	for i := range a {
		if size(a[i]) != size(b[i]) {
			return false, nil
		}
	}
	if s.sameFiles(a, b) {
		return true, nil
	}
	var sums [2][]string
	for k, side := range [][]int{a, b} {
		for _, i := range side {
			sum, err := s.sum(i)
			if err != nil {
				return false, err
			}
			sums[k] = append(sums[k], sum)
		}
		slices.Sort(sums[k])
	}
	return slices.Equal(sums[0], sums[1]), nil
}

// sameFiles reports whether two lists name the same files on disk.
func (s *session) sameFiles(a, b []int) bool {
	for i := range a {
		x, errX := os.Stat(s.opened[a[i]].Path)
		y, errY := os.Stat(s.opened[b[i]].Path)
		if errX != nil || errY != nil || !os.SameFile(x, y) {
			return false
		}
	}
	return true
}
