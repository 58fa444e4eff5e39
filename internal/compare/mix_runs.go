package compare

import (
	"math"
	"slices"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/mixshift"
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// stratified is one side of a result by run and stratum.
type stratified struct {
	runs   mixshift.Runs
	relErr float64
}

// row lists the parts of a run by stratum.
func (s *strata) row(u *metric.Unit) []*metric.Part {
	row := make([]*metric.Part, len(s.mix.Strata))
	for key, p := range u.Facets[s.facet] {
		if i, ok := s.cell[key]; ok {
			row[i] = p
		}
	}
	return row
}

// any reports whether a row of parts has a value.
func (s *strata) any(r *Result, row []*metric.Part, item int) bool {
	return slices.ContainsFunc(row, func(p *metric.Part) bool { return p != nil && s.size(r, p, item) > 0 })
}

// stratified prepares one of the sides for the split.
func (c *comparer) stratified(which int, side *metric.Side, r *Result, item int) (stratified, error) {
	s := c.strata
	n := len(s.mix.Strata)
	var parts [][]*metric.Part // by run and stratum
	for _, u := range side.Units {
		if row := s.row(u); s.any(r, row, item) {
			parts = append(parts, row)
		}
	}
	var out stratified
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
	made := &s.made[which]
	if made.side != side || made.item != item {
		*made = madeRuns{side: side, item: item}
	}
	value, relErr, err := s.statistic(made, r, parts, item)
	if err != nil {
		return out, err
	}
	out.runs.Statistic = func(weight [][]float64) (float64, error) {
		if err := c.interrupted(); err != nil {
			return 0, err
		}
		return value(weight)
	}
	out.relErr = relErr
	return out, nil
}

// size is how many values a part adds.
func (s *strata) size(r *Result, p *metric.Part, item int) float64 {
	if r.Metric.Kind == metric.Share {
		return float64(p.Requests())
	}
	return float64(p.Cells[item].Sketch.N())
}

// madeRuns is the distribution that was made last: a side and an item are asked
// for one estimand after the other.
type madeRuns struct {
	side *metric.Side
	item int
	runs *mixshift.MergedRuns
}

// statistic returns the estimand as a function of the weights of the parts, whose
// distribution it makes where made has none.
func (s *strata) statistic(made *madeRuns, r *Result, parts [][]*metric.Part, item int) (func([][]float64) (float64, error), float64, error) {
	if r.Metric.Kind != metric.Share && r.Estimand.Kind != metric.Mean {
		if made.runs == nil {
			sketches := make([][]*sketch.Sketch, len(parts))
			for k, row := range parts {
				sketches[k] = make([]*sketch.Sketch, len(row))
				for i, p := range row {
					if p != nil {
						sketches[k][i] = p.Cells[item].Sketch
					}
				}
			}
			var err error
			if made.runs, err = mixshift.NewMergedRuns(sketches); err != nil {
				made.runs = nil
				return nil, 0, err
			}
		}
		return made.runs.Quantile(r.Estimand.Q), made.runs.RelativeError(), nil
	}
	values := make([][]float64, len(parts))
	for k, row := range parts {
		values[k] = make([]float64, len(row))
		for i, p := range row {
			switch {
			case p == nil || s.size(r, p, item) == 0:
			case r.Metric.Kind == metric.Share:
				values[k][i] = float64(r.Metric.Hits(p.OK(), p.Good)) / float64(p.Requests())
			default:
				m, err := p.Cells[item].Sum.Mean()
				if err != nil {
					m = math.NaN()
				}
				values[k][i] = m
			}
		}
	}
	return mixshift.MeanOfRuns(values), 0, nil
}
