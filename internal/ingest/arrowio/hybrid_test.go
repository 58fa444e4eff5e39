package arrowio

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// packed is a bit-packed run of whole bytes of values.
func packed(bits int, values []int32) []byte {
	groups := (len(values) + 7) / 8
	out := append([]byte{byte(groups<<1 | 1)}, make([]byte, groups*bits)...)
	if groups > 63 {
		out = append([]byte{byte(groups<<1|1) | 0x80, byte(groups >> 6)}, make([]byte, groups*bits)...)
	}
	body := out[len(out)-groups*bits:]
	for i, v := range values {
		for b := range bits {
			at := i*bits + b
			body[at/8] |= byte(v>>b&1) << (at % 8)
		}
	}
	return out
}

// Packed values of every width come out as they went in, read in pieces of any
// length, and one that is not below the limit is an error wherever it stands.
func TestPackedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for bits := 1; bits <= 20; bits++ {
		for _, limit := range []int{1<<bits - 1, 1 << bits, max(1, 1<<bits/3)} {
			want := make([]int32, 1+r.IntN(700))
			for i := range want {
				want[i] = int32(r.IntN(limit))
			}
			read := func(b []byte) ([]int32, error) {
				h, few := newHybrid(b, uint(bits), limit), newHybrid(b, uint(bits), limit)
				got, bytes := make([]int32, len(want)), make([]uint8, len(want))
				for at := 0; at < len(got); {
					n := min(1+r.IntN(300), len(got)-at)
					err := h.decode(got[at : at+n])
					if bits <= 8 {
						if err2 := few.decodeFew(bytes[at : at+n]); fmt.Sprint(err2) != fmt.Sprint(err) {
							t.Fatalf("%d bits, limit %d: as bytes %v, else %v", bits, limit, err2, err)
						}
					}
					if err != nil {
						return nil, err
					}
					at += n
				}
				for i, b := range bytes {
					if bits <= 8 && int32(b) != got[i] {
						t.Fatalf("%d bits, limit %d: value %d is %d as a byte, else %d", bits, limit, i, b, got[i])
					}
				}
				return got, nil
			}
			if got, err := read(packed(bits, want)); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d bits, limit %d: %v, %v; want %v", bits, limit, got, err, want)
			}
			if limit == 1<<bits {
				continue
			}
			for range 50 {
				wrong := slices.Clone(want)
				wrong[r.IntN(len(wrong))] = int32(limit + r.IntN(1<<bits-limit))
				if _, err := read(packed(bits, wrong)); err == nil || !strings.Contains(err.Error(), "must be below") {
					t.Fatalf("%d bits, limit %d: %v: no error", bits, limit, wrong)
				}
			}
		}
	}
}
