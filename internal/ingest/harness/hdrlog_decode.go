package harness

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Cookies of HdrHistogram's encodings, without the bits of the word size.
const (
	hdrV2           = 0x1c849303
	hdrV2Compressed = 0x1c849304
	hdrWord         = 0xf0
)

// hdrHeader is the length of the head of an encoded histogram: cookie, length of
// the payload, index offset, digits (4 bytes each), lowest and highest value, and
// the ratio to floating-point values (8 bytes each).
const hdrHeader = 40

// maxHdrCounts is the most buckets that a histogram of 5 digits over all int64
// has: 2^17 to the first octaves, half of it for each that follows.
const maxHdrCounts = 64 << 17

// All histograms of a log unpack to hdrUnpacked bytes, the largest that there
// can be, and hdrRatio times the size of the file at most. Real ones take 2 to 20
// times.
const (
	hdrUnpacked = hdrHeader + 9*maxHdrCounts
	hdrRatio    = 50
)

// inflateHdr checks the outer head and unpacks what follows it. Memory is bounded
// by what is left of the budget of the file, which it uses up.
func inflateHdr(raw []byte, budget *int64) ([]byte, error) {
	if len(raw) < 8 {
		return nil, fmt.Errorf("the encoded histogram has %d bytes, fewer than its head", len(raw))
	}
	switch cookie := binary.BigEndian.Uint32(raw) &^ hdrWord; cookie {
	case hdrV2Compressed:
	case hdrV2:
		*budget -= int64(len(raw))
		return raw, nil
	default:
		return nil, fmt.Errorf("the encoded histogram has the cookie %#x; only V2 of integer histograms is read (0x1c849314)", binary.BigEndian.Uint32(raw))
	}
	if n := int64(binary.BigEndian.Uint32(raw[4:])); n != int64(len(raw)-8) {
		return nil, fmt.Errorf("the encoded histogram says that it has %d compressed bytes and has %d", n, len(raw)-8)
	}
	z, err := zlib.NewReader(bytes.NewReader(raw[8:]))
	if err != nil {
		return nil, fmt.Errorf("the encoded histogram is not compressed: %w", err)
	}
	body, err := io.ReadAll(io.LimitReader(z, max(*budget, 0)+1))
	if err != nil {
		return nil, fmt.Errorf("the encoded histogram cannot be unpacked: %w", err)
	}
	if *budget -= int64(len(body)); *budget < 0 {
		return nil, fmt.Errorf("the histograms up to here unpack to more than %d times the size of the file", hdrRatio)
	}
	return body, nil
}

// hdrCounts are the counts of a histogram by bucket, as far as the last one that
// is not zero.
type hdrCounts struct {
	unitMagnitude, halfMagnitude uint
	counts                       []int64
}

// parse reads the head and the counts of an unpacked histogram into h, whose
// memory is used again.
func (h *hdrCounts) parse(b []byte) error {
	if len(b) < hdrHeader {
		return fmt.Errorf("the histogram has %d bytes, fewer than its head", len(b))
	}
	word := func(i int) int32 { return int32(binary.BigEndian.Uint32(b[i:])) }
	long := func(i int) int64 { return int64(binary.BigEndian.Uint64(b[i:])) }
	if binary.BigEndian.Uint32(b)&^hdrWord != hdrV2 {
		return fmt.Errorf("the histogram has the cookie %#x; only V2 is read (0x1c849313)", binary.BigEndian.Uint32(b))
	}
	payload, offset, digits := word(4), word(8), word(12)
	lowest, highest, ratio := long(16), long(24), math.Float64frombits(binary.BigEndian.Uint64(b[32:]))
	switch {
	case int(payload) != len(b)-hdrHeader:
		return fmt.Errorf("the histogram says that its counts take %d bytes, and they take %d", payload, len(b)-hdrHeader)
	case digits < 0 || digits > 5:
		return fmt.Errorf("the histogram has %d significant digits; want 0 to 5", digits)
	case lowest < 1 || highest < lowest || highest/2 < lowest:
		return fmt.Errorf("the histogram reaches from %d to %d; want at least from 1 to twice that", lowest, highest)
	case offset != 0 || ratio != 1:
		return fmt.Errorf("the histogram is shifted or scaled (offset %d, ratio %v), which is not read", offset, ratio)
	}
	h.counts = h.counts[:0]
	h.unitMagnitude = uint(bits.Len64(uint64(lowest)) - 1)
	single := 2 * math.Pow10(int(digits)) // largest value that has a bucket of its own unit
	h.halfMagnitude = max(uint(math.Ceil(math.Log2(single))), 1) - 1
	if h.unitMagnitude+h.halfMagnitude > 61 {
		return fmt.Errorf("the histogram of %d digits from %d on exceeds 64 bits", digits, lowest)
	}
	return h.read(b[hdrHeader:])
}

// read takes the counts: each is a number in ZigZag LEB128, a negative one a row
// of that many zeros.
func (h *hdrCounts) read(b []byte) error {
	total, at := int64(0), 0
	for len(b) > 0 {
		v, n := hdrVarint(b)
		if n == 0 {
			return errors.New("the counts of the histogram end within a number")
		}
		b = b[n:]
		if v < 0 {
			if v < -maxHdrCounts {
				return fmt.Errorf("the histogram skips %d buckets, more than there can be", -v)
			}
			if at -= int(v); at > maxHdrCounts {
				return fmt.Errorf("the histogram has more than %d buckets", maxHdrCounts)
			}
			continue
		}
		if v > 0 {
			if _, _, ok := h.edges(at); !ok {
				return fmt.Errorf("the histogram counts values in bucket %d, beyond 64 bits", at)
			}
			if total += v; total > 1<<53 || v > 1<<53 {
				return errors.New("the histogram counts more than 2^53 values")
			}
			h.reach(at + 1)
			h.counts[at] += v
		}
		at++
	}
	return nil
}

// reach lets there be counts of n buckets at least.
func (h *hdrCounts) reach(n int) {
	if n > len(h.counts) {
		h.counts = append(h.counts, make([]int64, n-len(h.counts))...)
	}
}

// hdrVarint reads a number in ZigZag LEB128, whose ninth byte has eight bits; n
// is its length, 0 if b ends before it does.
func hdrVarint(b []byte) (v int64, n int) {
	var u uint64
	for i := 0; i < 9 && i < len(b); i++ {
		if i == 8 {
			u |= uint64(b[i]) << 56
			return int64(u>>1) ^ -int64(u&1), 9
		}
		u |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return int64(u>>1) ^ -int64(u&1), i + 1
		}
	}
	return 0, 0
}

// edges returns the values that a bucket counts: from lower on, below upper.
func (h *hdrCounts) edges(index int) (lower, upper float64, ok bool) {
	half := 1 << h.halfMagnitude
	bucket, sub := index>>h.halfMagnitude-1, index&(half-1)+half
	if bucket < 0 {
		bucket, sub = 0, sub-half
	}
	shift := uint(bucket) + h.unitMagnitude
	if shift+h.halfMagnitude > 62 {
		return 0, 0, false
	}
	return math.Ldexp(float64(sub), int(shift)), math.Ldexp(float64(sub+1), int(shift)), true
}

// add adds the counts of another interval.
func (h *hdrCounts) add(o *hdrCounts) error {
	if h.unitMagnitude != o.unitMagnitude || h.halfMagnitude != o.halfMagnitude {
		return errors.New("the histogram has other significant digits or another lowest value than an earlier one of this tag")
	}
	h.reach(len(o.counts))
	for i, n := range o.counts {
		if h.counts[i] += n; h.counts[i] > 1<<53 {
			return errors.New("the histograms of this tag count more than 2^53 values")
		}
	}
	return nil
}

// histogram returns the buckets in order. The sum is not recorded.
func (h *hdrCounts) histogram() (ingest.Histogram, error) {
	out := ingest.Histogram{Sum: math.NaN()}
	var list []ingest.Bucket // in order, and beside each other
	for i, n := range h.counts {
		if n == 0 {
			continue
		}
		lower, upper, _ := h.edges(i)
		list = append(list, ingest.Bucket{Lower: lower, Upper: upper, Count: n})
	}
	var err error
	out.Buckets, err = ingest.MergeBuckets(nil, list)
	return out, err
}
