package textio

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func TestParseForOtherLayouts(t *testing.T) {
	if v, n := ScanFloat([]byte("-1.25e2, 3")); v != -125 || n != 7 {
		t.Errorf("scanned %v in %d bytes", v, n)
	}
	if _, n := ScanFloat([]byte("x1")); n != 0 {
		t.Errorf("a word is a number of %d bytes", n)
	}
	for text, want := range map[string]float64{" 1.5 ": 1.5, "NaN": math.NaN(), "-Infinity": math.Inf(-1), "inf": math.Inf(1), "1e400": math.Inf(1)} {
		if v, ok := ParseFloat([]byte(text)); !ok || v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
			t.Errorf("%q is %v, %v", text, v, ok)
		}
	}
	for _, text := range []string{"", "1,234", "0x1p3", "1_0", "1.5s"} {
		if v, ok := ParseFloat([]byte(text)); ok {
			t.Errorf("%q is the number %v", text, v)
		}
	}
	if ns, ok := ParseNanos([]byte("1744916172.1040456"), ingest.Second); !ok || ns != 1744916172104045600 {
		t.Errorf("nanoseconds %d, %v", ns, ok)
	}
	if _, ok := ParseNanos([]byte("1e30"), ingest.Second); ok {
		t.Error("a time beyond the range")
	}
	if ns, ok := ParseTimestamp([]byte(" 2026-01-02 03:04:05.5 ")); !ok || ns != 1767323045_500_000_000 {
		t.Errorf("timestamp %d, %v", ns, ok)
	}
	if l, ok := ParseList(nil, []byte("[1.5, 2]")); !ok || len(l) != 2 || l[0] != 1.5 {
		t.Errorf("list %v, %v", l, ok)
	}
	if s := AppendUnescaped(nil, []byte(`a\u00e9\n`)); string(s) != "aé\n" {
		t.Errorf("text %q", s)
	}
}
