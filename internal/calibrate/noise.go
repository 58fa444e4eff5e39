package calibrate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/metric"
	"github.com/perfdiff/perfdiff/stats"
)

// fileVersion is that of the noise file.
const fileVersion = 1

// noiseFile is the file that --write-noise writes and --run-noise reads.
type noiseFile struct {
	Version int         `json:"version"`
	Input   string      `json:"input,omitempty"`
	Noise   []noiseLine `json:"run_noise"`
	// Rest is for every metric and estimand that the list does not name.
	Rest noiseLine `json:"all_else"`
}

// noiseLine is the standard deviation from run to run, relative to the value, of
// which the requests of a run account for within_sd. Runs is in how many runs it
// was measured; 0 or none for a number that is to be taken as it is.
type noiseLine struct {
	Metric   string  `json:"metric,omitempty"`
	Estimand string  `json:"estimand,omitempty"`
	SD       float64 `json:"sd"`
	Within   float64 `json:"within_sd,omitempty"`
	Runs     int     `json:"runs,omitempty"`
}

// leastRuns is the number of runs from which their noise is worth writing down.
const leastRuns = 3

// Noise gathers what was measured of the noise between runs. Everything else is
// taken to be as noisy as the noisiest of what was measured.
func Noise(p *compare.Parts) (compare.NoiseTable, error) {
	var t compare.NoiseTable
	if n := len(p.Side.Units); p.Blocks || n < leastRuns {
		if p.Blocks {
			n = 1
		}
		return t, fmt.Errorf("the noise between runs takes at least %d runs to be measured, and there %s: %w", leastRuns, isAre(n), stats.ErrTooFew)
	}
	spreads, err := p.Spreads()
	if err != nil {
		return t, err
	}
	opt := p.Options
	worst := -1.0
	for i := range spreads {
		s := &spreads[i]
		m, ok := measured(s)
		if !ok {
			continue
		}
		t.Each = append(t.Each, m)
		if s.Metric.Kind == metric.Share {
			continue // relative to the rarer outcome: another scale
		}
		opt.Noise = &compare.NoiseTable{Rest: m}
		if v := opt.Assume(s.Metric, s.Estimand); v > worst {
			worst = v
			t.Rest = compare.MeasuredNoise{SD: m.SD, Within: m.Within, Runs: m.Runs}
		}
	}
	if worst < 0 {
		return t, fmt.Errorf("no metric has a spread between runs on the log scale: %w", stats.ErrTooFew)
	}
	return t, t.Validate()
}

func isAre(n int) string {
	if n == 1 {
		return "is 1"
	}
	return fmt.Sprintf("are %d", n)
}

// measured is the noise of one estimand; ok is false where there is none.
func measured(s *compare.Spread) (m compare.MeasuredNoise, ok bool) {
	n := s.Log
	if s.Metric.Kind == metric.Share {
		if s.Counted {
			return m, false
		}
		rate := float64(s.Hits) / float64(s.Trials)
		rarer := math.Min(rate, 1-rate)
		n = s.Natural
		n.SD, n.Within = n.SD/rarer, n.Within/rarer
	}
	if s.Thin || s.Units < leastRuns || !(n.SD > 0 && n.SD < 1) {
		return m, false
	}
	within := n.Within
	if math.IsNaN(within) {
		within = 0
	}
	return compare.MeasuredNoise{Metric: s.Metric.Name, Estimand: s.Estimand, SD: n.SD, Within: within, Runs: s.Units}, true
}

// WriteNoise writes a noise file. input is what was measured, for readers.
func WriteNoise(w io.Writer, t compare.NoiseTable, input string) error {
	f := noiseFile{Version: fileVersion, Input: input, Noise: []noiseLine{}, Rest: line(t.Rest)}
	for _, m := range t.Each {
		l := line(m)
		l.Metric, l.Estimand = m.Metric, m.Estimand.String()
		f.Noise = append(f.Noise, l)
	}
	b, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func line(m compare.MeasuredNoise) noiseLine {
	return noiseLine{SD: round(m.SD), Within: round(m.Within), Runs: m.Runs}
}

// round keeps six digits: more would claim what no number of runs tells.
func round(v float64) float64 {
	if v == 0 {
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(v))))
	return math.Round(v*scale) / scale
}

// ReadNoise reads a noise file. name is what reports call it.
func ReadNoise(name string, data []byte) (compare.NoiseTable, error) {
	t := compare.NoiseTable{From: name}
	var f struct {
		noiseFile
		Rest *noiseLine `json:"all_else"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return t, fmt.Errorf("%s: not a noise file: %w", name, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return t, fmt.Errorf("%s: something follows the noise", name)
	}
	switch {
	case f.Version != fileVersion:
		return t, fmt.Errorf("%s: version %d: want %d", name, f.Version, fileVersion)
	case f.Rest == nil:
		return t, fmt.Errorf("%s: all_else is missing: what to assume of a metric that is not listed", name)
	}
	t.Rest = compare.MeasuredNoise{SD: f.Rest.SD, Within: f.Rest.Within, Runs: f.Rest.Runs}
	seen := map[string]bool{}
	for _, l := range f.Noise {
		e, err := metric.ParseEstimand(l.Estimand)
		if err != nil || l.Metric == "" {
			return t, fmt.Errorf("%s: metric %q, estimand %q: want a metric's name and p0.1 to p99.99, mean or rate", name, l.Metric, l.Estimand)
		}
		if key := l.Metric + ":" + e.String(); seen[key] {
			return t, fmt.Errorf("%s: %s is listed twice", name, key)
		} else {
			seen[key] = true
		}
		t.Each = append(t.Each, compare.MeasuredNoise{Metric: l.Metric, Estimand: e, SD: l.SD, Within: l.Within, Runs: l.Runs})
	}
	if err := t.Validate(); err != nil {
		return t, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}
