package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/plan"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// ItemPlanMeta is what a plan of items is about.
type ItemPlanMeta struct {
	Tool     Tool
	Seed     uint64
	Metric   string // "" for given numbers
	Label    string // of the pilot
	Percent  bool   // scores between 0 and 1
	Margin   *verdict.Margin
	Clusters string // what the design effect is of
	Notes    []Note
}

// BuildItemPlan makes the document of a plan of items.
func BuildItemPlan(p *plan.Items, m ItemPlanMeta) *Document {
	doc := base(&compare.Comparison{Options: compare.Options{Level: p.Ask.Level}}, Meta{Tool: m.Tool, Seed: m.Seed}, "plan")
	doc.Design = Design{Unit: "item", Paired: true, AssumedRunNoise: none}
	doc.Warnings = append(doc.Warnings, m.Notes...)
	metric := m.Metric
	if metric == "" {
		metric = "score"
	}
	out := Plan{Metric: metric, Estimand: "mean", Effect: Num(p.Ask.Effect), Power: p.Ask.Power, Level: p.Ask.Level,
		Assumptions: map[string]Num{}, MDE: Num(p.Smallest), Curve: []PowerAt{}, Trade: []TradeAt{}, Margins: []ItemsAt{}, Warnings: []Note{}}
	if m.Margin != nil {
		out.Margin = margin(m.Margin.Scale, m.Margin.Value)
	}
	s := p.Spread
	for _, a := range []struct {
		key string
		v   float64
	}{{"discordance", s.Discordance}, {"planned_discordance", s.Planned}, {"sd", s.SD}, {"planned_sd", s.PlannedSD}, {"between_sd", s.Between}, {"within_sd", s.Within}, {"design_effect", s.DesignEffect}, {"pilot_items", float64(s.PilotItems)}} {
		if !math.IsNaN(a.v) && a.v != 0 {
			out.Assumptions[a.key] = Num(a.v)
		}
	}
	if p.Items > 0 {
		n := int64(p.Items)
		out.Items = &n
	}
	for _, c := range p.Curve {
		out.Curve = append(out.Curve, PowerAt{int64(c.Items), Num(c.Power)})
	}
	for _, b := range p.ByMargin {
		at := ItemsAt{Margin: Num(b.Margin)}
		if n := int64(b.Items); n > 0 {
			at.Items = &n
		}
		out.Margins = append(out.Margins, at)
	}
	for _, b := range p.ByRepeats {
		t := TradeAt{Repeats: b.Repeats}
		if n := int64(b.Items); n > 0 {
			all := n * int64(b.Repeats)
			t.Items, t.Answers = &n, &all
		}
		out.Trade = append(out.Trade, t)
	}
	doc.Design.Text = itemPlanDesign(p, m)
	doc.Reasons = append(doc.Reasons, Reason{"plan", itemPlanAnswer(p, m)})
	doc.itemPlan = itemPlanSheet(doc, p, m)
	doc.Plan = append(doc.Plan, out)
	return doc
}

func (m *ItemPlanMeta) amount(v float64) string {
	if m.Percent {
		return number(math.Round(v*1e5)/1e3) + " pp"
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func (m *ItemPlanMeta) marginText() string {
	if m.Margin.Scale == verdict.Relative {
		return percentOf(m.Margin.Value)
	}
	return m.amount(m.Margin.Value)
}

func itemPlanDesign(p *plan.Items, m ItemPlanMeta) string {
	s := p.Spread
	var parts []string
	head := "given numbers"
	if s.PilotItems > 0 {
		head = "pilot: " + plural(int64(s.PilotItems), "item")
	}
	parts = append(parts, head)
	switch {
	case s.Binary() && s.Planned > s.Discordance:
		parts = append(parts, fmt.Sprintf("%s of outcomes differ, planned with the upper 80 %% limit of %s", share1(s.Discordance), share1(s.Planned)))
	case s.Binary():
		parts = append(parts, share1(s.Discordance)+" of outcomes differ")
	case s.PlannedSD > s.SD:
		parts = append(parts, fmt.Sprintf("differences of items have the standard deviation %s, planned with the upper 80 %% limit of %s", m.amount(s.SD), m.amount(s.PlannedSD)))
	default:
		parts = append(parts, "differences of items have the standard deviation "+m.amount(s.PlannedSD))
	}
	if s.DesignEffect > 1 {
		text := "clusters"
		if m.Clusters != "" {
			text = "clusters by " + m.Clusters
		}
		parts = append(parts, fmt.Sprintf("%s multiply the variance by %s", text, digits(s.DesignEffect, 2)))
	}
	parts = append(parts, fmt.Sprintf("level %s (one-sided %s)", percentOf(p.Ask.Level), percentOf((1-p.Ask.Level)/2)))
	return strings.Join(parts, ", ")
}

// itemPlanAnswer is the answer in a sentence.
func itemPlanAnswer(p *plan.Items, m ItemPlanMeta) string {
	name := m.Metric
	if name == "" {
		name = "the score"
	}
	power := percentOf(p.Ask.Power) + " power"
	assumed := "if nothing changed"
	switch {
	case p.Ask.Effect > 0:
		assumed = "if it is worse by " + m.amount(p.Ask.Effect)
	case p.Ask.Effect < 0:
		assumed = "if it is better by " + m.amount(-p.Ask.Effect)
	}
	var out []string
	switch {
	case m.Margin == nil:
	case p.Impossible != nil:
		out = append(out, fmt.Sprintf("No number of items shows that %s is not worse by %s, %s.", name, m.marginText(), assumed))
	default:
		text := fmt.Sprintf("%s show with %s that %s is not worse by %s, %s.", plural(int64(p.Items), "item"), power, name, m.marginText(), assumed)
		if p.AtEstimate > 0 && p.AtEstimate < p.Items {
			text += fmt.Sprintf(" If the sides differed exactly as in the pilot, %s would do.", count(int64(p.AtEstimate)))
		}
		out = append(out, text)
	}
	if p.Ask.Items > 0 {
		if !math.IsNaN(p.Power) {
			out = append(out, fmt.Sprintf("%s have a power of %s.", capitalWords(plural(int64(p.Ask.Items), "item")), share1(p.Power)))
		}
		if !math.IsNaN(p.Smallest) {
			out = append(out, fmt.Sprintf("The smallest margin that %s show with %s is %s, %s.", plural(int64(p.Ask.Items), "item"), power, m.amount(p.Smallest), assumed))
		}
	}
	return strings.Join(out, " ")
}

// itemPlanSheet lays the plan out.
func itemPlanSheet(doc *Document, p *plan.Items, m ItemPlanMeta) *sheet {
	title := doc.Tool.Name + " plan"
	if m.Label != "" {
		title += "  " + m.Label
	}
	pg := &sheet{title: title, lead: []string{doc.Reasons[0].Text, doc.Design.Text}}
	if len(p.Curve) > 0 {
		g := grid{head: []string{"items", "power"}, right: []bool{true, true}}
		for _, c := range p.Curve {
			if !math.IsNaN(c.Power) {
				g.rows = append(g.rows, []string{count(int64(c.Items)), share1(c.Power)})
			}
		}
		pg.parts = append(pg.parts, part{head: "Power for a margin of " + m.marginText() + ":", grid: g})
	}
	if len(p.ByMargin) > 0 {
		g := grid{head: []string{"margin", "items"}, right: []bool{true, true}}
		for _, b := range p.ByMargin {
			g.rows = append(g.rows, []string{m.amount(b.Margin), itemsOrNone(b.Items)})
		}
		pg.parts = append(pg.parts, part{head: "Items for other margins, with " + percentOf(p.Ask.Power) + " power:", grid: g})
	}
	if len(p.ByRepeats) > 0 {
		g := grid{head: []string{"answers an item", "items", "answers a side"}, right: []bool{true, true, true}}
		for _, b := range p.ByRepeats {
			all := "none"
			if b.Items > 0 {
				all = count(int64(b.Items) * int64(b.Repeats))
			}
			g.rows = append(g.rows, []string{count(int64(b.Repeats)), itemsOrNone(b.Items), all})
		}
		pg.parts = append(pg.parts, part{head: "More answers an item stand for items, to a degree:", grid: g})
	} else if p.Spread.PilotItems > 0 {
		pg.notes = append(pg.notes, "What more answers an item would buy takes a pilot with several answers an item.")
	}
	for _, n := range m.Notes {
		pg.notes = append(pg.notes, sentence(n.Text))
	}
	return pg
}

func itemsOrNone(n int) string {
	if n == 0 {
		return "none"
	}
	return count(int64(n))
}
