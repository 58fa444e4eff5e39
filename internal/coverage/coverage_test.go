package main

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// A tiny version of every study runs and prints a row for each of its cells.
func TestStudies(t *testing.T) {
	if testing.Short() {
		t.Skip("draws all studies")
	}
	t.Chdir("../..") // the real records are found from the top of the repository
	for _, name := range []string{"end-to-end", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17"} {
		if _, repeats := also[name]; repeats {
			continue
		}
		var out strings.Builder
		if err := measure(context.Background(), &out, []string{name}, 2, 1, 2); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := out.String()
		if !strings.Contains(text, "\n## ") || strings.Count(text, "\n| ") < 3 {
			t.Errorf("%s prints %d lines of tables", name, strings.Count(text, "\n| "))
		}
		columns := 0
		for line := range strings.Lines(text) {
			switch {
			case strings.HasPrefix(line, "|"):
				if columns > 0 && strings.Count(line, "|") != columns {
					t.Errorf("%s: %d columns, want %d: %s", name, strings.Count(line, "|"), columns, line)
				}
				columns = strings.Count(line, "|")
			default:
				columns = 0
			}
			if strings.Contains(line, "NaN") || strings.Contains(line, "%!") {
				t.Errorf("%s prints %s", name, line)
			}
		}
	}
}

// The number of workers changes nothing.
func TestWorkers(t *testing.T) {
	var one, three strings.Builder
	for out, workers := range map[*strings.Builder]int{&one: 1, &three: 3} {
		if err := measure(context.Background(), out, []string{"C7", "C9", "C13"}, 8, 1, workers); err != nil {
			t.Fatal(err)
		}
	}
	if one.String() != three.String() {
		t.Error("three workers print other tables than one")
	}
}

func TestArguments(t *testing.T) {
	if err := measure(context.Background(), io.Discard, []string{"C18"}, 8, 1, 1); err == nil || !strings.Contains(err.Error(), "C18") {
		t.Errorf("an unknown study: %v", err)
	}
	if err := measure(context.Background(), io.Discard, []string{"C7"}, 1, 1, 1); err == nil {
		t.Error("one replicate was taken")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := measure(ctx, io.Discard, []string{"C7"}, 100000, 1, 1); err == nil {
		t.Error("an interrupted study has no error")
	}
}

// The committed tables were made at full size, and every row meets what its mark
// requires.
func TestCommittedTables(t *testing.T) {
	data, err := os.ReadFile("../../docs/coverage-methods.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, s := range methods {
		if !strings.Contains(text, s.name+" ") && !strings.Contains(text, s.name+",") && !strings.Contains(text, s.name+"–") {
			t.Errorf("no table of %s", s.name)
		}
	}
	if !strings.Contains(text, "with 4000 replicates") {
		t.Error("not made with the default number of replicates")
	}
	for line := range strings.Lines(text) {
		if strings.Contains(line, "● not met") || strings.Contains(line, "○ not labelled") {
			t.Errorf("a requirement is missed: %s", line)
		}
	}
	if n := strings.Count(text, "● met"); n < 100 {
		t.Errorf("only %d rows meet a requirement", n)
	}
	if data, err = os.ReadFile("../../docs/coverage.md"); err != nil || !strings.Contains(string(data), "400 pairs") {
		t.Errorf("docs/coverage.md is not the table of 400 pairs: %v", err)
	}
}

// pairedT is paired.MeanDifference of the items of a table.
func TestPairedT(t *testing.T) {
	for _, tab := range []paired.Table{{Both: 30, OnlyX: 5, OnlyY: 3, Neither: 12}, {Both: 60, OnlyX: 15, OnlyY: 8, Neither: 20}} {
		var x, y []float64
		add := func(n int, a, b float64) {
			for range n {
				x, y = append(x, a), append(y, b)
			}
		}
		add(tab.Both, 1, 1)
		add(tab.OnlyX, 1, 0)
		add(tab.OnlyY, 0, 1)
		add(tab.Neither, 0, 0)
		want, err := paired.MeanDifference(x, y, level)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pairedT(tab)
		if err != nil || math.Abs(got.Interval.Lo-want.Interval.Lo) > 1e-12 || math.Abs(got.Interval.Hi-want.Interval.Hi) > 1e-12 || len(got.Warnings) != len(want.Warnings) {
			t.Errorf("%+v: %+v, %v; want %+v", tab, got, err, want)
		}
	}
}

// The tables that are enumerated are all tables.
func TestEachTable(t *testing.T) {
	for _, n := range []int{1, 20, 700} {
		var total, mean float64
		eachTable(n, .04, .07, func(tab paired.Table, p float64) {
			if tab.N() != n {
				t.Fatalf("table of %d items, want %d", tab.N(), n)
			}
			total += p
			mean += p * tab.Difference()
		})
		if math.Abs(total-1) > 1e-7 || math.Abs(mean-.03) > 1e-7 {
			t.Errorf("%d items: total %v, mean difference %v", n, total, mean)
		}
	}
}

// The processes have the moments that the study takes as true.
func TestDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n = 200_000
	x := make([]float64, n)
	for _, p := range []struct {
		name     string
		draw     func(*rand.Rand, []float64)
		q, truth float64
		slack    float64
	}{
		{"lognormal", lognormal, .99, lognormalQuantile(stats.NormalQuantile(.99)), .02},
		{"pareto", pareto(2.5), .99, 126.1915, .03},
		{"cache hits", cacheHits(.7), .5, 23.8023, .01},
		{"AR", autoregressive(.5), .95, lognormalQuantile(stats.NormalQuantile(.95)), .02},
		{"queue", queue, .5, 173.287, .05},
		{"rounded", rounded(0), .95, 28, 1e-9},
	} {
		p.draw(rng, x)
		got, err := stats.Quantile(x, p.q, stats.HF1)
		if err != nil || math.Abs(got-p.truth) > p.slack*p.truth {
			t.Errorf("%s: %v quantile %v, want %v, %v", p.name, p.q, got, p.truth, err)
		}
	}
	moments := func(name string, draw func() float64, mean, variance float64) {
		for i := range x {
			x[i] = draw()
		}
		m, v, err := stats.MeanVariance(x)
		if err != nil || math.Abs(m-mean) > 4*math.Sqrt(variance/n) || math.Abs(v-variance) > .1*variance {
			t.Errorf("%s: mean %v, variance %v, want %v, %v", name, m, v, mean, variance)
		}
	}
	moments("Poisson", func() float64 { return float64(poisson(rng, 2.5)) }, 2.5, 2.5)
	moments("gamma", func() float64 { return gamma(rng, 2) }, 1, .5)
	moments("Beta(6, 2)", func() float64 { return beta(rng, 6, 2) }, .75, .020833)
	moments("Beta(.8, .4)", func() float64 { return beta(rng, .8, .4) }, 2.0/3, .101010)
	moments("t4", func() float64 { return t4(rng) }, 0, 1)
}
