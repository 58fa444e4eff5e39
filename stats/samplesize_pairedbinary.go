package stats

import (
	"fmt"
	"math"
)

// McNemarSize is the number of pairs for McNemar's test.
type McNemarSize struct {
	// SampleSize holds Connor's (1987) number.
	SampleSize
	// Miettinen is the second-order number of Miettinen (1968), not rounded; it
	// is somewhat smaller.
	Miettinen float64
}

// NMcNemar returns the number of pairs with which McNemar's two-sided asymptotic
// test at level alpha detects that gain, the chance that only y succeeds, and
// loss, the chance that only x succeeds, differ. Check the answer with
// McNemarPower when it is below about 300.
//
// Special cases are:
//
//	gain = loss: ErrImpossible
//	gain or loss outside [0, 1] or a sum above 1, alpha or power outside (0, 1),
//	power ≤ alpha: ErrDomain
//
// Source: Connor 1987, Biometrics 43:207; Miettinen 1968, Biometrics 24:339.
func NMcNemar(gain, loss, alpha, power float64) (McNemarSize, error) {
	if err := checkPlan(alpha, power); err != nil {
		return McNemarSize{}, err
	}
	if err := checkDiscordance(gain, loss); err != nil {
		return McNemarSize{}, err
	}
	psi, d := gain+loss, gain-loss
	if err := checkEffect(d); err != nil {
		return McNemarSize{}, err
	}
	size, err := normalSize(MethodSizeMcNemar, math.Abs(d), math.Sqrt(psi), math.Sqrt(math.Max(0, psi-d*d)), alpha/2, power)
	if err != nil {
		return McNemarSize{}, err
	}
	za, zb := -NormalQuantile(alpha/2), NormalQuantile(power)
	root := za*psi + zb*math.Sqrt(psi*psi-d*d*(3+psi)/4)
	return McNemarSize{SampleSize: size, Miettinen: root * root / (psi * d * d)}, nil
}

// PairedBinaryNISize is the number of pairs for noninferiority of paired
// right-or-wrong answers.
type PairedBinaryNISize struct {
	// SampleSize holds the number based on the restricted maximum likelihood;
	// Power is the exact power of the score test at N, by enumeration.
	SampleSize
	// Wald is the number, not rounded, that takes the variance at the true rates
	// under both hypotheses. It is too small, and shown for comparison only.
	Wald float64
	// RestrictedLoss is the chance that only x succeeds at the point of the null
	// boundary nearest to the expected rates.
	RestrictedLoss float64
}

// NPairedBinaryNI returns the number of pairs with which the one-sided score test
// (Tango's, Nam's) at level alpha shows that the success rate of y is not worse
// than that of x by margin or more. discordance is the chance that exactly one of
// the two succeeds and trueDiff the true difference of the rates, y − x.
//
// The discordance matters more than the rates themselves. Power is exact; where
// it falls short of the request, as it may for small numbers since the true power
// saws up and down in N, the warning exact_power_short is set.
//
// Special cases are:
//
//	trueDiff ≤ −margin, or both 0: ErrImpossible
//	discordance outside (0, 1] or below |trueDiff|, margin < 0 or ≥ 1, NaN,
//	alpha or power outside (0, 1), power ≤ alpha: ErrDomain
//
// Source: Nam 1997, Biometrics 53:1422; Liu et al. 2002, Statistics in Medicine
// 21:231.
func NPairedBinaryNI(discordance, trueDiff, margin, alpha, power float64) (PairedBinaryNISize, error) {
	if err := checkPlan(alpha, power); err != nil {
		return PairedBinaryNISize{}, err
	}
	if !(discordance > 0 && discordance <= 1) {
		return PairedBinaryNISize{}, fmt.Errorf("discordance %v: want a number in (0, 1]: %w", discordance, ErrDomain)
	}
	if margin >= 1 {
		return PairedBinaryNISize{}, fmt.Errorf("margin %v: want a difference of rates below 1: %w", margin, ErrDomain)
	}
	distance, err := checkMargin(margin, trueDiff)
	if err != nil {
		return PairedBinaryNISize{}, err
	}
	if math.Abs(trueDiff) > discordance {
		return PairedBinaryNISize{}, fmt.Errorf("true difference %v exceeds the discordance %v: %w", trueDiff, discordance, ErrDomain)
	}
	gain, loss := (discordance+trueDiff)/2, (discordance-trueDiff)/2
	restricted := restrictedGain(gain, loss, 1, margin)
	null := math.Sqrt(2*restricted + margin*(1-margin))
	alternative := math.Sqrt(math.Max(0, discordance-trueDiff*trueDiff))
	size, err := normalSize(MethodSizePairedBinaryNI, distance, null, alternative, alpha, power)
	if err != nil {
		return PairedBinaryNISize{}, err
	}
	if size.Power, err = PairedBinaryNIPower(size.N, gain, loss, margin, alpha); err != nil {
		return PairedBinaryNISize{}, err
	}
	if size.Power < power {
		size.Warnings = append(size.Warnings, Warning{
			Code: WarnExactPowerShort,
			Text: fmt.Sprintf("the exact power at %d pairs is %.3f, below the %v asked for: take a few more", size.N, size.Power, power),
		})
	}
	z := NormalQuantile(power) - NormalQuantile(alpha)
	return PairedBinaryNISize{
		SampleSize:     size,
		Wald:           math.Pow(z*alternative/distance, 2),
		RestrictedLoss: restricted + margin,
	}, nil
}

// LeastPairedBinaryNI is the number of pairs with which Tango's noninferiority test
// at one-sided level alpha shows the margin if no pair is discordant: fewer cannot
// show it, whatever they are. With z the normal quantile of 1 − alpha the score
// interval of n concordant pairs begins at −z²/(n + z²), so it is the smallest
// n > z²·(1 − margin)/margin.
//
// It returns ErrDomain unless margin and alpha are numbers in (0, 1) with alpha
// below 1/2, and ErrImpossible where it is more than a billion.
//
// Source: Tango 1998, Statistics in Medicine 17:891.
func LeastPairedBinaryNI(margin, alpha float64) (int, error) {
	if !(margin > 0 && margin < 1) {
		return 0, fmt.Errorf("margin %v: want a number in (0, 1): %w", margin, ErrDomain)
	}
	if !(alpha > 0 && alpha < 0.5) {
		return 0, fmt.Errorf("one-sided level %v: want a number in (0, 0.5): %w", alpha, ErrDomain)
	}
	z := NormalQuantile(1 - alpha)
	n := math.Floor(z * z * (1 - margin) / margin)
	if n >= 1e9 {
		return 0, fmt.Errorf("margin %v takes more than a billion pairs: %w", margin, ErrImpossible)
	}
	return int(n) + 1, nil
}

// restrictedGain returns the restricted maximum-likelihood rate of "only y
// succeeds" under loss − gain = margin ≥ 0, for counts or rates gain and loss out
// of n, in the form of Tango's quadratic that is free of cancellation.
func restrictedGain(gain, loss, n, margin float64) float64 {
	b := -gain - loss + (2*n-loss+gain)*margin
	c := -gain * margin * (1 - margin)
	root := math.Sqrt(b*b - 8*n*c)
	if b > 0 {
		return -2 * c / (root + b)
	}
	return (root - b) / (4 * n)
}

// checkDiscordance returns an error unless gain and loss are chances of
// exclusive events.
func checkDiscordance(gain, loss float64) error {
	if !(gain >= 0 && loss >= 0 && gain+loss <= 1) {
		return fmt.Errorf("discordant rates %v and %v: want two numbers of at least 0 with a sum of at most 1: %w", gain, loss, ErrDomain)
	}
	return nil
}
