package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perfdiff/perfdiff/stats"
)

// The two averages over tasks weigh as they say, with errors that fit.
func TestAverages(t *testing.T) {
	x, y := &answers{}, &answers{}
	r := rand.New(rand.NewPCG(4, 4))
	sizes := []int{40, 200, 60}
	var sums [3]float64
	for task, n := range sizes {
		for i := range n {
			a, b := float64(r.IntN(2)), float64(r.IntN(2))
			id := fmt.Sprint(i)
			x.add(fmt.Sprint(task), id, "", a)
			y.add(fmt.Sprint(task), id, "", b)
			sums[task] += b - a
		}
	}
	c := compareAnswers(t, x, y, .95, nil)
	if len(c.Results) != 5 || c.Results[0].Average != Micro || c.Results[1].Average != Macro {
		t.Fatalf("%d results", len(c.Results))
	}
	if got, want := c.Results[0].Delta.Value, (sums[0]+sums[1]+sums[2])/300; math.Abs(got-want) > 1e-12 {
		t.Errorf("micro %v, want %v", got, want)
	}
	macro := c.Results[1].Delta
	if want := (sums[0]/40 + sums[1]/200 + sums[2]/60) / 3; math.Abs(macro.Value-want) > 1e-12 {
		t.Errorf("macro %v, want %v", macro.Value, want)
	}
	// MOVER: squared distances to the tasks' own limits add up.
	var lo float64
	for _, one := range c.Results[2:] {
		lo += math.Pow((one.Delta.Value-one.Delta.Lo)/3, 2)
	}
	if got := macro.Value - macro.Lo; math.Abs(got-math.Sqrt(lo)) > 1e-9 {
		t.Errorf("macro reaches %v below, want %v", got, math.Sqrt(lo))
	}
	// Tasks as clusters: Student's t on three differences.
	byTask := compareAnswers(t, x, y, .95, func(q *QualityOptions) { q.Cluster = ByTask }).Results[1].Delta
	want, err := stats.MeanT([]float64{sums[0] / 40, sums[1] / 200, sums[2] / 60}, .95)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(byTask.Lo-want.Interval.Lo) > 1e-9 {
		t.Errorf("tasks as clusters: %+v, want %+v", byTask, want.Interval)
	}
	// A task that only one side has makes the averages uncertain.
	x.add("4", "1", "", 1)
	bounded := compareAnswers(t, x, y, .95, nil)
	if bounded.Results[1].Delta.HasInterval() {
		t.Errorf("macro with a task of one side: %+v", bounded.Results[1].Delta)
	}
	dropped := compareAnswers(t, x, y, .95, func(q *QualityOptions) { q.Missing = Drop })
	if d := dropped.Results[1].Delta; math.Abs(d.Lo-macro.Lo) > 1e-12 {
		t.Errorf("macro without it: %+v, want %+v", d, macro)
	}
}

// Clusters that reach over tasks are seen by the macro average.
func TestClustersOverTasks(t *testing.T) {
	x, y := &answers{}, &answers{}
	r := rand.New(rand.NewPCG(5, 5))
	for i := range 60 {
		shift := r.NormFloat64() / 5
		for task := range 3 {
			id, p := fmt.Sprint(i), fmt.Sprint("p", i)
			a := .5 + r.NormFloat64()/20
			x.add(fmt.Sprint(task), id, p, a)
			y.add(fmt.Sprint(task), id, p, a+shift+r.NormFloat64()/20)
		}
	}
	plain := compareAnswers(t, x, y, .95, nil).Results
	clustered := compareAnswers(t, x, y, .95, func(q *QualityOptions) { q.Cluster = "passage" }).Results
	for k, name := range []string{"micro", "macro"} {
		f := (clustered[k].Delta.Hi - clustered[k].Delta.Lo) / (plain[k].Delta.Hi - plain[k].Delta.Lo)
		if f < 1.5 || f > 1.9 { // √3 with a little noise
			t.Errorf("%s: %v times as wide, want about 1.7", name, f)
		}
	}
}

// Repeats of an item are averaged inside it, and their noise is told apart.
func TestRepeats(t *testing.T) {
	x, y := &answers{}, &answers{}
	r := rand.New(rand.NewPCG(6, 6))
	var means []float64
	for i := range 80 {
		p := r.Float64()
		var a, b []float64
		for range 4 {
			a, b = append(a, step(r, p)), append(b, step(r, p))
		}
		x.add("", fmt.Sprint(i), "", a...)
		y.add("", fmt.Sprint(i), "", b...)
		means = append(means, (b[0]+b[1]+b[2]+b[3]-a[0]-a[1]-a[2]-a[3])/4)
	}
	res := compareAnswers(t, x, y, .95, nil).Results[0]
	want, err := stats.MeanT(means, .95)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.Delta.Lo-want.Interval.Lo) > 1e-9 || res.Items.Matched != 80 {
		t.Errorf("%+v of %d, want %+v", res.Delta, res.Items.Matched, want.Interval)
	}
	n := res.Items.Repeats
	if n == nil || n.PerItem != [2]float64{4, 4} || !(n.SELimit < n.SETwice && n.SETwice < n.SE) {
		t.Fatalf("%+v", n)
	}
	// Over two tasks the noise is that of all items.
	for i := range x.task {
		x.task[i], y.task[i] = fmt.Sprint(i%2), fmt.Sprint(i%2)
	}
	if all := compareAnswers(t, x, y, .95, nil).Results[0].Items.Repeats; all == nil || math.Abs(all.SE-n.SE) > 1e-12 || math.Abs(all.Side[1].Within-n.Side[1].Within) > 1e-12 {
		t.Errorf("over two tasks %+v, want %+v", all, n)
	}
	// All of the variance of differences is noise within items: twice the
	// answers halve it.
	if f := n.SETwice / n.SE; f < .6 || f > .85 {
		t.Errorf("twice the answers: %v, want about √½", f)
	}
}

func step(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}
