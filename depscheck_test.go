package perfdiff_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	modulePath = "github.com/perfdiff/perfdiff/"
	arrowPath  = "github.com/apache/arrow"
	arrowRoom  = "internal/ingest/arrowio"
	gonumPath  = "gonum.org/v1/"
)

// randomPackages draw numbers; their children too.
var randomPackages = []string{
	"math/rand", "crypto/rand", "golang.org/x/exp/rand", "gonum.org/v1/gonum/mathext/prng",
	"gonum.org/v1/gonum/stat/sampleuv", "gonum.org/v1/gonum/stat/samplemv", "gonum.org/v1/gonum/stat/distmv",
}

// testPackages serve tests alone; their children too.
var testPackages = []string{
	"testing", "github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "pgregory.net/rapid",
}

// forbidden names, by package path, with the permission that allows them.
var forbidden = map[string]map[string]permission{
	"os":      {"Exit": mayExit},
	"syscall": {"Exit": mayExit},
	"log":     {"Fatal": mayExit, "Fatalf": mayExit, "Fatalln": mayExit},
	"time":    {"Now": mayReadClock, "Since": mayReadClock, "Until": mayReadClock},
	// A standard error is a root, a limit takes a quantile, a p-value a tail.
	"math": {"Sqrt": mayReckon, "Cbrt": mayReckon, "Pow": mayReckon, "Erf": mayReckon, "Erfc": mayReckon, "Gamma": mayReckon, "Lgamma": mayReckon},
	modulePath + "stats": {
		"NormalPDF": mayReckon, "NormalCDF": mayReckon, "NormalSurvival": mayReckon, "NormalQuantile": mayReckon,
		"TCDF": mayReckon, "TSurvival": mayReckon, "TQuantile": mayReckon,
		"NoncentralTCDF": mayReckon, "NoncentralTSurvival": mayReckon,
		"BetaCDF": mayReckon, "BetaQuantile": mayReckon, "FSurvival": mayReckon, "FQuantile": mayReckon,
		"ChiSquaredSurvival": mayReckon, "KolmogorovSurvival": mayReckon, "KolmogorovQuantile": mayReckon,
		"BinomialPMF": mayReckon, "BinomialCDF": mayReckon, "BinomialSurvival": mayReckon,
	},
}

// permission is what a room needs for a name, and where the name belongs.
type permission struct {
	of    func(room) bool
	wants string
}

var (
	mayExit      = permission{func(r room) bool { return r.command }, "cmd and internal/cli"}
	mayReadClock = permission{func(r room) bool { return r.clock }, "cmd and internal/cli"}
	mayReckon    = permission{func(r room) bool { return !r.chooses }, "stats, bootstrap, paired or mixshift"}
)

// checkFile returns what is wrong with the source of the file at the slashed
// path name. Test files may import any package below the wiring, draw random
// numbers, use gonum as an oracle, end the process and read the clock; Arrow
// stays in its room even there.
func checkFile(name string, src []byte) []string {
	dir := path.Dir(name)
	isTest := strings.HasSuffix(name, "_test.go")
	if slices.Contains(strings.Split(dir, "/"), "testdata") {
		return nil
	}
	row, ok := rooms[dir]
	if !ok && (dir != "." || !isTest) {
		return []string{fmt.Sprintf("%s: package %s has no row in deps_test.go", name, dir)}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	report := func(n ast.Node, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s: %s", fset.Position(n.Pos()), fmt.Sprintf(format, args...)))
	}
	watched := map[string]string{} // local name → path, of packages with forbidden names
	usesGonum := false
	for _, spec := range file.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			report(spec, "import %s: %v", spec.Path.Value, err)
			continue
		}
		checkImport(func(format string, args ...any) { report(spec, format, args...) }, dir, row, imp, isTest)
		usesGonum = usesGonum || under(imp, strings.TrimSuffix(gonumPath, "/"))
		local := path.Base(imp)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == "." && !isTest {
			report(spec, "dot import of %s hides where a name comes from", imp)
		}
		if forbidden[imp] != nil {
			watched[local] = imp
		}
	}
	if isTest {
		return faults
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if usesGonum && sel.Sel.Name == "Rand" && !row.random {
			report(sel, "%s draws a random number: only bootstrap and fixtures may", sel.Sel.Name)
		}
		if x, ok := sel.X.(*ast.Ident); ok && watched[x.Name] != "" {
			needs, watch := forbidden[watched[x.Name]][sel.Sel.Name]
			full := strings.TrimPrefix(watched[x.Name], modulePath) + "." + sel.Sel.Name
			if watch && !needs.of(row) {
				report(sel, "%s belongs in %s", full, needs.wants)
			}
		}
		return true
	})
	return faults
}

func checkImport(report func(format string, args ...any), dir string, row room, imp string, isTest bool) {
	if imp == "C" {
		report("cgo: the commands are built without it")
	}
	if under(imp, arrowPath) || strings.HasPrefix(imp, arrowPath+"-") {
		if dir != arrowRoom {
			report("import of %s: Arrow stays in %s", imp, arrowRoom)
		}
	}
	ours, isOurs := strings.CutPrefix(imp, modulePath)
	if isTest {
		wiring := rooms[dir].clock || dir == "." || row.random
		if isOurs && rooms[ours].clock && !wiring {
			report("test of %s imports %s, which wires it", dir, ours)
		}
		return
	}
	if isOurs && !slices.Contains(row.imports, ours) && !slices.Contains(row.imports, "*") {
		report("%s may not import %s", dir, ours)
	}
	if underAny(imp, randomPackages) && !row.random {
		report("import of %s: random numbers are drawn in bootstrap and fixtures", imp)
	}
	if strings.HasPrefix(imp, gonumPath) && !row.gonum {
		report("import of %s: %s may not use gonum", imp, dir)
	}
	if underAny(imp, testPackages) {
		report("import of %s outside a test", imp)
	}
}

func under(imp, root string) bool { return imp == root || strings.HasPrefix(imp, root+"/") }

func underAny(imp string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return under(imp, root) })
}

// TestGuardCatches plants every fault once.
func TestGuardCatches(t *testing.T) {
	for _, c := range []struct {
		why, name, src string
		want           string // part of the fault; "" for none
	}{
		{"a later stage", "stats/x.go", `import "github.com/perfdiff/perfdiff/internal/verdict"`, "stats may not import internal/verdict"},
		{"a neighbour", "internal/ingest/arrowio/x.go", `import "github.com/perfdiff/perfdiff/internal/ingest/textio"`, "may not import internal/ingest/textio"},
		{"the estimates know no metric", "paired/x.go", `import m "github.com/perfdiff/perfdiff/internal/metric"`, "paired may not import internal/metric"},
		{"an import for its effect", "internal/metric/x.go", `import _ "github.com/perfdiff/perfdiff/mixshift"`, "may not import mixshift"},
		{"an allowed import", "paired/x.go", `import "github.com/perfdiff/perfdiff/bootstrap"`, ""},
		{"wiring imports all", "internal/cli/x.go", `import "github.com/perfdiff/perfdiff/mixshift"`, ""},
		{"no row", "internal/util/x.go", ``, "package internal/util has no row"},
		{"no row, in a test", "internal/util/x_test.go", ``, "package internal/util has no row"},
		{"a package at the root", "x.go", ``, "package . has no row"},
		{"not Go", "stats/x.go", `func`, "stats/x.go:"},
		{"Arrow", "internal/metric/x.go", `import "github.com/apache/arrow-go/v18/arrow"`, "Arrow stays in"},
		{"Arrow in a test", "internal/cli/x_test.go", `import "github.com/apache/arrow-go/v18/parquet/file"`, "Arrow stays in"},
		{"Arrow, old path", "fixtures/x.go", `import "github.com/apache/arrow/go/v17/arrow"`, "Arrow stays in"},
		{"Arrow at home", "internal/ingest/arrowio/x.go", `import "github.com/apache/arrow-go/v18/arrow"`, ""},
		{"exit", "internal/verdict/x.go", `import "os"; func f() { os.Exit(1) }`, "os.Exit belongs"},
		{"exit, renamed", "internal/report/x.go", `import system "os"; func f() { system.Exit(1) }`, "os.Exit belongs"},
		{"exit by log", "stats/x.go", `import "log"; func f() { log.Fatalf("") }`, "log.Fatalf belongs"},
		{"exit by syscall", "stats/x.go", `import "syscall"; func f() { syscall.Exit(1) }`, "syscall.Exit belongs"},
		{"exit of a command", "cmd/perfdiff/x.go", `import "os"; func main() { os.Exit(1) }`, ""},
		{"exit of a test", "stats/x_test.go", `import "os"; func f() { os.Exit(1) }`, ""},
		{"clock", "internal/compare/x.go", `import "time"; var t = time.Now()`, "time.Now belongs"},
		{"clock as a value", "internal/compare/x.go", `import "time"; var now = time.Now`, "time.Now belongs"},
		{"clock by difference", "bootstrap/x.go", `import "time"; func f(t time.Time) any { return time.Since(t) }`, "time.Since belongs"},
		{"clock of a generator", "fixtures/gen/x.go", `import "time"; var t = time.Now()`, "time.Now belongs"},
		{"a root", "internal/compare/x.go", `import "math"; var se = math.Sqrt(2)`, "math.Sqrt belongs in stats"},
		{"a quantile of a distribution", "internal/verdict/x.go", `import s "github.com/perfdiff/perfdiff/stats"; var z = s.NormalQuantile(.9)`, "stats.NormalQuantile belongs in stats"},
		{"a tail as a value", "internal/cli/x.go", `import "github.com/perfdiff/perfdiff/stats"; var f = stats.TSurvival`, "stats.TSurvival belongs in stats"},
		{"gonum's distributions", "internal/report/x.go", `import "gonum.org/v1/gonum/stat/distuv"`, "internal/report may not use gonum"},
		{"a root of a command", "cmd/perfdiff/x.go", `import "math"; var se = math.Sqrt(2)`, "math.Sqrt belongs in stats"},
		{"a root by another name", "internal/compare/x.go", `import "math"; var se = math.Pow(2, -0.5)`, "math.Pow belongs in stats"},
		{"a root at home", "stats/x.go", `import "math"; var se = math.Sqrt(2)`, ""},
		{"a method of the same name", "internal/compare/x.go", `import "math"; func f(e interface{ Sqrt() float64 }) float64 { return math.Abs(e.Sqrt()) }`, ""},
		{"a duration is no clock", "internal/compare/x.go", `import "time"; var d = time.Second`, ""},
		{"dot import", "stats/x.go", `import . "time"; var t = Now()`, "dot import of time"},
		{"random", "stats/x.go", `import "math/rand"`, "random numbers are drawn in"},
		{"random, second version", "mixshift/x.go", `import "math/rand/v2"`, "random numbers are drawn in"},
		{"random, secure", "internal/cli/x.go", `import "crypto/rand"`, "random numbers are drawn in"},
		{"random by gonum", "stats/x.go", `import "gonum.org/v1/gonum/stat/sampleuv"`, "random numbers are drawn in"},
		{"random by a distribution", "paired/x.go", `import "gonum.org/v1/gonum/stat/distuv"; var v = distuv.UnitNormal.Rand()`, "draws a random number"},
		{"random at home", "bootstrap/x.go", `import "math/rand/v2"`, ""},
		{"random in a test", "stats/x_test.go", `import "math/rand/v2"`, ""},
		{"gonum", "internal/compare/x.go", `import "gonum.org/v1/gonum/stat"`, "internal/compare may not use gonum"},
		{"gonum's figures", "internal/report/x.go", `import "gonum.org/v1/plot"`, "internal/report may not use gonum"},
		{"gonum at home", "internal/plots/x.go", `import "gonum.org/v1/plot"`, ""},
		{"cgo", "stats/x.go", `import "C"`, "cgo"},
		{"a test's module", "internal/metric/x.go", `import "github.com/google/go-cmp/cmp"`, "outside a test"},
		{"a test of the wiring below it", "stats/x_test.go", `import "github.com/perfdiff/perfdiff/internal/cli"`, "which wires it"},
		{"a test that builds its input", "internal/compare/x_test.go", `import "github.com/perfdiff/perfdiff/fixtures"`, ""},
		{"test data", "internal/report/testdata/x.go", `import "C"`, ""},
	} {
		faults := checkFile(c.name, []byte("package p\n"+c.src+"\n"))
		switch {
		case c.want == "" && len(faults) > 0:
			t.Errorf("%s: %v", c.why, faults)
		case c.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], c.want)):
			t.Errorf("%s: faults %q, want one with %q", c.why, faults, c.want)
		}
	}
}
