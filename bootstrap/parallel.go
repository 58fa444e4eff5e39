package bootstrap

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// chunk is how many replicates a worker claims at a time. It is a matter of
// speed only: each replicate has its own stream.
const chunk = 32

// forEach runs do(r, stream of r) for every replicate r below n. newWorker is
// called once per goroutine and returns its do, which may own scratch memory.
// A panic of do is raised again on the caller's goroutine.
func forEach(n int, opt Options, newWorker func() func(r int, rng *rand.Rand)) {
	workers := min(opt.workers(), (n+chunk-1)/chunk)
	var next atomic.Int64
	work := func() {
		do := newWorker()
		pcg := new(rand.PCG)
		rng := rand.New(pcg)
		for {
			end := int(next.Add(chunk))
			start := end - chunk
			if start >= n {
				return
			}
			for r := start; r < min(end, n); r++ {
				seedStream(pcg, opt.Seed, uint64(r))
				do(r, rng)
			}
		}
	}
	if workers <= 1 {
		work()
		return
	}
	var (
		wg    sync.WaitGroup
		once  sync.Once
		cause any
	)
	for range workers {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					once.Do(func() { cause = p })
					next.Store(int64(n))
				}
			}()
			work()
		})
	}
	wg.Wait()
	if cause != nil {
		panic(cause)
	}
}
