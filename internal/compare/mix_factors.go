package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
)

// Factor is a column that the user names for the split.
type Factor struct {
	Name string
	// Length is what the column carries if it is Cut into ranges; the words of
	// any other column are strata as they are.
	Length metric.Length
	Cut    bool
}

// namedMix says what the columns are that the user names for the split.
func namedMix(sides []metric.Input, names []string) ([]Factor, error) {
	if len(names) == 0 || slices.Equal(names, []string{NoMix}) {
		return nil, nil
	}
	if len(names) > mixshift.MostFactors {
		return nil, fmt.Errorf("%d columns to compare like for like by: at most %d can be told apart", len(names), mixshift.MostFactors)
	}
	if err := haveColumns(sides, names, "to compare like for like by"); err != nil {
		return nil, err
	}
	var out []Factor
	for _, name := range names {
		f := Factor{Name: name}
		f.Length, f.Cut = lengthNamed(sides, name)
		if i := slices.IndexFunc(out, func(o Factor) bool { return o.Name == name || f.Cut && o.Cut && o.Length == f.Length }); i >= 0 {
			return nil, fmt.Errorf("columns %s and %s to compare like for like by are the same: name each once", out[i].Name, name)
		}
		out = append(out, f)
	}
	return out, nil
}

// lengthNamed is the length that a column carries in every file.
func lengthNamed(sides []metric.Input, name string) (length metric.Length, ok bool) {
	files := 0
	for _, side := range sides {
		for i := range side.Files {
			l, is := side.Files[i].LengthNamed(name)
			if !is || files > 0 && l != length {
				return 0, false
			}
			length = l
			files++
		}
	}
	return length, files > 0
}

// MissingColumnError reports a column that is named and that a file does not have.
type MissingColumnError struct {
	Column string
	text   string
}

func (e *MissingColumnError) Error() string { return e.text }

// haveColumns reports a column that some file lacks, with those it has.
func haveColumns(sides []metric.Input, names []string, what string) error {
	for _, side := range sides {
		for i := range side.Files {
			f := &side.Files[i]
			for _, name := range names {
				if !f.HasColumn(name) {
					return &MissingColumnError{name, fmt.Sprintf("%s: there is no column %q %s; columns are %s", f.Path, name, what, f.ColumnNames())}
				}
			}
		}
	}
	return nil
}

// factor is a factor of the strata in work.
type factor struct {
	Factor
	cut mixshift.Strata // of a length
	at  int             // its place among the words of a key
}

// crossedStrata are the combinations of factors, numbered when they are known.
// bins returns the counts of a length's bins on both sides.
func crossedStrata(of []Factor, bins func(metric.Length) []mixshift.BinCount, at int, opt mixshift.StrataOptions) (*strata, metric.Facet, error) {
	s := &strata{mix: Mix{ByColumns: true, Used: true, Factors: of}, facet: at}
	facet := metric.Facet{Limit: partLimit, Bits: partBits}
	var names []string
	for _, f := range of {
		names = append(names, f.Name)
		s.factors = append(s.factors, factor{Factor: f})
		if !f.Cut {
			facet.Columns = append(facet.Columns, f.Name)
		}
	}
	s.mix.By = strings.Join(names, ", ")
	words := 0
	for i := range s.factors {
		f := &s.factors[i]
		if !f.Cut {
			f.at = len(of) - len(facet.Columns) + words
			words++
			continue
		}
		var err error
		if f.cut, err = mixshift.NewStrata(bins(f.Length), opt); err != nil {
			return nil, facet, fmt.Errorf("no record of one side tells the length in column %s, so that nothing can be compared like for like by it", f.Name)
		}
		f.at = len(facet.Cuts)
		facet.Cuts = append(facet.Cuts, metric.Cut{Length: f.Length, Bin: f.cut.Find})
	}
	return s, facet, nil
}

// label names a level of a factor.
func (f *factor) label(word string) string {
	if !f.Cut {
		return word
	}
	i, err := strconv.Atoi(word)
	if err != nil {
		return "unknown"
	}
	return lengthLabel(f.cut.Cells[i].Lo, f.cut.Cells[i].Hi)
}

// arrange orders the parts that records fall into by the levels of their
// factors, and returns these levels.
func arrange(keys []metric.Key, factors []factor) (mixshift.Crossing, []metric.Key) {
	ranks := make([]map[string]int, len(factors))
	for j, f := range factors {
		ranks[j] = map[string]int{}
		var words []string
		for _, key := range keys {
			words = append(words, key.Words()[f.at])
		}
		slices.Sort(words)
		for i, w := range slices.Compact(words) {
			ranks[j][w] = i
			if !f.Cut {
				continue
			}
			if n, err := strconv.Atoi(w); err == nil {
				ranks[j][w] = n
			} else {
				ranks[j][w] = len(f.cut.Cells) // those of unknown length come last
			}
		}
	}
	levels := func(key metric.Key) []int {
		words := key.Words()
		out := make([]int, len(factors))
		for j, f := range factors {
			out[j] = ranks[j][words[f.at]]
		}
		return out
	}
	slices.SortFunc(keys, func(a, b metric.Key) int { return slices.Compare(levels(a), levels(b)) })
	var crossing mixshift.Crossing
	for _, key := range keys {
		crossing = append(crossing, levels(key))
	}
	return crossing, keys
}
