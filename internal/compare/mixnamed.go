package compare

import (
	"fmt"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// namedMix says what the columns that the user names for the split are: the
// length in tokens that a single one of them carries, which is cut into strata,
// or words, each of which is a stratum.
func namedMix(sides []metric.Input, names []string) (length metric.Length, byLength bool, err error) {
	if len(names) == 0 || slices.Equal(names, []string{NoMix}) {
		return 0, false, nil
	}
	if err := haveColumns(sides, names, "to compare like for like by"); err != nil {
		return 0, false, err
	}
	for _, name := range names {
		l, ok := lengthNamed(sides, name)
		if !ok {
			continue
		}
		if len(names) > 1 {
			return 0, false, fmt.Errorf("column %s is a length in tokens, which is cut into ranges: it goes with no other column to compare like for like by", name)
		}
		length, byLength = l, true
	}
	return length, byLength, nil
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

// haveColumns reports a column that some file lacks, with those it has.
func haveColumns(sides []metric.Input, names []string, what string) error {
	for _, side := range sides {
		for i := range side.Files {
			f := &side.Files[i]
			for _, name := range names {
				if !f.HasColumn(name) {
					return fmt.Errorf("%s: there is no column %q %s; columns are %s", f.Path, name, what, f.ColumnNames())
				}
			}
		}
	}
	return nil
}
