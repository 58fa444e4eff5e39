package harness

import (
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// export is one record of a gateway's export.
type export struct {
	*row
	end, first         int64
	ended, begun       bool
	status, level, hit string
	text               string
	kind               string
}

// exports walks over records that come as CSV, as a JSON array or as JSON lines.
// need lists the columns that a CSV file must have. field takes a member by its
// name. finish sets the status and reports whether
// the record is a call of a model.
func (s *scan) exports(need []string, field func(x *export, name string, val []byte), finish func(s *scan, x *export) bool) error {
	x := &export{}
	begin := func() { *x = export{row: &s.row} }
	if c := firstByte(s.file, s.from); c != '{' && c != '[' {
		return s.csv(csvLayout{need: need}, func(s *scan, rec *csvRecord) error {
			begin()
			for _, name := range rec.names {
				if val := rec.cell(name); len(val) > 0 {
					field(x, name, val)
				}
			}
			if !finish(s, x) {
				s.row.reset()
				return nil
			}
			return s.emit()
		})
	}
	r := s.json()
	r.records(func() {
		begin()
		at := r.pos()
		x.members(r, "", field)
		s.known(r, at)
		switch {
		case r.err != nil:
		case finish(s, x):
			s.put(r)
		default:
			s.row.reset()
		}
	})
	return r.err
}

// members gives the members of an object to field, those of nested ones by
// their path.
func (x *export) members(r *jsonReader, path string, field func(x *export, name string, val []byte)) {
	r.fields(func(key string) {
		if path != "" {
			key = path + "." + key
		}
		switch r.peek() {
		case '{':
			if strings.Count(key, ".") < 3 {
				x.members(r, key, field)
			}
		case '[':
		default:
			if t := r.value(); t.kind != kindNone && t.kind != kindNull {
				field(x, key, t.text)
			}
		}
	})
}

// stamp parses a time that is no column.
func stamp(val []byte, u ingest.Unit) (int64, bool) {
	var w row
	w.parseTime(colStart, val, u)
	return w.at[colStart], w.has.has(colStart)
}

// spans computes the latencies from the times.
func (x *export) spans() {
	if !x.has.has(colStart) || !x.ended {
		return
	}
	start := x.at[colStart]
	x.setNumber(colE2E, seconds(start, x.end))
	if x.begun && x.first != x.end {
		x.setNumber(colTTFT, seconds(start, x.first))
	}
}
