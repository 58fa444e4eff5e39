package verdict

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// places are where the keys and the items of lists of a policy stand, by their
// path: comparability.load, limits[1].
type places map[string]*token.Position

// placesOf reads them; none of a text that is no YAML.
func placesOf(data []byte) (out places) {
	defer func() {
		if recover() != nil { // the library panics on some malformed texts
			out = nil
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil || len(file.Docs) == 0 {
		return nil
	}
	out = places{}
	out.walk(file.Docs[0].Body, "")
	return out
}

func (p places) walk(n ast.Node, path string) {
	pair := func(kv *ast.MappingValueNode) {
		at := strings.TrimPrefix(path+"."+kv.Key.GetToken().Value, ".")
		p[at] = kv.Key.GetToken().Position
		p.walk(kv.Value, at)
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, kv := range n.Values {
			pair(kv)
		}
	case *ast.MappingValueNode:
		pair(n)
	case *ast.SequenceNode:
		for i, v := range n.Values {
			at := fmt.Sprintf("%s[%d]", path, i)
			p[at] = v.GetToken().Position
			p.walk(v, at)
		}
	}
}

// Where names the file and the line that a key stands in, for messages: the key of
// a list with the number of an item, or without. It is "" for a key that the file
// does not have.
func (f *File) Where(path string) string {
	if at := f.places[path]; at != nil {
		return fmt.Sprintf("%s: line %d", f.name, at.Line)
	}
	return ""
}

// fault is an error about what stands under a key.
func (f *File) fault(path string, err error) error {
	if err == nil {
		return nil
	}
	where := f.Where(path)
	if where == "" {
		where = f.name
	}
	if where == "" {
		return err
	}
	return fmt.Errorf("%s: %w", where, err)
}

// besides lists the keys that may stand where an unknown one does, with what they
// are keys of.
func (p places) besides(at *token.Position) string {
	key := "" // the longest: an item of a list begins where its first key does
	for path, pos := range p {
		if pos.Line == at.Line && pos.Column == at.Column && len(path) > len(key) {
			key = path
		}
	}
	parent, _, nested := cutLast(key, '.')
	if t, ok := typeAt(parent); ok && nested {
		return " of " + parent + "; keys are " + keysOf(reflect.New(t).Elem().Interface())
	}
	return "; keys are " + keysOf(File{}) + "; see docs/policy.schema.json for those below"
}

// typeAt is the struct that the keys under a path belong to.
func typeAt(path string) (t reflect.Type, ok bool) {
	t = reflect.TypeFor[File]()
	if path == "" {
		return t, true
	}
	for key := range strings.SplitSeq(path, ".") {
		key, _, _ = strings.Cut(key, "[")
		found := false
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ","); name == key && name != "" {
				t, found = t.Field(i).Type, true
				break
			}
		}
		if !found {
			return nil, false
		}
		if t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return nil, false
		}
	}
	return t, true
}
