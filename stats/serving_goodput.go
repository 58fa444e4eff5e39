package stats

import (
	"fmt"
	"math"
)

// Goodput is the share and the rate of requests that met every objective.
type Goodput struct {
	Good, N int
	// Fraction is Good/N with its Wilson interval, which takes requests as
	// independent: a display of one run, not a comparison of systems.
	Fraction Estimate
	// PerTime is Good divided by the duration.
	PerTime float64
}

// JointGoodput counts the requests that met both objectives, ttft ≤ sloTTFT and
// tpot ≤ sloTPOT, and did not fail, over a run of the given duration. A failed
// request counts as bad whatever its times, even NaN; none is dropped.
//
// ok[i] tells whether request i succeeded; nil means all did. tpotDefined[i] tells
// whether it has a time per token; without one it is judged by its first token
// alone; nil means all have.
//
// It returns ErrMismatch for slices of different lengths, ErrTooFew for no requests,
// and ErrDomain for a NaN or negative time that is needed, an objective that is NaN
// or negative, a duration that is not positive, or a level outside (0, 1).
func JointGoodput(ttft, tpot []float64, tpotDefined, ok []bool, sloTTFT, sloTPOT, duration, level float64) (Goodput, error) {
	n := len(ttft)
	if len(tpot) != n || (tpotDefined != nil && len(tpotDefined) != n) || (ok != nil && len(ok) != n) {
		return Goodput{}, fmt.Errorf("%d first-token times, %d token times, %d and %d marks: %w", n, len(tpot), len(tpotDefined), len(ok), ErrMismatch)
	}
	if n == 0 {
		return Goodput{}, fmt.Errorf("0 requests: want at least 1: %w", ErrTooFew)
	}
	if !(sloTTFT >= 0) || !(sloTPOT >= 0) {
		return Goodput{}, fmt.Errorf("objectives %v and %v: want numbers of at least 0: %w", sloTTFT, sloTPOT, ErrDomain)
	}
	if !(duration > 0) || math.IsInf(duration, 1) {
		return Goodput{}, fmt.Errorf("duration %v: want a finite positive number: %w", duration, ErrDomain)
	}
	good := 0
	for i := range ttft {
		if ok != nil && !ok[i] {
			continue
		}
		if !(ttft[i] >= 0) {
			return Goodput{}, fmt.Errorf("request %d succeeded with a first-token time of %v: want at least 0: %w", i, ttft[i], ErrDomain)
		}
		met := ttft[i] <= sloTTFT
		if tpotDefined == nil || tpotDefined[i] {
			if !(tpot[i] >= 0) {
				return Goodput{}, fmt.Errorf("request %d succeeded with a time per token of %v: want at least 0: %w", i, tpot[i], ErrDomain)
			}
			met = met && tpot[i] <= sloTPOT
		}
		if met {
			good++
		}
	}
	fraction, err := Wilson(int64(good), int64(n), level)
	if err != nil {
		return Goodput{}, err
	}
	return Goodput{Good: good, N: n, Fraction: fraction, PerTime: float64(good) / duration}, nil
}

// BurnRate returns how fast an error budget is spent: the share of bad requests
// divided by the share allowed, 1 − objective, with the Clopper–Pearson interval
// divided likewise. 1 spends the budget exactly.
//
// It returns ErrTooFew for total < 1, and ErrDomain for bad outside [0, total], an
// objective or a level outside (0, 1).
func BurnRate(bad, total int64, objective, level float64) (Estimate, error) {
	if !(objective > 0 && objective < 1) {
		return Estimate{}, fmt.Errorf("objective %v: want a number in (0, 1): %w", objective, ErrDomain)
	}
	e, err := ClopperPearson(bad, total, level)
	if err != nil {
		return Estimate{}, err
	}
	budget := 1 - objective
	e.Value /= budget
	e.SE /= budget
	e.Interval.Lo /= budget
	e.Interval.Hi /= budget
	e.Method = MethodBurnRate
	return e, nil
}
