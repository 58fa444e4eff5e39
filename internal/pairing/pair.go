package pairing

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Pair pairs the answers of two sides. The result does not depend on the order
// of rows or files, except where First or Last settles a conflict.
//
// It returns a [*ConflictError] where rows disagree and the rule refuses them.
func Pair(ctx context.Context, x, y []*ingest.AnswerSet, opt Options) (*Pairing, error) {
	p := &pairer{opt: opt, out: &Pairing{Runs: [2]int{len(x), len(y)}, Equal: true}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.sides[0] = newSide(x, opt.Runs)
	}()
	p.sides[1] = newSide(y, opt.Runs)
	<-done
	p.names()
	p.universe()
	keys := map[seriesKey]bool{}
	for s, side := range p.sides {
		for key := range side.rows {
			keys[key] = true
			if _, ok := p.sides[1-s].rows[key]; !ok {
				p.out.OnlySeries[s] = append(p.out.OnlySeries[s], key.String())
			}
		}
		slices.Sort(p.out.OnlySeries[s])
	}
	for _, key := range slices.SortedFunc(maps.Keys(keys), seriesKey.compare) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p.out.Series = append(p.out.Series, p.series(key))
	}
	if p.bad.first != nil {
		return nil, p.bad.first
	}
	return p.out, nil
}

type pairer struct {
	opt   Options
	out   *Pairing
	sides [2]*side
	// attrs maps the attributes of a set to those of the pairing.
	attrs [2][][]int
	// wanted holds the items of the universe by task, sorted; all is for every
	// task.
	wanted map[string][]string
	all    []string
	bad    conflicts
	// blank is the attributes of an item of which nothing is known; ordered
	// those brought into the pairing's order.
	blank   []string
	ordered map[attrKey][]string
}

// names joins the attributes of all sets, in the order in which they occur.
func (p *pairer) names() {
	for s, side := range p.sides {
		for _, set := range side.sets {
			at := make([]int, len(set.AttrNames))
			for i, name := range set.AttrNames {
				k := slices.Index(p.out.AttrNames, name)
				if k < 0 {
					k = len(p.out.AttrNames)
					p.out.AttrNames = append(p.out.AttrNames, name)
				}
				at[i] = k
			}
			p.attrs[s] = append(p.attrs[s], at)
		}
	}
	p.blank, p.ordered = make([]string, len(p.out.AttrNames)), map[attrKey][]string{}
}

// attr returns the attributes of an answer in the pairing's order. Answers that
// share their attributes share the result.
func (p *pairer) attr(s int, r ref) []string {
	own := p.sides[s].answer(r).Attr
	at := p.attrs[s][r.set]
	if len(own) == 0 || len(own) != len(at) {
		return p.blank
	}
	same := len(at) == len(p.blank)
	for i, k := range at {
		same = same && i == k
	}
	if same {
		return own
	}
	key := attrKey{&own[0], s, r.set}
	out, ok := p.ordered[key]
	if !ok {
		out = make([]string, len(p.blank))
		for i, v := range own {
			out[at[i]] = v
		}
		p.ordered[key] = out
	}
	return out
}

// attrKey is attributes that answers of a set share.
type attrKey struct {
	first *string
	side  int
	set   int32
}

// series pairs the items of one series by a merge of its two sorted lists.
func (p *pairer) series(key seriesKey) *Series {
	out := &Series{Task: key.task, Metric: key.metric, Filter: key.filter}
	a, b := p.sides[0].rows[key], p.sides[1].rows[key]
	out.Items = make([]Item, 0, max(len(a), len(b)))
	var ga, gb group
	if len(a) > 0 {
		ga, a = p.sides[0].next(a)
	}
	if len(b) > 0 {
		gb, b = p.sides[1].next(b)
	}
	want := p.want(key.task)
	for ga.rows != nil || gb.rows != nil {
		c := 0
		switch {
		case ga.rows == nil:
			c = 1
		case gb.rows == nil:
			c = -1
		default:
			c = cmp.Or(strings.Compare(ga.item, gb.item), strings.Compare(ga.turn, gb.turn))
		}
		var x, y group
		if c <= 0 {
			x, ga = ga, group{}
			if len(a) > 0 {
				ga, a = p.sides[0].next(a)
			}
		}
		if c >= 0 {
			y, gb = gb, group{}
			if len(b) > 0 {
				gb, b = p.sides[1].next(b)
			}
		}
		p.item(out, x, y, want)
	}
	p.never(out, want)
	return out
}

// item adds one item to a series.
func (p *pairer) item(out *Series, x, y group, want []string) {
	it := Item{ID: x.item, Turn: x.turn}
	if x.rows == nil {
		it.ID, it.Turn = y.item, y.turn
	}
	c := &out.Counts
	if want != nil {
		if _, ok := slices.BinarySearch(want, it.ID); !ok {
			for s, g := range [2]group{x, y} {
				if g.rows != nil {
					c.Outside[s]++
				}
			}
			return
		}
	}
	if x.rows != nil && y.rows != nil && p.mismatched(out, x, y, it.ID) {
		return
	}
	for s, g := range [2]group{x, y} {
		if g.rows == nil {
			continue
		}
		o := p.sides[s].outcome(g, p.opt.Duplicates, s, c, &p.bad)
		first := g.rows[0]
		if s == 0 {
			it.X, it.TextX = o, p.sides[s].answer(first).Text
		} else {
			it.Y, it.TextY = o, p.sides[s].answer(first).Text
		}
		attr := p.attr(s, first)
		switch {
		case it.Attr == nil || len(attr) > 0 && &it.Attr[0] == &p.blank[0]:
			it.Attr = attr
		default:
			it.Attr = c.merge(it.Attr, attr)
		}
	}
	out.tally(&it)
	if it.X.N != it.Y.N || it.X.Sum != it.Y.Sum || it.X.Failed != it.Y.Failed {
		p.out.Equal = false
	}
	if n := len(out.Items); n > 0 && out.Items[n-1].ID == it.ID {
		out.Turns = true
	}
	out.Repeats = out.Repeats || it.X.N+it.X.Failed > 1 || it.Y.N+it.Y.Failed > 1
	out.Items = append(out.Items, it)
}

// merge fills gaps in x's attributes from y's.
func (c *Counts) merge(x, y []string) []string {
	if len(x) > 0 && len(y) > 0 && &x[0] == &y[0] {
		return x
	}
	out, copied, differs := x, false, false
	for i, v := range y {
		switch {
		case v == "" || v == x[i]:
		case x[i] == "":
			if !copied {
				out, copied = slices.Clone(x), true
			}
			out[i] = v
		default:
			differs = true
		}
	}
	if differs {
		c.Attribute++
	}
	return out
}

// tally counts what an item lacks.
func (s *Series) tally(it *Item) {
	c := &s.Counts
	for side, o := range [2]Outcome{it.X, it.Y} {
		other := it.Y
		if side == 1 {
			other = it.X
		}
		switch o.State() {
		case Absent:
			if other.State() != Absent {
				c.Only[1-side]++
			}
		case Errored:
			c.Errored[side]++
		case Unscored:
			c.Unscored[side]++
		case Partly:
			c.Partly[side]++
		}
	}
	if !it.Both() {
		c.MissingIDs = some(c.MissingIDs, it.ID)
	}
}

// mismatched counts an item whose question or expected answer differs between
// the sides, and reports whether it is left out.
func (p *pairer) mismatched(out *Series, x, y group, id string) bool {
	a, b := p.sides[0].answer(x.rows[0]), p.sides[1].answer(y.rows[0])
	c := &out.Counts
	gold, question := differ(a.GoldHash, b.GoldHash), differ(a.QuestionHash, b.QuestionHash)
	if a.GoldHash != 0 && b.GoldHash != 0 || a.QuestionHash != 0 && b.QuestionHash != 0 {
		c.Hashed++
	}
	if gold {
		c.Gold++
	}
	if question {
		c.Question++
	}
	if !gold && !question {
		return false
	}
	c.Mismatch++
	c.MismatchIDs = some(c.MismatchIDs, id)
	if p.opt.KeepMismatched {
		return false
	}
	c.Dropped++
	return true
}
