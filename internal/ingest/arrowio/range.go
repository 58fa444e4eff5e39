package arrowio

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/parquet"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

// Range implements ingest.Ranger from the statistics of a column chunk: of
// instants and of whole numbers of a known unit that are stored in 8 bytes. A
// file may lie; the range is for remarks and for a division of time, never for
// a value.
func (s *parquetSource) Range(partition, column int, unit ingest.Unit) (lo, hi int64, ok bool) {
	if partition < 0 || partition >= len(s.reader.MetaData().RowGroups) || column < 0 || column >= len(s.leaves) {
		return 0, 0, false
	}
	l := &s.leaves[column]
	if l.typ.list || l.phys != parquet.Types.Int64 {
		return 0, 0, false
	}
	switch l.typ.kind {
	case instantCell:
		unit = l.typ.unit
	case intCell:
	default:
		return 0, 0, false
	}
	step := int64(math.Round(unit.Nanoseconds()))
	if !unit.Known() || step < 1 {
		return 0, 0, false
	}
	meta := s.reader.MetaData().RowGroups[partition].Columns[column].MetaData
	if meta == nil || meta.Statistics == nil {
		return 0, 0, false
	}
	least, most := meta.Statistics.MinValue, meta.Statistics.MaxValue
	if len(least) != 8 || len(most) != 8 {
		return 0, 0, false
	}
	lo, hi = int64(binary.LittleEndian.Uint64(least)), int64(binary.LittleEndian.Uint64(most))
	if lo > hi || tooLarge(lo, step) || tooLarge(hi, step) {
		return 0, 0, false
	}
	return lo * step, hi * step, true
}

func tooLarge(v, step int64) bool {
	limit := int64(math.MaxInt64) / step
	return v > limit || v < -limit
}
