package arrowio

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const (
	// maxTrialBytes bounds what one trial may allocate beyond what the undamaged
	// file takes, live or not.
	maxTrialBytes = 256 << 20
	maxTrialTime  = 5 * time.Second
)

// damage tells what became of damaged copies of a file.
type damage struct {
	errors, sound, panics int
	bytes, sane           uint64 // most of a trial; of the undamaged file
	time                  time.Duration
}

// exercise opens a file and reads all its columns. It returns the first error.
func exercise(f ingest.Format, b []byte) error {
	file := memFile("x", b)
	if !f.Detect(b[:min(len(b), 64<<10)], file) {
		return ingest.ErrNoRecords
	}
	src, err := f.Open(file)
	if err != nil {
		return err
	}
	defer src.Close()
	var req []ingest.Request
	for i, c := range src.Columns() {
		form := ingest.Number
		switch c.Class {
		case ingest.ListClass:
			form = ingest.NumberList
		case ingest.TextClass, ingest.BoolClass:
			form = ingest.Text
		case ingest.InstantClass:
			form = ingest.Time
		case ingest.OtherClass:
			continue
		}
		req = append(req, ingest.Request{Column: i, Form: form, Unit: ingest.Millisecond})
	}
	_, rows, err := scanAll(src, req...)
	if err == nil && rows != src.Rows() {
		err = errors.New("rows read and rows promised differ")
	}
	return err
}

func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func (d *damage) trial(t *testing.T, f ingest.Format, b []byte, what string) {
	t.Helper()
	heap, start := allocated(), time.Now()
	err := exercise(f, b)
	took, grew := time.Since(start), allocated()-heap
	d.bytes, d.time = max(d.bytes, grew), max(d.time, took)
	if grew > d.sane+maxTrialBytes || took > maxTrialTime {
		t.Errorf("%s: %d MB, %v (%v)", what, grew>>20, took, err)
	}
	switch {
	case errors.Is(err, errDecoder):
		d.panics++
		d.errors++
		if testing.Verbose() {
			t.Logf("%s: %v", what, err)
		}
	case err != nil:
		d.errors++
	default:
		d.sound++
	}
}

// damageFile reads copies of a file with one byte changed, and beginnings of it.
func damageFile(t *testing.T, f ingest.Format, b []byte, flips, cuts int) (d damage) {
	t.Helper()
	heap := allocated()
	if err := exercise(f, b); err != nil {
		t.Fatalf("undamaged: %v", err)
	}
	d.sane = allocated() - heap
	rng := rand.New(rand.NewPCG(1, uint64(len(b))))
	work := make([]byte, len(b))
	for range flips {
		copy(work, b)
		at := rng.IntN(len(b))
		work[at] ^= byte(1 + rng.IntN(255))
		d.trial(t, f, work, "byte changed")
	}
	for range cuts {
		copy(work, b)
		d.trial(t, f, work[:rng.IntN(len(b))], "file cut")
	}
	return d
}

// TestDamage checks that damaged files give errors or values, but no panic, no
// long wait and no great demand for memory. ARROWIO_DAMAGE=full takes all files
// of the corpus and more trials.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	flips, cuts, pattern := 500, 100, ""
	if os.Getenv("ARROWIO_DAMAGE") == "full" {
		flips, cuts, pattern = 2000, 500, "*"
	}
	fields, cols := sample(300)
	var pq, file, stream bytes.Buffer
	err := errors.Join(
		WriteParquet(&pq, fields, cols, nil, WriterOptions{RowGroupRows: 200}),
		WriteIPC(&file, fields, cols, nil, false, WriterOptions{RowGroupRows: 200}),
		WriteIPC(&stream, fields, cols, nil, true, WriterOptions{RowGroupRows: 200}))
	if err != nil {
		t.Fatal(err)
	}
	inputs := []struct {
		name string
		f    ingest.Format
		b    []byte
	}{{"parquet", Parquet, pq.Bytes()}, {"file", IPC, file.Bytes()}, {"stream", IPC, stream.Bytes()}}
	names := []string{"testdata/P21/before.parquet", "testdata/corpus/duckdb-v2-zstd.parquet", "testdata/P22/before.parquet"}
	if pattern != "" {
		if names, err = filepath.Glob("testdata/corpus/" + pattern); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := inputs[1]
		if strings.HasSuffix(name, ".parquet") {
			in = inputs[0]
		}
		in.name, in.b = filepath.Base(name), b
		inputs = append(inputs, in)
	}
	for _, in := range inputs {
		t.Run(in.name, func(t *testing.T) {
			d := damageFile(t, in.f, in.b, flips, cuts)
			t.Logf("%d errors (%d caught panics), %d read, at most %.1f MB and %v",
				d.errors, d.panics, d.sound, float64(d.bytes)/1e6, d.time)
			if d.errors == 0 {
				t.Error("no damage was found")
			}
		})
	}
}
