package pairing

import (
	"slices"
	"strings"
)

// universe sorts the items that should be there. Without a list by hand it is
// what the files say; where only some files say, they do not decide.
func (p *pairer) universe() {
	list := p.opt.Universe
	if list == nil {
		for _, side := range p.sides {
			for _, set := range side.sets {
				if set.Universe == nil {
					return
				}
				list = append(list, set.Universe...)
			}
		}
		if list == nil {
			return
		}
	}
	p.wanted = map[string][]string{}
	for _, w := range list {
		if w[0] == "" {
			p.all = append(p.all, w[1])
		} else {
			p.wanted[w[0]] = append(p.wanted[w[0]], w[1])
		}
	}
	slices.Sort(p.all)
	p.all = slices.Compact(p.all)
	for task, items := range p.wanted {
		slices.Sort(items)
		p.wanted[task] = slices.Compact(items)
	}
}

// want returns the items that a task should have, sorted; nil if nothing says.
func (p *pairer) want(task string) []string {
	if w, ok := p.wanted[task]; ok {
		return w
	}
	return p.all
}

// never adds the items of the universe that neither side has.
func (p *pairer) never(out *Series, want []string) {
	if want == nil {
		return
	}
	have := make(map[string]bool, len(out.Items))
	for i := range out.Items {
		have[out.Items[i].ID] = true
	}
	dropped := map[string]bool{}
	if out.Counts.Dropped > 0 {
		// Items that were left out are there, under another question.
		for _, side := range p.sides {
			for _, r := range side.rows[seriesKey{out.Task, out.Metric, out.Filter}] {
				dropped[side.answer(r).Item] = true
			}
		}
	}
	n := len(out.Items)
	for _, id := range want {
		if !have[id] && !dropped[id] {
			out.Items = append(out.Items, Item{ID: id, Attr: p.blank})
			out.Counts.Never++
			out.Counts.MissingIDs = some(out.Counts.MissingIDs, id)
		}
	}
	if len(out.Items) > n {
		slices.SortFunc(out.Items, func(a, b Item) int {
			if c := strings.Compare(a.ID, b.ID); c != 0 {
				return c
			}
			return strings.Compare(a.Turn, b.Turn)
		})
	}
}
