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
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// NoMix as the only stratifying column turns the split off.
const NoMix = "none"

// Mix describes how the traffic of the two sides differs, and the strata in
// which they are compared like for like.
type Mix struct {
	By string // "prompt length", "output length", or the columns
	// ByOutput tells that the strata are of the output length, ByColumns that
	// they are the values of columns that the user named.
	ByOutput, ByColumns bool
	// PSI and P measure how much the shares of the strata differ: the
	// population stability index, and the test that they do not.
	PSI, P float64
	Strata []Stratum
	// Used tells that results were split: the traffic differs, or the user
	// named the columns.
	Used bool
}

// Stratum is a part of the traffic.
type Stratum struct {
	Label                               string
	BaselineShare, CandidateShare       float64
	BaselineRequests, CandidateRequests int64
}

// Like is a change with the candidate reweighted to the baseline's strata.
type Like struct {
	Delta, Log Contrast
	// EffectiveN is the effective number of the candidate's values after
	// reweighting, Unsupported the larger share of a side without counterpart.
	EffectiveN, Unsupported float64
	// Refused says why the reweighted answer is not to be relied on; empty if
	// it is.
	Refused []stats.Warning
	// The split of the total change, relative to the baseline's value, or as a
	// difference for shares and values that are not positive.
	Relative                                  bool
	Total, Within, Mix                        Contrast
	UnsupportedBaseline, UnsupportedCandidate float64
	BaselineValues, CandidateValues           []float64 // by stratum, NaN without values
	WithinContribution, MixContribution       []float64 // by stratum; nil for percentiles
}

// UnitSpread returns the standard deviation of one unit that the judged
// interval amounts to, on the log or on the natural scale.
func (r *Result) UnitSpread(log bool) float64 {
	sd, total, judged := r.UnitSD, r.Delta, r.Delta
	if log {
		sd, total, judged = r.UnitSDLog, r.Log, r.Log
	}
	if r.Like != nil {
		judged = r.Like.Delta
		if log {
			judged = r.Like.Log
		}
	}
	if total.SEHi > 0 && judged.SEHi > 0 {
		sd *= judged.SEHi / total.SEHi
	}
	return sd
}

// Judged returns the change that is judged: like for like where it was split,
// else as the traffic was.
func (r *Result) Judged() (delta, log Contrast) {
	if r.Like != nil {
		return r.Like.Delta, r.Like.Log
	}
	return r.Delta, r.Log
}

// strata are those of a comparison in work.
type strata struct {
	mix   Mix
	facet int
	cell  map[metric.Key]int // key of a part → stratum
	named bool               // the user named the length that is cut
	made  [2]madeMixture     // of the parts of either side
}

// chooseStrata looks at the traffic of both sides and decides whether and how
// results are split. It adds a facet to the plan where they are.
func (c *comparer) chooseStrata(ctx context.Context, in Inputs) error {
	opt := strataOptions()
	length := metric.LengthOf(in.Sides)
	named, byLength, err := namedMix(in.Sides, c.opt.Mix)
	if err != nil {
		return err
	}
	if byLength {
		length = named
	}
	c.traffic, err = metric.LookAtTraffic(ctx, in.Sides, length, func(v float64) (int, bool) {
		b, err := mixshift.LogBin(v, opt.PerOctave)
		return b, err == nil
	}, in.Scan)
	if err != nil || slices.Equal(c.opt.Mix, []string{NoMix}) {
		return err
	}
	if len(c.opt.Mix) > 0 && !byLength {
		c.strata = columnStrata(c.opt.Mix, len(c.plan.Facets))
		c.plan.Facets = append(c.plan.Facets, metric.Facet{Columns: c.opt.Mix, Limit: partLimit, Bits: partBits})
		return nil
	}
	return c.lengthStrata(length, byLength, opt)
}

// columnStrata are the values of columns, numbered when they are known.
func columnStrata(columns []string, facet int) *strata {
	return &strata{mix: Mix{By: strings.Join(columns, ", "), ByColumns: true, Used: true}, facet: facet}
}

// Sketches of strata and slices are smaller than those of whole runs.
const (
	partLimit = 1 << 12
	partBits  = 9
)

// lengthStrata cuts the traffic by length where the lengths of the two sides
// differ, or where the user named the length.
func (c *comparer) lengthStrata(length metric.Length, named bool, opt mixshift.StrataOptions) error {
	s, cut := cutLengths(binCounts(c.traffic[0].Bins, c.traffic[1].Bins), length, len(c.plan.Facets), opt)
	if s == nil { // a side without lengths: nothing to split by
		for i, t := range c.traffic {
			if named && t.Records > 0 && len(t.Bins) == 0 {
				return fmt.Errorf("no record of the %s tells the length in column %s, so that nothing can be compared like for like by it", [...]string{"baseline", "candidate"}[i], c.opt.Mix[0])
			}
		}
		return nil
	}
	s.named = named
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
	s := &strata{mix: Mix{By: "prompt length", ByOutput: length == metric.OutputLength}, facet: facet, cell: map[metric.Key]int{}}
	if s.mix.ByOutput {
		s.mix.By = "output length"
	}
	for i, cell := range cut.Cells {
		s.cell[metric.Key{Bin: i}] = i
		s.mix.Strata = append(s.mix.Strata, Stratum{Label: lengthLabel(cell.Lo, cell.Hi)})
	}
	return s, cut
}

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
			s.cell[unknown] = len(s.mix.Strata)
			s.mix.Strata = append(s.mix.Strata, Stratum{Label: "unknown"})
		}
		return
	}
	s.cell = map[metric.Key]int{}
	var x, y []float64
	for i, key := range metric.Keys(c.sides, s.facet) {
		s.cell[key] = i
		s.mix.Strata = append(s.mix.Strata, Stratum{Label: strings.Join(key.Words(), " / ")})
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

// likeForLike splits a result into what changed like for like and what the
// traffic changed.
func (c *comparer) likeForLike(r *Result, item int) {
	s := c.strata
	if s == nil || !s.mix.Used || r.Thin || !r.Delta.OK || r.Metric.Kind == metric.PerRun || c.design.Unit.withinRun() ||
		r.Estimand.Kind == metric.Min || r.Estimand.Kind == metric.Max ||
		s.mix.ByOutput && r.Metric.Kind == metric.Share { // a failed request has no answer to measure
		return
	}
	x, errX := c.stratified(0, r, item)
	y, errY := c.stratified(1, r, item)
	if errX != nil || errY != nil {
		return
	}
	split, err := mixshift.SplitRuns(x.runs, y.runs, false)
	if err != nil {
		r.Like = &Like{Delta: noInterval(math.NaN()), Unsupported: 1, Refused: []stats.Warning{{Code: "off_support", Text: "no stratum of the traffic is common to both sides"}}}
		return
	}
	l := &Like{
		EffectiveN: split.EffectiveN, UnsupportedBaseline: split.OnlyX, UnsupportedCandidate: split.OnlyY, Unsupported: math.Max(split.OnlyX, split.OnlyY),
		Refused: mixshift.Objections(split.Overlap, mixshift.DefaultLimits()), BaselineValues: x.values, CandidateValues: y.values,
	}
	relErr := math.Max(x.relErr, y.relErr)
	if p, err := split.Parts(mixshift.Difference, c.opt.Level); err == nil {
		l.Delta = c.likeContrast(p.Rate, r.Delta, split, relErr*(math.Abs(split.XCommon)+math.Abs(split.YLike)))
		l.Total, l.Within, l.Mix = fromEstimate(p.Total), fromEstimate(p.Rate), fromEstimate(p.Mix)
	}
	if p, err := split.Parts(mixshift.LogRatio, c.opt.Level); err == nil && r.Log.OK {
		l.Log = c.likeContrast(p.Rate, r.Log, split, 2*math.Log1p(relErr))
	}
	if r.Metric.Kind != metric.Share {
		if p, err := split.Parts(mixshift.Relative, c.opt.Level); err == nil {
			l.Relative = true
			l.Total, l.Within, l.Mix = fromEstimate(p.Total), fromEstimate(p.Rate), fromEstimate(p.Mix)
		}
	}
	if r.Metric.Kind == metric.Share || r.Estimand.Kind == metric.Mean {
		l.contribute(s, x.values, y.values, r.Baseline.Value)
	}
	r.Like = l
}

func fromEstimate(e stats.Estimate) Contrast {
	if math.IsNaN(e.SE) {
		return noInterval(e.Value)
	}
	return Contrast{OK: true, Value: e.Value, Lo: e.Interval.Lo, Hi: e.Interval.Hi, SELo: e.SE, SEHi: e.SE, DF: e.DF}
}

// likeContrast is the like-for-like change with its interval: from the runs,
// or, where a side is a single run, that of the total change, widened for the
// smaller effective number of requests.
func (c *comparer) likeContrast(e stats.Estimate, total Contrast, split mixshift.RunSplit, widen float64) Contrast {
	ct := fromEstimate(e)
	if math.IsNaN(e.SE) && total.HasInterval() {
		wide := 1.0
		if split.EffectiveN > 0 && split.N > split.EffectiveN {
			wide = math.Sqrt(split.N / split.EffectiveN)
		}
		ct = total
		ct.score = nil
		ct.Value = e.Value
		ct.SELo, ct.SEHi = total.SELo*wide, total.SEHi*wide
		ct.Lo, ct.Hi = e.Value-(total.Value-total.Lo)*wide, e.Value+(total.Hi-total.Value)*wide
	}
	if widen > 0 && ct.DF > 0 {
		t := stats.TQuantile(1-c.opt.alpha(), ct.DF)
		ct.Lo, ct.Hi = ct.Lo-widen, ct.Hi+widen
		ct.SELo, ct.SEHi = (ct.Value-ct.Lo)/t, (ct.Hi-ct.Value)/t
	}
	return ct
}

// contribute splits a mean or a rate over the strata (Kitagawa with the
// baseline's mix as the standard).
func (l *Like) contribute(s *strata, x, y []float64, base float64) {
	unit := 1.0
	if l.Relative {
		unit = base
	}
	for i, st := range s.mix.Strata {
		within, mix := math.NaN(), math.NaN()
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			within = st.BaselineShare * (y[i] - x[i]) / unit
			mix = (st.CandidateShare - st.BaselineShare) * y[i] / unit
		}
		l.WithinContribution, l.MixContribution = append(l.WithinContribution, within), append(l.MixContribution, mix)
	}
}

// stratified is one side of a result by run and stratum.
type stratified struct {
	runs   mixshift.Runs
	values []float64 // of the side in each stratum, NaN without
	relErr float64
}

// stratified prepares a side for the split.
func (c *comparer) stratified(side int, r *Result, item int) (stratified, error) {
	s := c.strata
	n := len(s.mix.Strata)
	var parts [][]*metric.Part // by run and stratum
	for _, u := range c.sides[side].Units {
		row := make([]*metric.Part, n)
		any := false
		for key, p := range u.Facets[s.facet] {
			i, ok := s.cell[key]
			if !ok {
				continue
			}
			row[i] = p
			any = any || s.size(r, p, item) > 0
		}
		if any {
			parts = append(parts, row)
		}
	}
	out := stratified{values: make([]float64, n)}
	for _, row := range parts {
		counts := make([]float64, n)
		for i, p := range row {
			if p != nil {
				counts[i] = s.size(r, p, item)
			}
		}
		out.runs.Count = append(out.runs.Count, counts)
	}
	if len(parts) == 0 {
		return out, stats.ErrTooFew
	}
	made := &s.made[side]
	if made.side != c.sides[side] || made.item != item {
		*made = madeMixture{side: c.sides[side], item: item}
	}
	value, relErr, err := s.statistic(made, r, parts, item)
	if err != nil {
		return out, err
	}
	out.runs.Statistic, out.relErr = value, relErr
	for i := range n {
		out.values[i] = math.NaN()
		w := make([][]float64, len(parts))
		total := 0.0
		for k, row := range parts {
			w[k] = make([]float64, n)
			if row[i] != nil && s.size(r, row[i], item) > 0 {
				w[k][i] = 1
				total++
			}
		}
		if total == 0 {
			continue
		}
		for k := range w {
			w[k][i] /= total
		}
		if v, err := value(w); err == nil {
			out.values[i] = v
		}
	}
	return out, nil
}

// size is how many values a part adds.
func (s *strata) size(r *Result, p *metric.Part, item int) float64 {
	if r.Metric.Kind == metric.Share {
		return float64(p.Requests())
	}
	return float64(p.Cells[item].Sketch.N())
}

// statistic returns the estimand as a function of the weights of the parts, whose
// mixture it makes where made has none.
func (s *strata) statistic(made *madeMixture, r *Result, parts [][]*metric.Part, item int) (func([][]float64) (float64, error), float64, error) {
	if r.Metric.Kind == metric.Share || r.Estimand.Kind == metric.Mean {
		return func(w [][]float64) (float64, error) {
			sum := 0.0
			for k, row := range parts {
				for i, p := range row {
					if w[k][i] == 0 {
						continue
					}
					v := 0.0
					if r.Metric.Kind == metric.Share {
						v = float64(r.Metric.Hits(p.OK(), p.Good)) / float64(p.Requests())
					} else {
						m, err := p.Cells[item].Sum.Mean()
						if err != nil {
							return 0, err
						}
						v = m
					}
					sum += w[k][i] * v
				}
			}
			return sum, nil
		}, 0, nil
	}
	var sketches []*sketch.Sketch
	type place struct{ run, stratum int }
	var places []place
	for k, row := range parts {
		for i, p := range row {
			if p != nil && p.Cells[item].Sketch.N() > 0 {
				sketches, places = append(sketches, p.Cells[item].Sketch), append(places, place{k, i})
			}
		}
	}
	if made.mix == nil {
		m, err := sketch.NewMixture(sketches, nil)
		if err != nil {
			return nil, 0, err
		}
		made.mix = m
	}
	m := made.mix
	weights := make([]float64, len(places))
	return func(w [][]float64) (float64, error) {
		for j, p := range places {
			weights[j] = w[p.run][p.stratum]
		}
		re, err := m.Reweight(weights)
		if err != nil {
			return 0, err
		}
		return re.Quantile(r.Estimand.Q)
	}, m.RelativeError(), nil
}

// strataOptions cuts lengths finely: inside a stratum the mix still shifts, and
// that bias must stay well below the spread of runs.
func strataOptions() mixshift.StrataOptions {
	o := mixshift.DefaultStrataOptions()
	o.PerOctave, o.MaxOctaves = 4, 0.5
	return o
}

// differs reports whether the traffic of the two sides is another.
func (c *comparer) differs(m Mix) bool { return m.P < c.opt.MixAlpha && m.PSI >= c.opt.MixPSI }
