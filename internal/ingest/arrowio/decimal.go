package arrowio

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// pow10 holds the powers of ten that a float64 holds exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// decimalFloat returns the float64 nearest to v ÷ 10^scale.
func decimalFloat(v int64, scale int) float64 {
	if v > -1<<53 && v < 1<<53 && scale >= 0 && scale < len(pow10) {
		return float64(v) / pow10[scale] // both exact, so the quotient is correctly rounded
	}
	f, _ := strconv.ParseFloat(strconv.FormatInt(v, 10)+"e"+strconv.Itoa(-scale), 64)
	return f
}

// decimalText writes v ÷ 10^scale with all its digits.
func decimalText(digits string, scale int) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if scale <= 0 {
		if digits != "0" {
			digits += strings.Repeat("0", -scale)
		}
		return sign + digits
	}
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// smallDecimal reads a big-endian two's complement integer of any length, if
// an int64 holds it.
func smallDecimal(b []byte) (v int64, ok bool) {
	if len(b) == 0 {
		return 0, false
	}
	ext := byte(0)
	if b[0] >= 0x80 {
		ext, v = 0xff, -1
	}
	if drop := len(b) - 8; drop > 0 {
		for _, c := range b[:drop] {
			if c != ext {
				return 0, false
			}
		}
		if b = b[drop:]; (b[0]^ext)&0x80 != 0 {
			return 0, false
		}
	}
	for _, c := range b {
		v = v<<8 | int64(c)
	}
	return v, true
}

// bigDecimal reads a big-endian two's complement integer of any length.
func bigDecimal(b []byte) *big.Int {
	v := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return v
}

// bigDecimalFloat returns the float64 nearest to the integer ÷ 10^scale.
func bigDecimalFloat(b []byte, scale int) float64 {
	if v, ok := smallDecimal(b); ok {
		return decimalFloat(v, scale)
	}
	if len(b) == 0 {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(bigDecimal(b).String()+"e"+strconv.Itoa(-scale), 64)
	return f
}
