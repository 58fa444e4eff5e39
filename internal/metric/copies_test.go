package metric

import (
	"fmt"
	"slices"
	"testing"
)

// Runs are copies by their values, of however many other runs have as many.
func TestCopies(t *testing.T) {
	m, _ := Known("ttft")
	items := []Item{{Metric: m}}
	plan := NewPlan(items)
	// A run of n values that begin at v, all the same where v is negative.
	side := func(runs ...[2]int) *Side {
		s := &Side{}
		for k, r := range runs {
			u := newUnit(fmt.Sprint("r", k), &plan)
			for i := range r[1] {
				v := float64(r[0] + i)
				if r[0] < 0 {
					v = 1
				}
				u.Cells[0].Sketch.Add(v)
			}
			s.Units = append(s.Units, u)
		}
		return s
	}
	for _, c := range []struct {
		why     string
		a, b    *Side
		within  [2][]string
		across  []string
		allSame bool
	}{
		{"none", side([2]int{1, 50}, [2]int{2, 50}), side([2]int{3, 50}, [2]int{4, 51}), [2][]string{}, nil, false},
		{"of other lengths", side([2]int{1, 50}), side([2]int{1, 51}), [2][]string{}, nil, false},
		{"one of each side", side([2]int{1, 50}, [2]int{2, 60}), side([2]int{3, 70}, [2]int{2, 60}), [2][]string{}, []string{"r1"}, false},
		{"the first of the candidate is new", side([2]int{2, 60}), side([2]int{3, 70}, [2]int{2, 60}), [2][]string{}, []string{"r0"}, false},
		{"all", side([2]int{1, 50}, [2]int{2, 60}), side([2]int{2, 60}, [2]int{1, 50}), [2][]string{}, []string{"r0", "r1"}, true},
		{"twice on a side", side([2]int{1, 50}, [2]int{1, 50}, [2]int{1, 50}), side([2]int{5, 50}, [2]int{5, 50}), [2][]string{{"r1", "r2"}, {"r1"}}, nil, false},
		{"few different values", side([2]int{-1, 50}, [2]int{1, 15}), side([2]int{-1, 50}, [2]int{1, 15}), [2][]string{}, nil, false},
		{"no run", side(), side(), [2][]string{}, nil, false},
	} {
		got := CopiesOf(items, c.a, c.b)
		if !slices.Equal(got.Within[0], c.within[0]) || !slices.Equal(got.Within[1], c.within[1]) || !slices.Equal(got.Across, c.across) || got.All != c.allSame {
			t.Errorf("%s: %+v", c.why, got)
		}
	}
}
