package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/internal/compare"
)

func TestPairErrors(t *testing.T) {
	six := nights{seed: 1, of: nightNames(1, 6), requests: 20, factor: 1}
	with := func(name string, word func(i int) string) *table {
		tb := six.table()
		c := column{name: name, words: []string{}}
		for i := range tb.len() {
			c.words = append(c.words, word(i))
		}
		tb.columns = append(tb.columns, c)
		return tb
	}
	for _, c := range []struct {
		why, pair string
		a, b      *table
		want      string
	}{
		{"no such column", "nigth", six.table(), six.table(), `no column "nigth" to pair by`},
		{"another word inside a run", "region", six.table(), six.table(), `run "seed-1-01" of the baseline has several words in that column ("eu", "us")`},
		{"two runs of a night", "half", with("half", func(i int) string { return []string{"x", "y"}[i/20%2] }), with("half", func(i int) string { return "x" }),
			`runs "seed-1-01" and "seed-1-03" of the baseline both have "y"`},
		{"no word", "host", with("host", func(i int) string { return fmt.Sprint("h", i/20) }), with("host", func(i int) string {
			if i == 41 {
				return ""
			}
			return fmt.Sprint("h", i/20)
		}), `1 request of run "seed-1-04" of the candidate without a word`},
		{"a single pair", "night", six.table(), six.table().where("night", func(w string) bool { return w == "n02" }), `("n01", "n02", "n03", "n04", "n05", and 1 more) and of the candidate ("n02") make one pair alone`},
		{"long words", "host", with("host", func(int) string { return strings.Repeat("x", 10000) }), with("host", func(int) string { return "y" }), `both have "` + strings.Repeat("x", 39) + `…", and`},
		{"no pair", "night", six.table().where("night", func(w string) bool { return w < "n03" }), six.table().where("night", func(w string) bool { return w > "n03" }), `make no pair`},
	} {
		opt := byNight()
		opt.Pair = c.pair
		in, err := tables([]string{"latency:p50"}, c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = compare.Compare(t.Context(), in, opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	opt := byNight()
	for _, u := range []compare.Unit{compare.Replica, compare.Session, compare.Block, compare.Request} {
		if opt.Unit = u; opt.Validate() == nil {
			t.Errorf("pairs go with --unit %s", u)
		}
	}
	if opt.Unit = compare.Run; opt.Validate() != nil {
		t.Error("pairs do not go with --unit run")
	}
}
