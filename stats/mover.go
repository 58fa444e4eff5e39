package stats

import (
	"fmt"
	"math"
)

// MOVERDifference gives an interval for y − x of two independent estimates from
// the limits of each at the same level, keeping their asymmetry:
//
//	lo = d − √((y − ylo)² + (xhi − x)² + extra²),  hi = d + √((yhi − y)² + (x − xlo)² + extra²)
//
// extra is the half-width, at the same level, of an independent error of the
// difference that neither interval knows of; 0 for none. Apply it to logarithms
// for a ratio.
//
// Special cases are: an unbounded limit of x or y makes the limits that use it
// unbounded.
//
// Errors: ErrDomain if an estimate lies outside its limits, is NaN, or extra is
// negative.
//
// Source: the method of variance estimates recovery, Zou and Donner 2008,
// Statistics in Medicine 27:1693, doi:10.1002/sim.3095; Newcombe's hybrid score
// interval is the same idea for proportions.
func MOVERDifference(x float64, xi Interval, y float64, yi Interval, extra float64) (Interval, error) {
	if !(xi.Lo <= x && x <= xi.Hi) {
		return Interval{}, fmt.Errorf("estimate %v outside its limits [%v, %v]: %w", x, xi.Lo, xi.Hi, ErrDomain)
	}
	if !(yi.Lo <= y && y <= yi.Hi) {
		return Interval{}, fmt.Errorf("estimate %v outside its limits [%v, %v]: %w", y, yi.Lo, yi.Hi, ErrDomain)
	}
	if !(extra >= 0) {
		return Interval{}, fmt.Errorf("extra half-width %v: want a number from 0: %w", extra, ErrDomain)
	}
	d := y - x
	return Interval{
		Lo:    d - math.Hypot(math.Hypot(y-yi.Lo, xi.Hi-x), extra),
		Hi:    d + math.Hypot(math.Hypot(yi.Hi-y, x-xi.Lo), extra),
		Level: min(xi.Level, yi.Level),
	}, nil
}
