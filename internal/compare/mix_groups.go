package compare

import (
	"maps"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// GroupShift is how the shares of a column's words differ between the sides: of
// those who asked, or what for.
type GroupShift struct {
	Column string
	// Word is the one whose share differs most, the first of equals.
	Word                          string
	BaselineShare, CandidateShare float64
	// P is that of the test that the shares are the same.
	P float64
}

// groupShifts looks at every column that tells who asked.
func groupShifts(traffic []*metric.Traffic) []GroupShift {
	if len(traffic) != 2 {
		return nil
	}
	var out []GroupShift
	groups := metric.GroupCounts(traffic)
	for _, column := range slices.Sorted(maps.Keys(groups)) {
		counts := groups[column]
		words := slices.Sorted(maps.Keys(counts[0]))
		for _, w := range slices.Sorted(maps.Keys(counts[1])) {
			if _, known := counts[0][w]; !known {
				words = append(words, w)
			}
		}
		slices.Sort(words)
		var n [2][]float64
		var of [2]float64
		for i := range n {
			for _, w := range words {
				n[i] = append(n[i], float64(counts[i][w]))
				of[i] += float64(counts[i][w])
			}
		}
		if len(words) < 2 {
			continue // nobody to tell apart
		}
		g := GroupShift{Column: column, P: 1}
		most := -1.0
		for k, w := range words {
			a, b := n[0][k]/of[0], n[1][k]/of[1]
			if d := math.Abs(b - a); d > most {
				most = d
				g.Word, g.BaselineShare, g.CandidateShare = w, a, b
			}
		}
		if t, err := stats.Homogeneity(n[0], n[1]); err == nil {
			g.P = t.P
		}
		out = append(out, g)
	}
	return out
}

// SplitBy returns the columns that would split results by one more than now;
// nil where they are split by it, or are not split at the user's wish.
func (c *Comparison) SplitBy(column string, length metric.Length, cut bool) []string {
	if slices.Equal(c.Options.Mix, []string{NoMix}) || c.Design.Unit.withinRun() {
		return nil
	}
	var by []string
	if c.Mix != nil && c.Mix.Used {
		for _, f := range c.Mix.Factors {
			if f.Name == column || cut && f.Cut && f.Length == length {
				return nil
			}
			by = append(by, f.Name)
		}
		if len(by) == 0 {
			name := "prompt_tokens"
			if c.Mix.ByOutput {
				name = "output_tokens"
			}
			if name == column {
				return nil
			}
			by = append(by, name)
		}
	}
	return append(by, column)
}

// severalModels lists the models of the sides where one has several, and both
// tell any: a side without a record or without the column mixes nothing.
func severalModels(traffic []*metric.Traffic) (column string, models [2][]string) {
	for _, name := range metric.ModelColumns {
		several := false
		for i, t := range traffic {
			models[i] = slices.Sorted(maps.Keys(t.Fingerprint[name]))
			several = several || len(models[i]) > 1
		}
		if several && len(models[0]) > 0 && len(models[1]) > 0 {
			return name, models
		}
	}
	return "", [2][]string{}
}

// SplitByColumn reports whether results are compared like for like by a column.
func (c *Comparison) SplitByColumn(column string) bool {
	return c.Mix != nil && c.Mix.Used && slices.ContainsFunc(c.Mix.Factors, func(f Factor) bool { return f.Name == column })
}
