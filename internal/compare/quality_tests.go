package compare

import (
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// tests are second opinions on "any difference", two-sided.
func (c *quality) tests(b *sample) []TestResult {
	var out []TestResult
	add := func(name string, t stats.Test, err error) {
		if err == nil {
			out = append(out, TestResult{name, t.P})
		}
	}
	if b.items.Binary {
		t, err := paired.McNemarMidP(b.items.Table)
		add("mcnemar_midp", t, err)
	}
	d := b.diff()
	switch {
	case b.cluster != nil:
		if b.items.Binary {
			t, err := paired.Obuchowski(clusterTables(b))
			add("obuchowski", t, err)
		}
		if changed(d) < c.q.RareDifferences {
			t, err := paired.SignFlip(d, b.cluster, 0, stats.TwoSided)
			add("sign_flip", t, err)
		}
	case !b.items.Binary && len(d) < fewPairs:
		t, err := paired.SignedRank(d, paired.SignedRankOptions{})
		add("signed_rank", t, err)
	}
	return out
}

// clusterTables counts right and wrong in each cluster.
func clusterTables(b *sample) []paired.Table {
	tables := make([]paired.Table, 0, 16)
	for i, k := range b.cluster {
		for len(tables) <= k {
			tables = append(tables, paired.Table{})
		}
		tables[k].Count(b.x[i] == 1, b.y[i] == 1)
	}
	return tables
}
