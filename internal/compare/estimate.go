package compare

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// estimate fills in the results of the collected sides.
func (c *comparer) estimate(out *Comparison) error {
	items := make([][]Result, len(c.plan.Items))
	if err := c.each(len(items), func(c *comparer, i int) error {
		it := c.plan.Items[i]
		for _, e := range it.Estimands {
			r, err := c.result(i, it, e)
			if err != nil {
				return err
			}
			r.lack(i, c.whole)
			items[i] = append(items[i], r)
		}
		return nil
	}); err != nil {
		return err
	}
	parts, err := c.sliceParts()
	if err != nil {
		return err
	}
	sliced := make([][]Result, len(parts))
	if err := c.each(len(parts), func(c *comparer, i int) (err error) {
		sliced[i], err = c.slice(parts[i])
		return err
	}); err != nil {
		return err
	}
	for _, rs := range append(items, sliced...) {
		out.Results = append(out.Results, rs...)
	}
	out.ThinSlices = c.thinSlices
	movers, search, err := c.moved()
	if err != nil {
		return err
	}
	out.Results, out.Search = append(out.Results, movers...), search
	return c.interrupted()
}

// each calls do for every i below n, by as many goroutines as read the records.
// Each of them has a comparer of its own; no two calls may ask for the same item
// of the same records, since a sketch sorts its values when it is first asked. The
// error is that of the least i.
func (c *comparer) each(n int, do func(c *comparer, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(c.scan.Workers, n)) {
		own := c.fork()
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = safely(func() error { return do(own, i) })
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// safely makes an error of a panic.
func safely(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
		}
	}()
	return do()
}

// fork returns a comparer that remembers nothing of what it was asked before.
func (c *comparer) fork() *comparer {
	own := *c
	own.made = [2]madeMixture{}
	if c.strata != nil {
		s := *c.strata
		s.parts, s.made = nil, [2]madeRuns{}
		own.strata = &s
	}
	return &own
}
