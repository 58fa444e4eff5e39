package report

import (
	"fmt"
	"math"
	"strings"
)

// calibrationSheet lays out a calibration.
func calibrationSheet(doc *Document) sheet {
	c := doc.Calibration
	s := sheet{title: doc.Tool.Name + " calibrate  " + doc.Baseline.Label}
	for _, r := range doc.Reasons {
		s.lead = append(s.lead, r.Text)
	}
	s.lead = append(s.lead, fmt.Sprintf("%s, seed %d", doc.Design.Text, doc.Seed))
	s.parts = append(s.parts, part{grid: calibrationGrid(doc)})
	for _, ch := range c.Checks {
		s.notes = append(s.notes, fmt.Sprintf("The check %s failed in %s of the splits: halves of the same traffic look different to it.", strings.ReplaceAll(ch.Check, "_", " "), share1(float64(ch.Share))))
	}
	s.notes = append(s.notes, fmt.Sprintf("Misses: intervals that exclude no change; %s is nominal. Passes: the margin that nine of ten splits pass. Provable: the margin shown by %s with 80 %% power if nothing changed.",
		share1(1-doc.Level), planUnits(c)))
	if c.Unit == "block" {
		s.notes = append(s.notes, "Blocks of one run tell how the intervals within a run fare, and nothing of the noise between runs: calibrate on several runs for that.")
	} else if !c.All || c.Splits > c.Units {
		s.notes = append(s.notes, fmt.Sprintf("The splits share their %s, so the shares are less certain than the number of splits suggests.", plural(int64(c.Units), c.Unit)))
	}
	if t := sideText(doc.Baseline); t != "" {
		s.notes = append(s.notes, t)
	}
	for _, n := range doc.Warnings {
		s.notes = append(s.notes, sentence(n.Text))
	}
	return s
}

func planUnits(c *Calibration) string {
	if c.Size == 1 {
		return "one " + c.Unit + " a side"
	}
	return fmt.Sprintf("%d %ss a side", c.Size, c.Unit)
}

func calibrationGrid(doc *Document) grid {
	sd := doc.Calibration.Unit + " SD"
	g := grid{
		head:  []string{"metric", "at", "slice", sd, percentOf(doc.Level) + " interval", "from requests", "misses", "FAIL", "INCONCLUSIVE", "margin", "passes", "provable"},
		right: []bool{false, false, false, true, false, true, true, true, true, true, true, true},
	}
	last := ""
	for i := range doc.Calibration.Rows {
		r := &doc.Calibration.Rows[i]
		name := r.Metric
		if name == "success_rate" {
			name = "ok"
		}
		row := make([]string, len(g.head))
		if name != last {
			row[0], last = name, name
		}
		row[1], row[2] = r.Estimand, sliceText(r.Slice)
		p := &r.harm
		if v := float64(r.RunSD.Value); r.RunSD.Value.Known() {
			row[3] = p.spread(v)
			if r.RunSD.Lo.Known() && r.RunSD.Hi.Known() {
				row[4] = p.spreads(float64(r.RunSD.Lo), float64(r.RunSD.Hi))
			}
			if w := float64(r.WithinSD); w > 0 && doc.Calibration.Unit != "block" {
				row[5] = fixed(100*math.Min(1, w*w/(v*v)), 0) + " %"
			}
		}
		row[6], row[7], row[8] = shareOrNothing(r.Misses), shareOrNothing(r.Fail), shareOrNothing(r.Inconclusive)
		row[9], row[10], row[11] = p.marginText(), p.margin(r.PassingMargin), p.margin(r.ProvableMargin)
		g.rows = append(g.rows, row)
	}
	return g
}

func shareOrNothing(v Num) string {
	if !v.Known() {
		return ""
	}
	return share1(float64(v))
}

// margin prints a suggested margin, rounded up to what would be written down.
func (p *Plan) margin(m *Margin) string {
	if m == nil {
		return ""
	}
	return marginAbove(float64(m.Value), m.Kind == "relative", p.share, p.MetricUnit)
}
