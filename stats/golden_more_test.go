package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"testing"
)

// moreGolden is one reference case; the fields are described in the file that
// the cases come with.
type moreGolden struct {
	ID        string                     `json:"id"`
	Method    string                     `json:"method"`
	Params    map[string]json.RawMessage `json:"params"`
	Input     map[string]json.RawMessage `json:"input"`
	Expected  map[string]json.RawMessage `json:"expected"`
	Tolerance struct{ Rel, Abs float64 } `json:"tolerance"`
}

// moreRun checks one case and remembers which keys it looked at.
type moreRun struct {
	*testing.T
	c    moreGolden
	seen map[string]bool
}

// runMore runs every case of a file through the check registered for its
// method. It fails on a method without a check and on an expected key that no
// check looked at, so that no case is skipped in silence.
func runMore(t *testing.T, file string, checks map[string]func(*moreRun)) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Cases []moreGolden }
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Cases) == 0 {
		t.Fatalf("%s holds no cases", file)
	}
	used := map[string]bool{}
	for _, c := range doc.Cases {
		t.Run(c.ID, func(t *testing.T) {
			check := checks[c.Method]
			if check == nil {
				t.Fatalf("no check for method %q", c.Method)
			}
			used[c.Method] = true
			g := &moreRun{T: t, c: c, seen: map[string]bool{}}
			check(g)
			keys := make([]string, 0, len(c.Expected))
			for k := range c.Expected {
				keys = append(keys, k)
			}
			sort.Strings(keys)
			for _, k := range keys {
				if !g.seen[k] {
					t.Errorf("expected key %q was not checked", k)
				}
			}
		})
	}
	for m := range checks {
		if !used[m] {
			t.Errorf("check %q met no case in %s", m, file)
		}
	}
}

func (g *moreRun) raw(key string) json.RawMessage {
	g.Helper()
	if v, ok := g.c.Input[key]; ok {
		return v
	}
	if v, ok := g.c.Params[key]; ok {
		return v
	}
	g.Fatalf("case has no input or parameter %q", key)
	return nil
}

// num returns a number of the case's input or parameters.
func (g *moreRun) num(key string) float64 {
	g.Helper()
	var v float64
	if err := json.Unmarshal(g.raw(key), &v); err != nil {
		g.Fatalf("%s: %v", key, err)
	}
	return v
}

// slice returns a list of numbers of the case's input or parameters.
func (g *moreRun) slice(key string) []float64 {
	g.Helper()
	var v []float64
	if err := json.Unmarshal(g.raw(key), &v); err != nil {
		g.Fatalf("%s: %v", key, err)
	}
	return v
}

// want compares a number, or a list of them, with an expected key. Where the
// case has null, got must be infinite.
func (g *moreRun) want(key string, got ...float64) {
	g.Helper()
	raw, ok := g.c.Expected[key]
	if !ok {
		g.Errorf("case expects no key %q", key)
		return
	}
	g.seen[key] = true
	var list []*float64
	var one *float64
	if err := json.Unmarshal(raw, &list); err != nil || string(raw) == "null" {
		if err := json.Unmarshal(raw, &one); err != nil {
			g.Fatalf("%s: %v", key, err)
		}
		list = []*float64{one}
	}
	if len(list) != len(got) {
		g.Errorf("%s: %d numbers %v, want %d", key, len(got), got, len(list))
		return
	}
	for i, w := range list {
		at := key
		if len(list) > 1 {
			at = fmt.Sprintf("%s[%d]", key, i)
		}
		if w == nil {
			if !math.IsInf(got[i], 0) {
				g.Errorf("%s: %v, want no bound", at, got[i])
			}
			continue
		}
		limit := g.c.Tolerance.Abs + g.c.Tolerance.Rel*math.Max(math.Abs(got[i]), math.Abs(*w))
		if math.IsInf(got[i], 0) || !(math.Abs(got[i]-*w) <= limit) { // the limit of an infinite one is infinite
			g.Errorf("%s: %v, want %v ± %.3g", at, got[i], *w, limit)
		}
	}
}

// ok fails the case on an error.
func (g *moreRun) ok(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

// floats turns whole numbers into float64 for want.
func floats(n []int, add int) []float64 {
	out := make([]float64, len(n))
	for i, v := range n {
		out[i] = float64(v + add)
	}
	return out
}
