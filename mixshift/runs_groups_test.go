package mixshift

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// cellRuns draws runs of two strata of which the mean values are known: every run
// has an effect and a mix of its own.
func cellRuns(rng *rand.Rand, runs int, share, slower float64) (count, mean [][]float64) {
	for range runs {
		effect := slower + 0.1*rng.NormFloat64()
		n := 20 + float64(rng.IntN(30))
		p := min(max(share+0.1*rng.NormFloat64(), 0.05), 0.95)
		count = append(count, []float64{n * p, n * (1 - p)})
		mean = append(mean, []float64{math.Exp(effect), 3 * math.Exp(effect+0.1*rng.NormFloat64())})
	}
	return count, mean
}

// deleteOne is the delete-one jackknife of the like-for-like change of the mean,
// by its definition, and not by groups.
func deleteOne(t *testing.T, countX, meanX, countY, meanY [][]float64) float64 {
	t.Helper()
	rate := func(skipX, skipY int) float64 {
		// The mix of x, and the mean of each stratum with the runs weighing as
		// their shares of it.
		mix := make([]float64, 2)
		stratum := func(count, mean [][]float64, skip int, toMix bool) []float64 {
			sum, weight := make([]float64, 2), make([]float64, 2)
			for r, c := range count {
				if r == skip {
					continue
				}
				for h := range sum {
					share := c[h] / (c[0] + c[1])
					sum[h], weight[h] = sum[h]+share*mean[r][h], weight[h]+share
				}
			}
			for h := range sum {
				sum[h] /= weight[h]
				if toMix {
					mix[h] = weight[h] / (weight[0] + weight[1])
				}
			}
			return sum
		}
		x := stratum(countX, meanX, skipX, true)
		y := stratum(countY, meanY, skipY, false)
		return mix[0]*(y[0]-x[0]) + mix[1]*(y[1]-x[1])
	}
	var dropX, dropY []float64
	for r := range countX {
		dropX = append(dropX, rate(r, -1))
	}
	for r := range countY {
		dropY = append(dropY, rate(-1, r))
	}
	_, seX, err := stats.Jackknife(dropX)
	if err != nil {
		t.Fatal(err)
	}
	_, seY, err := stats.Jackknife(dropY)
	if err != nil {
		t.Fatal(err)
	}
	return math.Hypot(seX, seY)
}

// TestGroupsAreDeleteOne holds that up to MostGroups runs the error is the
// delete-one jackknife, and that of more runs it is the same on average: its
// variance varies as 96 degrees of freedom a side allow, and no more.
func TestGroupsAreDeleteOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		runs, draws int
	}{{MostGroups, 1}, {MostGroups + 1, 60}, {150, 60}, {400, 60}} {
		sum := 0.0
		for range c.draws {
			countX, meanX := cellRuns(rng, c.runs, 0.6, 0)
			countY, meanY := cellRuns(rng, c.runs, 0.4, 0.05)
			s := ok1(SplitRuns(Runs{countX, meanOfCells(meanX)}, Runs{countY, meanOfCells(meanY)}, false))(t)
			p := ok1(s.Parts(Difference, 0.95))(t)
			want := deleteOne(t, countX, meanX, countY, meanY)
			ratio := p.Rate.SE * p.Rate.SE / (want * want)
			if c.draws == 1 {
				near(t, "standard error", p.Rate.SE, want, 1e-12)
			}
			// Four standard deviations of χ²/df with twice 96 degrees of freedom.
			if off := 4 * math.Sqrt(2/192.0); math.Abs(ratio-1) > off {
				t.Errorf("%d runs: variance %v times the delete-one jackknife's", c.runs, ratio)
			}
			if df := p.Rate.DF; df < 90 || df > 2*(MostGroups-1)+1e-9 {
				t.Errorf("%d runs: %v degrees of freedom", c.runs, df)
			}
			if p.Rate.N != 2*c.runs {
				t.Errorf("%d runs: N %d", c.runs, p.Rate.N)
			}
			sum += ratio / float64(c.draws)
		}
		t.Logf("%d runs: mean variance %.4f times the delete-one jackknife's", c.runs, sum)
		if off := 4 * math.Sqrt(2/192.0/float64(c.draws)); math.Abs(sum-1) > off {
			t.Errorf("%d runs: mean variance %v times the delete-one jackknife's, want 1 ± %.3f", c.runs, sum, off)
		}
	}
}

// TestGroupsCoverage holds that the interval of many runs covers what is true as
// often as it says.
func TestGroupsCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const draws = 400
	covered := 0
	for range draws {
		countX, meanX := cellRuns(rng, 130, 0.6, 0)
		countY, meanY := cellRuns(rng, 200, 0.4, 0)
		s := ok1(SplitRuns(Runs{countX, meanOfCells(meanX)}, Runs{countY, meanOfCells(meanY)}, false))(t)
		if ok1(s.Parts(LogRatio, 0.9))(t).Rate.Interval.Contains(0) {
			covered++
		}
	}
	// 90 % of 400 ± four standard deviations.
	if covered < 336 || covered > 384 {
		t.Errorf("covers 0 in %d of %d draws, want 360 ± 24", covered, draws)
	}
	t.Logf("covers 0 in %d of %d draws", covered, draws)
}

// TestGroupsOfOneStratum holds that a stratum whose runs are all in one group is
// not common: without that group nothing would be left of it.
func TestGroupsOfOneStratum(t *testing.T) {
	var count, mean [][]float64
	for r := range 3 * MostGroups {
		c := []float64{10, 0}
		if r%MostGroups == 4 {
			c[1] = 5
		}
		count, mean = append(count, c), append(mean, []float64{1 + float64(r%7), 50})
	}
	side := Runs{count, meanOfCells(mean)}
	s := ok1(SplitRuns(side, side, false))(t)
	if s.Common[1] || !s.Common[0] {
		t.Errorf("common %v", s.Common)
	}
	p := ok1(s.Parts(Difference, 0.95))(t)
	if p.Rate.Value != 0 || !(p.Rate.SE > 0 && p.Rate.SE < 1) {
		t.Errorf("%+v", p.Rate)
	}
}
