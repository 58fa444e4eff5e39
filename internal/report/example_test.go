package report_test

import (
	"os"

	"github.com/perfdiff/perfdiff/internal/report"
)

// An error in JSON mode is a document too, so that a program need not read words
// from standard error.
func ExampleWriteJSONError() {
	if err := report.WriteJSONError(os.Stdout, "usage", "--level 95: want a share between 0 and 1"); err != nil {
		panic(err)
	}
	// Output:
	// {"schema_version":"1","error":{"code":"usage","text":"--level 95: want a share between 0 and 1"}}
}
