package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// FlipSlice counts the items of a slice whose outcome changed.
type FlipSlice struct {
	Label        string
	Lost, Gained int64 // right before only, right after only
	Items        int64 // matched items of the slice
}

// Flips draws for each slice how many items were lost to the left and gained to
// the right. An error of [ErrNothing] if there is no slice with an item.
func Flips(parts []FlipSlice) (*Figure, error) {
	f := &Figure{ID: "flips", Title: "Items whose outcome changed, by slice"}
	var kept []FlipSlice
	var s span
	s.add(0)
	over := 0
	for _, sl := range parts {
		switch {
		case sl.Items <= 0:
		case len(kept) == mostRows:
			over++
		default:
			kept = append(kept, sl)
			s.add(-float64(sl.Lost), float64(sl.Gained))
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("flips: no slice has an item: %w", ErrNothing)
	}
	if s.lo == 0 && s.hi == 0 {
		s.add(-1, 1)
	}
	p := Panel{X: s.linear(unit{factor: 1}, "items lost (left) and gained (right)", 7), Rows: []Row{}}
	var whole []Tick
	for _, t := range p.X.Ticks {
		if t.At == math.Trunc(t.At) {
			t.Label = strings.TrimPrefix(t.Label, "-")
			whole = append(whole, t)
		}
	}
	p.X.Ticks = whole
	var alts []string
	for i, sl := range kept {
		at := float64(i)
		p.Marks = append(p.Marks,
			Bar{Name: "lost", Role: Failed, X0: -float64(sl.Lost), X1: 0, Y0: at - 0.22, Y1: at + 0.22},
			Bar{Name: "gained", Role: Passed, X0: 0, X1: float64(sl.Gained), Y0: at - 0.22, Y1: at + 0.22})
		net := "+" + grouped(fmt.Sprint(sl.Gained-sl.Lost))
		if sl.Gained < sl.Lost {
			net = "-" + grouped(fmt.Sprint(sl.Lost-sl.Gained))
		}
		p.Rows = append(p.Rows, Row{Label: sl.Label, Role: Ink,
			Value: fmt.Sprintf("-%s +%s of %s, net %s", grouped(fmt.Sprint(sl.Lost)), grouped(fmt.Sprint(sl.Gained)), grouped(fmt.Sprint(sl.Items)), net)})
		alts = append(alts, fmt.Sprintf("%s: %d lost, %d gained of %d.", sl.Label, sl.Lost, sl.Gained, sl.Items))
	}
	p.Marks = append(p.Marks, Rule{Role: Frame, At: 0})
	f.Panels = []Panel{p}
	f.Legend = []Key{{"lost: right before only", Bar{Role: Failed}}, {"gained: right after only", Bar{Role: Passed}}}
	if over > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("%s more not drawn.", rowCount(over)))
	}
	f.Alt = "Items lost and gained by slice. " + strings.Join(alts, " ")
	return f, nil
}

// PairedDifference draws differences of scores with their intervals against a
// margin: the whole, and the slices if given. Values are in percentage points.
func PairedDifference(rows []Change, level float64) (*Figure, error) {
	rows = slices.Clone(rows)
	for i := range rows {
		r := &rows[i]
		r.Value, r.Lo, r.Hi, r.Margin = r.Value/100, r.Lo/100, r.Hi/100, r.Margin/100
	}
	return Forest("difference", "Difference of the scores, item by item", []Group{{Unit: "pp", Rows: rows}}, level)
}
