package bootstrap

import (
	"math"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func TestBCaWithoutConstantsIsPercentile(t *testing.T) {
	// Symmetric data and an odd number of resamples around the estimate: z0 = a = 0.
	x := []float64{-3, -2, -1, 1, 2, 3}
	l := must[Law](t)(Enumerate(6, meanStatistic(x)))
	b := must[BCaEstimate](t)(l.BCa(must[[]float64](t)(LeaveOneOut(6, meanStatistic(x))), 0.9))
	p := must[stats.Estimate](t)(l.Percentile(0.9))
	if b.FellBack || math.Abs(b.Bias) > 1e-12 || math.Abs(b.Acceleration) > 1e-12 || b.Interval != p.Interval {
		t.Errorf("%+v, percentile %v", b, p.Interval)
	}
}

func TestBCaFallsBack(t *testing.T) {
	r := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, c := range []struct {
		why   string
		value float64
		loo   []float64
		level float64
	}{
		{"all replicates above the estimate", 0, []float64{1, 2, 3}, 0.9},
		{"all replicates below the estimate", 10, []float64{1, 2, 3}, 0.9},
		{"constant leave-one-out values", 5, []float64{2, 2, 2}, 0.9},
		{"NaN leave-one-out value", 5, []float64{2, math.NaN(), 3}, 0.9},
		// One unit of 50 decides: a = 48/(6·√(50·49)) = 0.162; z0 + z = 1.2 + 5.3 is beyond 1/a.
		{"pole inside the interval", 8.5, append(constant(49, 0), -9), 1 - 1e-7},
	} {
		l := must[Law](t)(FromReplicates(c.value, r, len(c.loo)))
		b, err := l.BCa(c.loo, c.level)
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		p := must[stats.Estimate](t)(l.Percentile(c.level))
		if !b.FellBack || b.Interval != p.Interval || b.Warnings[0].Code != WarnBCaFallback {
			t.Errorf("%s: %+v", c.why, b)
		}
	}
	l := must[Law](t)(FromReplicates(5, r, 4))
	_, err := l.BCa([]float64{1, 2, 3}, 0.9)
	wantError(t, err, stats.ErrMismatch, "leave-one-out")
	_, err = l.BCa([]float64{1, 2, 3, 4}, 1)
	wantError(t, err, stats.ErrDomain, "level")
}

func TestBCaIsTransformationRespecting(t *testing.T) {
	x := lognormal(8, 11, 0.8)
	mean := meanStatistic(x)
	logMean := func(index []int) float64 { return math.Log(mean(index)) }
	opt := Options{Replicates: 1999, Seed: 3}
	a := must[Law](t)(Resample(11, mean, opt))
	b := must[Law](t)(Resample(11, logMean, opt))
	// One acceleration for both: the jackknife's is not invariant itself.
	loo := must[[]float64](t)(LeaveOneOut(11, mean))
	ea, eb := must[BCaEstimate](t)(a.BCa(loo, 0.9)), must[BCaEstimate](t)(b.BCa(loo, 0.9))
	if math.Abs(math.Log(ea.Interval.Lo)-eb.Interval.Lo) > 1e-3 || math.Abs(math.Log(ea.Interval.Hi)-eb.Interval.Hi) > 1e-3 {
		t.Errorf("log of %v is not %v", ea.Interval, eb.Interval)
	}
}

func TestJackknifeAndAcceleration(t *testing.T) {
	x := []float64{1, 2, 6}
	loo := must[[]float64](t)(LeaveOneOut(3, meanStatistic(x)))
	for i, want := range []float64{4, 3.5, 1.5} {
		if !near(loo[i], want) {
			t.Errorf("without unit %d: %v, want %v", i, loo[i], want)
		}
	}
	// u = (−1, −½, 1½): Σu² = 3.5, Σu³ = 2.25, a = 2.25/(6·3.5^{3/2}).
	a := must[float64](t)(Acceleration(loo))
	if want := 2.25 / (6 * math.Pow(3.5, 1.5)); !near(a, want) {
		t.Errorf("acceleration %v, want %v", a, want)
	}
	big := []float64{1e12 + 4, 1e12 + 3.5, 1e12 + 1.5}
	if got := must[float64](t)(Acceleration(big)); math.Abs(got-a) > 1e-3 {
		t.Errorf("with an offset of 1e12: %v, want about %v", got, a)
	}
	for n := range 2 {
		_, err := LeaveOneOut(n, meanStatistic(x))
		wantError(t, err, stats.ErrTooFew, "jackknife")
		_, err = Acceleration(loo[:n])
		wantError(t, err, stats.ErrTooFew, "acceleration")
	}
	_, err := Acceleration([]float64{0.1, 0.1, 0.1})
	wantError(t, err, stats.ErrDomain, "constant")
}
