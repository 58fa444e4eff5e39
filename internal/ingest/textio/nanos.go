package textio

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// perUnit returns how many nanoseconds a unit of time has, 0 if it is not
// known to be one.
func perUnit(u ingest.Unit) uint64 {
	if !u.Known() || u.Name == ingest.One.Name {
		return 0
	}
	return uint64(u.Nanoseconds())
}

// nanos returns the number in nanoseconds without passing through a float64,
// rounded half away from zero where it has finer digits. text is what d was
// scanned from. It fails beyond the range of int64, which as a time since 1970
// ends in 2262.
func (d decimal) nanos(text []byte, per uint64) (int64, bool) {
	if d.mant == 0 && !d.big {
		return 0, true
	}
	if d.big {
		return d.nanosBig(text, per)
	}
	hi, lo := bits.Mul64(d.mant, per)
	switch {
	case d.exp > 0:
		if hi != 0 || d.exp > 18 {
			return 0, false
		}
		if hi, lo = bits.Mul64(lo, pow10u[d.exp]); hi != 0 {
			return 0, false
		}
	case d.exp < 0:
		e := -d.exp
		if e > 19 {
			return d.nanosBig(text, per)
		}
		den := pow10u[e]
		if hi >= den {
			return 0, false
		}
		var rem uint64
		lo, rem = bits.Div64(hi, lo, den)
		if rem >= den-rem {
			if lo++; lo == 0 {
				return 0, false
			}
		}
	case hi != 0:
		return 0, false
	}
	if lo > math.MaxInt64 {
		return 0, false
	}
	if d.neg {
		return -int64(lo), true
	}
	return int64(lo), true
}

var pow10u = func() (p [20]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// nanosBig is for numbers of 19 digits and more.
func (d decimal) nanosBig(text []byte, per uint64) (int64, bool) {
	// The magnitude is mant·10^exp to within one digit of mant.
	if d.exp > 18 || len(text) > 400 {
		return 0, false
	}
	if d.exp < -60 {
		return 0, true
	}
	r, ok := new(big.Rat).SetString(string(text))
	if !ok {
		return 0, false
	}
	r.Mul(r, new(big.Rat).SetInt(new(big.Int).SetUint64(per)))
	num, den := new(big.Int).Abs(r.Num()), r.Denom()
	num.Lsh(num, 1).Add(num, den)
	num.Quo(num, new(big.Int).Lsh(den, 1))
	if !num.IsInt64() {
		return 0, false
	}
	if d.neg {
		return -num.Int64(), true
	}
	return num.Int64(), true
}
