package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
)

// everything asks a scan for all fields.
func everything() (w ingest.Wanted) {
	for f := ingest.Field(0); f < ingest.NumFields; f++ {
		w.Fields = append(w.Fields, f)
	}
	return w
}

// scan reads CSV and returns the code of every record.
func scan(t *testing.T, text string, wanted ingest.Wanted, opt ingest.Options) (codes []string, tally ingest.Tally) {
	t.Helper()
	src, err := textio.CSV.Open(ingest.File{Path: "x.csv", Size: int64(len(text)), ReaderAt: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ingest.Resolve("x.csv", src.Columns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wanted.Generic = nil
	for _, g := range l.Generic {
		if g.Name == "queue_ms" {
			wanted.Generic = append(wanted.Generic, g)
		}
	}
	tally, err = ingest.NewReader("x.csv", src, l, wanted, opt).Scan(t.Context(), 0, func(f *ingest.Frame) error {
		for _, r := range f.Reasons {
			codes = append(codes, r.Code())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return codes, tally
}

// What is said of a record, by its columns. The first reason that is found
// holds: warm-up before status, status before numbers.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		why, csv string
		want     []string
	}{
		{"latencies", "ttft_s,e2e_s\n1,2\n-1,2\n1,-2\n0,2\n1,0\nNaN,2\nInf,2\nx,2\n,\n,2\n",
			[]string{"good", "negative", "negative", "zero_latency", "zero_latency", "not_a_number", "infinite", "not_a_number", "no_latency", "good"}},
		{"the first token and the end", "ttft_s,e2e_s\n2,1\n1,1\n1.0000005,1\n1.1,1\n", []string{"ttft_over_e2e", "good", "good", "ttft_over_e2e"}},
		{"the first token and a lone latency", "ttft_s,latency_s\n2,1\n1,2\n", []string{"ttft_over_e2e", "good"}},
		{"tokens", "e2e_s,output_tokens,prompt_tokens\n1,5,5\n1,-1,5\n1,1.5,5\n1,0,5\n1,5,0\n1,5,-3\n1,x,5\n1,,\n",
			[]string{"good", "bad_token_count", "bad_token_count", "empty", "good", "bad_token_count", "bad_token_count", "good"}},
		{"tpot of one token is 0 in some files", "tpot_ms,e2e_s\n0,1\n20,1\n-1,1\n", []string{"good", "good", "negative"}},
		{"status", "status,e2e_s\nok,1\nerror,1\nmoon,1\n,1\ntimeout,-1\n", []string{"good", "status", "unknown_status", "good", "timeout"}},
		{"codes", "http_status,e2e_s\n200,1\n500,1\n408,1\n7,1\nx,1\n,1\n", []string{"good", "http_status", "timeout", "unknown_status", "unknown_status", "good"}},
		{"errors", "error,e2e_s\n,1\nboom,1\nNone,1\n", []string{"good", "error", "good"}},
		{"a flag", "is_error,e2e_s\nfalse,1\ntrue,1\n", []string{"good", "status"}},
		{"status goes before the code", "status,http_status,e2e_s\ncancelled,500,1\nok,500,1\n", []string{"cancelled", "http_status"}},
		{"phases", "phase,status,e2e_s\nwarmup,error,1\nprofiling,error,1\nlunch,ok,1\n", []string{"warmup_phase", "status", "good"}},
		{"times", "start_s,end_s\n1,2\nx,2\n2,1\n", []string{"good", "not_a_number", "negative"}},
		{"gaps", "itl_ms,e2e_s\n\"[10,20]\",1\n\"[10,-1]\",1\n[],1\n,1\n", []string{"good", "negative", "good", "good"}},
		{"any other number", "queue_ms,e2e_s\n5,1\n-5,1\nNaN,1\nInf,1\nx,1\n,1\n", []string{"good", "good", "not_a_number", "infinite", "not_a_number", "good"}},
	} {
		got, tally := scan(t, c.csv, everything(), ingest.Options{})
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, d)
		}
		if int(tally.Total()) != len(got) {
			t.Errorf("%s: %d of %d records are counted", c.why, tally.Total(), len(got))
		}
	}
}

// A latency that was not read may be there: a record that lacks the one that was
// asked for is only without it.
func TestMissingLatencyAlone(t *testing.T) {
	const text = "ttft_s,e2e_s\n1,2\n,2\n"
	ttft := ingest.Wanted{Fields: []ingest.Field{ingest.TTFT}}
	if got, _ := scan(t, text, ttft, ingest.Options{}); !cmp.Equal(got, []string{"good", "good"}) {
		t.Errorf("ttft of two: %v", got)
	}
	if got, _ := scan(t, "ttft_s,region\n1,eu\n,eu\n", ttft, ingest.Options{}); !cmp.Equal(got, []string{"good", "no_latency"}) {
		t.Errorf("ttft alone: %v", got)
	}
}

func TestWarmupCut(t *testing.T) {
	opt := ingest.Options{Warmup: 2e9, RunStart: map[string]int64{"a": 100e9, "b": 200e9}}
	got, _ := scan(t, "run,start_s,e2e_s\na,100,1\na,102,1\nb,201.9,1\nb,202,1\nc,0,1\na,,1\n", everything(), opt)
	want := []string{"warmup", "good", "warmup", "good", "good", "good"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Latencies begin at the scheduled start, unless the service time is asked for.
func TestScheduled(t *testing.T) {
	const text = "scheduled_s,start_s,ttft_s,e2e_s\n10,11,1,2\n10,10,1,2\n10,,1,2\n"
	for service, want := range map[bool][]float64{false: {2, 1}, true: {1, 1, 1}} {
		var got []float64
		src, err := textio.CSV.Open(ingest.File{Path: "x", Size: int64(len(text)), ReaderAt: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		l, err := ingest.Resolve("x", src.Columns(), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ingest.NewReader("x", src, l, ingest.Wanted{Fields: []ingest.Field{ingest.TTFT, ingest.E2E}}, ingest.Options{Service: service}).
			Scan(t.Context(), 0, func(f *ingest.Frame) error {
				c := f.Col(ingest.TTFT)
				for i := range f.N {
					if c.StateAt(i) == ingest.Present {
						got = append(got, c.Floats[i])
					}
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("service %v: ttft (-want +got)\n%s", service, d)
		}
	}
}

// An error of the reader names the file; one of the caller ends the scan.
func TestScanErrors(t *testing.T) {
	text := "e2e_s\n1\n"
	src, err := textio.CSV.Open(ingest.File{Path: "x.csv", Size: int64(len(text)), ReaderAt: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ingest.Resolve("x.csv", src.Columns(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := ingest.NewReader("x.csv", src, l, everything(), ingest.Options{})
	full := errors.New("full")
	if _, err := r.Scan(t.Context(), 0, func(*ingest.Frame) error { return full }); !errors.Is(err, full) || !strings.HasPrefix(err.Error(), "x.csv: ") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := r.Scan(ctx, 0, func(*ingest.Frame) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func ExampleResolve() {
	cols := []ingest.ColumnInfo{
		{Name: "TTFT (ms)", Type: "double", Class: ingest.NumericClass},
		{Name: "usage.completion_tokens", Type: "int64", Class: ingest.NumericClass},
		{Name: "region", Type: "text", Class: ingest.TextClass},
	}
	l, err := ingest.Resolve("before.parquet", cols, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for f := ingest.Field(0); f < ingest.NumFields; f++ {
		if b := l.Fields[f]; b.Bound() {
			fmt.Printf("%s is %q in %s\n", f, b.Name, b.Unit.Name)
		}
	}
	// Output:
	// ttft is "TTFT (ms)" in ms
	// output_tokens is "usage.completion_tokens" in 1
}
