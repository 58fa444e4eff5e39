package ingest

// State says whether a cell holds a value.
type State uint8

// The states of a cell.
const (
	Present   State = iota
	Missing         // null, empty or absent
	Malformed       // text that is not a number or a time where one is wanted
)

// Column holds the cells of one requested column in one batch. Which slice is
// filled follows from the Form it was requested in. A cell whose State is not
// Present has an unspecified value.
type Column struct {
	Floats  []float64 // Number: a value a row, in the base unit. NumberList: all lists end to end
	Times   []int64   // Time: nanoseconds
	IDs     []int32   // Text: index into Dict
	Few     []uint8   // Text, in place of IDs where the request takes it: index into a Dict of at most MaxFew words
	Dict    []string  // Text: the words of this batch; a reader reuses one Dict for many batches where it can
	Offsets []int32   // NumberList: list i is Floats[Offsets[i]:Offsets[i+1]]; len is rows + 1
	State   []State   // nil: every cell is Present
}

// StateAt returns the state of row i.
func (c *Column) StateAt(i int) State {
	if c.State == nil {
		return Present
	}
	return c.State[i]
}

// Str returns the text of row i, "" if it is not present.
func (c *Column) Str(i int) string {
	if c.StateAt(i) != Present {
		return ""
	}
	if c.Few != nil {
		return c.Dict[c.Few[i]]
	}
	return c.Dict[c.IDs[i]]
}

// List returns the list of row i, nil if it is not present.
func (c *Column) List(i int) []float64 {
	if c.StateAt(i) != Present {
		return nil
	}
	return c.Floats[c.Offsets[i]:c.Offsets[i+1]]
}

// Batch is a run of consecutive records of one partition.
type Batch struct {
	Row  int64    // index of the first record within its partition
	N    int      // records
	Cols []Column // parallel to the requests of the scan
}

// BatchRows is the number of records a reader aims at per batch.
const BatchRows = 8192

// Request asks a scan for one column.
type Request struct {
	Column int  // index into Source.Columns
	Form   Form // the shape wanted
	Unit   Unit // unit of a bare number; a unit the cell or the column's type names wins
	Few    bool // Text: Column.Few may be filled in place of IDs, where every cell is Present
}

// MaxFew is how many words a dictionary may have whose numbers are bytes.
const MaxFew = 255
