package harness

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

func TestExplore(t *testing.T) {
	for _, dir := range []string{"testdata", "../../../fixtures/real"} {
		filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if d.IsDir() || filepath.Ext(p) == ".md" || filepath.Ext(p)==".go" {
				return nil
			}
			b, _ := os.ReadFile(p)
			f := memFile(p, b)
			fm, ok := detect(f)
			if !ok {
				t.Logf("%-70s NOT DETECTED", p)
				return nil
			}
			s, err := fm.Open(f)
			if err != nil {
				t.Logf("%-70s %s REFUSED %v", p, fm.Name, err)
				return nil
			}
			r, err := loadErr(s)
			if err != nil {
				t.Logf("%-70s %s ERROR %v", p, fm.Name, err)
				return nil
			}
			t.Logf("%-60s %s rows %d ok %d failed %d rejected %d excl %d parts %d", p, fm.Name, r.Total(), r.Of(ingest.OK), r.Of(ingest.Failed), r.Of(ingest.Rejected), r.Of(ingest.Excluded), s.Partitions())
			t.Logf("   cols %v", names(s))
			t.Logf("   ttft %.9g e2e %.9g lat %.9g tpot %.9g gaps %.9g", mean(r.cols[ingest.TTFT]), mean(r.cols[ingest.E2E]), mean(r.cols[ingest.Latency]), mean(r.tpot), mean(r.gaps))
			t.Logf("   meta %v", s.Metadata())
			t.Logf("   generic %v unknown %v", func() (o []string) { for k := range r.generic { o = append(o, k) }; return }(), r.unknown)
			return nil
		})
	}
}
