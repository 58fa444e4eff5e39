package pairing

import (
	"fmt"
	"strings"
)

// Key names what is paired.
type Key struct{ Task, Item, Metric, Filter, Turn string }

// String says which item it is, for messages.
func (k Key) String() string {
	parts := []string{fmt.Sprintf("item %q", k.Item)}
	for _, p := range [][2]string{{"task", k.Task}, {"metric", k.Metric}, {"filter", k.Filter}, {"turn", k.Turn}} {
		if p[1] != "" {
			parts = append(parts, p[0]+" "+p[1])
		}
	}
	return strings.Join(parts, ", ")
}

// State says what is known of an item on one side.
type State uint8

// The states, the best known first.
const (
	Scored   State = iota // every answer has a score
	Partly                // some answers have a score
	Unscored              // there are answers, none with a score
	Errored               // the same, and some failed
	Absent                // there is no answer
)

var stateNames = [...]string{"scored", "partly scored", "unscored", "errored", "absent"}

// String returns a word for the state.
func (s State) String() string { return stateNames[s] }

// Outcome is one side's answers to an item.
type Outcome struct {
	Sum    float64 // of the scores
	N      int32   // answers with a score
	Failed int32   // answers without
	Errors int32   // those of Failed that failed rather than were not scored
	// Scores holds the scores where there are several.
	Scores []float64
}

// State returns what is known of the item.
func (o Outcome) State() State {
	switch {
	case o.N > 0 && o.Failed == 0:
		return Scored
	case o.N > 0:
		return Partly
	case o.Failed == 0:
		return Absent
	case o.Errors > 0:
		return Errored
	}
	return Unscored
}

// Mean returns the mean of the scores there are; ok is false without one.
func (o Outcome) Mean() (v float64, ok bool) {
	if o.N == 0 {
		return 0, false
	}
	if o.N == 1 {
		return o.Sum, true
	}
	return o.Sum / float64(o.N), true
}

// Filled returns the mean if every answer without a score had scored fill; an
// item without an answer counts as one such answer.
func (o Outcome) Filled(fill float64) float64 {
	n := float64(o.N + o.Failed)
	if n == 0 {
		return fill
	}
	return (o.Sum + float64(o.Failed)*fill) / n
}

// Item is one item in one turn with what both sides made of it.
type Item struct {
	ID, Turn string
	X, Y     Outcome
	// Attr holds a value for each of Pairing.AttrNames, "" where absent.
	Attr         []string
	TextX, TextY string
}

// Both reports whether both sides have every score.
func (it *Item) Both() bool { return it.X.State() == Scored && it.Y.State() == Scored }

// Series is the items of one task, scored by one metric after one filter.
type Series struct {
	Task, Metric, Filter string
	// Items are ordered by identifier and turn.
	Items []Item
	// Repeats tells that some item has several answers, Turns that some item
	// has several turns.
	Repeats, Turns bool
	Counts         Counts
}

// Counts says what was found besides plain pairs. The first of two numbers is
// x's, the second y's.
type Counts struct {
	Same      [2]int // rows left out because an equal row names the same answer
	Settled   [2]int // rows left out because they disagree with another
	Only      [2]int // items that only this side has
	Errored   [2]int // items of this side without a score, after a failure
	Unscored  [2]int // items of this side without a score
	Partly    [2]int // items of this side with some answers that have no score
	Outside   [2]int // items of this side outside the universe
	Never     int    // items of the universe that neither side has
	Gold      int    // items whose expected answer differs between the sides
	Question  int    // items whose question differs between the sides
	Mismatch  int    // items with either difference
	Dropped   int    // mismatched items that were left out
	Hashed    int    // items for which both sides tell question or expected answer
	Attribute int    // items whose attributes differ between the sides
	// MissingIDs and MismatchIDs name some of the items without a score on a
	// side, and some of the mismatched ones.
	MissingIDs, MismatchIDs []string
}

// Add adds the counts of another series.
func (c *Counts) Add(o Counts) {
	for s := range 2 {
		c.Same[s] += o.Same[s]
		c.Settled[s] += o.Settled[s]
		c.Only[s] += o.Only[s]
		c.Errored[s] += o.Errored[s]
		c.Unscored[s] += o.Unscored[s]
		c.Partly[s] += o.Partly[s]
		c.Outside[s] += o.Outside[s]
	}
	c.Never += o.Never
	c.Gold += o.Gold
	c.Question += o.Question
	c.Mismatch += o.Mismatch
	c.Dropped += o.Dropped
	c.Hashed += o.Hashed
	c.Attribute += o.Attribute
	c.MissingIDs = some(c.MissingIDs, o.MissingIDs...)
	c.MismatchIDs = some(c.MismatchIDs, o.MismatchIDs...)
}

// most is how many identifiers are kept as examples.
const most = 20

func some(list []string, more ...string) []string {
	for _, id := range more {
		if len(list) >= most {
			break
		}
		list = append(list, id)
	}
	return list
}

// Pairing is the answers of two sides brought together.
type Pairing struct {
	AttrNames []string
	// Series are ordered by metric, filter and task.
	Series []*Series
	// OnlySeries names the combinations of task, metric and filter that only
	// one side has; they are among the series, without a partner for any item.
	OnlySeries [2][]string
	// Runs is how many answer sets a side has.
	Runs [2]int
	// Equal tells that the two sides hold the same scores for the same items.
	Equal bool
}
