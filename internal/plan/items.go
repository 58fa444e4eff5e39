package plan

import (
	"errors"
	"fmt"
	"math"

	"github.com/perfdiff/perfdiff/stats"
)

// ItemSpread is how far the differences of items vary: what a plan of items
// rests on. Scores run from 0 to Scale.
type ItemSpread struct {
	// Discordance is the share of items whose outcome differs between the sides,
	// of right-or-wrong answers; NaN for graded ones. Planned is what is planned
	// with: the upper limit of one that was seen in a pilot.
	Discordance, Planned float64
	// SD is the standard deviation of an item's difference, of graded scores.
	SD, PlannedSD float64
	// Between and Within are the standard deviations of the true differences of
	// items and of one answer to an item, both sides' together; NaN where
	// unknown.
	Between, Within float64
	// DesignEffect is by which clusters raise the variance; 1 without.
	DesignEffect float64
	PilotItems   int // 0 for given numbers
}

// Binary reports whether answers are right or wrong.
func (s ItemSpread) Binary() bool { return !math.IsNaN(s.Discordance) }

// ItemAsk is what a plan of items is asked. Margin and Effect are differences of
// scores, the effect in the direction of harm.
type ItemAsk struct {
	Power, Level   float64
	Margin, Effect float64 // a margin of 0 is none
	Items          int     // fixed; 0 to be told
	Repeats        int     // answers an item, for a spread by parts
}

func (a ItemAsk) alpha() float64 { return (1 - a.Level) / 2 }

// Validate reports what is out of range.
func (a ItemAsk) Validate() error {
	if err := stats.CheckLevel(a.Level); err != nil {
		return err
	}
	switch {
	case !(a.Power > a.alpha() && a.Power < 1):
		return fmt.Errorf("power %v: want a share above %.4g and below 1, for example 0.8", a.Power, a.alpha())
	case a.Items < 0 || a.Items == 1:
		return fmt.Errorf("%d items: want at least 2", a.Items)
	case a.Items > maxItems:
		return fmt.Errorf("%d items: want at most %d", a.Items, maxItems)
	case a.Repeats < 0:
		return fmt.Errorf("%d answers an item: want at least 1", a.Repeats)
	case a.Margin < 0:
		return fmt.Errorf("margin %v: want more than 0", a.Margin)
	case a.Margin == 0 && a.Items == 0:
		return errors.New("a plan needs a margin to keep, or the number of items there are")
	}
	return nil
}

// Items is a plan of items.
type Items struct {
	Ask    ItemAsk
	Spread ItemSpread
	// Items decide; AtEstimate would if the spread were as it was seen. 0 where
	// not known.
	Items, AtEstimate int
	// Power is that of the fixed number of items, NaN without one; Smallest the
	// smallest margin that they, or else Items, show to be kept.
	Power, Smallest float64
	SmallestOf      int
	Curve           []PowerAtItems
	ByMargin        []ItemsForMargin
	ByRepeats       []ItemsForRepeats
	Impossible      error
}

// PowerAtItems is the power of a number of items.
type PowerAtItems struct {
	Items int
	Power float64
}

// ItemsForMargin is the number of items that a margin takes; 0: more than can
// be.
type ItemsForMargin struct {
	Margin float64
	Items  int
}

// ItemsForRepeats is the number of items that a number of answers an item takes.
type ItemsForRepeats struct {
	Repeats, Items int
	SD             float64 // of an item's difference
}

// maxItems is more than any evaluation has.
const maxItems = 100_000_000

// PlanItems says how many items a decision needs, or what a number of them
// shows.
func PlanItems(s ItemSpread, ask ItemAsk) (Items, error) {
	p := Items{Ask: ask, Spread: s, Power: math.NaN(), Smallest: math.NaN()}
	if err := ask.Validate(); err != nil {
		return p, err
	}
	if s.DesignEffect == 0 {
		s.DesignEffect = 1
	}
	if ask.Repeats > 0 && !math.IsNaN(s.Between) && !math.IsNaN(s.Within) {
		s.PlannedSD = math.Sqrt(s.Between*s.Between + s.Within*s.Within/float64(ask.Repeats))
		s.SD = s.PlannedSD
		p.Spread = s
	}
	if ask.Margin > 0 {
		n, err := s.items(ask.Margin, ask.Effect, ask)
		if err != nil {
			p.Impossible = err
		}
		p.Items = n
		seen := s
		seen.Planned, seen.PlannedSD = s.Discordance, s.SD
		if at, err := seen.items(ask.Margin, ask.Effect, ask); err == nil && s.PilotItems > 0 {
			p.AtEstimate = at
		}
		p.tables(s)
	}
	if p.SmallestOf = ask.Items; ask.Items == 0 {
		p.SmallestOf = p.Items
	}
	if p.SmallestOf > 0 {
		p.Smallest = s.smallest(p.SmallestOf, ask)
	}
	if ask.Items > 0 && ask.Margin > 0 {
		p.Power = s.power(ask.Items, ask.Margin, ask.Effect, ask)
	}
	return p, nil
}

// items is the number of items that show the margin to be kept.
func (s ItemSpread) items(margin, effect float64, ask ItemAsk) (int, error) {
	if effect >= margin {
		return 0, fmt.Errorf("the assumed change is at or beyond the margin: no number of items shows that it is within: %w", stats.ErrImpossible)
	}
	if !s.Binary() {
		n, err := stats.NPairedNI(margin, -effect, s.PlannedSD*math.Sqrt(s.DesignEffect), ask.alpha(), ask.Power)
		return s.bounded(n.N, err)
	}
	discordance := math.Min(1, math.Max(s.Planned, math.Abs(effect)))
	if margin >= 1 {
		return 0, fmt.Errorf("a margin of %v is all of the scale: %w", margin, stats.ErrImpossible)
	}
	n, err := stats.NPairedBinaryNI(discordance, -effect, margin, ask.alpha(), ask.Power)
	return s.bounded(int(math.Ceil(float64(n.N)*s.DesignEffect)), err)
}

func (s ItemSpread) bounded(n int, err error) (int, error) {
	if err == nil && n > maxItems {
		err = fmt.Errorf("more than %d items would be needed: %w", maxItems, stats.ErrImpossible)
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}

// power of n items; NaN where it is not defined.
func (s ItemSpread) power(n int, margin, effect float64, ask ItemAsk) float64 {
	eff := float64(n) / s.DesignEffect
	if s.Binary() {
		discordance := math.Min(1, math.Max(s.Planned, math.Abs(effect)))
		p, err := stats.PairedBinaryNIPower(max(1, int(eff)), (discordance-effect)/2, (discordance+effect)/2, margin, ask.alpha())
		if err != nil {
			return math.NaN()
		}
		return p
	}
	if n < 2 || !(s.PlannedSD > 0) {
		return math.NaN()
	}
	p, err := stats.TTestPower((margin-effect)/(s.PlannedSD/math.Sqrt(eff)), float64(n-1), ask.alpha(), stats.Greater)
	if err != nil {
		return math.NaN()
	}
	return p
}

// smallest is the smallest margin that n items show to be kept with the power
// asked for, at the effect that is assumed; NaN if none does.
func (s ItemSpread) smallest(n int, ask ItemAsk) float64 {
	lo, hi := math.Max(0, ask.Effect), 1.0
	if !s.Binary() {
		hi = math.Max(1, lo) + 100*s.PlannedSD
	} else {
		hi = 1 - 1e-9
	}
	if !(s.power(n, hi, ask.Effect, ask) >= ask.Power) {
		return math.NaN()
	}
	for range 40 {
		mid := (lo + hi) / 2
		if mid > ask.Effect && s.power(n, mid, ask.Effect, ask) >= ask.Power {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// curveShares are the sizes of a power curve relative to the planned one, and
// marginFactors the margins of the table relative to the one that was asked.
var (
	curveShares   = []float64{0.1, 0.25, 0.5, 0.75, 1, 1.5, 2}
	marginFactors = []float64{0.5, 1, 1.5, 2, 3, 5}
	repeatCounts  = []int{1, 2, 3, 5, 10, 20}
)

// tables fills in what other sizes, margins and numbers of answers would do.
func (p *Items) tables(s ItemSpread) {
	if p.Items > 0 {
		for _, f := range curveShares {
			n := int(math.Round(f * float64(p.Items)))
			if f == 1 {
				n = p.Items
			}
			if n >= 2 {
				p.Curve = append(p.Curve, PowerAtItems{n, s.power(n, p.Ask.Margin, p.Ask.Effect, p.Ask)})
			}
		}
	}
	for _, f := range marginFactors {
		m := f * p.Ask.Margin
		if s.Binary() && m >= 1 {
			continue
		}
		n, err := s.items(m, p.Ask.Effect, p.Ask)
		if err != nil {
			n = 0
		}
		p.ByMargin = append(p.ByMargin, ItemsForMargin{m, n})
	}
	if math.IsNaN(s.Between) || math.IsNaN(s.Within) {
		return
	}
	for _, k := range repeatCounts {
		with := s
		with.Discordance = math.NaN()
		with.PlannedSD = math.Sqrt(s.Between*s.Between + s.Within*s.Within/float64(k))
		n, err := with.items(p.Ask.Margin, p.Ask.Effect, p.Ask)
		if err != nil {
			n = 0
		}
		p.ByRepeats = append(p.ByRepeats, ItemsForRepeats{k, n, with.PlannedSD})
	}
}
