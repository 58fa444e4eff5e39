package stats

import (
	"fmt"
	"math"
)

// McNemarPowers is the power of three forms of McNemar's two-sided test.
type McNemarPowers struct {
	Exact      float64 // exact conditional binomial test
	MidP       float64 // mid-p version
	Asymptotic float64 // chi-squared without continuity correction
}

// McNemarPower returns the power of McNemar's two-sided tests at level alpha with
// n pairs, gain being the chance that only y succeeds and loss that only x does.
// All tables are summed: the number of discordant pairs is binomial, and the
// split of the discordant pairs is binomial given their number. With gain = loss
// it is the size of the tests.
//
// It returns ErrTooFew for n < 1 and ErrDomain for rates that are negative or sum
// to more than 1, or alpha outside (0, 1). The cost is linear in n.
func McNemarPower(n int, gain, loss, alpha float64) (McNemarPowers, error) {
	if n < 1 {
		return McNemarPowers{}, fmt.Errorf("%d pairs: want at least 1: %w", n, ErrTooFew)
	}
	if err := checkDiscordance(gain, loss); err != nil {
		return McNemarPowers{}, err
	}
	if err := checkAlpha(alpha); err != nil {
		return McNemarPowers{}, err
	}
	psi := gain + loss
	if psi == 0 {
		return McNemarPowers{}, nil
	}
	z := -NormalQuantile(alpha / 2)
	var out McNemarPowers
	// The largest minority counts that still reject grow with m, so each search
	// goes on from the last.
	exact, midp := -1, -1
	for m := 1; m <= n; m++ {
		for 2*(exact+1) < m && 2*BinomialCDF(exact+1, m, 0.5) <= alpha {
			exact++
		}
		for 2*(midp+1) < m && 2*BinomialCDF(midp+1, m, 0.5)-BinomialPMF(midp+1, m, 0.5) <= alpha {
			midp++
		}
		weight := BinomialPMF(m, n, psi)
		if weight == 0 {
			continue
		}
		// (m − 2k)² ≥ z²·m, with slack for rounding at equality.
		asym := int(math.Floor((float64(m) - z*math.Sqrt(float64(m))*(1-1e-12)) / 2))
		share := gain / psi
		out.Exact += weight * bothTails(exact, m, share)
		out.MidP += weight * bothTails(midp, m, share)
		out.Asymptotic += weight * bothTails(asym, m, share)
	}
	return out, nil
}

// bothTails is P(X ≤ k or X ≥ m − k) for X ~ Bin(m, p) and k < m/2.
func bothTails(k, m int, p float64) float64 {
	if k < 0 {
		return 0
	}
	if 2*k >= m {
		return 1
	}
	return BinomialCDF(k, m, p) + BinomialSurvival(m-k-1, m, p)
}

// PairedBinaryNIPower returns the chance that the one-sided score test at level
// alpha, with n pairs, shows the success rate of y to be not worse than that of x
// by margin or more; gain is the chance that only y succeeds and loss that only x
// does. With gain − loss = −margin it is the size of the test.
//
// All tables are summed, except numbers of discordant pairs that together have a
// probability below 1e-15. It returns ErrTooFew for n < 1 and ErrDomain for rates
// that are negative or sum to more than 1, a margin outside [0, 1) or alpha
// outside (0, 1).
func PairedBinaryNIPower(n int, gain, loss, margin, alpha float64) (float64, error) {
	if n < 1 {
		return 0, fmt.Errorf("%d pairs: want at least 1: %w", n, ErrTooFew)
	}
	if err := checkDiscordance(gain, loss); err != nil {
		return 0, err
	}
	if !(margin >= 0 && margin < 1) {
		return 0, fmt.Errorf("margin %v: want a number in [0, 1): %w", margin, ErrDomain)
	}
	if err := checkAlpha(alpha); err != nil {
		return 0, err
	}
	psi := gain + loss
	z := -NormalQuantile(alpha)
	center := float64(n) * psi
	reach := 9*math.Sqrt(center*(1-psi)) + 40
	first := max(0, int(center-reach))
	last := min(n, int(center+reach)+1)
	share := 0.0
	if psi > 0 {
		share = gain / psi
	}
	total := 0.0
	for m := first; m <= last; m++ {
		weight := BinomialPMF(m, n, psi)
		if weight == 0 {
			continue
		}
		// The statistic increases in the gains at a fixed number of discordant
		// pairs: find the fewest gains that reject.
		lo, hi := -1, m+1
		for hi-lo > 1 {
			mid := lo + (hi-lo)/2
			if noninferiorityScore(float64(mid), float64(m-mid), float64(n), margin) >= z {
				hi = mid
			} else {
				lo = mid
			}
		}
		total += weight * BinomialSurvival(hi-1, m, share)
	}
	return math.Min(1, total), nil
}

// noninferiorityScore is the score statistic of Tango 1998 for the hypothesis
// that the rate of y is below that of x by margin, given the discordant counts of
// n pairs. It is 0 where numerator and variance vanish.
func noninferiorityScore(gains, losses, n, margin float64) float64 {
	num := gains - losses + n*margin
	if num == 0 {
		return 0
	}
	v := n * (2*restrictedGain(gains, losses, n, margin) + margin*(1-margin))
	if v <= 0 {
		return math.Copysign(math.Inf(1), num)
	}
	return num / math.Sqrt(v)
}
