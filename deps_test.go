package perfdiff_test

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// room says what a package may use. See docs/decisions/0001-rooms.md.
type room struct {
	imports []string // our packages; "*" is all of them
	gonum   bool     // gonum's numbers and figures
	random  bool     // random numbers
	command bool     // may end the process
	clock   bool     // may read the clock
	chooses bool     // chooses methods and does no statistics of its own
}

// rooms has a row for every package. A new package gets a row here; a row that
// lets a package import one of a later stage needs a decision record.
var rooms = map[string]room{
	// Records.
	"internal/ingest":         {},
	"internal/ingest/arrowio": {imports: []string{"internal/ingest"}},
	"internal/ingest/textio":  {imports: []string{"internal/ingest"}},
	"internal/ingest/harness": {imports: []string{"internal/ingest", "internal/ingest/textio"}},
	"internal/ingest/evals":   {imports: []string{"internal/ingest", "internal/ingest/textio", "internal/ingest/arrowio"}},
	// Cells.
	"internal/metric":  {imports: []string{"internal/ingest", "stats/sketch"}},
	"internal/pairing": {imports: []string{"internal/ingest"}},
	// Estimates.
	"stats":            {gonum: true},
	"stats/sketch":     {imports: []string{"stats"}},
	"bootstrap":        {imports: []string{"stats", "stats/sketch"}, gonum: true, random: true},
	"paired":           {imports: []string{"stats", "bootstrap"}, gonum: true},
	"mixshift":         {imports: []string{"stats", "stats/sketch", "bootstrap"}, gonum: true},
	"internal/compare": {imports: []string{"stats", "stats/sketch", "bootstrap", "paired", "mixshift", "internal/metric", "internal/pairing"}, chooses: true},
	// Decision.
	"internal/verdict": {imports: []string{"stats", "internal/metric", "internal/compare"}, chooses: true},
	// Before and beside the decision: how much data it takes, how often it errs.
	"internal/plan":      {imports: []string{"stats", "internal/metric", "internal/compare", "internal/verdict"}},
	"internal/calibrate": {imports: []string{"stats", "bootstrap", "internal/metric", "internal/compare", "internal/verdict"}},
	// Report.
	"internal/report": {imports: []string{"stats", "mixshift", "internal/metric", "internal/compare", "internal/verdict", "internal/plan", "internal/calibrate"}, chooses: true},
	"internal/plots":  {imports: []string{"stats", "stats/sketch", "mixshift", "internal/metric", "internal/compare"}, gonum: true},
	// Wiring.
	"internal/cli":    {imports: []string{"*"}, command: true, clock: true, chooses: true},
	"cmd/perfdiff":    {imports: []string{"*"}, command: true, clock: true, chooses: true},
	"cmd/qualdiff":    {imports: []string{"*"}, command: true, clock: true, chooses: true},
	"internal/manual": {imports: []string{"internal/cli"}, command: true, clock: true, chooses: true},
	// Test material and simulation programs.
	"fixtures":          {imports: []string{"internal/ingest", "internal/ingest/arrowio", "internal/ingest/textio", "internal/ingest/harness"}, random: true},
	"examples/gowriter": {command: true},
	"fixtures/gen":      {imports: []string{"fixtures"}, command: true},
	"internal/coverage": {imports: []string{"*"}, random: true, command: true},
}

// TestImports reads every source file, so that the test cache notices a
// changed one.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range goFiles(t) {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen[path.Dir(name)] = true
		for _, fault := range checkFile(name, src) {
			t.Error(fault)
		}
	}
	for _, dir := range []string{"stats", "internal/ingest", "fixtures"} {
		if !seen[dir] {
			t.Errorf("no source file of %s was read", dir)
		}
	}
}

// TestRoomsNameRooms catches a misspelt row.
func TestRoomsNameRooms(t *testing.T) {
	for dir, r := range rooms {
		for _, imp := range r.imports {
			if _, ok := rooms[imp]; !ok && imp != "*" {
				t.Errorf("row %s allows %s, which has no row", dir, imp)
			}
		}
	}
}

// goFiles lists the Go files of the module in order, by slashed path.
func goFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	walk(t, func(name string) {
		if path.Ext(name) == ".go" {
			names = append(names, name)
		}
	})
	return names
}

// walk calls visit for every file of the module, leaving out what Go and Git
// leave out: hidden and built files, test data of other modules.
func walk(t *testing.T, visit func(name string)) {
	t.Helper()
	ignored := []string{"bin", "dist", "data", "fuzz-cache", "perfdiff", "qualdiff"} // as .gitignore has them
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == "." || name == ".ci" || name == ".github":
			return nil
		case name == ".git": // of a worktree it is a file
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			if strings.HasPrefix(d.Name(), ".") || slices.Contains(ignored, name) {
				return fs.SkipDir
			}
			return nil
		case slices.Contains(ignored, name) || strings.HasSuffix(name, ".test") || strings.HasSuffix(name, ".prof"):
			return nil
		}
		visit(name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
