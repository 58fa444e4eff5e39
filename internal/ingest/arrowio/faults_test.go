package arrowio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// TestFaultsNamePlaces checks what a reader is told of a damaged file.
func TestFaultsNamePlaces(t *testing.T) {
	fields, cols := sample(900)
	var pq, file bytes.Buffer
	if err := WriteParquet(&pq, fields, cols, nil, WriterOptions{RowGroupRows: 300}); err != nil {
		t.Fatal(err)
	}
	if err := WriteIPC(&file, fields, cols, nil, false, WriterOptions{RowGroupRows: 300}); err != nil {
		t.Fatal(err)
	}
	crc, err := os.ReadFile("testdata/corpus/pyarrow-zstd-v2-crc.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		f    ingest.Format
		b    []byte
		want string
	}{
		{"Parquet pages", Parquet, pq.Bytes(), `^row group 2, column "(ttft_ms|e2e_ms|start_ns)": .+`},
		{"Parquet checksum", Parquet, crc, `^row group \d, column "\w+": page \d: checksum [0-9a-f]{8}, the header says [0-9a-f]{8}$`},
		{"Arrow buffers", IPC, file.Bytes(), `^record batch 2, column "(ttft_ms|e2e_ms|start_ns)": .+`},
	} {
		re, hits := regexp.MustCompile(c.want), 0
		for at := len(c.b) / 3; at < len(c.b); at += len(c.b) / 600 {
			b := bytes.Clone(c.b)
			b[at] ^= 0x55
			if err := exercise(c.f, b); err != nil && re.MatchString(err.Error()) {
				hits++
				var e *Error
				if !errors.As(err, &e) || e.Column == "" || e.Part == "" {
					t.Errorf("%s: %#v names no place", c.name, err)
				}
			}
		}
		if hits < 5 {
			t.Errorf("%s: %d faults look like %s", c.name, hits, c.want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	fields, cols := sample(10)
	var pq, file bytes.Buffer
	if err := WriteParquet(&pq, fields, cols, nil, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteIPC(&file, fields, cols, nil, false, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	cut := pq.Bytes()[:pq.Len()-9]
	encrypted := append(bytes.Clone(pq.Bytes()[:pq.Len()-4]), "PARE"...)
	for _, c := range []struct {
		f    ingest.Format
		b    []byte
		want string
	}{
		{Parquet, []byte("PAR1"), "4 bytes, too few for a Parquet file"},
		{Parquet, cut, "it is cut short or still being written"},
		{Parquet, encrypted, "the file is encrypted; encrypted files are not read"},
		{Parquet, append([]byte("PAR1xxxx\xff\xff\x00\x00"), "PAR1"...), "a footer of 65535 bytes in a file of 16"},
		{IPC, []byte("ARROW1\x00\x00"), "8 bytes, too few for an Arrow file"},
		{IPC, file.Bytes()[:file.Len()-1], "it is cut short or still being written"},
	} {
		_, err := c.f.Open(memFile("x", c.b))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestRequestsThatCannotBe(t *testing.T) {
	fields, cols := sample(10)
	for _, write := range []func(*bytes.Buffer) (ingest.Format, error){
		func(b *bytes.Buffer) (ingest.Format, error) {
			return Parquet, WriteParquet(b, fields, cols, nil, WriterOptions{})
		},
		func(b *bytes.Buffer) (ingest.Format, error) {
			return IPC, WriteIPC(b, fields, cols, nil, true, WriterOptions{})
		},
	} {
		var b bytes.Buffer
		f, err := write(&b)
		if err != nil {
			t.Fatal(err)
		}
		src := open(t, f, memFile("x", b.Bytes()))
		for _, c := range []struct {
			part int
			r    ingest.Request
			want string
		}{
			{0, ingest.Request{Column: 9}, "there is no column 9, the file has 9"},
			{1, ingest.Request{}, "there is no"},
			{0, ingest.Request{Column: 8, Form: ingest.Number}, `column "itl_ms": a single value is wanted, the column holds list`},
			{0, ingest.Request{Column: 0, Form: ingest.NumberList}, `column "ttft_ms": a list of numbers is wanted, the column holds`},
			{0, ingest.Request{Column: 2, Form: ingest.Time}, `column "start_ns": a time is wanted, and its numbers have no unit, the column holds`},
			{0, ingest.Request{Column: 7, Form: ingest.Time}, `column "ok": a time is wanted, the column holds`},
		} {
			err := src.Scan(context.Background(), c.part, []ingest.Request{c.r}, func(*ingest.Batch) error { return nil })
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", f.Name, err, c.want)
			}
		}
	}
}

// TestScanStops checks that errors of the caller come back as they are, and
// that a panic of the caller is not taken for one of a decoder.
func TestScanStops(t *testing.T) {
	fields, cols := sample(20_000)
	var pq, file bytes.Buffer
	if err := WriteParquet(&pq, fields, cols, nil, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteIPC(&file, fields, cols, nil, false, WriterOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, src := range []ingest.Source{open(t, Parquet, memFile("x", pq.Bytes())), open(t, IPC, memFile("x", file.Bytes()))} {
		stop := errors.New("stop")
		if err := src.Scan(context.Background(), 0, []ingest.Request{{}}, func(*ingest.Batch) error { return stop }); err != stop {
			t.Errorf("got %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		err := src.Scan(ctx, 0, []ingest.Request{{}}, func(*ingest.Batch) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		func() {
			defer func() {
				if recover() != "mine" {
					t.Error("the caller's panic was swallowed")
				}
			}()
			_ = src.Scan(context.Background(), 0, []ingest.Request{{}}, func(*ingest.Batch) error { panic("mine") })
		}()
		n := 0
		if err := src.Scan(context.Background(), 0, nil, func(b *ingest.Batch) error { n += b.N; return nil }); err != nil || n != 20_000 {
			t.Errorf("no column: %d rows, error %v", n, err)
		}
	}
}

// TestConcurrentScans reads all partitions at the same time, twice.
func TestConcurrentScans(t *testing.T) {
	fields, cols := sample(150_000)
	var pq, file bytes.Buffer
	if err := WriteParquet(&pq, fields, cols, nil, WriterOptions{RowGroupRows: 30_000}); err != nil {
		t.Fatal(err)
	}
	if err := WriteIPC(&file, fields, cols, nil, false, WriterOptions{RowGroupRows: 10_000}); err != nil {
		t.Fatal(err)
	}
	for _, src := range []ingest.Source{open(t, Parquet, memFile("x", pq.Bytes())), open(t, IPC, memFile("x", file.Bytes()))} {
		req := []ingest.Request{{Column: 0, Form: ingest.Number}, {Column: 4, Form: ingest.Text}, {Column: 8, Form: ingest.NumberList}}
		sums := make([]float64, 2*src.Partitions())
		var wg sync.WaitGroup
		for i := range sums {
			wg.Go(func() {
				err := src.Scan(context.Background(), i/2, req, func(b *ingest.Batch) error {
					for r := range b.N {
						sums[i] += b.Cols[0].Floats[r]*float64(len(b.Cols[1].Str(r))) + float64(len(b.Cols[2].List(r)))
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if src.Partitions() < 2 {
			t.Errorf("%d partitions", src.Partitions())
		}
		for i := 0; i < len(sums); i += 2 {
			if sums[i] != sums[i+1] || sums[i] == 0 {
				t.Errorf("partition %d: %v and %v", i/2, sums[i], sums[i+1])
			}
		}
	}
}
