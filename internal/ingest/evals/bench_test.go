package evals

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// records writes n canonical records.
func recordLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"item_id": %d, "task": "task%d", "metric": "acc", "score": %d, "category": "cat%d", "passage": "p%d"}`+"\n", 900000000000000000+i, i%57, i%3/2, i%14, i/4)
	}
	return b.String()
}

func BenchmarkRecords(b *testing.B) {
	text := recordLines(100_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := readRecords(context.Background(), file("x", text), ingest.AnswerOptions{})
		if err != nil || len(s.Answers) != 100_000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkLMEval(b *testing.B) {
	text := strings.Repeat(string(lmSamples("1", "0", "1", "0", "1", "0", "1", "0")), 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readLMEval(context.Background(), file("samples_a_"+runA+".jsonl", text), ingest.AnswerOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A million records take less than 700 MB in all.
func TestMillionRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("a million records")
	}
	path := filepath.Join(t.TempDir(), "m.jsonl")
	write(t, path, []byte(recordLines(1_000_000)))
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := load(t, path, ingest.AnswerOptions{})
	runtime.ReadMemStats(&after)
	if len(s.Answers) != 1_000_000 || s.Answers[999_999].Item != "900000000000999999" {
		t.Fatalf("%d answers, the last of %s", len(s.Answers), s.Answers[len(s.Answers)-1].Item)
	}
	// Sys never shrinks: its growth bounds the peak.
	if grown := (after.Sys - before.Sys) >> 20; grown > 700 {
		t.Errorf("%d MiB more from the system", grown)
	}
	if a := attr(t, s.AnswerSet, s.Answers[13], "passage"); a != "p3" {
		t.Errorf("passage %q", a)
	}
}

func BenchmarkInspectArchive(b *testing.B) {
	members := []zipMember{{"header.json", `{"version": 2, ` + inspectSpec + `}`, methodZstd}}
	for i := range 1000 {
		members = append(members, zipMember{fmt.Sprintf("samples/%d_epoch_1.json", i), inspectSample(fmt.Sprint(i), "1", `"scores": {"s": {"value": "C"}}`), methodZstd})
	}
	text := archiveOf(b, members...)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := readInspect(context.Background(), file("x.eval", text), ingest.AnswerOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
