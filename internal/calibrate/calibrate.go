package calibrate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
	"github.com/perfdiff/perfdiff/stats"
)

// Options say how an input is split.
type Options struct {
	// Size is the number of units of each side of a split; 0 stands for half.
	Size int
	// Most is the largest number of splits; beyond it they are drawn from Seed.
	Most int
	Seed uint64
	// PassShare is the share of splits that a suggested margin is to pass.
	PassShare float64
	// UpperLevel is the confidence of the upper limit of the noise that provable
	// margins rest on.
	UpperLevel float64
}

// DefaultOptions returns the documented defaults.
func DefaultOptions() Options {
	return Options{Most: 400, Seed: 1, PassShare: 0.9, UpperLevel: 0.8}
}

// Result is what was measured.
type Result struct {
	Size   int // units of each side
	Splits int
	All    bool // these are all the splits there are
	// Counts of splits by the verdict of the whole.
	Pass, Fail, Inconclusive, Exception int
	Checks                              []CheckCount
	Rows                                []Row
}

// CheckCount is in how many splits a comparability check failed.
type CheckCount struct {
	Code verdict.CheckCode
	N    int
}

// Row is what was measured of one gate.
type Row struct {
	Metric   *metric.Metric
	Estimand metric.Estimand
	Slice    *compare.SliceOf
	// Spread is that of the whole input, nil for a slice.
	Spread *compare.Spread
	Margin *verdict.Margin
	// Judged counts the splits in which the row was a gate, and Pass, Fail and
	// Inconclusive its outcomes.
	Judged, Pass, Fail, Inconclusive int
	// Intervals counts the splits with an interval, Missed those whose interval
	// excludes no change: a share of 1 − level is nominal.
	Intervals, Missed int
	// Passing is the smallest margin that the asked share of the splits pass,
	// Provable the smallest that as many runs show with the power of the options
	// if nothing changed: harms on the margin's scale, NaN where there is none.
	Passing, Provable float64
	// Scale is that of the two.
	Scale verdict.Scale

	harms []float64 // upper limits
}

// Measure decides every split of the parts by the policy.
func Measure(ctx context.Context, p *compare.Parts, policy verdict.Policy, opt Options) (*Result, error) {
	n := len(p.Side.Units)
	size := opt.Size
	if size == 0 {
		size = n / 2
	}
	if n < 2 {
		return nil, fmt.Errorf("%d run: want at least 2 to compare, or one with start times to cut into blocks: %w", n, stats.ErrTooFew)
	}
	if 2*size > n || size < 1 {
		return nil, fmt.Errorf("%d runs a side out of %d: want at most %d: %w", size, n, n/2, stats.ErrTooFew)
	}
	halves, err := bootstrap.NewHalves(n, size, opt.Most, opt.Seed)
	if err != nil {
		return nil, err
	}
	r := &Result{Size: size, Splits: len(halves.Splits), All: halves.All}
	at := map[string]int{}
	checks := map[verdict.CheckCode]int{}
	for _, split := range halves.Splits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, err := p.Compare(split[0], split[1])
		if err != nil {
			return nil, err
		}
		r.count(verdict.Decide(c, policy), at, checks)
	}
	if err := r.finish(p, opt, checks); err != nil {
		return nil, err
	}
	return r, nil
}

// count adds one decision.
func (r *Result) count(d verdict.Decision, at map[string]int, checks map[verdict.CheckCode]int) {
	switch d.Outcome {
	case verdict.Pass:
		r.Pass++
	case verdict.Fail:
		r.Fail++
	case verdict.ExceptionRequired:
		r.Exception++
	default:
		r.Inconclusive++
	}
	for _, c := range d.Checks {
		if c.Status == verdict.CheckFail {
			checks[c.Code]++
		}
	}
	for i := range d.Gates {
		g := &d.Gates[i]
		if g.Limit != nil {
			continue // about one side alone
		}
		key := g.Result.Metric.Name + "\x00" + g.Result.Estimand.String()
		if s := g.Result.Slice; s != nil {
			key += "\x00" + s.String()
		}
		k, ok := at[key]
		if !ok {
			k = len(r.Rows)
			at[key] = k
			r.Rows = append(r.Rows, Row{Metric: g.Result.Metric, Estimand: g.Result.Estimand, Slice: g.Result.Slice, Margin: g.Margin})
		}
		r.Rows[k].count(g)
	}
}

func (row *Row) count(g *verdict.Gate) {
	if g.Margin != nil {
		row.Margin, row.Scale = g.Margin, g.Margin.Scale
	}
	if g.Judged {
		row.Judged++
		switch g.Outcome {
		case verdict.Pass:
			row.Pass++
		case verdict.Fail, verdict.ExceptionRequired:
			row.Fail++
		default:
			row.Inconclusive++
		}
	}
	if g.Why != verdict.Decided && g.Why != verdict.TooWide && g.Why != verdict.Multiplicity && g.Why != verdict.NoMargin {
		row.harms = append(row.harms, math.Inf(1))
		return
	}
	row.Intervals++
	if g.HarmLo > 0 || g.HarmHi < 0 {
		row.Missed++
	}
	row.harms = append(row.harms, g.HarmHi)
}

// finish derives noise and margins.
func (r *Result) finish(p *compare.Parts, opt Options, checks map[verdict.CheckCode]int) error {
	for code, n := range checks {
		r.Checks = append(r.Checks, CheckCount{code, n})
	}
	slices.SortFunc(r.Checks, func(a, b CheckCount) int {
		if a.N != b.N {
			return b.N - a.N
		}
		if a.Code < b.Code {
			return -1
		}
		return 1
	})
	spreads, err := p.Spreads()
	if err != nil {
		return err
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Slice == nil {
			k := slices.IndexFunc(spreads, func(s compare.Spread) bool { return s.Metric.Name == row.Metric.Name && s.Estimand == row.Estimand })
			if k >= 0 {
				row.Spread = &spreads[k]
			}
		}
		if row.Margin == nil && (row.Spread == nil || math.IsNaN(row.Spread.Log.SD)) {
			row.Scale = verdict.Absolute
		}
		row.Passing, row.Provable = math.NaN(), math.NaN()
		if row.Margin != nil {
			row.Passing = atShare(row.harms, opt.PassShare)
			row.Provable = row.provable(p, r.Size, opt)
		}
	}
	return nil
}

// atShare is the value that a share of the values do not exceed, NaN where that
// is no finite number above 0.
func atShare(values []float64, share float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	s := slices.Clone(values)
	slices.Sort(s)
	v := s[min(len(s)-1, max(0, int(math.Ceil(share*float64(len(s))-1e-9))-1))]
	if math.IsInf(v, 0) || v <= 0 {
		return math.NaN()
	}
	return v
}

// provable is the smallest margin that as many runs a side show.
func (row *Row) provable(p *compare.Parts, size int, opt Options) float64 {
	s := row.Spread
	if s == nil {
		return math.NaN()
	}
	alpha, power := (1-p.Options.Level)/2, p.Options.Power
	if s.Counted {
		n := int(s.Values) * size
		if v, err := stats.MDETwoProportionsNI(float64(s.Hits)/float64(s.Trials), n, alpha, power); err == nil {
			return v
		}
		return math.NaN()
	}
	n := s.Natural
	if row.Scale == verdict.Relative {
		n = s.Log
	}
	if math.IsNaN(n.SD) {
		return math.NaN()
	}
	sd, err := stats.SDUpperLimit(n.SD, n.DF, opt.UpperLevel)
	if err != nil {
		return math.NaN()
	}
	if size == 1 {
		return stats.MDE(sd*math.Sqrt2, math.Inf(1), alpha, power)
	}
	v, err := stats.MDERuns(size, sd, alpha, power, stats.Greater)
	if err != nil {
		return math.NaN()
	}
	return v
}
