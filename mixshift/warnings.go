package mixshift

// Codes of the warnings of this package.
const (
	WarnOffSupport   = "off_support"   // too large a share has no counterpart on the other side
	WarnFewEffective = "few_effective" // reweighting leaves few effective units
	WarnThinCell     = "thin_cell"     // a heavy cell has few units on the other side
	WarnOneRun       = "one_run"       // a side has one run, so nothing tells how runs vary
)
