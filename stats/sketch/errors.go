package sketch

import (
	"errors"
	"fmt"
)

// Errors of the package. Wrapped errors carry the offending number and the limit.
var (
	// ErrEmpty reports a quantile or a mean asked of no values.
	ErrEmpty = errors.New("empty sketch")
	// ErrDomain reports an argument outside the method's domain.
	ErrDomain = errors.New("outside the domain")
	// ErrLayout reports two sketches whose bins differ and so cannot be added.
	ErrLayout = errors.New("bin layouts differ")
	// ErrOverflow reports a count that would exceed the range of int64.
	ErrOverflow = errors.New("count overflows int64")
	// ErrCorrupt reports an encoded sketch or a table that contradicts itself.
	ErrCorrupt = errors.New("corrupt sketch")
)

// checkQ returns an error unless q lies in [0, 1].
func checkQ(q float64) error {
	if !(q >= 0 && q <= 1) {
		return fmt.Errorf("quantile level %v: want a number in [0, 1]: %w", q, ErrDomain)
	}
	return nil
}
