package cli_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Of many critical slices one has more failed requests, impossible records or missing
// values by chance. What is unlikely of one slice alone is not of the least of eight.
func TestManySlicesShareTheLevel(t *testing.T) {
	side := func(seed uint64, lost int, row string) string {
		b := []byte("run,tenant,ttft_ms,e2e_ms,status\n")
		for r := range 3 {
			for i := range 50 {
				for k := range 8 {
					at := seed<<24 + uint64(r)<<16 + uint64(i)<<4 + uint64(k)
					if k == 0 && r+3*i < lost {
						b = fmt.Appendf(b, "r%d,t0,%s\n", r, row)
					} else {
						b = fmt.Appendf(b, "r%d,t%d,%.5f,900,ok\n", r, k, 100*math.Exp(0.2*unit(at)))
					}
				}
			}
		}
		path := filepath.Join(t.TempDir(), "side.csv")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	all := []string{"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7"}
	rows := map[string]string{"failure_rate": ",,error", "rejected_records": "-1,900,ok", "missing_values": ",900,ok"}
	for _, tt := range []struct {
		check         string
		before, after int // of 150 a side
		tenants       []string
		want          bool
	}{
		{"failure_rate", 0, 7, all[:1], true}, // p = 0.008
		{"failure_rate", 0, 7, all, false},
		{"failure_rate", 0, 11, all, true}, // p = 0.0007
		{"missing_values", 0, 7, all[:1], true},
		{"missing_values", 0, 7, all, false},
		{"missing_values", 0, 11, all, true},
		{"missing_values", 8, 8, all, false},       // a little more than 5 %
		{"missing_values", 25, 25, all, true},      // 17 %
		{"rejected_records", 0, 6, all[:1], true},  // of 1 %, p = 0.005
		{"rejected_records", 2, 2, all[:1], false}, // a little more than 1 %
		{"rejected_records", 0, 6, all, false},
		{"rejected_records", 8, 8, all, true}, // p = 0.0002
	} {
		args := []string{"--config", "none", "-m", "ttft:p50", "--margin", "90%"}
		for _, tenant := range tt.tenants {
			args = append(args, "--critical", "tenant="+tenant)
		}
		code := 0
		if tt.want {
			code = 3
		}
		got := false
		for _, c := range document(t, code, append(args, side(1, tt.before, rows[tt.check]), side(2, tt.after, rows[tt.check]))...).Comparability {
			got = got || c.Check == tt.check && c.Status == "fail"
		}
		if got != tt.want {
			t.Errorf("%s of %d and %d and %d slices: %v, want %v", tt.check, tt.before, tt.after, len(tt.tenants), got, tt.want)
		}
	}
}
