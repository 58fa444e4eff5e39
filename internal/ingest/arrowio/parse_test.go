package arrowio

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		text  string
		unit  ingest.Unit
		want  float64
		state ingest.State
	}{
		{"157", ingest.Millisecond, 157.0 / 1e3, ingest.Present},
		{" 157 ", ingest.Second, 157, ingest.Present},
		{"157ms", ingest.Second, 157.0 / 1e3, ingest.Present}, // its own unit wins
		{"1.5 s", ingest.Millisecond, 1.5, ingest.Present},
		{"2us", ingest.Unit{}, 2.0 / 1e6, ingest.Present},
		{"-1e3", ingest.Unit{}, -1000, ingest.Present},
		{".5", ingest.Unit{}, 0.5, ingest.Present},
		{"1e400", ingest.Unit{}, math.Inf(1), ingest.Present},
		{"inf", ingest.Unit{}, math.Inf(1), ingest.Present},
		{"true", ingest.Unit{}, 1, ingest.Present},
		{"", ingest.Unit{}, 0, ingest.Missing},
		{"null", ingest.Unit{}, 0, ingest.Missing},
		{"None", ingest.Unit{}, 0, ingest.Missing},
		{"1,234", ingest.Unit{}, 0, ingest.Malformed},
		{"N/A", ingest.Unit{}, 0, ingest.Malformed},
		{"12 parsecs", ingest.Unit{}, 0, ingest.Malformed},
		{"0x10", ingest.Unit{}, 0, ingest.Malformed},
		{"1_000", ingest.Unit{}, 0, ingest.Malformed},
		{"ms", ingest.Unit{}, 0, ingest.Malformed},
	} {
		got, state := parseNumber(c.text, c.unit)
		if got != c.want || state != c.state {
			t.Errorf("%q: %v, %d, want %v, %d", c.text, got, state, c.want, c.state)
		}
	}
}

func TestParseTime(t *testing.T) {
	noon := time.Date(2025, 6, 15, 12, 0, 0, 123456789, time.UTC).UnixNano()
	for _, c := range []struct {
		text  string
		unit  ingest.Unit
		want  int64
		state ingest.State
	}{
		{"2025-06-15T12:00:00.123456789Z", ingest.Unit{}, noon, ingest.Present},
		{"2025-06-15T14:00:00.123456789+02:00", ingest.Unit{}, noon, ingest.Present},
		{"2025-06-15 14:00:00.123456789+0200", ingest.Unit{}, noon, ingest.Present},
		{"2025-06-15 10:00:00.123456789-02", ingest.Unit{}, noon, ingest.Present},
		{"2025-06-15 12:00:00.123456789 UTC", ingest.Unit{}, noon, ingest.Present},
		{"2025-06-15T12:00:00.123456789", ingest.Unit{}, noon, ingest.Present}, // no zone: UTC
		{strconv.FormatInt(noon, 10), ingest.Nanosecond, noon, ingest.Present},
		{"1500", ingest.Millisecond, 1_500_000_000, ingest.Present},
		{"1500us", ingest.Second, 1_500_000, ingest.Present},
		{"1.5", ingest.Second, 1_500_000_000, ingest.Present},
		{"1500", ingest.Unit{}, 0, ingest.Malformed}, // no unit
		{"9e18", ingest.Second, 0, ingest.Malformed}, // out of range
		{"2600-01-01T00:00:00Z", ingest.Unit{}, 0, ingest.Malformed},
		{"2025-13-01T00:00:00Z", ingest.Unit{}, 0, ingest.Malformed},
		{"yesterday", ingest.Second, 0, ingest.Malformed},
		{"", ingest.Second, 0, ingest.Missing},
	} {
		got, state := parseTime(c.text, c.unit)
		if got != c.want || state != c.state {
			t.Errorf("%q in %s: %d, %d, want %d, %d", c.text, c.unit.Name, got, state, c.want, c.state)
		}
	}
}

// TestDecimalFloat compares with exact rational arithmetic.
func TestDecimalFloat(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		v := int64(rng.Uint64()) >> rng.IntN(64)
		scale := rng.IntN(40) - 3
		r := new(big.Rat).SetInt64(v)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
		if scale >= 0 {
			r.Quo(r, new(big.Rat).SetInt(ten))
		} else {
			r.Mul(r, new(big.Rat).SetInt(ten))
		}
		want, _ := r.Float64()
		if got := decimalFloat(v, scale); got != want {
			t.Fatalf("%d / 10^%d: %v, want %v", v, scale, got, want)
		}
		r.Mul(r, big.NewRat(1e6, 1)) // milliseconds in nanoseconds
		near := nearest(r)
		got, ok := decimalNanos(v, scale, 1e6)
		if ok != near.IsInt64() && scale <= 18 || ok && scale <= 18 && got != near.Int64() {
			t.Fatalf("%d / 10^%d ms: %d ns, %v, want %v", v, scale, got, ok, near)
		}
	}
}

// nearest rounds half away from zero.
func nearest(r *big.Rat) *big.Int {
	num := new(big.Int).Lsh(new(big.Int).Abs(r.Num()), 1)
	num.Add(num, r.Denom())
	num.Quo(num, new(big.Int).Lsh(r.Denom(), 1))
	if r.Sign() < 0 {
		num.Neg(num)
	}
	return num
}

func TestSmallDecimal(t *testing.T) {
	for _, width := range []int{1, 4, 8, 9, 16, 32} {
		for _, v := range []int64{0, 1, -1, 127, -128, math.MaxInt64, math.MinInt64} {
			b := make([]byte, width)
			for i := range b {
				b[i] = byte(v >> min(8*(width-1-i), 63))
			}
			want := bigDecimal(b)
			if got, ok := smallDecimal(b); !ok || want.Cmp(big.NewInt(got)) != 0 {
				t.Errorf("%x: %d, %v, want %s", b, got, ok, want)
			}
		}
	}
	for _, b := range [][]byte{nil, {1, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0x80, 0, 0, 0, 0, 0, 0, 0}, {0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0}} {
		if v, ok := smallDecimal(b); ok {
			t.Errorf("%x: taken for %d", b, v)
		}
	}
}

// TestFloatNanos checks that a time in float seconds keeps all digits it has.
func TestFloatNanos(t *testing.T) {
	for _, c := range []struct {
		v    float64
		per  float64
		want int64
		ok   bool
	}{
		{1750000000.25, 1e9, 1750000000250000000, true},
		{-1.5, 1e9, -1500000000, true},
		{1750000000000, 1e6, 1750000000000000000, true},
		{1e30, 1e9, 0, false},
		{math.NaN(), 1, 0, false},
		{math.Inf(-1), 1, 0, false},
		{math.MaxInt64, 1, 0, false}, // the float is 2^63
	} {
		if got, ok := floatNanos(c.v, c.per); got != c.want || ok != c.ok {
			t.Errorf("%v × %v: %d, %v, want %d, %v", c.v, c.per, got, ok, c.want, c.ok)
		}
	}
}
