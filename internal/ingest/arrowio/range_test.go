package arrowio

import (
	"bytes"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func TestRangeOfInstantsAndUnits(t *testing.T) {
	var b bytes.Buffer
	fields := []OutField{{Name: "start", Kind: Timestamp}, {Name: "start_ms", Kind: Int64}, {Name: "ttft_ms", Kind: Float64}}
	cols := []OutColumn{{Ints: []int64{5e9, 1e9, 3e9}}, {Ints: []int64{50, 10, 30}}, {Floats: []float64{1, 2, 3}}}
	if err := WriteParquet(&b, fields, cols, nil, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	src, err := Parquet.Open(ingest.File{Path: "x", Size: int64(b.Len()), ReaderAt: bytes.NewReader(b.Bytes())})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	r, ok := src.(ingest.Ranger)
	if !ok {
		t.Fatal("a Parquet source knows no ranges")
	}
	for _, c := range []struct {
		name    string
		column  int
		unit    ingest.Unit
		lo, hi  int64
		present bool
	}{
		{"instants bring their unit", 0, ingest.Unit{}, 1e9, 5e9, true},
		{"whole numbers take the unit asked", 1, ingest.Millisecond, 10e6, 50e6, true},
		{"whole numbers without a unit", 1, ingest.Unit{}, 0, 0, false},
		{"floats have no range here", 2, ingest.Millisecond, 0, 0, false},
		{"no such column", 9, ingest.Millisecond, 0, 0, false},
	} {
		if lo, hi, ok := r.Range(0, c.column, c.unit); lo != c.lo || hi != c.hi || ok != c.present {
			t.Errorf("%s: %d, %d, %v; want %d, %d, %v", c.name, lo, hi, ok, c.lo, c.hi, c.present)
		}
	}
}
