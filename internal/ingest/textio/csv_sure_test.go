package textio

import (
	"strings"
	"testing"
)

func TestSureCSV(t *testing.T) {
	for _, c := range []struct {
		why, in string
		want    bool
	}{
		{"records", "ttft_ms,region\n5,eu\n", true},
		{"a known field, and a ragged row that must be seen", "ttft_ms,region\n5,eu,1\n", true},
		{"a known field by another case", "TTFT (ms);Region\n5;eu\n", true},
		{"a struct's field", "timing.ttft_ms,region\n5,eu\n", true},
		{"numbers of no known name", "colour,weight\nred,5\nblue,6\n", true},
		{"one column of numbers", "weight\n5\n6\n", true},
		{"numbers, and a ragged row", "colour,weight\nred,5\nblue,6,7\n", false},
		{"words alone", "colour,shape\nred,round\n", false},
		{"a letter", "Dear all,\nthese are the results of Monday, with a warm cache.\nYours,\nA.\n", false},
		{"a letter with numbers", "Dear all,\nit took 5, 6 and 7 minutes.\n", false},
		{"a title and a line", "Results, Monday\nwarm cache\n", false},
		{"a header alone", "colour,weight\n", false},
		{"a known header alone", "ttft_ms\n", true},
		{"a list of hosts", "hosts\nalpha\nbeta\n", false},
		{"a quote that is not closed", "colour,weight\n\"red,5\n", false},
		{"a long file, cut within a record", "colour,weight\n" + strings.Repeat("red,5\n", 11_000), true},
		{"a long file, cut within a quote", "colour,weight\n" + strings.Repeat("red,5\n", 900) + "red,\"" + strings.Repeat("x", 70_000) + "\"\n", true},
	} {
		f := textFile(c.in)
		head := []byte(c.in)[:min(len(c.in), 64<<10)]
		if got := sureCSV(head, f); got != c.want {
			t.Errorf("%s: sure %v, want %v", c.why, got, c.want)
		}
	}
}
