package stats

import (
	"math"
	"sort"
)

// ExactBootstrapQuantile gives the bootstrap distribution of the type 7 sample
// quantile of level q, an interpolation between two neighbouring order
// statistics, from their exact joint law. Assumption, warnings and limits are
// those of ExactBootstrapOrderStat. Cost after sorting: of the order √n.
//
// The joint law of ranks r and r+1 is: the resample has exactly r values at or
// below x_(a), one of them x_(a) itself, with probability
// P(Bin(n, a/n) = r)·(1 − (1−1/a)^r); given that, the next value exceeds x_(b),
// b ≥ a, with probability ((n−b)/(n−a))^(n−r). Otherwise both ranks fall on the
// same x_(a). This is Hutson & Ernst's formula with the factors regrouped so
// that nothing cancels or overflows.
//
// Errors: ErrTooFew for no values, ErrDomain for a value that is not finite, q
// or level outside (0, 1).
//
// Source: Hutson & Ernst 2000, doi:10.1111/1467-9868.00221.
func ExactBootstrapQuantile(x []float64, q, level float64) (BootstrapLaw, error) {
	if err := CheckFinite(x); err != nil {
		return BootstrapLaw{}, err
	}
	return ExactBootstrapQuantileSorted(sortedValues(x), q, level)
}

// ExactBootstrapQuantileSorted is ExactBootstrapQuantile for finite values in
// ascending order, which it does not check.
func ExactBootstrapQuantileSorted(sorted []float64, q, level float64) (BootstrapLaw, error) {
	n := len(sorted)
	if err := checkQuantileInterval(n, q, level); err != nil {
		return BootstrapLaw{}, err
	}
	r, g := quantilePosition(n, q, HF7)
	if g == 0 || r >= n {
		law, err := ExactBootstrapOrderStatSorted(sorted, min(r, n), level)
		law.Method = MethodExactBootstrapQuantile
		return law, err
	}
	law := newPairLaw(sorted, r, g)
	mean, variance := law.moments()
	minimum, maximum := law.x[0], law.farthest(len(law.x)-1)
	se := math.Sqrt(variance)
	out := BootstrapLaw{Mean: mean}
	out.Estimate = bootstrapEstimate(between(sorted[r-1], sorted[r], g), se,
		supportSearch(minimum, maximum, (1-level)/2, mean, se, law.cdf),
		supportSearch(minimum, maximum, (1+level)/2, mean, se, law.cdf),
		level, MethodExactBootstrapQuantile, law.rankLaw)
	return out, nil
}

// pairLaw is the joint bootstrap law of the order statistics of rank r < n and
// r+1, seen through (1−g) X_(r) + g X_(r+1).
type pairLaw struct {
	rankLaw
	sorted []float64
	g      float64
	split  []float64 // P(X_(r) = x_a, X_(r+1) > x_a), for each support value
	decay  []float64 // decay[k]: log P(X_(r+1) > rank first+k) up to a constant
}

func newPairLaw(sorted []float64, r int, g float64) pairLaw {
	l := pairLaw{rankLaw: newRankLaw(sorted, r), sorted: sorted, g: g}
	l.decay = make([]float64, l.reach(l.first+len(l.w)-1)-l.first+1)
	for k := range l.decay { // relative to rank r, where the logs are small
		l.decay[k] = float64(l.n-r) * math.Log1p(-float64(l.first+k-r)/float64(l.n-r))
	}
	// P(Bin(n, a/n) = r), again relative to a = r.
	fn, fr := float64(l.n), float64(r)
	peak := binomialTerm(fr, fn-fr, fr/fn, (fn-fr)/fn)
	l.split = make([]float64, len(l.w))
	for i, w := range l.w {
		a := float64(l.first + i)
		exactly := peak * math.Exp(l.decay[i]+fr*math.Log1p((a-fr)/fr))
		l.split[i] = math.Min(w, -exactly*math.Expm1(fr*math.Log1p(-1/a)))
	}
	return l
}

// negligible is the log of a probability that rounds away next to 1.
const negligible = -45.0

// reach is the rank beyond which X_(r+1) does not fall if X_(r) is x_a.
func (l pairLaw) reach(a int) int {
	left := float64(l.n-a) * math.Exp(negligible/float64(l.n-l.r))
	return min(l.n-int(left), l.n)
}

// beyond is P(X_(r+1) > x_b | X_(r) = x_a < X_(r+1)) for ranks b > a.
func (l pairLaw) beyond(a, b int) float64 {
	if d := l.decay[b-l.first] - l.decay[a-l.first]; d > negligible {
		return math.Exp(d)
	}
	return 0
}

// at is the quantile when rank r falls on support value i and rank r+1 on the
// order statistic of rank b.
func (l pairLaw) at(i, b int) float64 { return between(l.x[i], l.sorted[b-1], l.g) }

// farthest is the largest quantile with rank r on support value i.
func (l pairLaw) farthest(i int) float64 { return l.at(i, l.reach(l.first+i)) }

func (l pairLaw) moments() (mean, variance float64) {
	origin := l.sorted[l.r-1]
	// next[i] and next2[i]: first two moments of X_(r+1) − origin given that it
	// lies beyond support value i, from the top down.
	k := len(l.x)
	next, next2 := make([]float64, k), make([]float64, k)
	top := l.sorted[min(l.first+k-1, l.n-1)] - origin
	m1, m2 := top, top*top
	for i := k - 1; i >= 0; i-- {
		a := l.first + i
		if a < l.n {
			stay := l.beyond(a, min(a+1, l.first+len(l.decay)-1))
			d := l.sorted[a] - origin
			m1 = (1-stay)*d + stay*m1
			m2 = (1-stay)*d*d + stay*m2
		}
		next[i], next2[i] = m1, m2
	}
	var s1, s2 float64
	for i, w := range l.w {
		d := l.x[i] - origin
		same, apart := w-l.split[i], l.split[i]
		s1 += same*d + apart*((1-l.g)*d+l.g*next[i])
		s2 += same*d*d + apart*((1-l.g)*(1-l.g)*d*d+2*(1-l.g)*l.g*d*next[i]+l.g*l.g*next2[i])
	}
	return origin + s1, math.Max(0, s2-s1*s1)
}

// cdf returns P(quantile ≤ t) and the support values next to t. Only the few
// rows that straddle t are looked into.
func (l pairLaw) cdf(t float64) (f, le, gt float64) {
	le, gt = math.Inf(-1), math.Inf(1)
	start := sort.Search(len(l.x), func(i int) bool { return l.farthest(i) > t })
	if start > 0 {
		f, le = l.below[start], l.farthest(start-1)
	}
	for i := start; i < len(l.x); i++ {
		a := l.first + i
		if l.x[i] > t {
			gt = math.Min(gt, l.x[i])
			break
		}
		// farthest > t here, so reach(a) > b ≥ a.
		b := a + sort.Search(l.reach(a)-a, func(k int) bool { return l.at(i, a+k+1) > t })
		f += l.w[i] - l.split[i]
		if b > a {
			f += l.split[i] * (1 - l.beyond(a, b))
		}
		le = math.Max(le, l.at(i, b))
		gt = math.Min(gt, l.at(i, b+1))
	}
	return f, le, gt
}
