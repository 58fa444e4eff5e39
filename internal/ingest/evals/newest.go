package evals

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// dated is the time of a run in the names of files and folders; the colons of
// the time are dashes where a file system forbids them.
const dated = `\d{4}-\d{2}-\d{2}T\d{2}[-:]\d{2}[-:]\d{2}(?:\.\d+)?(?:[-+]\d{2}[-:]\d{2})?`

var (
	dateOf    = regexp.MustCompile(dated)
	dateParts = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2}T\d{2})[-:](\d{2})[-:](\d{2}(?:\.\d+)?)(?:([-+]\d{2})[-:](\d{2}))?`)
)

// runDate returns when a run was made, by the last date in its path or what the
// file says; zero if neither tells. A time without a zone is taken for UTC.
func runDate(path string, set *ingest.AnswerSet) time.Time {
	if m := dateOf.FindAllString(filepath.ToSlash(path), -1); m != nil {
		if t, ok := parseDate(m[len(m)-1]); ok {
			return t
		}
	}
	for _, kv := range set.Fingerprint {
		if kv.Key == "created" {
			t, _ := parseDate(kv.Value)
			return t
		}
	}
	return time.Time{}
}

func parseDate(s string) (time.Time, bool) {
	m := dateParts.FindStringSubmatch(s)
	if m == nil {
		return time.Time{}, false
	}
	zone := "Z"
	if m[4] != "" {
		zone = m[4] + ":" + m[5]
	}
	t, err := time.Parse(time.RFC3339Nano, m[1]+":"+m[2]+":"+m[3]+zone)
	return t, err == nil
}

// newest drops runs that a later one of the same task repeats.
func (j *joiner) newest() error {
	gone := make([]bool, len(j.parts))
	for a := range j.parts {
		for b := a + 1; b < len(j.parts); b++ {
			pa, pb := &j.parts[a], &j.parts[b]
			if gone[a] || gone[b] || !slices.ContainsFunc(pa.tasks, func(t string) bool { return slices.Contains(pb.tasks, t) }) {
				continue
			}
			n := pa.shares(pb)
			half := 2*n >= min(len(pa.keys), len(pb.keys))
			switch {
			case n == 0:
			case !half:
				j.notes = append(j.notes, fmt.Sprintf("%s in both %s and %s", plural(n, "answer"), pa.path, pb.path))
			case pa.date.IsZero() || pb.date.IsZero() || pa.date.Equal(pb.date):
				return fmt.Errorf("%s and %s both answer the same items, and no date says which is the newer: name one of them; if they are repeats or tasks of one evaluation, add a column repeat or task", pa.path, pb.path)
			default:
				old, late, i := pa, pb, a
				if pb.date.Before(pa.date) {
					old, late, i = pb, pa, b
				}
				gone[i] = true
				j.notes = append(j.notes, fmt.Sprintf("two runs of %s: the newer, %s, was read (%s), and %s was not (%s)",
					taskWords(old.tasks), late.path, plural(len(late.set.Answers), "answer"), old.path, plural(len(old.set.Answers), "answer")))
			}
		}
	}
	var keep []part
	for i, p := range j.parts {
		if !gone[i] {
			p.keys = nil
			keep = append(keep, p)
		}
	}
	j.parts = keep
	return nil
}

// shares counts the answers that two parts have under the same key.
func (p *part) shares(q *part) (n int) {
	a, b := p.keySet(), q.keySet()
	if len(b) < len(a) {
		a, b = b, a
	}
	for k := range a {
		if _, ok := b[k]; ok {
			n++
		}
	}
	return n
}

func (p *part) keySet() map[uint64]struct{} {
	if p.keys == nil {
		p.keys = make(map[uint64]struct{}, len(p.set.Answers))
		for _, a := range p.set.Answers {
			p.keys[fingerprint(a.Task, a.Item, a.Metric, a.Filter, a.Turn, a.Repeat)] = struct{}{}
		}
	}
	return p.keys
}

func taskWords(tasks []string) string {
	if len(tasks) == 1 && tasks[0] == "" {
		return "the same task"
	}
	return strings.TrimSuffix(list(tasks), ", ")
}
