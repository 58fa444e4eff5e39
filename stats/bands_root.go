package stats

import "math"

// findRoot returns a root of f in [lo, hi], where f(lo) and f(hi) have opposite
// signs, by the Illinois variant of regula falsi, to a relative width of tol.
func findRoot(f func(float64) float64, lo, hi, tol float64) float64 {
	flo, fhi := f(lo), f(hi)
	if flo == 0 {
		return lo
	}
	if fhi == 0 {
		return hi
	}
	side := 0
	for range 200 {
		if math.Abs(hi-lo) <= tol*math.Max(math.Abs(lo), math.Abs(hi)) {
			break
		}
		mid := (lo*fhi - hi*flo) / (fhi - flo)
		if !(mid > math.Min(lo, hi) && mid < math.Max(lo, hi)) {
			mid = (lo + hi) / 2
		}
		fm := f(mid)
		switch {
		case fm == 0:
			return mid
		case (fm > 0) == (fhi > 0):
			if math.Abs(hi-mid) <= tol*math.Abs(mid)/8 {
				return mid
			}
			hi, fhi = mid, fm
			if side == 1 {
				flo /= 2
			}
			side = 1
		default:
			if math.Abs(mid-lo) <= tol*math.Abs(mid)/8 {
				return mid
			}
			lo, flo = mid, fm
			if side == -1 {
				fhi /= 2
			}
			side = -1
		}
	}
	return (lo + hi) / 2
}
