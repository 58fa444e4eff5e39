package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// progress shows on a terminal how many records have been read. It stays
// silent for work that ends within a second.
type progress struct {
	done  atomic.Int64
	stop  chan struct{}
	ended chan struct{}
}

func startProgress(w io.Writer, total int64) *progress {
	p := &progress{stop: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		shown := false
		for n := 0; ; n++ {
			select {
			case <-p.stop:
				if shown {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			case <-tick.C:
			}
			if n < 4 {
				continue
			}
			shown = true
			done := p.done.Load()
			if total > 0 {
				const width = 30
				k := min(width, int(done*width/total))
				fmt.Fprintf(w, "\r\x1b[K%s%s %3d %%  %.1f M records", bar[:k*len("█")], space[:width-k], min(100, done*100/total), float64(done)/1e6)
			} else {
				fmt.Fprintf(w, "\r\x1b[K%.1f M records", float64(done)/1e6)
			}
		}
	}()
	return p
}

const (
	bar   = "██████████████████████████████"
	space = "                              "
)

func (p *progress) add(n int64) { p.done.Add(n) }

func (p *progress) end() {
	close(p.stop)
	<-p.ended
}
