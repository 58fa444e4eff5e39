package ingest

import (
	"fmt"
	"testing"
)

func TestDuplicatesFindEveryRepeat(t *testing.T) {
	d := NewDuplicates()
	for round := range 2 {
		for i := range 100_000 {
			if isNew := d.add(hash64(fnvOffset, fmt.Sprint("req-", i))); isNew != (round == 0) {
				t.Fatalf("round %d, id %d: new = %v", round, i, isNew)
			}
		}
	}
}

// An id is told apart by file and run.
func TestDuplicatesByFileAndRun(t *testing.T) {
	d := NewDuplicates()
	frame := func(run string) *Frame {
		f := &Frame{N: 2, Reasons: make([]Reason, 2)}
		f.cols[RequestID] = &Column{IDs: []int32{0, 0}, Dict: []string{"007"}}
		f.cols[Run] = &Column{IDs: []int32{0, 0}, Dict: []string{run}}
		return f
	}
	for _, c := range []struct {
		path, run string
		want      Reason
	}{{"a", "1", Good}, {"a", "2", Good}, {"b", "1", Good}, {"a", "1", DuplicateID}} {
		f := frame(c.run)
		d.check(c.path, f)
		if f.Reasons[0] != c.want || f.Reasons[1] != DuplicateID {
			t.Errorf("%s run %s: %v, want %v and duplicate", c.path, c.run, f.Reasons, c.want)
		}
	}
}
