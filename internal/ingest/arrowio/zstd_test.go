package arrowio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// zeros is a zstd frame of so many blocks of 128 KiB of zeros, which does not say how
// many that is.
func zeros(blocks int) []byte {
	out := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3}
	for i := range blocks {
		header := uint32(131072<<3 | 1<<1) // a byte that is repeated
		if i == blocks-1 {
			header |= 1
		}
		out = append(binary.LittleEndian.AppendUint32(out, header)[:len(out)+3], 0)
	}
	return out
}

// skipped is a zstd frame of n bytes in all that stands for nothing.
func skipped(n int) []byte {
	out := binary.LittleEndian.AppendUint32(nil, 0x184d2a50)
	return append(binary.LittleEndian.AppendUint32(out, uint32(n-8)), make([]byte, n-8)...)
}

// A page takes the memory that its header names, whatever its data unpack to: 400 kB
// of them to 2 GB here.
func TestPageUnpacksToMoreThanItSays(t *testing.T) {
	const rows = 50_000
	node := schema.NewFloat64Node("ttft_ms", parquet.Repetitions.Required, -1)
	root := schema.MustGroup(schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{node}, -1))
	var buf bytes.Buffer
	w := file.NewParquetWriter(onlyWriter{&buf}, root, file.WithWriterProps(parquet.NewWriterProperties(
		parquet.WithDictionaryDefault(false), parquet.WithStats(false), parquet.WithDataPageSize(1<<20), parquet.WithBatchSize(rows))))
	g, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	c, err := g.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, rows)
	var stored []byte
	for i := range values {
		values[i] = 1 + float64(i)
		stored = binary.LittleEndian.AppendUint64(stored, math.Float64bits(values[i]))
	}
	if _, err := c.(*file.Float64ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(g.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	b := buf.Bytes()
	// The name of the column in the footer, and its codec: none, which becomes zstd.
	name := bytes.LastIndex(b, []byte("ttft_ms\x15\x00\x16"))
	page := bytes.Index(b, stored)
	if name < 0 || page < 0 {
		t.Fatalf("codec at %d, page at %d", name, page)
	}
	b[name+len("ttft_ms")+1] = 2 * byte(compress.Codecs.Zstd)
	bomb := zeros(16_384)
	copy(b[page:], append(bomb, skipped(len(stored)-len(bomb))...))

	src := open(t, Parquet, memFile("bomb", b))
	before := allocated()
	_, _, err = scanAll(src, ingest.Request{Form: ingest.Number, Unit: ingest.Millisecond})
	if !errors.Is(err, errLong) {
		t.Errorf("error %v, want %v", err, errLong)
	}
	if grew := allocated() - before; grew > 64<<20 {
		t.Errorf("%d MB of memory", grew>>20)
	}
}
