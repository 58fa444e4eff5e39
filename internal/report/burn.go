package report

import (
	"fmt"

	"github.com/perfdiff/perfdiff/internal/compare"
)

var sideNames = [...]string{"baseline", "candidate"}

// burn tells how fast each side spends its error budget.
func burn(c *compare.Comparison) []Burn {
	out := []Burn{}
	o := c.Options
	for i, b := range c.Burn {
		if !b.OK {
			continue
		}
		e := b.Estimate
		row := Burn{Side: sideNames[i], Target: Num(o.SLOTarget), WindowDays: none, LastsDays: none, Rate: Num(e.Value), Lo: Num(e.Interval.Lo), Hi: Num(e.Interval.Hi)}
		if o.SLOWindow > 0 {
			row.WindowDays = Num(o.SLOWindow)
			if e.Value > 0 {
				row.LastsDays = Num(o.SLOWindow / e.Value)
			}
		}
		out = append(out, row)
	}
	return out
}

// burnNotes says it in words.
func burnNotes(c *compare.Comparison) []Note {
	var out []Note
	for i, b := range c.Burn {
		if !b.OK {
			continue
		}
		of, o := "", c.Options
		if len(c.Sides) > 1 {
			of = " of the " + sideNames[i]
		}
		t := fmt.Sprintf("Error budget%s: %s of %s %s not good; a target of %s is burnt at %s times the rate that it allows", of,
			plural(b.Bad, "request"), count(b.Total), numbered(int(b.Bad), "was", "were"), percentOf(o.SLOTarget), digits(b.Estimate.Value, 2))
		switch {
		case b.Estimate.Value == 0:
			t = fmt.Sprintf("Error budget%s: no request of %s was bad", of, count(b.Total))
		case o.SLOWindow > 0:
			t += fmt.Sprintf(": the budget of %s days lasts %s", number(o.SLOWindow), daysText(o.SLOWindow/b.Estimate.Value))
		}
		out = append(out, Note{"error_budget", t + "."})
	}
	return out
}

func daysText(d float64) string {
	if d >= 1 {
		return digits(d, 2) + " days"
	}
	return digits(d*24, 2) + " hours"
}
