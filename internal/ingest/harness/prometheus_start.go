package harness

import (
	"math"
	"strings"
)

// promStart is when a process, or a series of counters, says that it began.
type promStart struct {
	labels []promLabel
	at     float64 // seconds since 1970
	moved  int     // the scrape in which it was last another one, 0 for none
}

// maxPromProcesses is how many processes of a file are followed.
const maxPromProcesses = 1000

// startSlack is by how many seconds a process's own start may drift while it
// runs: some libraries reckon it from the clock anew for each scrape.
const startSlack = 2

// move takes the start that a scrape tells.
func (s *promStart) move(at float64, scrape int) {
	if !finite(at) {
		return
	}
	if math.Abs(at-s.at) > startSlack {
		s.moved = scrape
	}
	s.at = at
}

// start takes a sample that tells when a process or a series began, and reports
// whether it is one.
func (p *promScan) start(s *promSample) bool {
	if s.name == "process_start_time_seconds" {
		key := s.key(s.name, "")
		ps := p.processOf[key]
		if ps == nil && len(p.processes) < maxPromProcesses {
			ps = &promStart{labels: s.labels, at: s.value}
			p.processOf[key], p.processes = ps, append(p.processes, ps)
		}
		if ps != nil {
			ps.move(s.value, p.scrape)
		}
		return true
	}
	base, ok := strings.CutSuffix(s.name, "_created")
	if !ok {
		return false
	}
	key := s.key(base, "")
	if ps := p.created[key]; ps != nil {
		ps.move(s.value, p.scrape)
	} else {
		p.created[key] = &promStart{at: s.value}
	}
	return true
}

// restarted reports whether a series began anew behind scrape from, by scrape to:
// by its own word, or by that of the process whose labels it has.
func (p *promScan) restarted(key string, labels []promLabel, from, to int) bool {
	within := func(s *promStart) bool { return s != nil && s.moved > from && s.moved <= to }
	if within(p.created[key]) {
		return true
	}
	for _, s := range p.processes {
		if within(s) && hasLabels(labels, s.labels) {
			return true
		}
	}
	return false
}

// hasLabels reports whether all labels of part are among those of all. Both are
// by name.
func hasLabels(all, part []promLabel) bool {
	for _, l := range all {
		if len(part) > 0 && l == part[0] {
			part = part[1:]
		}
	}
	return len(part) == 0
}
