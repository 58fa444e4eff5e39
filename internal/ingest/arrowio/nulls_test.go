package arrowio

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// A row group without a word has pages that unpack to nothing, and is read by the
// reader, with the memory, of the one before it.
func TestRowGroupOfNulls(t *testing.T) {
	texts := []parquet.ByteArray{[]byte("a"), []byte("b"), []byte("a")}
	for name, codec := range map[string]compress.Compression{
		"none": compress.Codecs.Uncompressed, "snappy": compress.Codecs.Snappy, "gzip": compress.Codecs.Gzip,
		"brotli": compress.Codecs.Brotli, "zstd": compress.Codecs.Zstd, "lz4_raw": compress.Codecs.Lz4Raw,
	} {
		for _, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
			for _, dict := range []bool{false, true} {
				node := schema.NewByteArrayNode("error", parquet.Repetitions.Optional, -1)
				root := schema.MustGroup(schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{node}, -1))
				var buf bytes.Buffer
				w := file.NewParquetWriter(onlyWriter{&buf}, root, file.WithWriterProps(parquet.NewWriterProperties(
					parquet.WithCompression(codec), parquet.WithDataPageVersion(version), parquet.WithDictionaryDefault(dict))))
				for _, defs := range [][]int16{{1, 1, 1}, {0, 0, 0}} {
					g, err := w.AppendRowGroupChecked()
					if err != nil {
						t.Fatal(err)
					}
					c, err := g.NextColumn()
					if err != nil {
						t.Fatal(err)
					}
					if _, err := c.(*file.ByteArrayColumnChunkWriter).WriteBatch(texts, defs, nil); err != nil {
						t.Fatal(err)
					}
					if err := g.Close(); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				src := open(t, Parquet, memFile(name, buf.Bytes()))
				want := tableColumn{Texts: []string{"a", "b", "a", "", "", ""}, State: []ingest.State{
					ingest.Present, ingest.Present, ingest.Present, ingest.Missing, ingest.Missing, ingest.Missing}}
				got, _, err := scanAll(src, ingest.Request{Form: ingest.Text})
				if err != nil {
					t.Errorf("%s, pages of version %d, dictionary %v: %v", name, version+1, dict, err)
					continue
				}
				sameColumn(t, fmt.Sprintf("%s v%d dictionary %v", name, version+1, dict), want, got[0])
			}
		}
	}
}
