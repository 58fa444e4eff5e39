package bootstrap

// forEachSum visits the sums of all subsets of k of the values, the subset of
// the first k first.
func forEachSum(values []float64, k int, visit func(sum float64)) {
	n := len(values)
	var walk func(from, left int, sum float64)
	walk = func(from, left int, sum float64) {
		if left == 0 {
			visit(sum)
			return
		}
		for i := from; i <= n-left; i++ {
			walk(i+1, left-1, sum+values[i])
		}
	}
	walk(0, k, 0)
}

// forEachSplit visits all ways to mark k of n places, the first k first. in is
// reused.
func forEachSplit(n, k int, visit func(in []bool)) {
	in := make([]bool, n)
	var walk func(from, left int)
	walk = func(from, left int) {
		if left == 0 {
			visit(in)
			return
		}
		for i := from; i <= n-left; i++ {
			in[i] = true
			walk(i+1, left-1)
			in[i] = false
		}
	}
	walk(0, k)
}
