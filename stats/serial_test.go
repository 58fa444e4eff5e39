package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The moments are those over all orders of ten values, tied ones included.
func TestSerialMoments(t *testing.T) {
	for _, x := range [][]float64{
		{0, 1, 2, 3, 4, 5, 6},
		{1, 1, 2, 2, 2, 7, 9},
	} {
		r := centredMidranks(x)
		var sums []float64
		permute(r, func(p []float64) {
			var s float64
			for i, v := range p {
				s += v * p[(i+1)%len(p)]
			}
			sums = append(sums, s)
		})
		mean := meanOf(sums)
		var sq float64
		for _, s := range sums {
			sq += (s - mean) * (s - mean)
		}
		sd := math.Sqrt(sq / float64(len(sums)))
		permute(r, func(p []float64) {
			var s float64
			for i, v := range p {
				s += v * p[(i+1)%len(p)]
			}
			if z := serialZ(p); math.Abs(z-(s-mean)/sd) > 1e-9 {
				t.Fatalf("%v: z %v, want %v", p, z, (s-mean)/sd)
			}
		})
	}
}

// permute calls visit with every order of x; visit must not keep its argument.
func permute(x []float64, visit func([]float64)) {
	p := slices.Clone(x)
	var rec func(k int)
	rec = func(k int) {
		if k == len(p) {
			visit(p)
			return
		}
		for i := k; i < len(p); i++ {
			p[k], p[i] = p[i], p[k]
			rec(k + 1)
			p[k], p[i] = p[i], p[k]
		}
	}
	rec(0)
}

func TestSerialCorrelation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	rejected := 0
	for range 1000 {
		test, err := SerialCorrelation(normals(r, 30), TwoSided)
		if err != nil || !(test.P >= 0 && test.P <= 1) {
			t.Fatal(test, err)
		}
		if test.P <= 0.05 {
			rejected++
		}
	}
	if rejected < 25 || rejected > 80 { // 50 ± 4 binomial standard deviations
		t.Errorf("%d of 1000 independent series rejected at 5 %%", rejected)
	}
	x := ar1(r, 500, 0.5)
	up, err := SerialCorrelation(x, Greater)
	if err != nil || up.P > 1e-6 {
		t.Errorf("dependent series: %+v, %v", up, err)
	}
	for i := range x {
		x[i] = math.Exp(3*x[i] + 1e3*0) // ranks do not change
	}
	if again, _ := SerialCorrelation(x, Greater); again.Statistic != up.Statistic {
		t.Errorf("a monotone change moved the statistic from %v to %v", up.Statistic, again.Statistic)
	}
	flat, err := SerialCorrelation(slices.Repeat([]float64{2}, 20), TwoSided)
	if err != nil || flat.P != 1 || len(flat.Warnings) != 1 {
		t.Errorf("equal values: %+v, %v", flat, err)
	}
	_, err = SerialCorrelation(x[:9], Greater)
	wantError(t, "nine values", err, ErrTooFew)
	_, err = SerialCorrelation(append(x[:20:20], math.NaN()), Greater)
	wantError(t, "NaN", err, ErrDomain)
	_, err = SerialCorrelation(x, Alternative(7))
	wantError(t, "alternative", err, ErrDomain)
}

func TestBatchesDependent(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	drift := make([]float64, 2000)
	for i := range drift {
		drift[i] = float64(i)/400 + r.NormFloat64()
	}
	e, err := BatchMeans(drift, 20, 0.95)
	if err != nil || len(e.Warnings) != 1 || e.Warnings[0].Code != WarnBatchesDependent {
		t.Errorf("drift: %+v, %v", e.Warnings, err)
	}
	q, err := WoodruffCI(drift, 0.5, 20, 0.95)
	if err != nil || len(q.Warnings) != 1 || q.Warnings[0].Code != WarnBatchesDependent {
		t.Errorf("drift, median: %+v, %v", q.Warnings, err)
	}
	if e, _ := BatchMeans(normals(r, 2000), 20, 0.95); len(e.Warnings) != 0 {
		t.Errorf("independent values: %+v", e.Warnings)
	}
}
