package stats

import (
	"math"
	"testing"
)

// The p-value of an exact test is valid: P(P ≤ α) ≤ α for every common
// probability, here by enumeration of all tables.
func TestExactTestsKeepTheirSize(t *testing.T) {
	const n1, n2 = 4, 5
	for name, f := range map[string]func(x1, n1, x2, n2 int64, alt Alternative) (Test, error){
		"suissa-shuster": SuissaShuster, "boschloo": Boschloo, "fisher": FisherExact,
	} {
		for _, alt := range []Alternative{TwoSided, Less, Greater} {
			var p [n1 + 1][n2 + 1]float64
			for i := range p {
				for j := range p[i] {
					r, err := f(int64(i), n1, int64(j), n2, alt)
					if err != nil {
						t.Fatal(err)
					}
					if !(r.P >= 0 && r.P <= 1) || r.Alternative != alt {
						t.Errorf("%s %v: %+v", name, alt, r)
					}
					p[i][j] = r.P
				}
			}
			for _, alpha := range []float64{0.02, 0.05, 0.1, 0.3} {
				for pi := 0.01; pi < 1; pi += 0.01 {
					var size float64
					for i := range p {
						for j := range p[i] {
							if p[i][j] <= alpha {
								size += BinomialPMF(i, n1, pi) * BinomialPMF(j, n2, pi)
							}
						}
					}
					if size > alpha+1e-9 {
						t.Errorf("%s %v: size %v at π = %v exceeds %v", name, alt, size, pi, alpha)
					}
				}
			}
		}
	}
}

func TestExactTestsSymmetry(t *testing.T) {
	for name, f := range map[string]func(x1, n1, x2, n2 int64, alt Alternative) (Test, error){
		"suissa-shuster": SuissaShuster, "boschloo": Boschloo, "fisher": FisherExact,
	} {
		for _, c := range [][4]int64{{3, 4, 1, 4}, {7, 12, 2, 13}, {0, 8, 6, 9}, {0, 3, 0, 4}} {
			greater, _ := f(c[0], c[1], c[2], c[3], Greater)
			swapped, _ := f(c[2], c[3], c[0], c[1], Less)
			within(t, name+" swapped", swapped.P, greater.P, 1e-10)
			failures, _ := f(c[1]-c[0], c[1], c[3]-c[2], c[3], Less)
			within(t, name+" of failures", failures.P, greater.P, 1e-10)
		}
	}
}

// Boschloo's test is at least as powerful as Fisher's: its p is never larger.
func TestBoschlooBeatsFisher(t *testing.T) {
	for i := range int64(6) {
		for j := range int64(8) {
			b, err := Boschloo(i, 5, j, 7, Greater)
			if err != nil {
				t.Fatal(err)
			}
			f, _ := FisherExact(i, 5, j, 7, Greater)
			if b.P > f.P*(1+1e-9) {
				t.Errorf("%d/5, %d/7: Boschloo %v, Fisher %v", i, j, b.P, f.P)
			}
		}
	}
}

func TestExactTestsRefuseLargeSamples(t *testing.T) {
	if _, err := SuissaShuster(50, 100, 40, 100, TwoSided); err != nil {
		t.Errorf("100 trials: %v", err)
	}
	for _, c := range [][4]int64{{1, 101, 1, 5}, {1, 5, 1, 101}} {
		_, err := SuissaShuster(c[0], c[1], c[2], c[3], TwoSided)
		wantError(t, "101 trials", err, ErrDomain)
		_, err = Boschloo(c[0], c[1], c[2], c[3], Less)
		wantError(t, "101 trials", err, ErrDomain)
	}
	_, err := SuissaShuster(1, 0, 1, 5, Less)
	wantError(t, "no trials", err, ErrTooFew)
	_, err = FisherExact(6, 5, 1, 5, Less)
	wantError(t, "count", err, ErrDomain)
}

func TestFisherExact(t *testing.T) {
	// The lady tasting tea, 3 of 4 and 1 of 4: 17/70 one-sided, 34/70 two-sided.
	one, err := FisherExact(1, 4, 3, 4, Greater)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "one-sided", one.P, 17.0/70, 1e-12)
	two, _ := FisherExact(1, 4, 3, 4, TwoSided)
	near(t, "two-sided", two.P, 34.0/70, 1e-12)
	table := fisherTable(7, 9, Less)
	for i := range table {
		for j := range table[i] {
			if p := fisherP(int64(i), 7, int64(j), 9, Less); math.Abs(p-table[i][j]) > 1e-13 {
				t.Errorf("table[%d][%d] = %v, want %v", i, j, table[i][j], p)
			}
		}
	}
	far, err := FisherExact(10, 1_000_000, 60, 1_000_000, Greater)
	if err != nil || !(far.P > 0 && far.P < 1e-9) {
		t.Errorf("large samples: %+v, %v", far, err)
	}
}

func BenchmarkSuissaShuster(b *testing.B) {
	for b.Loop() {
		if _, err := SuissaShuster(50, 100, 40, 100, TwoSided); err != nil {
			b.Fatal(err)
		}
	}
}
