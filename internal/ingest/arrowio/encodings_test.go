package arrowio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// encodingCase is a column of the generated files.
type encodingCase struct {
	phys  parquet.Type
	width int
	enc   parquet.Encoding
	dict  bool
}

func (c encodingCase) name(nullable bool) string {
	enc := strings.ToLower(c.enc.String())
	if c.dict {
		enc = "dict"
	}
	return fmt.Sprintf("%s_%d_%s_%v", strings.ToLower(c.phys.String()), c.width, enc, nullable)
}

func encodingCases() (out []encodingCase) {
	add := func(phys parquet.Type, width int, encs ...parquet.Encoding) {
		out = append(out, encodingCase{phys, width, parquet.Encodings.Plain, phys != parquet.Types.Boolean})
		for _, e := range encs {
			out = append(out, encodingCase{phys, width, e, false})
		}
	}
	e := parquet.Encodings
	add(parquet.Types.Boolean, 0, e.Plain, e.RLE)
	add(parquet.Types.Int32, 0, e.Plain, e.DeltaBinaryPacked, e.ByteStreamSplit)
	add(parquet.Types.Int64, 0, e.Plain, e.DeltaBinaryPacked, e.ByteStreamSplit)
	add(parquet.Types.Float, 0, e.Plain, e.ByteStreamSplit)
	add(parquet.Types.Double, 0, e.Plain, e.ByteStreamSplit)
	add(parquet.Types.Int96, 0, e.Plain)
	add(parquet.Types.ByteArray, 0, e.Plain, e.DeltaLengthByteArray, e.DeltaByteArray)
	add(parquet.Types.FixedLenByteArray, 2, e.Plain, e.ByteStreamSplit)
	add(parquet.Types.FixedLenByteArray, 9, e.Plain, e.ByteStreamSplit)
	add(parquet.Types.FixedLenByteArray, 16, e.Plain)
	return out
}

func (c encodingCase) node(nullable bool) schema.Node {
	rep := parquet.Repetitions.Required
	if nullable {
		rep = parquet.Repetitions.Optional
	}
	var logical schema.LogicalType = schema.NoLogicalType{}
	switch c.width {
	case 2:
		logical = schema.Float16LogicalType{}
	case 9:
		logical = schema.NewDecimalLogicalType(20, 3)
	case 16:
		logical = schema.UUIDLogicalType{}
	}
	n, err := schema.NewPrimitiveNodeLogical(c.name(nullable), rep, logical, c.phys, max(c.width, -1), -1)
	if err != nil {
		panic(err)
	}
	return n
}

// The cell of row i: small numbers with long runs now and then, and a wide
// range in between, so that all shapes of a run-length code occur.
func cellNumber(i int) int64 {
	switch {
	case i%1000 < 300:
		return 7
	case i%1000 < 600:
		return int64(i % 37)
	}
	return int64(i)*2654435761%1000003 - 500000
}

// writeCell appends row i to a column.
func writeColumn(t *testing.T, w file.ColumnChunkWriter, c encodingCase, rows []int, defs []int16) {
	t.Helper()
	var err error
	switch w := w.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) bool { return cellNumber(i)&1 == 1 }), defs, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) int32 { return int32(cellNumber(i)) }), defs, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) int64 { return cellNumber(i) << 31 }), defs, nil)
	case *file.Float32ColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) float32 { return float32(cellNumber(i)) }), defs, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) float64 { return float64(cellNumber(i)) / 3 }), defs, nil)
	case *file.Int96ColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) (v parquet.Int96) {
			ns := uint64(1750000000e9 + cellNumber(i))
			binary.LittleEndian.PutUint64(v[:], ns%86400e9)
			binary.LittleEndian.PutUint32(v[8:], uint32(ns/86400e9)+2440588)
			return v
		}), defs, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) parquet.ByteArray { return parquet.ByteArray(cellText(i)) }), defs, nil)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(mapRows(rows, func(i int) parquet.FixedLenByteArray { return cellFixed(c.width, i) }), defs, nil)
	default:
		t.Fatalf("no writer for %s", c.phys)
	}
	if err != nil {
		t.Fatalf("%s: %v", c.name(false), err)
	}
}

func cellText(i int) string { return fmt.Sprintf("w%d", cellNumber(i)) }

func cellFixed(width, i int) []byte {
	b := make([]byte, width)
	switch width {
	case 2: // 1.5 in half precision, or 2
		b[1] = 0x3e + byte(i%2)*2
	case 9: // a decimal beyond 64 bits every second row
		v := cellNumber(i)
		for j := range 8 {
			b[8-j] = byte(v >> (8 * j))
		}
		if v < 0 {
			b[0] = 0xff
		} else if i%2 == 0 {
			b[0] = 1
		}
	case 16:
		copy(b, fmt.Sprintf("%016d", cellNumber(i)+500000))
	}
	return b
}

func mapRows[T any](rows []int, f func(int) T) []T {
	out := make([]T, len(rows))
	for k, i := range rows {
		out[k] = f(i)
	}
	return out
}

// writeEncodings writes a file with all cases, nullable and not.
func writeEncodings(t *testing.T, rows int, codec compress.Compression, version parquet.DataPageVersion, page int64) []byte {
	t.Helper()
	props := []parquet.WriterProperty{
		parquet.WithDictionaryDefault(false), parquet.WithCompression(codec),
		parquet.WithDataPageVersion(version), parquet.WithDataPageSize(page), parquet.WithBatchSize(512),
		parquet.WithVersion(parquet.V2_LATEST),
	}
	var nodes schema.FieldList
	cases := encodingCases()
	for _, nullable := range []bool{false, true} {
		for _, c := range cases {
			props = append(props, parquet.WithEncodingFor(c.name(nullable), c.enc))
			if c.dict {
				props = append(props, parquet.WithDictionaryFor(c.name(nullable), true))
			}
			nodes = append(nodes, c.node(nullable))
		}
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, nodes, -1)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := file.NewParquetWriter(onlyWriter{&buf}, root, file.WithWriterProps(parquet.NewWriterProperties(props...)))
	for lo := 0; lo < rows; lo += rows/2 + 1 {
		g, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		hi := min(rows, lo+rows/2+1)
		for _, nullable := range []bool{false, true} {
			var all []int
			var defs []int16
			for i := lo; i < hi; i++ {
				if nullable && nullRow(i) {
					defs = append(defs, 0)
					continue
				}
				all = append(all, i)
				if nullable {
					defs = append(defs, 1)
				}
			}
			for _, c := range cases {
				cw, err := g.NextColumn()
				if err != nil {
					t.Fatal(err)
				}
				writeColumn(t, cw, c, all, defs)
				if err := cw.Close(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// nullRow leaves long stretches without nulls and some with many.
func nullRow(i int) bool { return i%2000 > 1500 && i%3 != 0 }

// TestEncodings reads every physical type in every encoding, codec and page
// version the library writes.
func TestEncodings(t *testing.T) {
	const rows = 18_000 // two row groups of more than a batch
	codecs := map[string]compress.Compression{
		"none": compress.Codecs.Uncompressed, "snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip,
		"brotli": compress.Codecs.Brotli, "zstd": compress.Codecs.Zstd, "lz4_raw": compress.Codecs.Lz4Raw,
	}
	for name, codec := range codecs {
		for _, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
			n := rows
			if name != "zstd" {
				n = 3_000
			}
			t.Run(fmt.Sprintf("%s-v%d", name, version+1), func(t *testing.T) {
				src := open(t, Parquet, memFile(name, writeEncodings(t, n, codec, version, 4<<10)))
				for k, c := range encodingCases() {
					for col, nullable := range map[int]bool{k: false, k + len(encodingCases()): true} {
						checkEncoding(t, src, c, col, nullable, n)
					}
				}
			})
		}
	}
}

func checkEncoding(t *testing.T, src ingest.Source, c encodingCase, col int, nullable bool, rows int) {
	t.Helper()
	forms := []ingest.Form{ingest.Number, ingest.Text}
	if c.phys == parquet.Types.Int96 || c.phys == parquet.Types.Int64 {
		forms = []ingest.Form{ingest.Time}
	}
	for _, form := range forms {
		if c.width == 16 || c.phys == parquet.Types.ByteArray {
			form = ingest.Text
		}
		got, n, err := scanAll(src, ingest.Request{Column: col, Form: form, Unit: ingest.Nanosecond})
		if err != nil || n != int64(rows) {
			t.Fatalf("%s: %d rows, error %v", c.name(nullable), n, err)
		}
		var want tableColumn
		for i := range rows {
			want.addCell(c, form, i, nullable && nullRow(i))
		}
		sameColumn(t, fmt.Sprintf("%s in form %d", c.name(nullable), form), want, got[0])
	}
}

// addCell appends what row i of a case should be.
func (w *tableColumn) addCell(c encodingCase, form ingest.Form, i int, null bool) {
	var num float64
	var text string
	var ns int64
	switch {
	case null:
	case c.phys == parquet.Types.Boolean:
		num, text = float64(cellNumber(i)&1), fmt.Sprint(cellNumber(i)&1 == 1)
	case c.phys == parquet.Types.Int32:
		num, text = float64(cellNumber(i))/1e9, fmt.Sprint(cellNumber(i))
	case c.phys == parquet.Types.Int64:
		ns = cellNumber(i) << 31
	case c.phys == parquet.Types.Float:
		num, text = float64(cellNumber(i))/1e9, fmt.Sprint(float32(cellNumber(i)))
	case c.phys == parquet.Types.Double:
		num, text = float64(cellNumber(i))/3/1e9, fmt.Sprint(float64(cellNumber(i))/3)
	case c.phys == parquet.Types.Int96:
		ns = 1750000000e9 + cellNumber(i)
	case c.phys == parquet.Types.ByteArray:
		text = cellText(i)
	case c.width == 2:
		num = 1.5 + float64(i%2)/2
		text = fmt.Sprint(num)
		num /= 1e9
	case c.width == 9:
		b := bigDecimal(cellFixed(9, i))
		text = decimalText(b.String(), 3)
		f, _ := b.Float64()
		if math.Abs(f) > 1<<53 { // 2^64 + v, near which doubles are 4096 apart
			f = bigDecimalFloat(cellFixed(9, i), 3)
		} else {
			f /= 1e3
		}
		num = f / 1e9
	case c.width == 16:
		s := fmt.Sprintf("%x", cellFixed(16, i))
		text = s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
	}
	s := ingest.Present
	if null {
		s = ingest.Missing
	}
	w.State = append(w.State, s)
	switch form {
	case ingest.Number:
		w.Floats = append(w.Floats, num)
	case ingest.Time:
		w.Times = append(w.Times, ns)
	default:
		w.Texts = append(w.Texts, text)
	}
}
