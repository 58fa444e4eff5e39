package compare

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/internal/pairing"
)

// checkSlices holds that the items have what slices are made of, and that every
// critical slice is one.
func (c *quality) checkSlices() error {
	for _, name := range c.q.By {
		if _, err := c.attribute(name); err != nil {
			return fmt.Errorf("by: %w", err)
		}
	}
	for _, crit := range c.q.Critical {
		for i, name := range crit.Columns {
			read, err := c.attribute(name)
			if err != nil {
				return fmt.Errorf("critical: %w", err)
			}
			if words, found := c.words(read, crit.Values[i]); !found {
				return fmt.Errorf("critical: %w", &AttributeError{fmt.Sprintf("no item has %s=%s; %s is one of %s", name, crit.Values[i], name, strings.Join(words, ", "))})
			}
		}
	}
	return nil
}

// words lists some values of an attribute, and tells whether one is among them.
func (c *quality) words(read func(*pairing.Series, *pairing.Item) string, want string) (some []string, found bool) {
	const most = 20
	seen := map[string]bool{}
	for _, s := range c.p.Series {
		for i := range s.Items {
			w := read(s, &s.Items[i])
			if w == want {
				return nil, true
			}
			if !seen[w] {
				seen[w] = true
				some = append(some, w)
			}
		}
	}
	slices.Sort(some)
	if len(some) > most {
		some = append(some[:most], "…")
	}
	return some, false
}

// sliced estimates a group's critical slices, then every value of the
// attributes that are looked at, items of all tasks together.
func (c *quality) sliced(ctx context.Context, group []*pairing.Series) error {
	return c.parts(ctx, group, func(items []placed, of SliceOf, critical bool) error {
		return c.slice(group, items, of, critical)
	})
}

// parts visits the critical slices, then those that are looked at.
func (c *quality) parts(ctx context.Context, group []*pairing.Series, visit func(items []placed, of SliceOf, critical bool) error) error {
	for _, crit := range c.q.Critical {
		var items []placed
		reads, err := c.reads(crit.Columns)
		if err != nil {
			return err
		}
		each(group, func(p placed) {
			for i, read := range reads {
				if read(p.s, p.it) != crit.Values[i] {
					return
				}
			}
			items = append(items, p)
		})
		if err := visit(items, crit, true); err != nil {
			return err
		}
	}
	for _, name := range c.q.By {
		read, err := c.attribute(name)
		if err != nil {
			return err
		}
		parts := map[string][]placed{}
		each(group, func(p placed) {
			if w := read(p.s, p.it); w != "" {
				parts[w] = append(parts[w], p)
			}
		})
		var words []string
		for w := range parts {
			words = append(words, w)
		}
		slices.Sort(words)
		for _, w := range words {
			if err := ctx.Err(); err != nil {
				return err
			}
			of := SliceOf{Columns: []string{name}, Values: []string{w}}
			if slices.ContainsFunc(c.q.Critical, func(s SliceOf) bool { return s.String() == of.String() }) {
				continue
			}
			if err := visit(parts[w], of, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *quality) reads(columns []string) (out []func(*pairing.Series, *pairing.Item) string, err error) {
	for _, name := range columns {
		read, err := c.attribute(name)
		if err != nil {
			return nil, err
		}
		out = append(out, read)
	}
	return out, nil
}

func each(group []*pairing.Series, visit func(placed)) {
	for _, s := range group {
		for i := range s.Items {
			visit(placed{s, &s.Items[i]})
		}
	}
}

// slice adds the result of a slice. One with too little support has values and
// no interval.
func (c *quality) slice(group []*pairing.Series, items []placed, of SliceOf, critical bool) error {
	b := c.sample(group, append([]placed{}, items...))
	r, err := c.result([]*pairing.Series{{Metric: group[0].Metric, Filter: group[0].Filter}}, b)
	if err != nil {
		return err
	}
	r.Slice, r.Critical = &of, critical
	if !critical && b.items.Matched < c.q.MinSupport {
		c.out.Quality.ThinSlices++
		r.Delta, r.Log = noInterval(r.Delta.Value), Contrast{}
		r.Method, r.Warnings, r.Tests = "none", nil, nil
	}
	c.out.Results = append(c.out.Results, r)
	return nil
}
