package mixshift

// MostGroups is the number of runs of a side up to which each is left out
// alone. More are dealt to as many groups in turn, and a group is left out at a
// time. That gives MostGroups − 1 degrees of freedom, which is plenty, at a cost
// that grows with the runs and not with their square. It is a prime, so that runs
// of several kinds in turn are spread over all groups. Source: Kott 2001, Journal
// of Official Statistics 17:521; Shao and Tu 1995, The Jackknife and Bootstrap,
// section 2.3.
const MostGroups = 97

// dealt is a group of runs that is left out. The zero value leaves out none.
type dealt struct {
	group int
	any   bool
}

// groupOf deals runs to groups in turn.
func groupOf(run int) int { return run % MostGroups }

func (d dealt) has(run int) bool { return d.any && groupOf(run) == d.group }

// without is what is left out of both sides.
type without struct{ x, y dealt }

// groupsWith counts the groups of runs that have units in stratum h.
func groupsWith(shares [][]float64, h int) (n int) {
	var seen [MostGroups]bool
	for r, share := range shares {
		if g := groupOf(r); share[h] > 0 && !seen[g] {
			seen[g] = true
			n++
		}
	}
	return n
}
