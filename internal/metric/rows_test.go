package metric

import (
	"slices"
	"testing"
)

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		n    int
		bad  []int32
		want []span
	}{
		{0, nil, nil},
		{3, nil, []span{{0, 3}}},
		{3, []int32{0}, []span{{1, 3}}},
		{3, []int32{2}, []span{{0, 2}}},
		{5, []int32{1, 2}, []span{{0, 1}, {3, 5}}},
		{2, []int32{0, 1}, nil},
	} {
		if got := between(nil, c.n, c.bad); !slices.Equal(got, c.want) {
			t.Errorf("%d rows without %v: %v, want %v", c.n, c.bad, got, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	values := []float64{10, 11, 12, 13, 14}
	for _, r := range []rows{{list: []int32{0, 3, 4}}, {spans: []span{{0, 1}, {3, 5}}}} {
		var seen []int
		r.each(func(i int) { seen = append(seen, i) })
		if !slices.Equal(seen, []int{0, 3, 4}) || r.len() != 3 {
			t.Errorf("%+v: %d rows, %v", r, r.len(), seen)
		}
		if got := r.gather([]float64{1}, values); !slices.Equal(got, []float64{1, 10, 13, 14}) {
			t.Errorf("%+v: values %v", r, got)
		}
	}
}
