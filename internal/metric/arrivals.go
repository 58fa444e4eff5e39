package metric

import "github.com/perfdiff/perfdiff/internal/ingest"

// Arrivals counts the requests of a unit that started, whether they succeeded or
// failed, in windows of equal length from its first start to its last: about one
// request a window, or more where there would be too many windows.
type Arrivals struct {
	Counts []int32
	// Grain is the coarsest of the usual resolutions of a clock, in nanoseconds,
	// that all starts are whole multiples of.
	Grain int64
	span  stretchOfTime
}

const (
	// mostWindows is how many windows a unit has at most, and allWindows all
	// units of a side together.
	mostWindows, allWindows = 1 << 17, 1 << 22
	// leastWindowsOfAll is what a unit may have however many there are.
	leastWindowsOfAll = 64
)

// grains are the resolutions that clocks are usually written with.
var grains = [...]int64{60 * second, second, second / 10, second / 100, second / 1000, second / 1e6, 1}

// newArrivals prepares the windows of one of several units, none if its starts do
// not tell when it ran.
func newArrivals(u *Unit, units int) Arrivals {
	if !u.Timed() || u.LastStart <= u.FirstStart || u.Histograms {
		return Arrivals{}
	}
	n := min(u.served()-u.Untimed, mostWindows, max(leastWindowsOfAll, int64(allWindows/units)))
	return Arrivals{Counts: make([]int32, n), Grain: grains[0], span: stretchOfTime{u.FirstStart, u.LastStart}}
}

// add counts the rows of a frame. Starts outside the unit's are no readings of a
// clock.
func (a *Arrivals) add(f *ingest.Frame, g *group) {
	start := f.Col(ingest.Start)
	if len(a.Counts) == 0 || start == nil {
		return
	}
	for _, span := range g.good.spans {
		a.count(start, span.lo, span.hi)
	}
	for _, i := range g.good.list {
		a.count(start, int(i), int(i)+1)
	}
	for _, i := range g.bad {
		if wasServed(f.Reasons[i]) {
			a.count(start, int(i), int(i)+1)
		}
	}
}

// count adds the starts of rows from lo to below hi.
func (a *Arrivals) count(start *ingest.Column, lo, hi int) {
	scale, last := 1/a.Width(), len(a.Counts)-1
	for i, t := range start.Times[lo:hi] {
		if start.State != nil && start.State[lo+i] != ingest.Present || t < a.span.from || t > a.span.to {
			continue
		}
		a.Counts[max(0, min(int(float64(t-a.span.from)*scale), last))]++
		for a.Grain > 1 && t%a.Grain != 0 {
			a.Grain = finer(a.Grain)
		}
	}
}

func (a *Arrivals) merge(o *Arrivals) {
	if len(o.Counts) == 0 {
		return
	}
	for i, n := range o.Counts {
		a.Counts[i] += n
	}
	a.Grain = min(a.Grain, o.Grain)
}

// finer is the next finer of the grains.
func finer(grain int64) int64 {
	for _, g := range grains {
		if g < grain {
			return g
		}
	}
	return 1
}

// Requests is how many requests were counted.
func (a *Arrivals) Requests() (n int64) {
	for _, k := range a.Counts {
		n += int64(k)
	}
	return n
}

// Span is how many seconds lie between the first start and the last.
func (a *Arrivals) Span() float64 { return float64(a.span.to-a.span.from) / 1e9 }

// Width is the length of a window in nanoseconds.
func (a *Arrivals) Width() float64 { return float64(a.span.to-a.span.from) / float64(len(a.Counts)) }
