package paired

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// column reads one column of testdata/name as text.
func column(t *testing.T, name, col string) []string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], col)
	if at < 0 {
		t.Fatalf("%s has no column %s", name, col)
	}
	out := make([]string, 0, len(rows))
	for _, r := range rows[1:] {
		out = append(out, r[at])
	}
	return out
}

func numbers(t *testing.T, text []string) []float64 {
	t.Helper()
	out := make([]float64, len(text))
	for i, s := range text {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = v
	}
	return out
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v within %v", what, got, want, tol)
	}
}

// Rows in another order must give the same answer (public case P10; numbers
// of the case file).
func TestRowOrder(t *testing.T) {
	idX, idY := column(t, "P10/before.csv", "question_id"), column(t, "P10/after.csv", "question_id")
	x, y := numbers(t, column(t, "P10/before.csv", "score")), numbers(t, column(t, "P10/after.csv", "score"))
	byKey := func(idX, idY []string, x, y []float64) stats.Estimate {
		m := ok1(Match(idX, idY))(t)
		if len(m.OnlyX)+len(m.OnlyY) != 0 {
			t.Fatalf("unmatched items: %+v", m)
		}
		return ok1(MeanDifference(ok1(Pick(x, m.X))(t), ok1(Pick(y, m.Y))(t), 0.95))(t)
	}
	e := byKey(idX, idY, x, y)
	near(t, "difference", e.Value, 0.01994, 5e-6)
	near(t, "SE", e.SE, 0.003885, 5e-7)
	near(t, "lower", e.Interval.Lo, 0.01209, 5e-6)
	near(t, "upper", e.Interval.Hi, 0.02780, 5e-6)
	slices.Reverse(idX)
	slices.Reverse(x)
	if again := byKey(idX, idY, x, y); again.Value != e.Value || again.SE != e.SE || again.Interval != e.Interval {
		t.Errorf("another row order changed %+v into %+v", e, again)
	}
}

// Questions that share a passage (public case P12; numbers of the case file).
func TestPassages(t *testing.T) {
	passage := column(t, "P12/before.csv", "passage")
	codes := map[string]int{}
	cluster := make([]int, len(passage))
	for i, p := range passage {
		if _, ok := codes[p]; !ok {
			codes[p] = len(codes)
		}
		cluster[i] = codes[p]
	}
	d := ok1(Differences(numbers(t, column(t, "P12/before.csv", "correct")), numbers(t, column(t, "P12/after.csv", "correct"))))(t)
	cr0 := ok1(ClusterRobust(d, cluster, CR0, 0.95))(t)
	cr1 := ok1(ClusterRobust(d, cluster, CR1, 0.95))(t)
	cr2 := ok1(ClusterRobust(d, cluster, CR2, 0.95))(t)
	near(t, "difference", cr1.Value, 0.10, 1e-12)
	near(t, "naive SE", cr1.SENaive, 0.0628, 5e-5)
	near(t, "CR0", cr0.SE, 0.1396, 5e-5)
	near(t, "CR1", cr1.SE, 0.1433, 5e-5)
	near(t, "lower", cr1.Interval.Lo, -0.200, 5e-4)
	near(t, "upper", cr1.Interval.Hi, 0.400, 5e-4)
	near(t, "CR2 is CR1 for equal clusters", cr2.SE, cr1.SE, 1e-12)
	near(t, "CR2 df", cr2.DF, 19, 1e-9)
	if cr2.N != 20 || cr2.Items != 100 {
		t.Errorf("%d clusters of %d items, want 20 of 100", cr2.N, cr2.Items)
	}
	if cr2.Interval.Lo > -0.15 {
		t.Errorf("lower limit %v would pass a margin of 0.15", cr2.Interval.Lo)
	}
}

// Errored items are neither dropped from one side nor invented (public case
// P11).
func TestErroredItems(t *testing.T) {
	status, after, before := column(t, "P11/after.csv", "status"), column(t, "P11/after.csv", "correct"), column(t, "P11/before.csv", "correct")
	m := ok1(Match(column(t, "P11/before.csv", "question_id"), column(t, "P11/after.csv", "question_id")))(t)
	var in Incomplete
	for i := range m.X {
		x := before[m.X[i]] == "1"
		switch {
		case status[m.Y[i]] == "ok":
			in.Complete.Count(x, after[m.Y[i]] == "1")
		case x:
			in.RightX++
		default:
			in.WrongX++
		}
	}
	if in.Missing() != 10 || in.Complete.Difference() != 0 || in.AsWrong().Difference() != 0 {
		t.Errorf("%+v: want 10 absent outcomes and no difference under either rule", in)
	}
	near(t, "coverage", in.Coverage(), 0.9, 1e-12)
	b := ok1(TangoBounds(in, 0.95))(t)
	near(t, "best case", b.Highest.Value, 0.1, 1e-12)
}

// Ten of ten on both sides is not certainty (public case P32).
func TestDegenerateRates(t *testing.T) {
	n := len(column(t, "P32/before.csv", "correct"))
	tab := Table{Both: n}
	for name, f := range map[string]func(Table, float64) (stats.Estimate, error){"tango": TangoScore, "newcombe": Newcombe, "bonett-price": BonettPrice, "agresti-min": AgrestiMin} {
		e := ok1(f(tab, 0.95))(t)
		if e.Value != 0 || e.Interval.Lo > -0.05 || e.Interval.Hi < 0.05 {
			t.Errorf("%s at 10 of 10: %+v passes a margin of 0.05", name, e)
		}
	}
	z2 := math.Pow(stats.NormalQuantile(0.975), 2)
	near(t, "tango limit z²/(N+z²)", ok1(TangoScore(tab, 0.95))(t).Interval.Hi, z2/(10+z2), 1e-12)
	if e := ok1(Wald(tab, 0.95))(t); len(e.Warnings) == 0 {
		t.Errorf("wald at 10 of 10 has no warning: %+v", e)
	}
	if p := ok1(TangoNoninferiority(tab, 0.05))(t).P; p < 0.05 {
		t.Errorf("noninferiority at 10 of 10: p = %v", p)
	}
}
