package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/pairing"
	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// Missing says what an item without a score on a side counts as.
type Missing uint8

// The rules.
const (
	// Bound makes every interval cover the worst and the best the missing
	// scores could have been.
	Bound Missing = iota
	AsWrong
	Drop
)

var missingNames = [...]string{"bound", "wrong", "drop"}

// String returns the name that --errors takes.
func (m Missing) String() string { return missingNames[m] }

// ParseMissing reads a rule's name.
func ParseMissing(s string) (Missing, error) {
	for i, n := range missingNames {
		if n == s {
			return Missing(i), nil
		}
	}
	return 0, fmt.Errorf("unknown rule %q: want bound, wrong or drop", s)
}

// ByItem is the cluster of an item's turns, ByTask that of a task's items: words
// that QualityOptions.Cluster takes besides attributes.
const (
	ByItem = "item"
	ByTask = "task"
)

// QualityOptions are the settings of a comparison of scores besides Options.
type QualityOptions struct {
	Missing Missing
	// Cluster names the attribute whose values hold items that are not
	// independent; "" for none.
	Cluster string
	// By names attributes whose values are shown as slices, Critical slices
	// that are gates of their own. MinSupport is how many items a slice needs
	// for an interval.
	By         []string
	Critical   []SliceOf
	MinSupport int
	// Seed is that of every random draw, Replicates how many of them make an
	// interval.
	Seed       uint64
	Replicates int
	// RareDifferences is how many items have to differ for a t interval to be
	// believed on its own.
	RareDifferences int
	// SparseDifferences is the same where fewer than SparseShare of all items
	// differ.
	SparseDifferences int
	SparseShare       float64
	// SkewRule is Cochran's: a t interval wants n above SkewRule times the
	// squared skewness of the differences.
	SkewRule float64
	// MaxFlips is how many flips are kept.
	MaxFlips int
}

// DefaultQualityOptions returns the documented defaults.
func DefaultQualityOptions() QualityOptions {
	return QualityOptions{MinSupport: 10, Seed: 1, Replicates: 9999, RareDifferences: 15, SparseDifferences: 100, SparseShare: 0.2, SkewRule: 25, MaxFlips: 10_000}
}

// Quality is what a comparison of scores knows besides its results.
type Quality struct {
	Options QualityOptions
	Counts  pairing.Counts // over all series that were compared
	// Cluster is what the clusters are, "" without: an attribute, ByItem, ByTask.
	Cluster string
	// Items counts pairs of the first result, Clusters what they come in.
	Items, Clusters int
	OnlySeries      [2][]string
	Runs            [2]int
	Equal           bool
	Flips           []Flip
	FlipsCut        int // flips beyond MaxFlips
	Hints           []ClusterHint
	ThinSlices      int // slices below MinSupport
	Attributes      []string
}

// ItemResult is what a result about scores of items says beyond its values.
type ItemResult struct {
	Matched int    // items with a score on both sides
	Only    [2]int // items that only this side has
	Same    [2]int // equal rows left out
	Settled [2]int // conflicting rows left out
	// Lacking counts items of a side that have no score, or not all scores.
	Lacking [2]int
	Never   int
	// Table counts right and wrong answers; Binary tells that there are only
	// these. Fell and Rose count items whose score fell or rose.
	Binary     bool
	Table      paired.Table
	Fell, Rose int
	// Unknown is how many items have no score on a side; where Missing is
	// Bound, Lowest and Highest are the changes at the extremes of what they
	// could have been, and Known that of the items with both scores.
	Unknown                int
	Lowest, Highest, Known Contrast
	KnownLog               Contrast
	// ItemSD is the standard deviation of one item's difference that the
	// interval amounts to, clusters included.
	ItemSD float64
	// PlainSD is the standard deviation of an item's difference as it was seen.
	PlainSD float64
	// Clusters is how many there are, 0 if items are the unit; LargestCluster
	// the share of items in the largest; DesignEffect by which the variance
	// exceeds that of independent items.
	Clusters                     int
	LargestCluster, DesignEffect float64
	Repeats                      *RepeatNoise
	// OneSide tells that only the baseline was looked at.
	OneSide bool
	// Tasks is how many tasks an average is over.
	Tasks int
	// ManyTasks tells that the metric is compared in several tasks.
	ManyTasks bool
}

// Averages over tasks.
const (
	Micro = "micro" // every item weighs the same
	Macro = "macro" // every task weighs the same
)

// quality is a comparison of scores in work.
type quality struct {
	opt Options
	q   QualityOptions
	p   *pairing.Pairing
	out *Comparison
	// ranges holds the least and the greatest score of a metric.
	ranges map[string]stats.Interval
	metric map[string]*metric.Metric
	// cluster returns the cluster of an item, "" for one of its own; nil without
	// clusters.
	cluster func(s *pairing.Series, it *pairing.Item) string
}

// CompareQuality estimates the change of every metric from the first side of a
// pairing to the second, in every task, over all tasks, and in slices. score
// makes a metric of a name and the range of its scores.
func CompareQuality(ctx context.Context, p *pairing.Pairing, score func(name string, lo, hi float64) *metric.Metric, opt Options, q QualityOptions) (*Comparison, error) {
	c, err := newQuality(p, score, opt, q)
	if err != nil {
		return nil, err
	}
	for _, group := range c.groups() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.group(group); err != nil {
			return nil, err
		}
	}
	for _, group := range c.groups() {
		if err := c.sliced(ctx, group); err != nil {
			return nil, err
		}
	}
	c.flips()
	c.hints()
	c.settleDesign()
	return c.out, nil
}

func newQuality(p *pairing.Pairing, score func(name string, lo, hi float64) *metric.Metric, opt Options, q QualityOptions) (*quality, error) {
	c := &quality{opt: opt, q: q, p: p, ranges: map[string]stats.Interval{}, metric: map[string]*metric.Metric{}}
	c.out = &Comparison{Options: opt, Quality: &Quality{Options: q, OnlySeries: p.OnlySeries, Runs: p.Runs, Equal: p.Equal, Attributes: p.AttrNames}}
	for _, s := range p.Series {
		c.out.Quality.Counts.Add(s.Counts)
		r, ok := c.ranges[s.Metric]
		if !ok {
			r = stats.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
		}
		c.ranges[s.Metric] = rangeOf(s, r)
	}
	for name, r := range c.ranges {
		m := score(name, r.Lo, r.Hi)
		if m.Fraction {
			c.ranges[name] = stats.Interval{Lo: 0, Hi: 1}
		}
		c.metric[name] = m
	}
	if err := c.chooseCluster(); err != nil {
		return nil, err
	}
	return c, c.checkSlices()
}

// rangeOf widens r to hold every score of a series.
func rangeOf(s *pairing.Series, r stats.Interval) stats.Interval {
	take := func(v float64) { r.Lo, r.Hi = math.Min(r.Lo, v), math.Max(r.Hi, v) }
	for i := range s.Items {
		for _, o := range [2]*pairing.Outcome{&s.Items[i].X, &s.Items[i].Y} {
			if o.N == 1 {
				take(o.Sum)
			}
			for _, v := range o.Scores {
				take(v)
			}
		}
	}
	return r
}

// groups are the series of one metric and filter, one per task.
func (c *quality) groups() [][]*pairing.Series {
	var out [][]*pairing.Series
	for _, s := range c.p.Series {
		if n := len(out); n > 0 && out[n-1][0].Metric == s.Metric && out[n-1][0].Filter == s.Filter {
			out[n-1] = append(out[n-1], s)
			continue
		}
		out = append(out, []*pairing.Series{s})
	}
	return out
}

// AttributeError reports a cluster or slice by something the items do not have.
type AttributeError struct{ text string }

func (e *AttributeError) Error() string { return e.text }

// chooseCluster finds the clusters: the attribute asked for, a column the files
// call cluster, or the items themselves where they have several turns.
func (c *quality) chooseCluster() error {
	name := c.q.Cluster
	if name == "" {
		if slices.Contains(c.p.AttrNames, "cluster") {
			name = "cluster"
		} else if slices.ContainsFunc(c.p.Series, func(s *pairing.Series) bool { return s.Turns }) {
			name = ByItem
		}
	}
	c.out.Quality.Cluster = name
	if name == "" {
		return nil
	}
	value, err := c.attribute(name)
	if err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	c.cluster = value
	return nil
}

// attribute returns what reads an attribute of an item.
func (c *quality) attribute(name string) (func(s *pairing.Series, it *pairing.Item) string, error) {
	if k := slices.Index(c.p.AttrNames, name); k >= 0 {
		return func(_ *pairing.Series, it *pairing.Item) string {
			if k < len(it.Attr) {
				return it.Attr[k]
			}
			return ""
		}, nil
	}
	switch name {
	case ByItem:
		return func(s *pairing.Series, it *pairing.Item) string { return s.Task + "\x00" + it.ID }, nil
	case ByTask:
		return func(s *pairing.Series, _ *pairing.Item) string { return s.Task }, nil
	case "filter":
		return func(s *pairing.Series, _ *pairing.Item) string { return s.Filter }, nil
	case "turn":
		return func(_ *pairing.Series, it *pairing.Item) string { return it.Turn }, nil
	}
	return nil, &AttributeError{fmt.Sprintf("there is no column %q; columns are %s", name, strings.Join(append(slices.Clone(c.p.AttrNames), ByTask, ByItem, "filter", "turn"), ", "))}
}

// group estimates one metric after one filter: averages over its tasks, and
// every task.
func (c *quality) group(series []*pairing.Series) error {
	var parts []*sample
	many := len(series) > 1
	within := *c
	if c.out.Quality.Cluster == ByTask && many {
		within.cluster = nil // a task alone is one cluster: it speaks for itself
	}
	for _, s := range series {
		parts = append(parts, within.sample([]*pairing.Series{s}, nil))
	}
	if many {
		whole := c.sample(series, nil)
		r, err := c.result(series, whole)
		if err != nil {
			return err
		}
		r.Average, r.Items.Tasks, r.Items.ManyTasks = Micro, len(series), true
		c.out.Results = append(c.out.Results, r)
		if r, err = c.macro(series, parts, r); err != nil {
			return err
		}
		c.out.Results = append(c.out.Results, r)
	}
	for i, s := range series {
		r, err := c.result([]*pairing.Series{s}, parts[i])
		if err != nil {
			return err
		}
		r.Task, r.Items.ManyTasks = s.Task, many
		c.out.Results = append(c.out.Results, r)
	}
	return nil
}

// settleDesign says what the evidence is.
func (c *quality) settleDesign() {
	q := c.out.Quality
	if len(c.out.Results) == 0 {
		return
	}
	first := c.out.Results[0].Items
	q.Items, q.Clusters = first.Matched, first.Clusters
	c.out.Design = Design{Baseline: first.Matched, Candidate: first.Matched}
}
