package verdict

import (
	"encoding/json"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
)

// JSONSchema returns the JSON Schema of the policy file, generated from File,
// for editors that check and complete it.
func JSONSchema() ([]byte, error) {
	r := &jsonschema.Reflector{Anonymous: true, Mapper: func(t reflect.Type) *jsonschema.Schema {
		if t != reflect.TypeFor[yaml.MapSlice]() {
			return nil
		}
		// A margin without a unit may be written as a number.
		amount := &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "number"}}}
		return &jsonschema.Schema{Type: "object", AdditionalProperties: amount}
	}}
	s := r.Reflect(&File{})
	s.Title = "policy of perfdiff and qualdiff"
	s.Description = "What a team has agreed to hold changes against. Every key but version is optional; a flag on the command line goes before it."
	if acknowledged, ok := s.Definitions["ComparabilityFile"].Properties.Get("acknowledged"); ok {
		for _, c := range allChecks {
			acknowledged.Items.Enum = append(acknowledged.Items.Enum, string(c))
		}
	}
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
