package report

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the document as indented JSON. Characters are not escaped
// for HTML, so that names read as they are.
func WriteJSON(w io.Writer, doc *Document) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// errorDocument is what JSON mode prints for an error.
type errorDocument struct {
	SchemaVersion string `json:"schema_version"`
	Error         Note   `json:"error"`
}

// WriteJSONError writes an error as a document.
func WriteJSONError(w io.Writer, code, text string) error {
	return json.NewEncoder(w).Encode(errorDocument{SchemaVersion, Note{code, text}})
}
