package verdict

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// codes lists the string constants of a type of this package, as its source has
// them.
func codes(t *testing.T, typeName string) (values []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == typeName {
				for _, v := range spec.Values {
					text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, text)
				}
			}
			return true
		})
	}
	return values
}

// The list of checks, which a policy may acknowledge, has every check once.
func TestAllChecksAreListed(t *testing.T) {
	var listed []string
	for _, c := range allChecks {
		listed = append(listed, string(c))
		if !knownCheck(c) || !strings.Contains(checkNames(), string(c)) {
			t.Errorf("%s is not known", c)
		}
	}
	want := codes(t, "CheckCode")
	slices.Sort(want)
	slices.Sort(listed)
	if !slices.Equal(want, listed) {
		t.Errorf("listed %v\nwant %v", listed, want)
	}
	if knownCheck("moon") {
		t.Error("moon is a check")
	}
}

// Codes are API: none is there twice, and each is of small letters.
func TestCodesAreDistinct(t *testing.T) {
	for _, kind := range []string{"CheckCode", "ReasonCode", "Why"} {
		seen := map[string]bool{}
		for _, c := range codes(t, kind) {
			if seen[c] || c != strings.ToLower(c) || strings.ContainsAny(c, " -") {
				t.Errorf("%s %q", kind, c)
			}
			seen[c] = true
		}
		if len(seen) < 3 {
			t.Errorf("only %d of %s", len(seen), kind)
		}
	}
}

// Outcomes, kinds and statuses have the names and exit codes of the contract.
func TestNames(t *testing.T) {
	for o, want := range map[Outcome]struct {
		name string
		code int
	}{
		Pass: {"PASS", 0}, Fail: {"FAIL", 1}, Inconclusive: {"INCONCLUSIVE", 3}, ExceptionRequired: {"EXCEPTION_REQUIRED", 4}, Undecided: {"UNDECIDED", 2},
	} {
		if o.String() != want.name || o.ExitCode() != want.code {
			t.Errorf("%s exits with %d", o, o.ExitCode())
		}
	}
	for k, want := range map[Kind]string{NoData: "no_data", Improved: "improved", Equivalent: "equivalent", RegressedWithinMargin: "regressed_within_margin", Regressed: "regressed", Uncertain: "uncertain"} {
		if k.String() != want {
			t.Errorf("kind %s, want %s", k, want)
		}
	}
	for s, want := range map[CheckStatus]string{CheckOK: "ok", CheckWarn: "warn", CheckFail: "fail"} {
		if s.String() != want {
			t.Errorf("status %s, want %s", s, want)
		}
	}
}
