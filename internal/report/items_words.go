package report

import (
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// itemName is how a sentence calls a result about items: "acc of gsm8k", "acc
// over 57 tasks", "exact_match (strict-match) of subject=law".
func itemName(r *compare.Result) string {
	s := scoreName(r.Metric.Name, r.Filter)
	switch {
	case r.Slice != nil:
		return s + " of " + r.Slice.String()
	case r.Average == compare.Micro:
		return fmt.Sprintf("%s over all items of %s", s, plural(int64(r.Items.Tasks), "task"))
	case r.Average == compare.Macro:
		return fmt.Sprintf("%s as the %s", s, meanOfTasks(r.Items.Tasks))
	case r.Items.ManyTasks && r.Task != "":
		return s + " of " + r.Task
	}
	return s
}

// scoreName names a metric and the filter of its answers; lm-evaluation-harness
// writes none for no filter.
func scoreName(metric, filter string) string {
	if filter == "" || filter == "none" {
		return metric
	}
	return metric + " (" + filter + ")"
}

// itemDesignText says in one line what the evidence is.
func itemDesignText(c *compare.Comparison, describe bool) string {
	q, level := c.Quality, percentOf(c.Options.Level)
	where := " on both sides, "
	if describe {
		where = ", "
	}
	head := plural(int64(q.Items), "item") + where
	if q.Clusters > 0 {
		by := q.Cluster
		if by == compare.ByItem && q.Options.Cluster == "" {
			return head + fmt.Sprintf("%s, turns of one item taken together: cluster-robust %s intervals", plural(int64(q.Clusters), "question"), level)
		}
		return head + fmt.Sprintf("%s by %s: cluster-robust %s intervals", plural(int64(q.Clusters), "cluster"), by, level)
	}
	return head + "item-level " + level + " intervals"
}

// itemWhy says why a gate about items is not decided by its interval, "" where
// the general words do.
func itemWhy(g *verdict.Gate, c *compare.Comparison) string {
	r := g.Result
	it := r.Items
	if it == nil {
		return ""
	}
	switch g.Why {
	case verdict.Missing:
		switch {
		case it.Only == [2]int{} && it.Lacking[0] > 0 && it.Lacking[1] == 0:
			return fmt.Sprintf("No item has %s on both sides: the baseline has no score for any of %s.", itemName(r), plural(int64(it.Lacking[0]), "item"))
		case it.Only[0]+it.Lacking[0] > 0 && it.Only[1]+it.Lacking[1] == 0:
			return fmt.Sprintf("No item has %s on both sides: the candidate has no score for any of %s.", itemName(r), plural(int64(it.Only[0]+it.Lacking[1]), "item"))
		case it.Only[1] > 0 && it.Only[0] == 0:
			return fmt.Sprintf("No item has %s on both sides: the baseline has no score for any of %s.", itemName(r), plural(int64(it.Only[1]), "item"))
		case it.Only == [2]int{} && it.Lacking[1] > 0 && it.Lacking[0] == 0:
			return fmt.Sprintf("No item has %s on both sides: the candidate has no score for any of %s.", itemName(r), plural(int64(it.Lacking[1]), "item"))
		case it.Only == [2]int{} && it.Lacking[0] > 0:
			return fmt.Sprintf("No item has %s on both sides: every item has no score on one of them.", itemName(r))
		}
		return fmt.Sprintf("No item has %s on both sides; %s and %s are on one side only. Are the items named alike?", itemName(r), count(int64(it.Only[0])), plural(int64(it.Only[1]), "item"))
	case verdict.NoInterval:
		for _, w := range r.Warnings {
			if w.Code == "task_without_pairs" {
				return fmt.Sprintf("There is no interval for %s: %s.", itemName(r), w.Text)
			}
		}
		if it.Clusters == 1 {
			return fmt.Sprintf("There is no interval for %s: all items are of one %s.", itemName(r), c.Quality.Cluster)
		}
		return fmt.Sprintf("There is no interval for %s: %s, or scores that are all the same, are too few to tell how far it varies.", itemName(r), plural(int64(it.Matched), "item"))
	case verdict.FewItems:
		return fmt.Sprintf("%s has %s; its margin of %s takes at least %s even if no answer changes.", itemName(r), plural(int64(it.Matched), "item"), marginText(g), count(int64(g.LeastItems(c.Options))))
	case verdict.MissingScores:
		return missingText(g)
	}
	return ""
}

// missingText says that the missing scores decide.
func missingText(g *verdict.Gate) string {
	r := g.Result
	it := r.Items
	pp := func(v float64) string {
		if r.Metric.Fraction {
			return signed(v*100, 2) + " pp"
		}
		return plus(v, valueOf(v, r))
	}
	worst, best := it.Lowest, it.Highest
	if r.Metric.Loss(0, 1) > 0 {
		worst, best = best, worst
	}
	hang := "have"
	if it.Unknown == 1 {
		hang = "has"
	}
	return fmt.Sprintf("%s: %s %s no score on a side, and the verdict hangs on what they would have been: the change of %s is %s without them, %s at worst and %s at best. Score them, or say what they count as with --errors wrong or --errors drop.",
		itemName(r), plural(int64(it.Unknown), "item"), hang, itemName(r), pp(it.Known.Value), pp(worst.Value), pp(best.Value))
}

// itemCheckText tells one check of items as a sentence.
func itemCheckText(c *verdict.Check) string {
	some := func() string {
		const most = 5
		ids := c.IDs[:min(most, len(c.IDs))]
		text := strings.Join(ids, ", ")
		if c.Count > len(ids) {
			text += ", …"
		}
		return text
	}
	have, were := "have", "were"
	if c.Count == 1 {
		have, were = "has", "was"
	}
	switch c.Code {
	case verdict.MismatchedItems:
		switch {
		case c.Count == 0:
			return fmt.Sprintf("%s: question and expected answer are the same on both sides.", plural(int64(c.Of), "item"))
		case c.Kept:
			return fmt.Sprintf("%s of %s %s another question or expected answer on the other side and %s kept (--mismatch keep): %s.", plural(int64(c.Count), "item"), count(int64(c.Of)), have, were, some())
		}
		text := fmt.Sprintf("%s of %s %s another question or expected answer on the other side and %s left out: %s.", plural(int64(c.Count), "item"), count(int64(c.Of)), have, were, some())
		if c.Status == verdict.CheckFail {
			text += fmt.Sprintf(" Up to %s is tolerated; --mismatch keep pairs them all the same.", percentOf(c.Limit))
		}
		return text
	case verdict.Coverage:
		if c.Count == 0 {
			return "Every item has a score on both sides."
		}
		how := map[string]string{
			"bound": "the interval covers the worst and the best they could have been (--errors bound)",
			"wrong": "they count as wrong (--errors wrong)",
			"drop":  "they were left out (--errors drop)",
		}[c.Rule]
		text := fmt.Sprintf("%s of %s %s no score on a side: %s. %s.", plural(int64(c.Count), "item"), count(int64(c.Of)), have, some(), strings.ToUpper(how[:1])+how[1:])
		if c.Status == verdict.CheckFail {
			text += fmt.Sprintf(" Leaving out more than %s makes a score look better than it is.", percentOf(c.Limit))
		}
		return text
	case verdict.EqualScores:
		return "Both sides have the same score for every item: is it the same run twice?"
	case verdict.MissingTask:
		return fmt.Sprintf("Only the %s has %s.", c.BaselineText, some())
	case verdict.JudgeCheck:
		return fmt.Sprintf("The judges differ (%s: %s against %s): a change of the judge looks like a change of the model.", c.Name, orNone(short(c.BaselineText)), orNone(short(c.CandidateText)))
	case verdict.PromptCheck:
		return fmt.Sprintf("The sides were asked otherwise: %s is %s against %s.", c.Name, orNone(short(c.BaselineText)), orNone(short(c.CandidateText)))
	}
	return ""
}

// short cuts a fact of a file for a sentence or a column.
func short(s string) string {
	const most = 60
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

// ItemName is how figures call a result about items.
func ItemName(r *compare.Result) string { return itemName(r) }
