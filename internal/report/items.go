package report

import (
	"fmt"
	"maps"
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// ItemSide describes one side of a comparison of scores.
type ItemSide struct {
	SideMeta
	Runs                     int
	Scored, Unscored, Failed int64 // answers
	Rows                     []int64
}

// ItemMeta is what a report about items says beyond the numbers.
type ItemMeta struct {
	Tool  Tool
	Seed  uint64
	Sides []ItemSide
	Notes []Note
	// Flips is how many flips a text lists.
	Flips int
}

// BuildItems makes the document of a comparison of scores and its decision.
func BuildItems(c *compare.Comparison, d verdict.Decision, m ItemMeta) *Document {
	doc := itemBase(c, m, "compare")
	doc.Baseline, doc.Candidate = itemSide(m.Sides[0]), itemSide(m.Sides[1])
	doc.decided(c, d)
	if len(doc.Results) > 0 {
		doc.Pairs = doc.Results[0].Pairs
	}
	for i := range c.Quality.Flips {
		doc.Flips = append(doc.Flips, flip(&c.Quality.Flips[i], c))
	}
	doc.Warnings = append(append(doc.Warnings, m.Notes...), itemNotes(c, d)...)
	return doc
}

// BuildItemDescription makes the document of one side's scores.
func BuildItemDescription(c *compare.Comparison, m ItemMeta) *Document {
	doc := itemBase(c, m, "describe")
	doc.Baseline = itemSide(m.Sides[0])
	maps.Copy(doc.Baseline.Fingerprint, c.Fingerprint[0])
	for i := range c.Results {
		r := &c.Results[i]
		g := verdict.Gate{Result: r, Kind: verdict.Uncertain}
		if !r.Baseline.OK {
			g.Kind, g.Why = verdict.NoData, verdict.Missing
		}
		nan := math.NaN()
		g.PMargin, g.PZero, g.MDE, g.PChange = nan, nan, nan, nan
		doc.Results = append(doc.Results, result(&g, c))
	}
	doc.Warnings = append(append(doc.Warnings, m.Notes...), itemNotes(c, verdict.Decision{})...)
	return doc
}

func itemBase(c *compare.Comparison, m ItemMeta, command string) *Document {
	doc := base(&compare.Comparison{Options: c.Options}, Meta{Tool: m.Tool, Seed: m.Seed}, command)
	doc.listed = m.Flips
	doc.Design = Design{Unit: "item", BaselineUnits: c.Design.Baseline, CandidateUnits: c.Design.Candidate, Paired: command == "compare", AssumedRunNoise: none}
	if c.Quality.Clusters > 0 {
		doc.Design.Unit = "cluster"
		doc.Design.BaselineUnits, doc.Design.CandidateUnits = c.Quality.Clusters, c.Quality.Clusters
	}
	if command == "describe" {
		doc.Design.CandidateUnits = 0
	}
	doc.Design.Text = itemDesignText(c, command == "describe")
	return doc
}

func itemSide(s ItemSide) *Side {
	out := &Side{
		Label: s.Label, Runs: s.Runs, Requests: s.Scored + s.Unscored + s.Failed, OK: s.Scored, Failed: s.Failed,
		Files: []File{}, Failures: []Count{}, Rejected: []Count{}, Excluded: []Count{}, Fingerprint: map[string]string{}, items: true,
	}
	if s.Failed > 0 {
		out.Failures = append(out.Failures, Count{"error", s.Failed, "the item failed"})
	}
	if s.Unscored > 0 {
		out.Rejected = append(out.Rejected, Count{"unscored", s.Unscored, "the answer has no score"})
	}
	for i, f := range s.Files {
		out.Files = append(out.Files, File{Path: f.Path, Reader: f.Reader, Rows: s.Rows[i], SHA256: f.SHA256, Columns: map[string]FieldFrom{}})
	}
	return out
}

// itemFields fills what only results about items have.
func itemFields(out *Result, g *verdict.Gate, c *compare.Comparison) {
	r := g.Result
	it := r.Items
	if it == nil {
		return
	}
	out.items, out.percent, out.many = true, r.Metric.Fraction, it.ManyTasks
	for _, f := range []struct {
		into **string
		text string
	}{{&out.Task, r.Task}, {&out.Filter, r.Filter}, {&out.Average, r.Average}} {
		if f.text != "" {
			*f.into = &f.text
		}
	}
	out.tasks = it.Tasks
	if !it.OneSide {
		out.Pairs = pairs(r)
	}
	q := c.Quality
	if it.Unknown > 0 {
		out.Missing = &Missing{Policy: q.Options.Missing.String(), Items: it.Unknown, Known: changeOrNil(it.Known)}
		if q.Options.Missing == compare.Bound {
			out.Missing.Lowest, out.Missing.Highest = changeOrNil(it.Lowest), changeOrNil(it.Highest)
		}
	}
	if it.Clusters > 0 {
		out.Clusters = &Clusters{By: q.Cluster, N: it.Clusters, LargestShare: Num(it.LargestCluster), DesignEffect: none}
		if it.DesignEffect > 0 {
			out.Clusters.DesignEffect = Num(it.DesignEffect)
		}
	}
	if n := it.Repeats; n != nil {
		rep := &Repeats{SE: Num(n.SE), SETwice: Num(n.SETwice), SELimit: Num(n.SELimit)}
		sides := []**RepeatSide{&rep.Baseline, &rep.Candidate}
		for i := range 2 {
			if n.OK[i] {
				s := n.Side[i]
				*sides[i] = &RepeatSide{PerItem: Num(n.PerItem[i]), Between: Num(s.Between), Within: Num(s.Within), Agreement: Num(s.Agreement)}
			}
		}
		out.Repeats = rep
	}
	if g.Needed.Items > 0 && out.Needed != nil {
		n := g.Needed.Items
		out.Needed.Items = &n
	}
}

func changeOrNil(c compare.Contrast) *Change {
	if !c.OK {
		return nil
	}
	return change(c, func(v float64) float64 { return v })
}

// pairs counts items by which side has the better score.
func pairs(r *compare.Result) *Pairs {
	it := r.Items
	p := &Pairs{
		Matched: it.Matched, BaselineOnly: it.Only[0], CandidateOnly: it.Only[1], Neither: it.Never,
		Duplicates:       it.Same[0] + it.Same[1] + it.Settled[0] + it.Settled[1],
		UnscoredBaseline: it.Lacking[0], UnscoredCandidate: it.Lacking[1],
		OnlyBaseline: it.Fell, OnlyCandidate: it.Rose,
	}
	right, wrong := it.Table.Both, it.Table.Neither
	if r.Metric.Direction == metric.LowerIsBetter {
		p.OnlyBaseline, p.OnlyCandidate = it.Rose, it.Fell
		right, wrong = wrong, right
	}
	if it.Binary {
		p.BothRight, p.BothWrong = &right, &wrong
	}
	return p
}

func flip(f *compare.Flip, c *compare.Comparison) Flip {
	out := Flip{
		Item: f.Item, Task: f.Task, Turn: f.Turn, Metric: f.Metric, Filter: f.Filter, Baseline: Num(f.Baseline), Candidate: Num(f.Candidate),
		Slice: map[string]string{}, BaselineText: f.Text[0], CandidateText: f.Text[1], worse: f.Loss > 0,
	}
	for i, col := range c.Quality.Options.By {
		if i < len(f.Slice) && f.Slice[i] != "" {
			out.Slice[col] = f.Slice[i]
		}
	}
	return out
}

// itemNotes gathers remarks about pairing, clusters and slices.
func itemNotes(c *compare.Comparison, d verdict.Decision) []Note {
	q := c.Quality
	var out []Note
	add := func(code, format string, a ...any) {
		out = append(out, Note{code, capitalWord(fmt.Sprintf(format, a...))})
	}
	if n := q.Counts.Same; n[0]+n[1] > 0 {
		add("duplicates", "rows that repeat another row word for word, left out: %s and %s", count(int64(n[0])), count(int64(n[1])))
	}
	if n := q.Counts.Settled; n[0]+n[1] > 0 {
		add("duplicates_settled", "rows that disagree with another row for the same answer, left out: %s and %s", count(int64(n[0])), count(int64(n[1])))
	}
	if n := q.Counts.Outside; n[0]+n[1] > 0 {
		add("outside_universe", "items that are not among those that should be there, left out: %s and %s", count(int64(n[0])), count(int64(n[1])))
	}
	if n := q.Counts.Attribute; n > 0 {
		add("attributes_differ", "columns of %s differ between the sides; the baseline's values hold", plural(int64(n), "item"))
	}
	if q.Runs[0] > 1 || q.Runs[1] > 1 {
		add("runs", "%d and %d inputs a side: answers to the same item are averaged inside the item", q.Runs[0], q.Runs[1])
	}
	for _, h := range q.Hints {
		out = append(out, hintNote(h))
	}
	if q.ThinSlices > 0 {
		add("thin_slices", "%s with fewer than %s: shown without an interval", plural(int64(q.ThinSlices), "slice"), plural(int64(q.Options.MinSupport), "item"))
	}
	if q.FlipsCut > 0 {
		add("flips_cut", "%s beyond the worst %s are not listed", plural(int64(q.FlipsCut), "changed outcome"), count(int64(q.Options.MaxFlips)))
	}
	if t := fewItemsNote(c, d); t != "" {
		add("few_items", "%s", t)
	}
	return out
}

func hintNote(h compare.ClusterHint) Note {
	text := fmt.Sprintf("Items share a %s (%s for %s). If answers to items of one %s depend on each other, say --cluster %s", h.Attribute, plural(int64(h.Clusters), "value"), plural(int64(h.Items), "item"), h.Attribute, h.Attribute)
	if h.Factor > 0 {
		text += fmt.Sprintf("; the standard error would be %s times this one", digits(h.Factor, 2))
	}
	return Note{"unused_cluster", text}
}

// fewItemsNote says once which tasks are too small to be gates.
func fewItemsNote(c *compare.Comparison, d verdict.Decision) string {
	n, least := 0, 0
	for i := range d.Gates {
		if g := &d.Gates[i]; g.Why == verdict.FewItems {
			n++
			least = max(least, g.LeastItems(c.Options))
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s with too few items to show the margin on their own, even if no answer changed (it takes %s): judged within the averages only", plural(int64(n), "task"), count(int64(least)))
}
