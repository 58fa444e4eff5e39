package plan

import (
	"errors"
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func binary(discordance float64) ItemSpread {
	return ItemSpread{Discordance: discordance, Planned: discordance, Between: math.NaN(), Within: math.NaN()}
}

func gradedBy(sd float64) ItemSpread {
	nan := math.NaN()
	return ItemSpread{Discordance: nan, Planned: nan, SD: sd, PlannedSD: sd, Between: nan, Within: nan}
}

// The numbers of Nam's formula at one-sided .05 and power .8, as published tables
// of it have them.
func TestItemsOfNam(t *testing.T) {
	for _, c := range []struct {
		margin, discordance float64
		want                int
	}{
		{.01, .02, 1397}, {.01, .05, 3162}, {.01, .10, 6215}, {.02, .05, 837}, {.03, .10, 717}, {.05, .20, 507},
	} {
		p, err := PlanItems(binary(c.discordance), ItemAsk{Power: .8, Level: .9, Margin: c.margin})
		if err != nil || p.Items != c.want {
			t.Errorf("margin %v, %v differ: %d items, want %d: %v", c.margin, c.discordance, p.Items, c.want, err)
		}
	}
}

// The plan keeps what it promises: the items have the power, and the smallest
// margin of the items is the one that was asked.
func TestItemPlansAreConsistent(t *testing.T) {
	for _, s := range []ItemSpread{binary(.05), binary(.2), gradedBy(.3)} {
		for _, effect := range []float64{-.01, 0, .005} {
			ask := ItemAsk{Power: .8, Level: .95, Margin: .02, Effect: effect}
			p, err := PlanItems(s, ask)
			if err != nil || p.Impossible != nil {
				t.Fatal(err, p.Impossible)
			}
			if math.Abs(p.Smallest-.02) > 1.2e-3 {
				t.Errorf("%+v, effect %v: the smallest margin of %d items is %v, want .02", s, effect, p.Items, p.Smallest)
			}
			last := 0.0
			for _, c := range p.Curve {
				if c.Power < last-.01 {
					t.Errorf("the power falls to %v at %d items", c.Power, c.Items)
				}
				last = c.Power
			}
			fixed := ask
			fixed.Items = p.Items
			q, err := PlanItems(s, fixed)
			if err != nil || math.Abs(q.Power-.8) > .02 {
				t.Errorf("%d items have a power of %v: %v", p.Items, q.Power, err)
			}
			for i := 1; i < len(p.ByMargin); i++ {
				if a, b := p.ByMargin[i-1].Items, p.ByMargin[i].Items; a > 0 && a < b {
					t.Errorf("a wider margin takes more items: %d, %d", a, b)
				}
			}
		}
	}
}

// Clusters multiply the items; answers an item stand for items to a degree.
func TestDesignsOfItems(t *testing.T) {
	ask := ItemAsk{Power: .8, Level: .95, Margin: .02}
	plain, err := PlanItems(gradedBy(.3), ask)
	if err != nil {
		t.Fatal(err)
	}
	s := gradedBy(.3)
	s.DesignEffect = 4
	clustered, err := PlanItems(s, ask)
	if err != nil || math.Abs(float64(clustered.Items)/float64(plain.Items)-4) > .02 {
		t.Errorf("%d items in clusters, %d without: %v", clustered.Items, plain.Items, err)
	}
	s = gradedBy(.2)
	s.Between, s.Within = .2, .4
	ask.Repeats = 4
	repeated, err := PlanItems(s, ask)
	if err != nil {
		t.Fatal(err)
	}
	want, err := stats.NPairedNI(.02, 0, math.Sqrt(.04+.16/4), .025, .8)
	if err != nil || repeated.Items != want.N {
		t.Errorf("%d items, want %d", repeated.Items, want.N)
	}
	for i := 1; i < len(repeated.ByRepeats); i++ {
		a, b := repeated.ByRepeats[i-1], repeated.ByRepeats[i]
		if b.Items > a.Items || b.Items*b.Repeats < a.Items*a.Repeats {
			t.Errorf("%+v then %+v", a, b)
		}
	}
}

func TestItemAskErrors(t *testing.T) {
	for why, ask := range map[string]ItemAsk{
		"no margin":      {Power: .8, Level: .95},
		"level":          {Power: .8, Level: 1, Margin: .01},
		"power":          {Power: .01, Level: .95, Margin: .01},
		"one item":       {Power: .8, Level: .95, Margin: .01, Items: 1},
		"margin below 0": {Power: .8, Level: .95, Margin: -.01},
		"repeats":        {Power: .8, Level: .95, Margin: .01, Repeats: -1},
	} {
		if _, err := PlanItems(binary(.1), ask); err == nil {
			t.Errorf("%s is accepted", why)
		}
	}
	p, err := PlanItems(binary(.1), ItemAsk{Power: .8, Level: .95, Margin: .01, Effect: .01})
	if err != nil || !errors.Is(p.Impossible, stats.ErrImpossible) || p.Items != 0 {
		t.Errorf("a loss at the margin: %+v, %v", p, err)
	}
}
