package stats

import (
	"fmt"
	"math"
)

// ScoreTest is a test of the difference of two proportions with the restricted
// estimates that its variance used.
type ScoreTest struct {
	Test
	// P1 and P2 are the maximum likelihood estimates under P2 − P1 = null.
	P1, P2 float64
}

// FarringtonManning tests p2 − p1 against the null difference with the score
// test of Farrington & Manning (1990): the variance is taken at the maximum
// likelihood estimates restricted to the null. Greater means p2 − p1 > null; for
// noninferiority of a proportion of which more is better, null is −margin.
//
// With null 0 the statistic is the pooled z. The reference is the normal
// distribution.
//
// Special cases are: no variance under the null gives z = 0 if the observed
// difference equals it, ±Inf otherwise.
//
// Errors: ErrTooFew for a sample without trials, ErrDomain for counts outside
// [0, n] or a null outside (−1, 1).
//
// Source: Farrington & Manning 1990, Statistics in Medicine 9:1447,
// doi:10.1002/sim.4780091208.
func FarringtonManning(x1, n1, x2, n2 int64, null float64, alt Alternative) (ScoreTest, error) {
	return scoreTest(x1, n1, x2, n2, null, alt, false, MethodFarringtonManning)
}

// MiettinenNurminenTest is FarringtonManning with the variance times N/(N−1),
// the test that the MiettinenNurminen interval inverts.
func MiettinenNurminenTest(x1, n1, x2, n2 int64, null float64, alt Alternative) (ScoreTest, error) {
	return scoreTest(x1, n1, x2, n2, null, alt, true, MethodMiettinenNurminen)
}

func scoreTest(x1, n1, x2, n2 int64, null float64, alt Alternative, corrected bool, method string) (ScoreTest, error) {
	if err := checkTwoCounts(x1, n1, x2, n2); err != nil {
		return ScoreTest{}, err
	}
	if !(null > -1 && null < 1) {
		return ScoreTest{}, fmt.Errorf("null difference %v: want a number in (-1, 1): %w", null, ErrDomain)
	}
	z, p1, p2 := scoreZ(float64(x1), float64(n1), float64(x2), float64(n2), null, corrected)
	return ScoreTest{
		Test: Test{
			Statistic:   z,
			DF:          math.Inf(1),
			P:           tTestP(z, math.Inf(1), alt),
			Alternative: alt,
			Method:      method,
		},
		P1: p1,
		P2: p2,
	}, nil
}
