package bootstrap

import "testing"

func testCDFs(t testing.TB, units, bins int, seed uint64) *CDFs {
	edges, rows := testHistograms(units, bins, seed)
	return must[*CDFs](t)(NewCDFs(edges, rows, OneVote))
}

// testHistograms bins 200·(1+u%3) lognormal values of each unit u.
func testHistograms(units, bins int, seed uint64) (edges []float64, rows [][]float64) {
	edges = make([]float64, bins+1)
	for i := range edges {
		edges[i] = 1000 * float64(i) / float64(bins)
	}
	for u := range units {
		x := lognormal(seed*1000+uint64(u), 200*(1+u%3), 0.5)
		row := make([]float64, bins)
		for _, v := range x {
			row[min(bins-1, int(v/1000*float64(bins)))]++
		}
		for b := 1; b < bins; b++ {
			row[b] += row[b-1]
		}
		rows = append(rows, row)
	}
	return edges, rows
}
