package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats"
)

// strata are those of a comparison in work.
type strata struct {
	mix   Mix
	facet int
	cell  map[metric.Key]int // key of a part → stratum
	// unnamed are the strata of records that do not tell what they are cut by: no
	// length, a length of 0, or no word.
	unnamed map[int]bool
	named   bool // the user named the length that is cut
	// length is what is cut where there is nothing else.
	length metric.Length
	// factors are the columns that the user named, unless it is a single length;
	// levels are those of each stratum.
	factors []factor
	levels  mixshift.Crossing
	parts   []stratumPart // by stratum
	made    [2]madeRuns   // of either side
}

// ofAnswer tells that a failed request has no stratum.
func (s *strata) ofAnswer() bool {
	return s.mix.ByOutput || slices.ContainsFunc(s.mix.Factors, func(f Factor) bool { return f.Cut && f.Length.OfAnswer() })
}

// stratumPart is a stratum of both sides, as sides of their own.
type stratumPart struct {
	sides []*metric.Side
	made  [2]madeMixture
}

// sides returns the strata of both sides.
func (s *strata) sides(whole []*metric.Side) []stratumPart {
	if s.parts == nil {
		s.parts = make([]stratumPart, len(s.mix.Strata))
		for key, i := range s.cell {
			s.parts[i].sides = []*metric.Side{whole[0].Slice(s.facet, key), whole[1].Slice(s.facet, key)}
		}
		for i := range s.parts {
			if s.parts[i].sides == nil {
				s.parts[i].sides = []*metric.Side{{}, {}}
			}
		}
	}
	return s.parts
}

// chooseStrata looks at the traffic of both sides and decides whether and how
// results are split. It adds a facet to the plan where they are.
func (c *comparer) chooseStrata(ctx context.Context, in Inputs) error {
	factors, err := namedMix(in.Sides, c.opt.Mix)
	if err != nil {
		return err
	}
	opt := strataOptions(factors)
	lengths := lengthsOf(in.Sides, factors)
	c.traffic, err = metric.LookAtTraffic(ctx, in.Sides, lengths, func(v float64) (int, bool) {
		b, err := mixshift.LogBin(v, opt.PerOctave)
		return b, err == nil
	}, in.Scan)
	if err != nil || slices.Equal(c.opt.Mix, []string{NoMix}) {
		return err
	}
	if len(factors) == 0 || len(factors) == 1 && factors[0].Cut {
		return c.lengthStrata(lengths[0], factors, opt)
	}
	bins := func(l metric.Length) []mixshift.BinCount {
		return binCounts(c.traffic[0].Bins[l], c.traffic[1].Bins[l])
	}
	s, facet, err := crossedStrata(factors, bins, len(c.plan.Facets), opt)
	if err != nil {
		return err
	}
	c.strata = s
	c.plan.Facets = append(c.plan.Facets, facet)
	return nil
}

// lengthsOf lists the lengths by which traffic is to be counted: those that are
// named, or the one that is cut by default.
func lengthsOf(sides []metric.Input, named []Factor) []metric.Length {
	if len(named) == 0 {
		return []metric.Length{metric.LengthOf(sides)}
	}
	var out []metric.Length
	for _, f := range named {
		if f.Cut {
			out = append(out, f.Length)
		}
	}
	return out
}

// Sketches of strata and slices are smaller than those of whole runs. Of large
// inputs most of them become histograms, and keeping values until then takes
// longer than counting many more.
const (
	partLimit      = 1 << 12
	largePartLimit = 1 << 8
	partBits       = 9
)

// lengthStrata cuts the traffic by length where the lengths of the two sides
// differ, or where the user named the length.
func (c *comparer) lengthStrata(length metric.Length, factors []Factor, opt mixshift.StrataOptions) error {
	named := len(factors) == 1
	s, cut := cutLengths(binCounts(c.traffic[0].Bins[length], c.traffic[1].Bins[length]), length, len(c.plan.Facets), opt)
	if s == nil { // a side without lengths: nothing to split by
		for i, t := range c.traffic {
			if named && t.Records > 0 && len(t.Bins[length]) == 0 {
				return fmt.Errorf("no record of the %s tells the length in column %s, so that nothing can be compared like for like by it", sideNames[i], c.opt.Mix[0])
			}
		}
		return nil
	}
	s.named, s.mix.Factors = named, factors
	var x, y []float64
	for _, cell := range cut.Cells {
		x, y = append(x, cell.X), append(y, cell.Y)
	}
	s.measure(x, y)
	s.mix.Used = named || c.differs(s.mix)
	c.strata = s
	if s.mix.Used {
		c.plan.Facets = append(c.plan.Facets, lengthFacet(length, cut))
	}
	return nil
}

func lengthFacet(length metric.Length, cut mixshift.Strata) metric.Facet {
	return metric.Facet{Length: length, Limit: partLimit, Bits: partBits, Bin: func(v float64) (int, bool) { return cut.Find(v) }}
}

// binCounts puts the counts of the bins of two sides beside each other, in order.
func binCounts(x, y map[int]int64) []mixshift.BinCount {
	bins := map[int]*mixshift.BinCount{}
	for i, counts := range []map[int]int64{x, y} {
		for b, n := range counts {
			if bins[b] == nil {
				bins[b] = &mixshift.BinCount{Bin: b}
			}
			if i == 0 {
				bins[b].X = float64(n)
			} else {
				bins[b].Y = float64(n)
			}
		}
	}
	var list []mixshift.BinCount
	for _, b := range bins {
		list = append(list, *b)
	}
	slices.SortFunc(list, func(a, b mixshift.BinCount) int { return a.Bin - b.Bin })
	return list
}

// cutLengths makes strata of the bins of lengths; nil where there are none.
func cutLengths(list []mixshift.BinCount, length metric.Length, facet int, opt mixshift.StrataOptions) (*strata, mixshift.Strata) {
	cut, err := mixshift.NewStrata(list, opt)
	if err != nil {
		return nil, cut
	}
	s := &strata{mix: Mix{By: lengthNames[length], ByOutput: length == metric.OutputLength}, facet: facet, length: length, cell: map[metric.Key]int{}, unnamed: map[int]bool{}}
	for i, cell := range cut.Cells {
		s.cell[metric.Key{Bin: i}] = i
		s.mix.Strata = append(s.mix.Strata, Stratum{Label: lengthLabel(cell.Lo, cell.Hi)})
		s.unnamed[i] = cell.Hi == 0 && length == metric.PromptLength
	}
	return s, cut
}

var lengthNames = map[metric.Length]string{metric.PromptLength: "prompt length", metric.OutputLength: "output length", metric.CachedLength: "cached length"}

func lengthLabel(lo, hi float64) string {
	if hi == 0 {
		return "0"
	}
	first, last := int64(math.Ceil(lo)), int64(math.Ceil(hi))-1
	if first >= last {
		return fmt.Sprint(last)
	}
	return fmt.Sprintf("%d–%d", first, last)
}

// measure fills the shares of the strata and how much they differ.
func (s *strata) measure(x, y []float64) {
	nx, ny := 0.0, 0.0
	for i := range x {
		nx, ny = nx+x[i], ny+y[i]
	}
	for i := range s.mix.Strata {
		st := &s.mix.Strata[i]
		st.BaselineRequests, st.CandidateRequests = int64(x[i]), int64(y[i])
		st.BaselineShare, st.CandidateShare = x[i]/nx, y[i]/ny
	}
	s.mix.PSI, s.mix.P = math.NaN(), 1
	if psi, err := mixshift.PSI(x, y); err == nil {
		s.mix.PSI = psi
	}
	if t, err := stats.Homogeneity(x, y); err == nil {
		s.mix.P = t.P
	}
}

// settleStrata numbers the strata of named columns once the cells are filled.
func (c *comparer) settleStrata() {
	s := c.strata
	if s == nil || !s.mix.Used {
		return
	}
	if s.cell != nil {
		// Records without a length are a stratum of their own.
		unknown := metric.Key{Bin: metric.Unbinned}
		if slices.Contains(metric.Keys(c.sides, s.facet), unknown) {
			s.addUnknown(unknown)
		}
		return
	}
	s.cell, s.unnamed = map[metric.Key]int{}, map[int]bool{}
	var x, y []float64
	var keys []metric.Key
	s.levels, keys = arrange(metric.Keys(c.sides, s.facet), s.factors)
	for i, key := range keys {
		s.cell[key] = i
		words := key.Words()
		labels := make([]string, len(s.factors))
		for j := range s.factors {
			f := &s.factors[j]
			labels[j] = f.label(words[f.at])
			s.unnamed[i] = s.unnamed[i] || words[f.at] == "" || f.Cut && f.Length == metric.PromptLength && labels[j] == "0"
		}
		s.mix.Strata = append(s.mix.Strata, Stratum{Label: strings.Join(labels, " / ")})
		var n [2]float64
		for k, side := range c.sides {
			for _, u := range side.Units {
				if p := u.Facets[s.facet][key]; p != nil {
					n[k] += float64(p.Requests())
				}
			}
		}
		x, y = append(x, n[0]), append(y, n[1])
	}
	s.measure(x, y)
}

// addUnknown adds the stratum of records without a length.
func (s *strata) addUnknown(key metric.Key) {
	s.cell[key] = len(s.mix.Strata)
	s.unnamed[len(s.mix.Strata)] = true
	s.mix.Strata = append(s.mix.Strata, Stratum{Label: "unknown"})
}

// Records of one side alone that do not tell what they are cut by have a counterpart on
// the other that nobody knows. They may be the slow ones, so that few are tolerated: of
// the requests of a side mostUnnamed, and of a far percentile half of what lies beyond.
const (
	mostUnnamed = 0.01
	unnamedTail = 0.5
)

// hidden tells why a change like for like leaves out what may be slow.
func (s *strata) hidden(r *Result, o mixshift.Overlap) []stats.Warning {
	limit := mostUnnamed
	if r.Estimand.Kind == metric.Quantile {
		limit = math.Min(limit, unnamedTail*math.Min(r.Estimand.Q, 1-r.Estimand.Q))
	}
	var share [2]float64
	for i, cell := range o.Cells {
		if s.unnamed[i] && !o.Common[i] {
			share[0], share[1] = share[0]+cell.ShareX, share[1]+cell.ShareY
		}
	}
	if math.Max(share[0], share[1]) <= limit {
		return nil
	}
	return []stats.Warning{{Code: mixshift.WarnOffSupport, Text: fmt.Sprintf("shares of %.3g and %.3g do not tell their stratum, on one side alone; at most %.3g may", share[0], share[1], limit)}}
}

// strataOptions cuts lengths finely: inside a stratum the mix still shifts, and
// that bias must stay well below the spread of runs. Several lengths are cut
// somewhat less finely, so that there are requests in their combinations.
func strataOptions(factors []Factor) mixshift.StrataOptions {
	o := mixshift.DefaultStrataOptions()
	o.PerOctave, o.MaxOctaves = 3, 2.0/3
	cuts := 0
	for _, f := range factors {
		if f.Cut {
			cuts++
		}
	}
	if cuts < 2 {
		o.PerOctave, o.MaxOctaves = 4, 0.5
	}
	return o
}

// differs reports whether the traffic of the two sides is another.
func (c *comparer) differs(m Mix) bool { return m.Differs(c.opt.MixAlpha, c.opt.MixPSI) }
