package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/stats"
	"github.com/perfdiff/perfdiff/stats/sketch"
)

// runDesign is a cell of C6.
type runDesign struct {
	runs, requests int
	icc            float64
}

func (d runDesign) spread() float64 { return 0.5 * math.Sqrt(d.icc/(1-d.icc)) }

func (d runDesign) String() string {
	return fmt.Sprintf("%d + %d runs of %d, ICC %v", d.runs, d.runs, d.requests, d.icc)
}

// statistics of a run that C6 compares; the last is a ratio of sums, as time per
// output token is.
var runStatistics = []string{"p50", "p95", "p99", "mean", "ratio of sums"}

// summaries returns the statistics of one run of sorted values and its tokens.
func summaries(sorted []float64, tokens []float64, out []float64) {
	for i, q := range []float64{.5, .95, .99} {
		out[i], _ = stats.QuantileSorted(sorted, q, stats.HF7)
	}
	var time, n float64
	for i, v := range sorted {
		time += v
		n += tokens[i]
	}
	out[3] = time / float64(len(sorted))
	out[4] = time / n
}

// oneRunPair is what one replicate of C6 says: an answer for each statistic and
// method.
type oneRunPair struct {
	welch, pooled, merged [5]answer
	provedAtMargin        [5]bool // noninferiority shown although the change is at the margin
	provedAtNull          [5]bool // shown where nothing changed
	power                 [5]bool // 5 % slower, found
	naive                 answer  // all requests taken as independent, mean
	cluster               answer  // percentile interval of a bootstrap over runs, p50
}

const (
	margin     = 0.05
	runMethods = 3
)

// runComparison measures the default and its rivals on runs.
func runComparison(l lab) error {
	section(l.w, "C6 Runs with their own speed", `
log X = 4 + b + .5·Z with a run effect b; ICC is the share of its variance. Every
run gives one summary; Welch's t on the logs of the summaries is the default of
stats.RunRatio, "merged" the jackknife of the runs merged with one vote each, which
the command uses. %d replicates a row, half for runs of 10,000. "NI size" is how often "at most 5 %% slower"
is shown where the truth is 5 %% slower, "NI power" where nothing changed, "power" how
often a change of 5 %% is found, all at .05 (NI one-sided). Widths are of the log
ratio.`, l.replicates)
	columns := append([]string{"design, statistic, method"}, intervalColumns...)
	t := newTable(l.w, append(columns, "size", "power", "NI size", "NI power", "requirement")...)
	for _, runs := range []int{2, 3, 5, 10} {
		for _, icc := range []float64{.005, .02, .1} {
			d := runDesign{runs, 1000, icc}
			if err := runCell(l, t, d, l.replicates, runs == 5 || icc == .02); err != nil {
				return err
			}
		}
	}
	return runCell(l, t, runDesign{5, 10000, .02}, l.share(2), true)
}

func runCell(l lab, t table, d runDesign, replicates int, all bool) error {
	found, err := simulate(l, "runs "+d.String(), replicates, func() func(*rand.Rand) oneRunPair { return runPair(d) })
	if err != nil {
		return err
	}
	names := append([]string{}, runStatistics...)
	if !all {
		names = names[:2]
	}
	for s, name := range names {
		for m, method := range []string{"Welch on logs", "pooled t on logs", "merged, jackknife"}[:runMethods] {
			if (m > 0 && s > 2) || (m == 1 && s > 0) {
				continue
			}
			var got tally
			var power, size, proved int
			for _, f := range found {
				got.add([...]answer{f.welch[s], f.pooled[s], f.merged[s]}[m])
				power += count(f.power[s])
				size += count(f.provedAtMargin[s])
				proved += count(f.provedAtNull[s])
			}
			cells := append([]string{fmt.Sprintf("%v, %s, %s", d, name, method)}, got.cells()...)
			cells = append(cells, fixed(got.rejected()))
			n := len(found)
			mark, ok := recorded, true
			if m == 0 {
				mark, ok = required, got.coverage() >= leastCoverage && got.rejected() <= .06 && size*100 <= 6*n
				cells = append(cells, rate(power, n), rate(size, n), rate(proved, n))
			} else {
				cells = append(cells, "", "", "")
			}
			t.row(append(cells, meets(mark, ok))...)
		}
	}
	for _, rival := range []struct {
		name string
		of   func(oneRunPair) answer
	}{
		{"p50, percentile bootstrap of runs", func(f oneRunPair) answer { return f.cluster }},
		{"mean, requests as independent", func(f oneRunPair) answer { return f.naive }},
	} {
		var got tally
		for _, f := range found {
			got.add(rival.of(f))
		}
		cells := append([]string{fmt.Sprintf("%v, %s", d, rival.name)}, got.cells()...)
		v := covers(hard, got)
		if rival.name[0] == 'm' {
			v = "○ only with --unit request"
		}
		t.row(append(cells, fixed(got.rejected()), "", "", "", v)...)
	}
	return nil
}

// runPair draws two sides without a difference and asks all methods. A shift of
// the logs moves every summary and every limit by as much, so that power and the
// size at the margin come from the same draw.
func runPair(d runDesign) func(*rand.Rand) oneRunPair {
	x := [2][][]float64{}
	for s := range x {
		for range d.runs {
			x[s] = append(x[s], make([]float64, d.requests))
		}
	}
	tokens := make([]float64, d.requests)
	return func(rng *rand.Rand) oneRunPair {
		var f oneRunPair
		sums := [2][5][]float64{}
		parts := [2][]*sketch.Sketch{}
		var logs [2][]float64
		for s := range x {
			for k := range x[s] {
				drawRun(rng, d.spread()*rng.NormFloat64(), x[s][k])
				slices.Sort(x[s][k])
				for i := range tokens {
					tokens[i] = 1 + math.Floor(200*rng.Float64())
				}
				var out [5]float64
				summaries(x[s][k], tokens, out[:])
				for i, v := range out {
					sums[s][i] = append(sums[s][i], v)
				}
				part := sketch.New(0)
				part.AddSlice(x[s][k])
				parts[s] = append(parts[s], part)
				logs[s] = append(logs[s], math.Log(out[0]))
			}
		}
		for i := range runStatistics {
			w, err := stats.RunRatio(sums[0][i], sums[1][i], level)
			f.welch[i] = read(w.Log.Interval, w.Log.Warnings, err, 0, 0, 1)
			moved := math.Log1p(margin)
			f.power[i] = w.Log.Interval.Lo+moved > 0 || w.Log.Interval.Hi+moved < 0
			// The data shifted to the margin, tested against it.
			atMargin := w.Log
			atMargin.Value += moved
			f.provedAtMargin[i] = stats.WelchTest(atMargin, moved, stats.Less).P <= alpha
			f.provedAtNull[i] = stats.WelchTest(w.Log, moved, stats.Less).P <= alpha
			p, err := stats.RunRatioPooled(sums[0][i], sums[1][i], level)
			f.pooled[i] = read(p.Log.Interval, p.Log.Warnings, err, 0, 0, 1)
		}
		for i, q := range []float64{.5, .95, .99} {
			f.merged[i] = mergedChange(parts, q)
		}
		f.naive = naiveChange(x)
		f.cluster = clusterChange(rng, logs)
		return f
	}
}

// mergedChange compares the quantiles of merged runs by the jackknife over runs.
func mergedChange(parts [2][]*sketch.Sketch, q float64) answer {
	var se, df [2]float64
	value, loo, err := mergedLogs(parts, q)
	for s := range loo {
		if err == nil {
			_, se[s], err = stats.Jackknife(loo[s])
		}
		df[s] = float64(len(loo[s]) - 1)
	}
	if err != nil {
		return read(stats.Interval{}, nil, err, 0, 0, 1)
	}
	e, err := stats.TwoSample(value[0], se[0], df[0], value[1], se[1], df[1], level)
	return read(e.Interval, e.Warnings, err, 0, 0, 1)
}

// mergedLogs are the logs of a quantile of the merged runs of either side, with all
// of them and without each.
func mergedLogs(parts [2][]*sketch.Sketch, q float64) (value [2]float64, loo [2][]float64, err error) {
	for s, p := range parts {
		m, err := sketch.NewMixture(p, nil)
		if err != nil {
			return value, loo, err
		}
		v, err := m.Quantile(q)
		if err != nil {
			return value, loo, err
		}
		value[s] = math.Log(v)
		for k := range p {
			if v, err = m.QuantileWithout(k, q); err != nil {
				return value, loo, err
			}
			loo[s] = append(loo[s], math.Log(v))
		}
	}
	return value, loo, nil
}

// naiveChange takes all requests as independent: Welch on the means.
func naiveChange(x [2][][]float64) answer {
	e, err := stats.Welch(slices.Concat(x[0]...), slices.Concat(x[1]...), level)
	return read(e.Interval, e.Warnings, err, 0, 0, e.Value+1)
}

// clusterChange resamples runs and reads a percentile interval for the difference
// of the mean log medians.
func clusterChange(rng *rand.Rand, logs [2][]float64) answer {
	opt := bootstrap.Options{Replicates: 399, Seed: rng.Uint64(), Workers: 1}
	mean := func(x []float64, index []int) float64 {
		var sum float64
		for _, i := range index {
			sum += x[i]
		}
		return sum / float64(len(index))
	}
	replicates, err := bootstrap.TwoSampleReplicates(len(logs[0]), len(logs[1]), func(ix, iy []int) float64 {
		return mean(logs[1], iy) - mean(logs[0], ix)
	}, opt)
	if err != nil {
		return read(stats.Interval{}, nil, err, 0, 0, 1)
	}
	mx, _ := stats.Mean(logs[0])
	my, _ := stats.Mean(logs[1])
	law, err := bootstrap.FromReplicates(my-mx, replicates, len(logs[0]))
	if err != nil {
		return read(stats.Interval{}, nil, err, 0, 0, 1)
	}
	e, err := law.Percentile(level)
	return read(e.Interval, e.Warnings, err, 0, 0, 1)
}

// unequalSpread is C7: normal run summaries, three times as noisy on one side.
func unequalSpread(l lab) error {
	n := 10 * l.replicates
	section(l.w, "C7 Runs that vary more on one side", `
Normal log summaries, the spread of side B three times that of side A, no true
change; the share of intervals at .95 that leave out 0. %d replicates a row.
"Reference" is from 200,000 draws of another program.`, n)
	t := newTable(l.w, "runs", "Welch", "reference", "pooled t", "reference", "median width Welch", "requirement (Welch at most .075)")
	for _, c := range []struct {
		a, b          int
		welch, pooled string
	}{
		{3, 3, ".051", ".074"}, {5, 5, ".053", ".067"}, {9, 3, ".069", ".238"}, {3, 9, ".045", ".007"}, {10, 5, ".055", ".158"},
	} {
		answers, err := simulate(l, fmt.Sprintf("unequal %d %d", c.a, c.b), n, func() func(*rand.Rand) []answer {
			x, y := make([]float64, c.a), make([]float64, c.b)
			return func(rng *rand.Rand) []answer {
				for i := range x {
					x[i] = rng.NormFloat64()
				}
				for i := range y {
					y[i] = 3 * rng.NormFloat64()
				}
				w, err := stats.Welch(x, y, level)
				p, errP := stats.Pooled(x, y, level)
				return []answer{read(w.Interval, w.Warnings, err, 0, 0, 1), read(p.Interval, p.Warnings, errP, 0, 0, 1)}
			}
		})
		if err != nil {
			return err
		}
		w, p := tallied(answers, 0), tallied(answers, 1)
		t.row(fmt.Sprintf("A %d, B %d", c.a, c.b), fixed(w.rejected()), c.welch, fixed(p.rejected()), c.pooled, w.cells()[3], meets(required, w.rejected() <= .075))
	}
	return nil
}
