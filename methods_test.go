package perfdiff_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// libraries are the packages whose answers carry names of methods and codes of
// warnings.
var libraries = []string{"stats", "bootstrap", "paired", "mixshift"}

var snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// TestMethodNames holds the names of methods and the codes of warnings to one
// style, in one table a package, each of one method.
func TestMethodNames(t *testing.T) {
	owner := map[string]string{}
	pages := methodPages(t)
	for _, dir := range libraries {
		names := constants(t, dir, "Method")
		if len(names) == 0 {
			t.Errorf("%s has no names of methods", dir)
		}
		for _, c := range names {
			if !snake.MatchString(c.value) {
				t.Errorf("%s.%s is %q: want lower_snake_case", dir, c.name, c.value)
			}
			if other, taken := owner[c.value]; taken {
				t.Errorf("%s.%s is %q, as is %s", dir, c.name, c.value, other)
			}
			owner[c.value] = dir + "." + c.name
			if !strings.Contains(pages, "`"+c.value+"`") {
				t.Errorf("no page under docs/methods names `%s` (%s.%s)", c.value, dir, c.name)
			}
			if c.file != "methods.go" {
				t.Errorf("%s.%s stands in %s: want methods.go", dir, c.name, c.file)
			}
		}
		codes := map[string]bool{}
		for _, c := range constants(t, dir, "Warn") {
			if !snake.MatchString(c.value) || codes[c.value] {
				t.Errorf("%s.%s is %q: want lower_snake_case, once", dir, c.name, c.value)
			}
			codes[c.value] = true
			if c.file != "warnings.go" {
				t.Errorf("%s.%s stands in %s: want warnings.go", dir, c.name, c.file)
			}
		}
	}
}

// TestMethodNamesAreConstants finds names and codes that are written out where
// they are used.
func TestMethodNamesAreConstants(t *testing.T) {
	for _, dir := range libraries {
		eachSource(t, dir, func(name string, file *ast.File) {
			if name == "methods.go" || name == "warnings.go" {
				return
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if v, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(v, "_") && snake.MatchString(v) {
					t.Errorf("%s/%s writes out %q: make it a constant of methods.go or warnings.go", dir, name, v)
				}
				return true
			})
		})
	}
}

type constant struct{ name, value, file string }

// constants lists the string constants of a package whose names begin with
// prefix and an upper-case letter.
func constants(t *testing.T, dir, prefix string) (found []constant) {
	t.Helper()
	eachSource(t, dir, func(name string, file *ast.File) {
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST {
				continue
			}
			for _, s := range gen.Specs {
				spec := s.(*ast.ValueSpec)
				for i, id := range spec.Names {
					rest, ok := strings.CutPrefix(id.Name, prefix)
					if !ok || rest == "" || rest[0] < 'A' || rest[0] > 'Z' || i >= len(spec.Values) {
						continue
					}
					if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
						v, _ := strconv.Unquote(lit.Value)
						found = append(found, constant{id.Name, v, name})
					}
				}
			}
		}
	})
	return found
}

// eachSource parses the sources of a folder that are not tests.
func eachSource(t *testing.T, dir string, visit func(name string, file *ast.File)) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d sources, %v", dir, len(names), err)
	}
	slices.Sort(names)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		visit(filepath.Base(name), file)
	}
}

// methodPages is the text of all pages under docs/methods.
func methodPages(t *testing.T) string {
	t.Helper()
	names, err := filepath.Glob("docs/methods/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(src)
	}
	return all.String()
}

// TestMethodLinks follows the links of METHODS.md and of the pages, headings
// included.
func TestMethodLinks(t *testing.T) {
	pages, err := filepath.Glob("docs/methods/*.md")
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile("METHODS.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#]*)(#[^)]*)?\)`)
	for _, page := range append([]string{"METHODS.md"}, pages...) {
		if page != "METHODS.md" && !strings.Contains(string(index), "("+page+")") {
			t.Errorf("METHODS.md does not lead to %s", page)
		}
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(src), -1) {
			target, anchor := m[1], strings.TrimPrefix(m[2], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
				continue
			}
			if anchor != "" && !slices.Contains(anchors(string(text)), anchor) {
				t.Errorf("%s links to %s, which has no heading #%s", page, file, anchor)
			}
		}
	}
}

// anchors are the names that a heading can be linked by.
func anchors(text string) (names []string) {
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for line := range strings.Lines(text) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			title = drop.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			names = append(names, strings.ReplaceAll(title, " ", "-"))
		}
	}
	return names
}

// TestReportedMethods finds each text that a comparison can give as its method in
// the table of METHODS.md.
func TestReportedMethods(t *testing.T) {
	src, err := os.ReadFile("METHODS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(src), "## What the report calls it")
	table, _, _ = strings.Cut(table, "\n## ")
	found := 0
	eachSource(t, "internal/compare", func(name string, file *ast.File) {
		for _, text := range methodTexts(file) {
			found++
			if !strings.Contains(table, text) {
				t.Errorf("METHODS.md does not explain %q of %s", text, name)
			}
		}
	})
	if found < 10 {
		t.Errorf("only %d texts were found", found)
	}
}

// methodTexts are the strings that a file assigns to something called method,
// without the glue between the parts of a text.
func methodTexts(file *ast.File) (texts []string) {
	take := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				v, _ := strconv.Unquote(lit.Value)
				v = strings.Trim(strings.TrimPrefix(v, "s, "), " ,")
				if v != "none" && len(v) > 1 {
					texts = append(texts, v)
				}
			}
			return true
		})
	}
	named := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return strings.EqualFold(e.Name, "method")
		case *ast.SelectorExpr:
			return strings.EqualFold(e.Sel.Name, "method")
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if named(left) && i < len(n.Rhs) {
					take(n.Rhs[i])
				}
			}
		case *ast.KeyValueExpr:
			if named(n.Key) {
				take(n.Value)
			}
		}
		return true
	})
	return texts
}
