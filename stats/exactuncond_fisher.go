package stats

import "math"

// FisherExact tests p2 = p1 by Fisher's exact test, conditional on both margins.
// Greater means p2 > p1; TwoSided adds the probabilities of all tables that are
// no more likely than the observed one. It is conservative: see Boschloo.
// Statistic is the observed x2. Cost: of the order of the number of tables with
// these margins.
//
// Errors: ErrTooFew for a sample without trials, ErrDomain for counts outside
// [0, n].
//
// Source: Fisher 1935, JRSS 98:39.
func FisherExact(x1, n1, x2, n2 int64, alt Alternative) (Test, error) {
	if err := checkTwoCounts(x1, n1, x2, n2); err != nil {
		return Test{}, err
	}
	return Test{Statistic: float64(x2), P: fisherP(x1, n1, x2, n2, alt), Alternative: alt, Method: MethodFisherExact}, nil
}

func fisherP(x1, n1, x2, n2 int64, alt Alternative) float64 {
	m := x1 + x2
	lo, hi := max(0, m-n1), min(m, n2) // possible x2
	observed := hypergeometric(x2, n2, m, n1+n2)
	var p float64
	switch alt {
	case Less:
		for j := lo; j <= x2; j++ {
			p += hypergeometric(j, n2, m, n1+n2)
		}
	case Greater:
		for j := hi; j >= x2; j-- {
			p += hypergeometric(j, n2, m, n1+n2)
		}
	default:
		for j := lo; j <= hi; j++ {
			if h := hypergeometric(j, n2, m, n1+n2); h <= observed*(1+1e-7) {
				p += h
			}
		}
	}
	return math.Min(p, 1)
}

// fisherTable is fisherP for all tables of two samples.
func fisherTable(n1, n2 int64, alt Alternative) [][]float64 {
	table := make([][]float64, n1+1)
	for i := range table {
		table[i] = make([]float64, n2+1)
	}
	for m := int64(0); m <= n1+n2; m++ {
		lo, hi := max(0, m-n1), min(m, n2)
		var sum float64
		for k := range hi - lo + 1 {
			j := lo + k
			if alt == Greater {
				j = hi - k
			}
			sum += hypergeometric(j, n2, m, n1+n2)
			table[m-j][j] = math.Min(sum, 1)
		}
	}
	return table
}

// hypergeometric is the probability of j marked in a sample of size k from n
// items of which m are marked, as a ratio of binomial probabilities (Loader).
func hypergeometric(j, k, m, n int64) float64 {
	if m == 0 || m == n {
		return 1
	}
	p := float64(m) / float64(n)
	return binomialTerm(float64(j), float64(k-j), p, 1-p) *
		binomialTerm(float64(m-j), float64(n-k-m+j), p, 1-p) /
		binomialTerm(float64(m), float64(n-m), p, 1-p)
}
