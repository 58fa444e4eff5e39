package main

import (
	"context"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"sync"
)

// level is that of every interval of the study; a noninferiority test at alpha
// goes with its one-sided half.
const (
	level = 0.95
	alpha = 0.05
)

// lab is where the studies are done.
type lab struct {
	ctx        context.Context
	w          io.Writer
	replicates int // of a simulated cell, unless a table says otherwise
	workers    int
}

// share returns a part of the replicates, for cells that take long.
func (l lab) share(of int) int { return max(2, l.replicates/of) }

// simulate draws n replicates of a cell. Replicate r has the stream (hash of the
// cell's name, r), so that neither the number of workers nor the order matters.
// each makes a function for one worker, which may keep scratch space.
func simulate[T any](l lab, cell string, n int, each func() func(rng *rand.Rand) T) ([]T, error) {
	h := fnv.New64a()
	_, _ = io.WriteString(h, cell) // a hash takes everything
	seed := h.Sum64()
	out := make([]T, n)
	next := make(chan int)
	var wg sync.WaitGroup
	for range l.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			one := each()
			for r := range next {
				out[r] = one(rand.New(rand.NewPCG(seed, uint64(r))))
			}
		}()
	}
	defer wg.Wait()
	defer close(next)
	for r := range n {
		select {
		case <-l.ctx.Done():
			return nil, l.ctx.Err()
		case next <- r:
		}
	}
	return out, nil
}
