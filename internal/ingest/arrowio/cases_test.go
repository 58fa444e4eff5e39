package arrowio

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func values(c tableColumn) (out []float64) {
	for i, v := range c.Floats {
		if c.State[i] == ingest.Present {
			out = append(out, v)
		}
	}
	return out
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// TestDictionaryPages is case P21: several data pages after one dictionary.
func TestDictionaryPages(t *testing.T) {
	for side, p50 := range map[string]float64{"before": 149.5, "after": 159.5} {
		src := open(t, Parquet, loadFile(t, "P21", side+".parquet"))
		class := read(t, src, "class", ingest.Text, ingest.Unit{})
		got := map[string]int{}
		for i, w := range class.Texts {
			if class.State[i] != ingest.Present {
				w = "missing"
			}
			got[w]++
		}
		want := map[string]int{"class-0": 1250, "class-1": 1200, "class-2": 1250, "class-3": 1200, "missing": 100}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: classes %v, want %v", side, got, want)
		}
		if got := median(values(read(t, src, "latency_ms", ingest.Number, ingest.Millisecond))); math.Abs(got*1e3-p50) > 1e-9 {
			t.Errorf("%s: p50 %v ms, want %v", side, got*1e3, p50)
		}
	}
}

// TestDecimals is case P22: decimals are scaled, doubles are counts, and a
// structure's field is reached by its path.
func TestDecimals(t *testing.T) {
	for side, p50 := range map[string]float64{"before": 100.505, "after": 105.505} {
		src := open(t, Parquet, loadFile(t, "P22", side+".parquet"))
		lat := values(read(t, src, "latency_ms", ingest.Number, ingest.Unit{}))
		if got := median(lat); len(lat) != 100 || math.Abs(got-p50) > 1e-12 {
			t.Errorf("%s: %d values, p50 %v, want 100, %v", side, len(lat), got, p50)
		}
		for _, v := range values(read(t, src, "output_tokens", ingest.Number, ingest.Unit{})) {
			if v != math.Trunc(v) || v <= 0 {
				t.Errorf("%s: output_tokens %v is no count", side, v)
			}
		}
		ttft := values(read(t, src, "metrics.ttft_ms", ingest.Number, ingest.Unit{}))
		if len(ttft) != 100 || slices.Max(ttft) > 1e3 {
			t.Errorf("%s: metrics.ttft_ms: %d values up to %v", side, len(ttft), slices.Max(ttft))
		}
		for _, c := range src.Columns() {
			if c.Class != ingest.NumericClass {
				t.Errorf("%s: column %s (%s) is of class %d", side, c.Name, c.Type, c.Class)
			}
		}
	}
}

// TestTimestampUnits is case P23: every latency is 250 ms, whatever the units.
func TestTimestampUnits(t *testing.T) {
	for _, side := range []string{"before", "after"} {
		src := open(t, Parquet, loadFile(t, "P23", side+".parquet"))
		start := read(t, src, "start_time", ingest.Time, ingest.Unit{})
		end := read(t, src, "end_time", ingest.Time, ingest.Unit{})
		if len(start.Times) != 50 {
			t.Fatalf("%s: %d rows, want 50", side, len(start.Times))
		}
		for i := range start.Times {
			if d := end.Times[i] - start.Times[i]; d != 250_000_000 {
				t.Errorf("%s row %d: %d ns, want 250 ms", side, i, d)
			}
		}
	}
}

// TestDeltaNulls is case P23/delta: more than one batch, every fifth row null.
func TestDeltaNulls(t *testing.T) {
	for _, side := range []string{"before", "after"} {
		src := open(t, Parquet, loadFile(t, "P23", "delta", side+".parquet"))
		c := read(t, src, "latency_us", ingest.Number, ingest.Unit{})
		v := values(c)
		if len(c.Floats) != 10_000 || len(v) != 8_000 || median(v) != 5999 {
			t.Errorf("%s: %d rows, %d values, p50 %v, want 10000, 8000, 5999", side, len(c.Floats), len(v), median(v))
		}
	}
}
