package harness

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// The numbers are those that hdrhistogram-go 1.4.0 gives for the same values: it
// answers with the middle of the bucket, and its mean is that of the middles.
func TestHdrLogAgreesWithTheLibrary(t *testing.T) {
	src := open(t, "hdrlog", sample(t, "hdrlog/gen_latency_us.hlog")).(ingest.HistogramSource)
	if c := src.Columns(); len(c) != 1 || c[0].Name != "latency" {
		t.Fatalf("columns %v", c)
	}
	h := src.Histograms()[0]
	if h.Total() != 4000 {
		t.Fatalf("%d values, want 4000", h.Total())
	}
	for _, c := range []struct{ q, want float64 }{{0.5, 150655}, {0.9, 285695}, {0.95, 343039}, {0.99, 494079}, {0.999, 736767}} {
		rank, cum := int64(math.Ceil(c.q*4000)), int64(0)
		for _, b := range h.Buckets {
			if cum += b.Count; cum >= rank {
				// The library answers with the highest integer of the bucket.
				if got := b.Upper - 1; got != c.want {
					t.Errorf("p%v: bucket (%v, %v), the library says %v", 100*c.q, b.Lower, b.Upper, c.want)
				}
				break
			}
		}
	}
	sum := 0.0
	for _, b := range h.Buckets {
		sum += float64(b.Count) * (b.Lower + b.Upper) / 2
	}
	if got, want := sum/4000, 171701.352; math.Abs(got-want) > 0.001 {
		t.Errorf("mean %v, the library says %v", got, want)
	}
}

// hdrHead is the head of a histogram of three digits.
func hdrHead(payload []byte, change func(b []byte)) []byte {
	b := binary.BigEndian.AppendUint32(nil, 0x1c849313)
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint32(b, 3)
	b = binary.BigEndian.AppendUint64(b, 1)
	b = binary.BigEndian.AppendUint64(b, 3_600_000_000)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(1))
	if change != nil {
		change(b)
	}
	return append(b, payload...)
}

func hdrLine(body []byte, change func(b []byte)) string {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(body)
	w.Close()
	out := binary.BigEndian.AppendUint32(nil, 0x1c849314)
	out = binary.BigEndian.AppendUint32(out, uint32(z.Len()))
	out = append(out, z.Bytes()...)
	if change != nil {
		change(out)
	}
	return "#[Histogram log format version 1.3]\n0.5,1.0,2.0," + base64.StdEncoding.EncodeToString(out) + "\n"
}

// Counts 3 at 0, a row of 5 zeros, 2 at 6; and the bucket of 2048, two wide.
func TestHdrLogCounts(t *testing.T) {
	payload := []byte{6, 9, 4}            // 3, −5, 2 in ZigZag
	payload = append(payload, 0xf1, 0x1f) // −2041: on to index 2048
	payload = append(payload, 2)
	src := open(t, "hdrlog", textFile(hdrLine(hdrHead(payload, nil), nil))).(ingest.HistogramSource)
	got := src.Histograms()[0].Buckets
	want := []ingest.Bucket{{Lower: 0, Upper: 1, Count: 3}, {Lower: 6, Upper: 7, Count: 2}, {Lower: 2048, Upper: 2050, Count: 1}}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestHdrVarint(t *testing.T) {
	for _, c := range []struct {
		b    []byte
		want int64
		n    int
	}{
		{[]byte{0}, 0, 1}, {[]byte{1}, -1, 1}, {[]byte{2}, 1, 1}, {[]byte{0x80, 1}, 64, 2}, {[]byte{0x80}, 0, 0}, {nil, 0, 0},
		{[]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, math.MaxInt64, 9},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, math.MinInt64, 9},
	} {
		if v, n := hdrVarint(c.b); v != c.want || n != c.n {
			t.Errorf("%x: %d in %d bytes, want %d in %d", c.b, v, n, c.want, c.n)
		}
	}
}

func TestHdrLogRefuses(t *testing.T) {
	put := binary.BigEndian.PutUint32
	good := hdrHead([]byte{2}, nil)
	for _, c := range []struct {
		name, text string
		parts      []string
	}{
		{"a table of percentiles", "       Value     Percentile TotalCount 1/(1-Percentile)\n\n 0.921 0.0 1 1.00\n", []string{"wrk2", ".hlog"}},
		{"V1", hdrLine(good, func(b []byte) { put(b, 0x1c849302) }), []string{"line 2", "cookie", "V2"}},
		{"V1 within", hdrLine(hdrHead([]byte{2}, func(b []byte) { put(b, 0x1c849301) }), nil), []string{"line 2", "cookie"}},
		{"a lying length", hdrLine(good, func(b []byte) { put(b[4:], 1<<31) }), []string{"line 2", "2147483648 compressed bytes"}},
		{"a lying payload", hdrLine(hdrHead([]byte{2}, func(b []byte) { put(b[4:], 99) }), nil), []string{"line 2", "99 bytes"}},
		{"nothing compressed", hdrLine(good, func(b []byte) { b[8] = 0 }), []string{"line 2", "not compressed"}},
		{"damaged", hdrLine(good, func(b []byte) { b[len(b)-1] ^= 1 }), []string{"line 2", "unpacked"}},
		{"digits", hdrLine(hdrHead([]byte{2}, func(b []byte) { put(b[12:], 9) }), nil), []string{"line 2", "9 significant digits"}},
		{"a range", hdrLine(hdrHead([]byte{2}, func(b []byte) { put(b[20:], 0) }), nil), []string{"line 2", "reaches from 0"}},
		{"shifted", hdrLine(hdrHead([]byte{2}, func(b []byte) { put(b[8:], 3) }), nil), []string{"line 2", "shifted"}},
		{"a number cut short", hdrLine(hdrHead([]byte{0x80}, nil), nil), []string{"line 2", "within a number"}},
		{"a row of zeros without end", hdrLine(hdrHead([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, nil), nil), []string{"line 2", "skips"}},
		{"too many values", hdrLine(hdrHead([]byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, nil), nil), []string{"line 2", "2^53"}},
		{"beyond 64 bits", hdrLine(hdrHead([]byte{0xff, 0xff, 0xff, 7, 2}, nil), nil), []string{"line 2", "beyond 64 bits"}},
		{"a bomb", hdrLine(make([]byte, hdrUnpacked+hdrRatio*200_000), nil), []string{"line 2", "more than 50 times"}},
		{"no base64", "#[Histogram log format version 1.3]\n0,1,2,HISTFAAA!\n", []string{"line 2", "base64"}},
		{"fields", "#[Histogram log format version 1.3]\n0,1,HISTFAAA\n", []string{"line 2", "3 fields"}},
		{"a start", "#[Histogram log format version 1.3]\nx,1,2,HISTFAAA\n", []string{"line 2", "start", "x"}},
		{"an empty tag", "#[Histogram log format version 1.3]\nTag=,0,1,2,HISTFAAA\n", []string{"line 2", "tag"}},
		{"no interval", "#[Histogram log format version 1.3]\n", []string{"no value"}},
		{"empty intervals", hdrLine(hdrHead(nil, nil), nil), []string{"no value", "1 intervals"}},
	} {
		t.Run(c.name, func(t *testing.T) { refuse(t, "hdrlog", textFile(c.text), c.parts...) })
	}
	// A few kilobytes a line that unpack to the most buckets that there are.
	head, full, _ := strings.Cut(hdrLine(hdrHead(bytes.Repeat([]byte{2}, 6_000_000), func(b []byte) { put(b[12:], 5) }), nil), "\n")
	refuse(t, "hdrlog", textFile(head+"\nTag=a,"+full+"Tag=b,"+full+"Tag=c,"+full), "line 4", "by tag", "more than 16777216 buckets")
	refuse(t, "hdrlog", textFile(head+"\n"+strings.Repeat(full, 20)), "line 1", "more than 50 times the size of the file")
	other := strings.SplitN(hdrLine(hdrHead([]byte{2}, func(b []byte) { put(b[12:], 2) }), nil), "\n", 2)[1]
	refuse(t, "hdrlog", textFile(hdrLine(good, nil)+other), "line 3", "significant digits")
}
