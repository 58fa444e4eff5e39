package bootstrap

import (
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// Four percentiles of 500 units in 2,048 bins, 2,000 replicates, one core; the
// requirement is one second.
func BenchmarkQuantileReplicates500Units(b *testing.B) {
	c := testCDFs(b, 500, 2048, 1)
	qs := []float64{0.5, 0.95, 0.99, 0.999}
	for b.Loop() {
		if _, err := c.QuantileReplicates(qs, Options{Replicates: 2000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// Ten runs, two sides, the four percentiles of a report, 10,000 replicates.
func BenchmarkCompareQuantiles10Runs(b *testing.B) {
	x, y := testCDFs(b, 10, 4096, 1), testCDFs(b, 10, 4096, 2)
	qs := []float64{0.5, 0.95, 0.99, 0.999}
	for b.Loop() {
		if _, err := CompareQuantiles(x, y, qs, Options{Replicates: 10000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReplicatesMean(b *testing.B) {
	x := lognormal(1, 1000, 0.5)
	for b.Loop() {
		if _, err := Replicates(1000, meanStatistic(x), Options{Replicates: 1000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeanT1000(b *testing.B) {
	x := lognormal(1, 1000, 0.5)
	for b.Loop() {
		if _, err := MeanT(x, 0.95, Options{Replicates: 1000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEnumerate10(b *testing.B) {
	x := lognormal(1, 10, 0.5)
	for b.Loop() {
		if _, err := Enumerate(10, meanStatistic(x)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRandomization10v10(b *testing.B) {
	x, y := lognormal(1, 10, 0.5), lognormal(2, 10, 0.5)
	for b.Loop() {
		if _, err := Randomization(x, y, 0, stats.TwoSided, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuantileReplicatesBeta(b *testing.B) {
	for b.Loop() {
		if _, err := QuantileReplicates(1e6, 0.99, func(u float64) float64 { return u }, Options{Replicates: 10000, Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBlockLength100k(b *testing.B) {
	x := ar1(1, 100000, 0.5)
	for b.Loop() {
		if _, err := BlockLength(x); err != nil {
			b.Fatal(err)
		}
	}
}
