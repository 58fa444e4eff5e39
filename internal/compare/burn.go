package compare

import (
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// Burn says how fast a side spends its error budget: 1 spends it exactly over
// the window.
type Burn struct {
	OK       bool
	Estimate stats.Estimate
	Bad      int64
	Total    int64
}

// burn computes the burn rate of a side against a target share of good
// requests: those that met the objective, or succeeded where there is none. Where nothing
// counts the failed requests there is none.
func (c *comparer) burn(side *metric.Side) Burn {
	if c.opt.SLOTarget == 0 || side.NoOutcomes() {
		return Burn{}
	}
	var good, total int64
	for _, u := range side.Units {
		total += u.Requests()
		if c.plan.SLO != nil {
			good += u.Good
		} else {
			good += u.OK()
		}
	}
	est, err := stats.BurnRate(total-good, total, c.opt.SLOTarget, c.opt.Level)
	if err != nil {
		return Burn{}
	}
	return Burn{OK: true, Estimate: est, Bad: total - good, Total: total}
}
