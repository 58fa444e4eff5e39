package harness

import (
	"context"
	"errors"
	"slices"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	// A file up to this size is read once on opening, so that its columns and
	// its counts are known for sure. Of a larger one the first records decide.
	surveyBytes = 64 << 20
	surveyRows  = 20_000
)

// errEnough stops a survey.
var errEnough = errors.New("enough records were seen")

// survey is what the records of a file, or the first ones, showed.
type survey struct {
	seen   columnSet
	rows   int64
	whole  bool // all records were seen
	lines  bool // each stands on a line of its own
	gaps   gapTally
	failed int64
	// counted is who counted the tokens of answers, of all that did.
	counted []string
}

// surveyRecords reads a file, or the beginning of a large one.
func surveyRecords(f ingest.File, l *layout) (*survey, error) {
	sv := &survey{lines: l.lines}
	s := &scan{ctx: context.Background(), file: f, harness: l.harness, from: l.from, stop: f.Size, info: &l.info}
	s.row.want = ^columnSet(0)
	s.emit = func() error {
		w := &s.row
		sv.rows++
		sv.seen |= w.has | w.bad
		if w.has.has(colOutputTokens) && !slices.Contains(sv.counted, w.counted) {
			sv.counted = append(sv.counted, w.counted)
		}
		switch ok := string(w.text[colStatus]) == statusOK; {
		case w.has.has(colStatus) && !ok:
			sv.failed++
		case w.has.has(colGaps) && w.has.has(colOutputTokens):
			sv.gaps.add(len(w.gaps), w.num[colOutputTokens])
		}
		if f.Size > surveyBytes && sv.rows >= surveyRows {
			return errEnough
		}
		w.reset()
		return nil
	}
	err := l.each(s)
	sv.whole = err == nil
	if err != nil && err != errEnough {
		return nil, err
	}
	err = nil
	if l.lines && sv.rows > 0 {
		sv.lines, err = oneRecordALine(f, l.from)
		return sv, err
	}
	return sv, nil
}

// oneRecordALine reports whether the first records each end with their line.
func oneRecordALine(f ingest.File, from int64) (bool, error) {
	r := newJSON(context.Background(), f, from)
	one, n := true, 0
	r.objects(func() {
		start := r.pos()
		r.skip()
		if n++; r.err != nil || n > 100 {
			r.err = errors.Join(r.err, errEnough)
			return
		}
		r.keep = -1
		end := r.pos()
		one = one && spansOneLine(f, start, end)
	})
	if r.err != nil && !errors.Is(r.err, errEnough) {
		return false, r.err
	}
	return one, nil
}

// spansOneLine reports whether no line ends between two offsets and one does
// behind the second, blanks aside.
func spansOneLine(f ingest.File, start, end int64) bool {
	buf := make([]byte, 64<<10)
	for at := start; at < f.Size; {
		n, err := f.ReadAt(buf[:min(int64(len(buf)), f.Size-at)], at)
		for i, c := range buf[:n] {
			switch off := at + int64(i); {
			case c == '\n':
				return off >= end
			case off >= end && c != ' ' && c != '\r' && c != '\t':
				return false
			}
		}
		if at += int64(n); n == 0 || err != nil {
			break
		}
	}
	return true
}
