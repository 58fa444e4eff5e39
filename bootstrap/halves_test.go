package bootstrap_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/perfdiff/perfdiff/bootstrap"
	"github.com/perfdiff/perfdiff/stats"
)

func TestHalves(t *testing.T) {
	for _, c := range []struct{ n, size, want int }{{2, 1, 2}, {4, 2, 6}, {5, 2, 30}, {10, 5, 252}, {20, 1, 380}, {6, 2, 90}} {
		h, err := bootstrap.NewHalves(c.n, c.size, 1000, 1)
		if err != nil || !h.All || len(h.Splits) != c.want {
			t.Errorf("%+v: %d splits, all %v, %v", c, len(h.Splits), h.All, err)
		}
		checkHalves(t, h, c.n, c.size)
	}
	a, err := bootstrap.NewHalves(20, 10, 300, 7)
	if err != nil || a.All || len(a.Splits) != 300 {
		t.Fatalf("%d splits, all %v, %v", len(a.Splits), a.All, err)
	}
	checkHalves(t, a, 20, 10)
	more, _ := bootstrap.NewHalves(20, 10, 400, 7)
	if !reflect.DeepEqual(a.Splits, more.Splits[:300]) {
		t.Error("more splits change the first ones")
	}
	other, _ := bootstrap.NewHalves(20, 10, 300, 8)
	if reflect.DeepEqual(a.Splits, other.Splits) {
		t.Error("another seed draws the same")
	}
	for _, bad := range [][3]int{{1, 1, 10}, {3, 2, 10}, {4, 0, 10}, {1000, 501, 10}} {
		if _, err := bootstrap.NewHalves(bad[0], bad[1], bad[2], 1); !errors.Is(err, stats.ErrTooFew) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := bootstrap.NewHalves(4, 2, 1, 1); !errors.Is(err, stats.ErrDomain) {
		t.Errorf("one split: %v", err)
	}
	if h, err := bootstrap.NewHalves(5000, 2500, 4, 1); err != nil || len(h.Splits) != 4 {
		t.Errorf("many units: %v", err)
	}
}

func checkHalves(t *testing.T, h bootstrap.Halves, n, size int) {
	t.Helper()
	count := map[string]int{}
	for _, s := range h.Splits {
		seen := map[int]bool{}
		for _, group := range s {
			if len(group) != size {
				t.Fatalf("group %v: want %d", group, size)
			}
			for i, u := range group {
				if u < 0 || u >= n || seen[u] || i > 0 && group[i-1] >= u {
					t.Fatalf("split %v", s)
				}
				seen[u] = true
			}
		}
		count[fmt.Sprint(s)]++
	}
	for _, s := range h.Splits {
		if count[fmt.Sprint([2][]int{s[1], s[0]})] != count[fmt.Sprint(s)] {
			t.Fatalf("split %v has no mirror image", s)
		}
	}
}

func ExampleNewHalves() {
	h, _ := bootstrap.NewHalves(4, 2, 100, 1)
	for _, s := range h.Splits {
		fmt.Println(s[0], s[1])
	}
	// Output:
	// [0 1] [2 3]
	// [0 2] [1 3]
	// [0 3] [1 2]
	// [1 2] [0 3]
	// [1 3] [0 2]
	// [2 3] [0 1]
}
