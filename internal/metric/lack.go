package metric

// Lack is how much of a side carries no value of a metric that has values
// elsewhere on it.
type Lack struct {
	// Runs without any value, of those with successful requests.
	Runs, OfRuns int
	// Requests that succeeded without a value, of those for which the metric is
	// defined.
	Requests, OfRequests int64
}

// Share is the share of requests without a value.
func (l Lack) Share() float64 {
	if l.OfRequests == 0 {
		return 0
	}
	return float64(l.Requests) / float64(l.OfRequests)
}

// LackOf counts what carries no value of an item on a side of whole runs. It is
// zero where there is no value at all, and for shares of requests.
func LackOf(item int, m *Metric, s *Side) (l Lack) {
	if m.Kind == Share {
		return Lack{}
	}
	any := false
	for _, u := range s.Units {
		if u.OK() == 0 {
			continue
		}
		with, missing, defined := u.without(item, m)
		any = any || with
		l.Requests, l.OfRequests = l.Requests+missing, l.OfRequests+defined
		if with || defined > 0 {
			l.OfRuns++
			if !with {
				l.Runs++
			}
		}
	}
	if !any {
		return Lack{}
	}
	return l
}

// without tells whether a run with successful requests has values of an item,
// how many of its requests have none, and for how many the metric is defined.
// Histograms count no requests without a value.
func (u *Unit) without(item int, m *Metric) (with bool, missing, defined int64) {
	if m.Kind == PerRun {
		_, with = m.RunValue(u)
		return with, 0, 1
	}
	c := &u.Cells[item]
	defined = u.OK() - c.NotApplicable
	switch with = c.Sketch.N() > 0; {
	case !with:
		return false, defined, defined
	case u.Histograms:
		return true, 0, defined
	case m.Kind == PerGap:
		return true, c.Missing, defined
	}
	return true, max(0, defined-(c.Sketch.N()-c.AtLeast)), defined
}
