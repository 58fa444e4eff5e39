package mixshift

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

func randomSample(rng *rand.Rand, n int, shift, slope float64) Sample {
	s := Sample{Outcome: make([]float64, n), Covariates: [][]float64{make([]float64, n), make([]float64, n)}}
	for i := range n {
		a, b := rng.NormFloat64()+shift, rng.ExpFloat64()
		s.Covariates[0][i], s.Covariates[1][i] = a, b
		s.Outcome[i] = 3 + slope*a - b + 0.3*rng.NormFloat64()
	}
	return s
}

func TestOaxacaLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		x, y := randomSample(rng, 40, 0, 2), randomSample(rng, 30, 0.7, 2.5)
		refX, refY := ok1(Oaxaca(x, y, ReferenceX))(t), ok1(Oaxaca(x, y, ReferenceY))(t)
		back := ok1(Oaxaca(y, x, ReferenceX))(t)
		for _, ref := range []Reference{ReferenceX, ReferenceY, ReferencePooled, ReferencePooledPlain} {
			b := ok1(Oaxaca(x, y, ref))(t)
			if b.Gap != b.Explained+b.Unexplained {
				t.Errorf("%+v does not add up", b)
			}
			near(t, "threefold", b.Endowments+b.Coefficients+b.Interaction, b.Gap, 1e-12)
			near(t, "detail", b.Detail[0]+b.Detail[1], b.Explained, 1e-12)
			near(t, "gap", b.Gap, refX.Gap, 1e-12)
		}
		near(t, "swap", refY.Explained, -back.Explained, 1e-12)
		near(t, "explained at y", refY.Explained, refX.Endowments+refX.Interaction, 1e-12)
		// A large offset and another unit of a covariate explain the same.
		for _, s := range []Sample{x, y} {
			for i := range s.Covariates[0] {
				s.Covariates[0][i] = 1e6 * (s.Covariates[0][i] + 1000)
			}
		}
		near(t, "unit and offset", ok1(Oaxaca(x, y, ReferencePooled))(t).Gap, refX.Gap, 1e-9)
		near(t, "unit and offset", ok1(Oaxaca(x, y, ReferenceX))(t).Explained, refX.Explained, 1e-8)
	}
}

// Without a difference of the lines everything is explained, by a reference
// with separate intercepts; with only an intercept between them nothing is,
// though pooling without one books some of it.
func TestOaxacaReferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	x, y := randomSample(rng, 400, 0, 2), randomSample(rng, 400, 1, 2)
	for i := range y.Outcome {
		y.Outcome[i] += 5
	}
	dummy, plain := ok1(Oaxaca(x, y, ReferencePooled))(t), ok1(Oaxaca(x, y, ReferencePooledPlain))(t)
	near(t, "unexplained", dummy.Unexplained, 5, 0.1)
	if plain.Unexplained > 4.9 {
		t.Errorf("plain pooling leaves %v unexplained, expected a leak", plain.Unexplained)
	}
}

// A single dummy is a split over two cells.
func TestOaxacaIsThreefold(t *testing.T) {
	x := Sample{[]float64{1, 2, 3, 10, 12}, [][]float64{{0, 0, 0, 1, 1}}}
	y := Sample{[]float64{2, 2, 11, 15, 13}, [][]float64{{0, 0, 1, 1, 1}}}
	b := ok1(Oaxaca(x, y, ReferenceX))(t)
	k := ok1(Threefold([]float64{3, 2}, []float64{2, 3}, []float64{2, 11}, []float64{2, 13}))(t)
	near(t, "endowments", b.Endowments, k.Mix, 1e-12)
	near(t, "coefficients", b.Coefficients, k.Rate, 1e-12)
	near(t, "interaction", b.Interaction, k.Interaction, 1e-12)
}

func TestOaxacaErrors(t *testing.T) {
	good := Sample{[]float64{1, 2, 4, 3}, [][]float64{{1, 2, 3, 5}}}
	for _, c := range []struct {
		why  string
		bad  Sample
		ref  Reference
		want error
	}{
		{"other covariates", Sample{[]float64{1, 2, 4, 3}, nil}, ReferenceX, stats.ErrMismatch},
		{"short covariate", Sample{[]float64{1, 2, 4, 3}, [][]float64{{1, 2}}}, ReferenceX, stats.ErrMismatch},
		{"too few", Sample{[]float64{1, 2}, [][]float64{{1, 2}}}, ReferenceX, stats.ErrTooFew},
		{"constant", Sample{[]float64{1, 2, 4}, [][]float64{{3, 3, 3}}}, ReferenceX, stats.ErrDomain},
		{"NaN", Sample{[]float64{1, 2, 4}, [][]float64{{3, math.NaN(), 3}}}, ReferenceX, stats.ErrDomain},
		{"infinite outcome", Sample{[]float64{1, math.Inf(1), 4}, [][]float64{{3, 1, 3}}}, ReferenceX, stats.ErrDomain},
		{"unknown reference", good, 9, stats.ErrDomain},
	} {
		if _, err := Oaxaca(good, c.bad, c.ref); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.why, err, c.want)
		}
	}
	twins := Sample{[]float64{1, 2, 4, 3, 5}, [][]float64{{1, 2, 3, 5, 4}, {2, 4, 6, 10, 8}}}
	if _, err := Oaxaca(twins, twins, ReferenceX); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("collinear: error %v", err)
	}
	if b := ok1(Oaxaca(Sample{Outcome: []float64{1, 2}}, Sample{Outcome: []float64{3, 5}}, ReferencePooled))(t); b.Gap != 2.5 || b.Unexplained != 2.5 {
		t.Errorf("no covariates: %+v", b)
	}
}
