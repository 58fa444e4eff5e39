package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
)

// SliceOf names a part of the traffic: a value of each of some columns.
type SliceOf struct {
	Columns, Values []string
}

// String returns "region=eu" or "region=eu, tier=gold".
func (s SliceOf) String() string {
	parts := make([]string, len(s.Columns))
	for i := range parts {
		parts[i] = s.Columns[i] + "=" + s.Values[i]
	}
	return strings.Join(parts, ", ")
}

// ParseSlice reads COL=VALUE, several separated by commas.
func ParseSlice(text string) (SliceOf, error) {
	var s SliceOf
	for _, part := range strings.Split(text, ",") {
		col, value, ok := strings.Cut(part, "=")
		col = strings.TrimSpace(col)
		if !ok || col == "" {
			return s, fmt.Errorf("slice %q: want COLUMN=VALUE", text)
		}
		s.Columns, s.Values = append(s.Columns, col), append(s.Values, strings.TrimSpace(value))
	}
	return s, nil
}

// sliceFacet is a facet of the plan that makes slices.
type sliceFacet struct {
	facet   int // −1 where all that is asked for are critical slices, of the crossed one
	columns []string
	crossed *crossedFacet // of critical slices, nil where their changes are not split
}

// planSlices adds a facet for every column of --by and for the columns of the
// critical slices, which has those alone.
func (c *comparer) planSlices(in Inputs) error {
	add := func(columns []string, only ...metric.Key) error {
		if err := haveColumns(in.Sides, columns, "to slice by"); err != nil {
			return err
		}
		if c.sliceFacet(columns) == nil {
			c.slices = append(c.slices, sliceFacet{facet: len(c.plan.Facets), columns: columns})
			c.plan.Facets = append(c.plan.Facets, metric.Facet{Columns: columns, Only: only, Limit: partLimit, Bits: partBits})
		}
		return nil
	}
	for _, col := range c.opt.By {
		if err := add([]string{col}); err != nil {
			return err
		}
	}
	for _, s := range c.opt.Critical {
		if err := haveColumns(in.Sides, s.Columns, "to slice by"); err != nil {
			return err
		}
	}
	if err := c.cross(in); err != nil {
		return err
	}
	for _, s := range c.opt.Critical {
		if err := add(s.Columns, c.criticalKeys(s.Columns)...); err != nil {
			return err
		}
	}
	return nil
}

// sliceFacet returns what is planned for the slices of some columns, nil if nothing is.
func (c *comparer) sliceFacet(columns []string) *sliceFacet {
	for i := range c.slices {
		if slices.Equal(c.slices[i].columns, columns) {
			return &c.slices[i]
		}
	}
	return nil
}

// slicePart is a slice of both sides.
type slicePart struct {
	of       SliceOf
	critical bool
	sides    []*metric.Side
	runs     []*metric.Side // the same by whole runs; nil where nobody asks what of them is missing
	strata   *strata        // of the slice; nil where its change is not split
	alike    bool           // its traffic is, as far as can be seen, and so is that of the whole
}

// sliceParts lists the slices that either side has requests enough of, and the
// critical ones whether or not there are any.
func (c *comparer) sliceParts() ([]slicePart, error) {
	var out []slicePart
	for _, f := range c.slices {
		var crossed map[metric.Key][]metric.Key
		if f.crossed != nil {
			crossed = f.crossed.bySlice(slices.Concat(c.sides, c.whole))
		}
		for _, of := range c.slicesOf(f) {
			p := slicePart{of: of, critical: c.isCritical(of)}
			if !p.critical && (len(f.columns) > 1 || !slices.Contains(c.opt.By, f.columns[0])) {
				continue // the other values of a critical slice's columns
			}
			var err error
			if p.critical && f.crossed != nil {
				err = c.stratify(&p, f.crossed, crossed[metric.WordsKey(of.Values...)])
			} else {
				key := metric.WordsKey(of.Values...)
				p.sides = []*metric.Side{c.sides[0].Slice(f.facet, key), c.sides[1].Slice(f.facet, key)}
				if p.critical && c.whole != nil {
					p.runs = []*metric.Side{c.whole[0].Slice(f.facet, key), c.whole[1].Slice(f.facet, key)}
				}
			}
			if err != nil {
				return nil, err
			}
			if !p.critical && min(p.sides[0].Records(), p.sides[1].Records()) < c.opt.MinSupport {
				c.thinSlices++
				continue
			}
			out = append(out, p)
		}
	}
	for _, s := range c.opt.Critical {
		if !slices.ContainsFunc(out, func(p slicePart) bool { return p.critical && p.of.String() == s.String() }) {
			out = append(out, slicePart{of: s, critical: true, sides: []*metric.Side{{}, {}}})
		}
	}
	return out, nil
}

func (c *comparer) isCritical(of SliceOf) bool {
	return slices.ContainsFunc(c.opt.Critical, func(s SliceOf) bool {
		return slices.Equal(s.Columns, of.Columns) && slices.Equal(s.Values, of.Values)
	})
}

// slicesOf lists the slices of a facet in order: of all values that there are, or of
// those that are critical.
func (c *comparer) slicesOf(f sliceFacet) []SliceOf {
	var keys []metric.Key
	if f.facet >= 0 {
		keys = metric.Keys(c.sides, f.facet)
	} else {
		keys = c.criticalKeys(f.columns)
		slices.SortFunc(keys, metric.Key.Compare)
		keys = slices.Compact(keys)
	}
	out := make([]SliceOf, len(keys))
	for i, key := range keys {
		out[i] = SliceOf{Columns: f.columns, Values: key.Words()}
	}
	return out
}

// criticalKeys lists the keys of the critical slices of some columns.
func (c *comparer) criticalKeys(columns []string) (keys []metric.Key) {
	for _, s := range c.opt.Critical {
		if slices.Equal(s.Columns, columns) {
			keys = append(keys, metric.WordsKey(s.Values...))
		}
	}
	return keys
}

// slice estimates every item in a slice.
func (c *comparer) slice(p slicePart) ([]Result, error) {
	c.sides = p.sides
	c.slicing = p.of.String()
	defer func() { c.slicing = "" }()
	var out []Result
	for i, it := range c.plan.Items {
		if it.Metric.Kind == metric.PerRun {
			continue
		}
		for _, e := range it.Estimands {
			if slices.Contains(it.LimitOnly, e) {
				continue
			}
			r, err := c.sliceResult(i, it, e, p.strata)
			if err == nil && p.alike && r.Like != nil && len(r.Like.Refused) > 0 {
				r, err = c.sliceResult(i, it, e, nil) // too few to be split, and without need
			}
			if err != nil {
				return nil, err
			}
			r.Slice, r.Critical, r.Whole = &p.of, p.critical, p.runs
			if r.Like != nil && p.strata != nil {
				r.Mix = &p.strata.mix
			}
			r.lack(i, p.runs)
			if !p.critical {
				if err := c.requestsAlone(&r, i, e); err != nil {
					return nil, err
				}
			}
			out = append(out, r)
		}
	}
	return out, nil
}

// sliceResult is a result without the second look at single runs, be it for their
// order of time or for matched requests, split by strata of the slice, if any.
func (c *comparer) sliceResult(item int, it metric.Item, e metric.Estimand, within *strata) (Result, error) {
	batched, looks, whole, matched := c.batched, c.looks, c.strata, c.matched
	c.batched, c.looks, c.strata, c.matched = [2]map[int]metric.Batches{}, [2]map[int]metric.Look{}, within, nil
	defer func() { c.batched, c.looks, c.strata, c.matched = batched, looks, whole, matched }()
	return c.result(item, it, e)
}

// requestsAlone notes the error that independent requests alone account for. A far
// percentile moves from run to run by a few values, and of many slices there is
// one whose runs happen to agree.
func (c *comparer) requestsAlone(r *Result, item int, e metric.Estimand) error {
	if e.Kind != metric.Quantile || !r.Delta.HasInterval() || !r.Baseline.OK || !r.Candidate.OK {
		return nil
	}
	for s, side := range c.sides {
		mix, err := c.made[s].of(side, item, c.design.Unit, side.Sketches(item))
		if err != nil {
			return err
		}
		natural, log := c.requestError(&arm{mix: mix}, side, item, e)
		if s > 0 {
			natural, log = r.requests.Plus(natural), r.requestsLog.Plus(log)
		}
		r.requests, r.requestsLog = natural, log
	}
	return nil
}

// NoChange is the two-sided p-value of no change. Of a slice that is looked at and
// not gated it is at least the one by the error that its requests alone account
// for. NaN without an interval.
func (r *Result) NoChange() float64 {
	delta, log := r.Judged()
	ct, alone := log, r.requestsLog
	if !log.OK {
		ct, alone = delta, r.requests
	}
	p := 2 * math.Min(ct.PBelow(0), ct.PAbove(0))
	if alone.Variance > 0 && ct.HasInterval() {
		e := alone.SE()
		ct.SELo, ct.SEHi, ct.DF, ct.score = e.SE, e.SE, e.DF, nil
		p = math.Max(p, 2*math.Min(ct.PBelow(0), ct.PAbove(0)))
	}
	return math.Min(1, p)
}
