package arrowio

import (
	"bytes"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// sampleFields and sampleColumns hold a column of each kind, with nulls.
func sample(rows int) ([]OutField, []OutColumn) {
	fields := []OutField{
		{"ttft_ms", Float64, false}, {"e2e_ms", Float64, true},
		{"start_ns", Int64, false}, {"output_tokens", Int32, true},
		{"run", Text, false}, {"error", Text, true},
		{"start", Timestamp, true}, {"ok", Bool, true}, {"itl_ms", FloatList, true},
	}
	c := make([]OutColumn, len(fields))
	valid := make([]bool, rows)
	c[8].Offsets = []int32{0}
	for i := range rows {
		valid[i] = i%5 != 3
		c[0].Floats = append(c[0].Floats, float64(i)/4)
		c[1].Floats = append(c[1].Floats, float64(i)*3)
		c[2].Ints = append(c[2].Ints, 1750000000000000000+int64(i)*137000)
		c[3].Ints = append(c[3].Ints, int64(i%700)-1)
		c[4].Texts = append(c[4].Texts, []string{"run-1", "run-2"}[i/7%2])
		c[5].IDs = append(c[5].IDs, int32(i%3))
		c[6].Ints = append(c[6].Ints, 1750000000123456789+int64(i))
		c[7].Bools = append(c[7].Bools, i%2 == 0)
		if valid[i] {
			for j := range i % 4 {
				c[8].Floats = append(c[8].Floats, float64(i)+float64(j)/10)
			}
		}
		c[8].Offsets = append(c[8].Offsets, int32(len(c[8].Floats)))
	}
	c[5].Dict = []string{"", "timeout", "é ≥ 1"}
	for _, i := range []int{1, 3, 5, 6, 7, 8} {
		c[i].Valid = valid
	}
	return fields, c
}

func TestWritersAreDeterministic(t *testing.T) {
	fields, cols := sample(1000)
	meta := []ingest.KeyValue{{Key: "b", Value: "2"}, {Key: "a", Value: "1"}}
	write := map[string]func(*bytes.Buffer) error{
		"parquet": func(b *bytes.Buffer) error {
			return WriteParquet(b, fields, cols, meta, WriterOptions{RowGroupRows: 300})
		},
		"file": func(b *bytes.Buffer) error {
			return WriteIPC(b, fields, cols, meta, false, WriterOptions{RowGroupRows: 300})
		},
		"stream": func(b *bytes.Buffer) error {
			return WriteIPC(b, fields, cols, meta, true, WriterOptions{RowGroupRows: 300})
		},
	}
	for name, w := range write {
		var a, b bytes.Buffer
		if err := w(&a); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := w(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two writes of the same columns differ", name)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	one := []OutField{{"a", Float64, false}}
	for _, c := range []struct {
		name   string
		fields []OutField
		cols   []OutColumn
		want   string
	}{
		{"no field", nil, nil, "parquet: 0 columns: want 1 to 32767"},
		{"twice", []OutField{{"a", Bool, false}, {"a", Bool, false}}, nil, `parquet: two columns are named "a"`},
		{"count", one, nil, "parquet: 0 columns given, the schema has 1"},
		{"null", one, []OutColumn{{Floats: []float64{1}, Valid: []bool{false}}}, `parquet: column "a": row 0 is null, the field is not nullable`},
		{"range", []OutField{{"a", Int32, false}}, []OutColumn{{Ints: []int64{1 << 31}}}, `parquet: column "a": row 0: 2147483648 does not fit in 32 bits`},
		{"id", []OutField{{"a", Text, false}}, []OutColumn{{IDs: []int32{1}, Dict: []string{"x"}}}, `parquet: column "a": row 0: index 1 into a dictionary of 1`},
		{"offsets", []OutField{{"a", FloatList, false}}, []OutColumn{{Floats: []float64{1}, Offsets: []int32{0, 2}}}, `parquet: column "a": offset 1 is 2: offsets must rise from 0 to at most 1`},
	} {
		err := WriteParquet(&bytes.Buffer{}, c.fields, c.cols, nil, WriterOptions{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}
