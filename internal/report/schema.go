package report

import (
	"encoding/json"

	"github.com/invopop/jsonschema"
)

// JSONSchema returns the JSON Schema of the report, generated from Document.
func JSONSchema() ([]byte, error) {
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: false, AllowAdditionalProperties: true}
	s := r.Reflect(&Document{})
	s.Title = "perfdiff report"
	s.Description = "Units are seconds, tokens, ratios and shares. A null number is unbounded or not available; a warning says why."
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}
