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

// TestFewWords reads texts by bytes: where there are few words, no nulls and no
// empty ones, of pages that end inside a batch; a page that is not coded, or a
// larger dictionary, gives the batch the numbers that others have.
func TestFewWords(t *testing.T) {
	const rows = 3*ingest.BatchRows + 100
	words := func(n int) func(i int) string {
		return func(i int) string { return fmt.Sprint("word-", (i*7919+i/50)%n) }
	}
	for name, c := range map[string]struct {
		word  func(i int) string
		nulls bool
		few   string // by batch
	}{
		"one":        {words(1), false, "yyyy"},
		"three":      {words(3), false, "yyyy"},
		"sixteen":    {words(16), false, "yyyy"},
		"five bits":  {words(20), false, "yyyy"},
		"most":       {words(ingest.MaxFew), false, "yyyy"},
		"too many":   {words(ingest.MaxFew + 1), false, "nnnn"},
		"empty word": {func(i int) string { return []string{"", "a"}[i%2] }, false, "nnnn"},
		"nulls":      {words(3), true, "nyny"},
		"spills": {func(i int) string {
			if i%100 == 0 {
				return strings.Repeat("x", 10_000+i)
			}
			return "a"
		}, false, "ynnn"},
	} {
		col := OutColumn{}
		for i := range rows {
			col.Texts = append(col.Texts, c.word(i))
			if c.nulls {
				col.Valid = append(col.Valid, i/ingest.BatchRows == 1 || i%900 != 5)
			}
		}
		var b bytes.Buffer
		if err := WriteParquet(&b, []OutField{{Name: "w", Kind: Text, Nullable: c.nulls}}, []OutColumn{col}, nil, WriterOptions{}); err != nil {
			t.Fatal(err)
		}
		src := open(t, Parquet, memFile(name, b.Bytes()))
		few, at := "", 0
		err := src.Scan(t.Context(), 0, []ingest.Request{{Form: ingest.Text, Few: true}}, func(b *ingest.Batch) error {
			got := &b.Cols[0]
			few += map[bool]string{true: "y", false: "n"}[got.Few != nil]
			for i := range b.N {
				if want := col.Texts[at+i]; col.valid(at+i) && got.Str(i) != want {
					return fmt.Errorf("row %d is %q, want %q", at+i, got.Str(i), want)
				}
			}
			at += b.N
			return nil
		})
		if err != nil || few != c.few {
			t.Errorf("%s: by bytes %s, want %s; error %v", name, few, c.few, err)
		}
		read(t, src, "w", ingest.Text, ingest.Unit{})
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
