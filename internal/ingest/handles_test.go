package ingest

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// openMany opens files that hold their own number.
func openMany(t *testing.T, o *Opener, n int) (ins []*Input) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(path, fmt.Appendf(nil, "%04d", i), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := o.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ins = append(ins, in)
	}
	t.Cleanup(func() {
		if err := CloseAll(ins); err != nil {
			t.Error(err)
		}
		if len(o.pool.open) != 0 {
			t.Errorf("%d files stay open", len(o.pool.open))
		}
	})
	return ins
}

// Of many files a few are open at a time, and all can be read, by several
// readers at once.
func TestManyFiles(t *testing.T) {
	var o Opener
	ins := openMany(t, &o, 3*mostHandles)
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := range ins {
				i = (i*7 + k*100) % len(ins)
				var b [4]byte
				if _, err := ins[i].File.ReadAt(b[:], 0); err != nil && err != io.EOF {
					t.Error(err)
				} else if want := fmt.Sprintf("%04d", i); string(b[:]) != want {
					t.Errorf("file %d holds %q", i, b)
				}
			}
		})
	}
	wg.Wait()
	if n := len(o.pool.open); n > mostHandles {
		t.Errorf("%d files are open, want %d at most", n, mostHandles)
	}
}

// A file that is replaced while it is closed is not read on as if it were the
// same.
func TestFileChanges(t *testing.T) {
	var o Opener
	ins := openMany(t, &o, mostHandles+1)
	if err := os.WriteFile(ins[0].Path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := ins[0].File.ReadAt(make([]byte, 4), 0)
	if err == nil || !strings.Contains(err.Error(), "changed while it was read") {
		t.Errorf("error %v", err)
	}
}
