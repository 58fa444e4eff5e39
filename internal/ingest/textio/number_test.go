package textio

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Every decimal has the value of strconv.ParseFloat, to the last bit.
func TestParseFloatIsStrconv(t *testing.T) {
	texts := []string{"0", "-0", "+1", "1.", ".5", "1e5", "1E-5", "9007199254740993", "9007199254740992.5",
		"1e22", "1e23", "123456789012345678", "12345678901234567890", "12345678901234567890123e-3",
		"0.000000000000000000000000000001", "1e400", "-1e400", "1e-400", "4.9e-324", "2.2250738585072011e-308",
		"1.7976931348623157e308", "1.7976931348623159e308", "0e999999999", "100000000000000000000000000",
		"1.00000000000000011102230246251565404236316680908203124", "203.555", "0.1", "1759522419154568925"}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		v := math.Float64frombits(rng.Uint64())
		for _, format := range []byte{'e', 'f', 'g'} {
			texts = append(texts, strconv.FormatFloat(v, format, rng.IntN(25)-1, 64))
		}
		texts = append(texts, strconv.FormatFloat(rng.ExpFloat64(), 'f', rng.IntN(20), 64), strconv.FormatUint(rng.Uint64(), 10))
	}
	for _, s := range texts {
		checkFloat(t, s)
	}
}

// checkFloat compares with strconv, which also takes words, hexadecimal and
// underscores.
func checkFloat(t *testing.T, s string) {
	t.Helper()
	want, err := strconv.ParseFloat(s, 64)
	got, ok := parseFloat([]byte(s))
	wantOK := (err == nil || errors.Is(err, strconv.ErrRange)) && !strings.ContainsAny(s, "xXnN_")
	if ok != wantOK || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("%q = %v, %v, want %v, %v", s, got, ok, want, wantOK)
	}
}

// What strconv knows and no load test writes is not a number, nor is anything
// that has to be guessed.
func TestNotANumber(t *testing.T) {
	for _, s := range []string{"", " ", "-", "+", ".", "e5", "1e", "1e+", "1,234", "1.234,5", "1_000", "0x10", "0x1p-2",
		"1 2", "--1", "1..2", "12abc", "$5", "5%", "٣", "1m", "m5s", "1h30s", "1m-5s", "1m5", "1m5.s"} {
		if v, ok := parseFloat([]byte(s)); ok {
			t.Errorf("%q is read as %v", s, v)
		}
		if q, ok := parseQuantity([]byte(s)); ok {
			t.Errorf("%q is read as %+v", s, q)
		}
	}
}

func TestParseQuantity(t *testing.T) {
	for _, c := range []struct {
		in   string
		want float64 // seconds
	}{
		{"157ms", 0.157}, {"157 ms", 0.157}, {"0.157289s", 0.157289}, {"1.5e3us", 0.0015}, {"5µs", 5e-6}, {"5μs", 5e-6},
		{"12ns", 12e-9}, {"2min", 120}, {"1h", 3600}, {"3 seconds", 3}, {"7MS", 0.007}, {"-5ms", -0.005},
		{"1m2.5s", 62.5}, {"1h0m0s", 3600}, {"2h3m4.000000005s", 7384.000000005}, {"-1m1s", -61},
	} {
		q, ok := parseQuantity([]byte(c.in))
		if got := q.unit.ToBase(q.dec.float(q.text)); !ok || !q.unit.Known() || got != c.want {
			t.Errorf("%s = %v s, %v, want %v", c.in, got, ok, c.want)
		}
	}
}

func TestNanos(t *testing.T) {
	for _, c := range []struct {
		in   string
		unit ingest.Unit
		want int64
		ok   bool
	}{
		{"1759522419154568925", ingest.Nanosecond, 1759522419154568925, true},
		{"1759522419.154568925", ingest.Second, 1759522419154568925, true},
		{"1759522419154.568925", ingest.Millisecond, 1759522419154568925, true},
		{"1.759522419154568925e9", ingest.Second, 1759522419154568925, true},
		{"-0.000000001", ingest.Second, -1, true},
		{"0.1", ingest.Second, 100_000_000, true},
		{"1748772000.1234567891234567", ingest.Second, 1748772000_123456789, true}, // finer than a nanosecond
		{"0.0000000005", ingest.Second, 1, true},                                   // half away from zero
		{"0.00000000049999999999999999999", ingest.Second, 0, true},
		{"9223372036854775807", ingest.Nanosecond, math.MaxInt64, true},
		{"9223372036854775808", ingest.Nanosecond, 0, false},
		{"1e300", ingest.Second, 0, false},
		{"1e19", ingest.Nanosecond, 0, false},
		{"1e-300", ingest.Second, 0, true},
		{"0e300", ingest.Second, 0, true},
		{"1.5", ingest.Hour, 5400e9, true},
		{"18446744073709551615", ingest.Hour, 0, false},
	} {
		d := scanDecimal([]byte(c.in))
		got, ok := d.nanos([]byte(c.in), perUnit(c.unit))
		if got != c.want || ok != c.ok || d.n != len(c.in) {
			t.Errorf("%s %s = %d, %v, want %d, %v", c.in, c.unit.Name, got, ok, c.want, c.ok)
		}
	}
}

// The integer path and the one with big numbers agree with rational
// arithmetic.
func TestNanosIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	units := []ingest.Unit{ingest.Nanosecond, ingest.Microsecond, ingest.Millisecond, ingest.Second, ingest.Minute, ingest.Hour}
	for range 20000 {
		s := strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)
		if rng.IntN(2) == 0 {
			s += "." + strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)
		}
		if rng.IntN(4) == 0 {
			s += "e" + strconv.Itoa(rng.IntN(40)-25)
		}
		u := units[rng.IntN(len(units))]
		got, ok := scanDecimal([]byte(s)).nanos([]byte(s), perUnit(u))
		r, _ := new(big.Rat).SetString(s)
		r.Mul(r, new(big.Rat).SetInt64(int64(u.Nanoseconds())))
		r.Add(r, big.NewRat(1, 2))
		want := new(big.Int).Quo(r.Num(), r.Denom())
		if ok != want.IsInt64() || ok && got != want.Int64() {
			t.Fatalf("%s %s = %d, %v, want %s", s, u.Name, got, ok, want)
		}
	}
}

func TestTimestampIsTimeParse(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	lo := time.Date(1678, 1, 2, 0, 0, 0, 0, time.UTC).Unix()
	hi := time.Date(2261, 12, 30, 0, 0, 0, 0, time.UTC).Unix()
	for range 20000 {
		at := time.Unix(lo+rng.Int64N(hi-lo), rng.Int64N(1e9)).In(time.FixedZone("", (rng.IntN(47)-23)*1800))
		for _, layout := range []string{time.RFC3339Nano, time.RFC3339, "2006-01-02 15:04:05.000000Z07:00", "2006-01-02T15:04:05.000-0700"} {
			s := at.Format(layout)
			want, err := time.Parse(layout, s)
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := parseTimestamp([]byte(s)); !ok || got != want.UnixNano() {
				t.Fatalf("%s = %d, %v, want %d", s, got, ok, want.UnixNano())
			}
		}
	}
}

func TestTimestamp(t *testing.T) {
	const noon = 1748779200_000_000_000 // 2025-06-01T12:00:00Z
	for _, c := range []struct {
		in   string
		want int64
		ok   bool
	}{
		{"2025-06-01T12:00:00Z", noon, true},
		{"2025-06-01T12:00:00", noon, true},
		{"2025-06-01 12:00:00", noon, true},
		{"2025-06-01 12:00:00.123", noon + 123e6, true},
		{"2025-06-01 12:00:00.1234567899", noon + 123456789, true},
		{"2025-06-01 12:00:00 UTC", noon, true},
		{"2025-06-01 14:00:00+02", noon, true},
		{"2025-06-01t14:00:00+0200", noon, true},
		{"2025-06-01T06:30:00-05:30", noon, true},
		{"2024-02-29T00:00:00Z", 1709164800e9, true},
		{"2025-02-29T00:00:00Z", 0, false},
		{"2025-13-01T00:00:00Z", 0, false},
		{"2025-06-31T00:00:00Z", 0, false},
		{"2025-06-01T24:00:00Z", 0, false},
		{"2025-06-01T12:00:60Z", 0, false},
		{"2025-06-01T12:00:00.Z", 0, false},
		{"2025-06-01T12:00:00,5Z", 0, false},
		{"2025-06-01T12:00:00 ", 0, false},
		{"2025-06-01T12:00:00+2:00", 0, false},
		{"2025-06-01T12:00:00+24:00", 0, false},
		{"2025-06-01", 0, false},
		{"01/06/2025 12:00:00", 0, false},
		{"1600-06-01T12:00:00Z", 0, false},
		{"2300-06-01T12:00:00Z", 0, false},
	} {
		if got, ok := parseTimestamp([]byte(c.in)); got != c.want || ok != c.ok {
			t.Errorf("%s = %d, %v, want %d, %v", c.in, got, ok, c.want, c.ok)
		}
	}
}
