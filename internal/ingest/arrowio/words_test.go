package arrowio

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestLargeDictionaries reads texts of which there are so many that the
// dictionary is translated, spills into plain pages, or starts anew.
func TestLargeDictionaries(t *testing.T) {
	const rows = 60_000
	for name, word := range map[string]func(i int) string{
		"more words than fit a batch": func(i int) string { return fmt.Sprintf("p-%05d", i*7919%20_011) },
		"all different":               func(i int) string { return fmt.Sprintf("request-%08d", i) },
		"spills":                      func(i int) string { return strings.Repeat("x", i%50*20) + fmt.Sprint(i/2) },
		"few":                         func(i int) string { return fmt.Sprint("run-", i%10) },
	} {
		col := OutColumn{}
		for i := range rows {
			col.Texts = append(col.Texts, word(i))
			col.Valid = append(col.Valid, i%11 != 5)
		}
		fields := []OutField{{Name: "w", Kind: Text, Nullable: true}}
		var pq, file, stream bytes.Buffer
		if err := WriteParquet(&pq, fields, []OutColumn{col}, nil, WriterOptions{}); err != nil {
			t.Fatal(err)
		}
		if err := WriteIPC(&file, fields, []OutColumn{col}, nil, false, WriterOptions{RowGroupRows: 25_000}); err != nil {
			t.Fatal(err)
		}
		if err := WriteIPC(&stream, fields, []OutColumn{col}, nil, true, WriterOptions{RowGroupRows: 25_000}); err != nil {
			t.Fatal(err)
		}
		for _, in := range []struct {
			f ingest.Format
			b *bytes.Buffer
		}{{Parquet, &pq}, {IPC, &file}, {IPC, &stream}} {
			got := read(t, open(t, in.f, memFile(name, in.b.Bytes())), "w", ingest.Text, ingest.Unit{})
			sameColumn(t, name+" "+in.f.Name, expected(&col, Text, ingest.Text, ingest.Unit{}, rows), got)
		}
	}
}

// TestDictionaryStaysSmall checks the promise that no batch has a dictionary
// much larger than itself.
func TestDictionaryStaysSmall(t *testing.T) {
	var w words
	for batch := range 20 {
		w.fresh()
		for i := range ingest.BatchRows {
			w.add(fmt.Appendf(nil, "%d-%d", batch, i))
		}
		if len(w.dict) > maxWords+ingest.BatchRows {
			t.Fatalf("batch %d: %d words", batch, len(w.dict))
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	var w words
	if id := w.add([]byte("a\xffb")); w.dict[id] != "a\uFFFDb" {
		t.Errorf("got %q", w.dict[id])
	}
	if w.add([]byte("a\xffb")) != 0 || len(w.dict) != 1 {
		t.Errorf("the same bytes gave another word: %q", w.dict)
	}
}
