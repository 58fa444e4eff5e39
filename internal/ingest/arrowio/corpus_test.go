package arrowio

import (
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perfdiff/perfdiff/internal/ingest"
)

const corpusRows = 400

// corpusColumn says what testdata/gen.py put into a column, cell by cell, in
// the forms the column is read in. A nil function is a form that must be
// refused. Every seventh cell is null from the third on, unless full is set.
type corpusColumn struct {
	class ingest.Class
	full  bool
	unit  ingest.Unit
	num   func(i int) float64
	time  func(i int) int64
	text  func(i int) string
	list  func(i int) []float64
}

const corpusStart = 1750000000000000 // microseconds

func instants(per int64, scale int64) corpusColumn {
	ns := func(i int) int64 { return (corpusStart/scale + int64(i)) * per }
	return corpusColumn{
		class: ingest.InstantClass,
		num:   func(i int) float64 { return float64(corpusStart/scale+int64(i)) / (1e9 / float64(per)) },
		time:  ns,
		text:  func(i int) string { return time.Unix(0, ns(i)).UTC().Format(time.RFC3339Nano) },
	}
}

func integers(f func(i int) int64) corpusColumn {
	return corpusColumn{
		class: ingest.NumericClass, unit: ingest.Nanosecond,
		num:  func(i int) float64 { return float64(f(i)) / 1e9 },
		time: f,
		text: func(i int) string { return strconv.FormatInt(f(i), 10) },
	}
}

func decimals(f func(i int) string) corpusColumn {
	return corpusColumn{
		class: ingest.NumericClass, unit: ingest.Millisecond,
		num: func(i int) float64 {
			v, _ := strconv.ParseFloat(f(i), 64)
			return v / 1e3
		},
		time: func(i int) int64 {
			r, _ := new(big.Rat).SetString(f(i))
			r.Mul(r, big.NewRat(1e6, 1))
			ns, _ := r.Float64() // whole nanoseconds below 2^53, or out of range
			if ns > math.MaxInt64 {
				return math.MinInt64
			}
			return int64(ns)
		},
		text: f,
	}
}

func durations(unit string, per int64) corpusColumn {
	return corpusColumn{
		class: ingest.DurationClass,
		num:   func(i int) float64 { return float64(i+1) / (1e9 / float64(per)) },
		time:  func(i int) int64 { return int64(i+1) * per },
		text:  func(i int) string { return fmt.Sprintf("%d%s", i+1, unit) },
	}
}

func texts(format string, mod int) corpusColumn {
	return corpusColumn{
		class: ingest.TextClass,
		text:  func(i int) string { return fmt.Sprintf(format, i%mod) },
	}
}

func floatsOf(f func(i int) float64, bits int) corpusColumn {
	return corpusColumn{
		class: ingest.NumericClass, unit: ingest.Millisecond,
		num: func(i int) float64 { return f(i) / 1e3 },
		time: func(i int) int64 {
			whole, frac := math.Modf(f(i))
			return int64(whole)*1e6 + int64(math.RoundToEven(frac*1e6))
		},
		text: func(i int) string { return strconv.FormatFloat(f(i), 'g', -1, bits) },
	}
}

func corpusLists(f func(i int) []float64) corpusColumn {
	return corpusColumn{class: ingest.ListClass, unit: ingest.Millisecond, list: func(i int) []float64 {
		var out []float64
		for _, v := range f(i) {
			out = append(out, v/1e3)
		}
		return out
	}}
}

func withNullElement(i int) (out []float64) {
	for j := range i % 4 {
		if i%5 != 0 || j != 1 {
			out = append(out, float64(i)/2+float64(j))
		}
	}
	return out
}

func corpusTable() map[string]corpusColumn {
	day := time.Date(2025, 6, 15, 0, 0, 0, 0, time.UTC)
	date := corpusColumn{
		class: ingest.InstantClass,
		num:   func(i int) float64 { return float64(day.AddDate(0, 0, i).Unix()) },
		time:  func(i int) int64 { return day.AddDate(0, 0, i).UnixNano() },
		text:  func(i int) string { return day.AddDate(0, 0, i).Format(time.DateOnly) },
	}
	micro := func(i int) int64 { return int64(i)*1e6 + 1 }
	t := map[string]corpusColumn{
		"id":       integers(func(i int) int64 { return int64(i) }),
		"i8":       integers(func(i int) int64 { return int64(i%100 - 50) }),
		"u8":       integers(func(i int) int64 { return int64(i % 250) }),
		"i16":      integers(func(i int) int64 { return int64(i - 500) }),
		"u16":      integers(func(i int) int64 { return int64(60000 + i) }),
		"i32":      integers(func(i int) int64 { return int64(i*1000 - 5) }),
		"u32":      integers(func(i int) int64 { return int64(4000000000 + i) }),
		"i64":      integers(func(i int) int64 { return 1<<60 + int64(i) }),
		"f16":      floatsOf(func(i int) float64 { return float64(i) / 8 }, 32),
		"f32":      floatsOf(func(i int) float64 { return float64(i)/4 + 0.5 }, 32),
		"f64":      floatsOf(func(i int) float64 { return float64(i) / 3 }, 64),
		"f64_full": floatsOf(func(i int) float64 { return float64(i) / 3 }, 64),
		"dec9":     decimals(func(i int) string { return fmt.Sprintf("%d.25", i) }),
		"dec18":    decimals(func(i int) string { return fmt.Sprintf("-%d.001", i) }),
		"dec38":    decimals(func(i int) string { return fmt.Sprintf("%d.000001", i) }),
		"dec_big":  decimals(bigDec),
		"bool": {class: ingest.BoolClass,
			num:  func(i int) float64 { return map[bool]float64{true: 1}[i%3 == 0] },
			text: func(i int) string { return strconv.FormatBool(i%3 == 0) }},
		"text":       texts("word-%d", 13),
		"unique":     texts("id-%06d", corpusRows),
		"dict":       texts("word-%d", 13),
		"large_text": texts("word-%d", 13),
		"view_text":  texts("id-%06d", corpusRows),
		"num_text": {class: ingest.NumericClass, unit: ingest.Millisecond,
			num:  func(i int) float64 { return (float64(i) + 0.5) / 1e3 },
			time: func(i int) int64 { return int64(i)*1e6 + 500_000 },
			text: func(i int) string { return fmt.Sprintf("%d.5", i) }},
		"dur_text": {class: ingest.NumericClass,
			num:  func(i int) float64 { return float64(i) / 1e3 },
			time: func(i int) int64 { return int64(i) * 1e6 },
			text: func(i int) string { return fmt.Sprintf("%dms", i) }},
		"ts_text": {class: ingest.InstantClass,
			time: func(i int) int64 {
				return time.Date(2025, 6, 15, 10, 0, i, 0, time.UTC).UnixNano()
			},
			text: func(i int) string {
				return time.Date(2025, 6, 15, 12, 0, i, 0, time.UTC).Format("2006-01-02T15:04:05") + "+02:00"
			}},
		"ts_s":  instants(1e9, 1e6),
		"ts_ms": instants(1e6, 1e3),
		"ts_us": instants(1e3, 1),
		"ts_tz": instants(1e3, 1),
		"ts_ns": {class: ingest.InstantClass,
			num:  func(i int) float64 { return float64(corpusStart*1000+int64(i)) / 1e9 },
			time: func(i int) int64 { return corpusStart*1000 + int64(i) },
			text: func(i int) string {
				return time.Unix(0, corpusStart*1000+int64(i)).UTC().Format(time.RFC3339Nano)
			}},
		"date": date, "date64": date,
		"time": {class: ingest.InstantClass,
			num:  func(i int) float64 { return float64(micro(i)) / 1e6 },
			time: func(i int) int64 { return micro(i) * 1e3 },
			text: func(i int) string { return time.UnixMicro(micro(i)).UTC().Format("15:04:05.999999999") }},
		"time32": {class: ingest.InstantClass,
			num:  func(i int) float64 { return float64(i) },
			time: func(i int) int64 { return int64(i) * 1e9 },
			text: func(i int) string { return time.Unix(int64(i), 0).UTC().Format("15:04:05") }},
		"dur_ms":     durations("ms", 1e6),
		"dur_us":     durations("us", 1e3),
		"dur_ns":     durations("ns", 1),
		"list":       corpusLists(withNullElement),
		"large_list": corpusLists(withNullElement),
		"fixed_list": corpusLists(func(i int) []float64 { return []float64{float64(i) / 2, float64(i)/2 + 1} }),
		"st.a":       floatsOf(func(i int) float64 { return float64(i) * 2 }, 64),
		"st.b":       texts("b%d", 3),
		"nothing":    {class: ingest.NullClass},
		"null":       {class: ingest.NullClass},
	}
	u64 := func(i int) uint64 { return 1<<63 + uint64(i)*4096 }
	t["u64"] = corpusColumn{class: ingest.NumericClass, unit: ingest.Nanosecond,
		num:  func(i int) float64 { return float64(u64(i)) / 1e9 },
		time: func(int) int64 { return math.MinInt64 }, // out of range
		text: func(i int) string { return strconv.FormatUint(u64(i), 10) }}
	t["dec256"] = t["dec_big"]
	for _, name := range []string{"id", "f64_full"} {
		c := t[name]
		c.full = true
		t[name] = c
	}
	return t
}

func bigDec(i int) string {
	v, _ := new(big.Int).SetString("12345678901234567890123", 10)
	s := v.Add(v, big.NewInt(int64(i))).String()
	return s[:len(s)-2] + "." + s[len(s)-2:]
}

// TestCorpus reads files that DuckDB, polars and pyarrow wrote.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*")
	if err != nil || len(files) < 16 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	table := corpusTable()
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			format := IPC
			if strings.HasSuffix(path, ".parquet") {
				format = Parquet
			}
			src := open(t, format, loadFile(t, "corpus", filepath.Base(path)))
			defer src.Close()
			if src.Rows() != corpusRows {
				t.Errorf("%d rows, want %d", src.Rows(), corpusRows)
			}
			if len(src.Columns()) < 25 {
				t.Errorf("only %d columns", len(src.Columns()))
			}
			for i, info := range src.Columns() {
				want, ok := table[info.Name]
				if !ok {
					t.Errorf("column %q is in no table", info.Name)
					continue
				}
				checkCorpusColumn(t, src, path, i, info, adapt(path, info, want))
			}
		})
	}
}

// adapt allows for what a format or a writer cannot keep.
func adapt(path string, info ingest.ColumnInfo, c corpusColumn) corpusColumn {
	switch {
	case info.Name == "nothing" && !strings.HasSuffix(path, ".parquet"):
		c.class = ingest.NumericClass // no statistics say it is all null
	case strings.HasPrefix(info.Name, "dur_") && strings.HasSuffix(path, "pyarrow-none-decimals.parquet") && info.Name != "dur_text":
		return integers(func(i int) int64 { return int64(i + 1) }) // no stored Arrow schema: bare numbers
	case strings.HasSuffix(path, "int96.parquet") && strings.HasPrefix(info.Name, "ts_") && info.Name != "ts_text":
		ns := c.time
		c.num = func(i int) float64 { return float64(ns(i)) / 1e9 } // stored in nanoseconds
	case info.Name == "st.b":
		text := c.text
		c.text = func(i int) string {
			if i%5 == 0 {
				return ""
			}
			return text(i)
		}
	}
	return c
}

func checkCorpusColumn(t *testing.T, src ingest.Source, path string, i int, info ingest.ColumnInfo, want corpusColumn) {
	t.Helper()
	if info.Class != want.class {
		t.Errorf("column %s (%s): class %d, want %d", info.Name, info.Type, info.Class, want.class)
	}
	if units := info.Name == "dur_text" || want.class == ingest.DurationClass; info.CellUnits != units {
		t.Errorf("column %s: CellUnits %v", info.Name, info.CellUnits)
	}
	null := func(r int) bool {
		return want.class == ingest.NullClass || info.Name == "nothing" || r%7 == 3 && !want.full ||
			want.text != nil && want.text(r) == ""
	}
	for form := ingest.Number; form <= ingest.NumberList; form++ {
		got, _, err := scanAll(src, ingest.Request{Column: i, Form: form, Unit: want.unit})
		refuse := false
		switch form {
		case ingest.Number:
			refuse = want.list != nil
		case ingest.Time:
			refuse = want.list != nil || info.Class == ingest.BoolClass
		case ingest.Text:
			refuse = want.list != nil
		case ingest.NumberList:
			refuse = want.list == nil && want.class != ingest.NullClass
		}
		if info.Name == "nothing" && want.class != ingest.NullClass {
			refuse = form == ingest.NumberList || form == ingest.Time // no unit
		}
		if refuse != (err != nil) {
			t.Errorf("column %s in form %d: error %v, want one: %v", info.Name, form, err, refuse)
		}
		if err != nil || refuse {
			continue
		}
		var w tableColumn
		for r := range corpusRows {
			w.addWanted(want, form, r, null(r))
		}
		sameColumn(t, fmt.Sprintf("%s in form %d", info.Name, form), w, got[0])
	}
}

// addWanted appends what cell r should be.
func (w *tableColumn) addWanted(c corpusColumn, form ingest.Form, r int, null bool) {
	s := ingest.Present
	if null {
		s = ingest.Missing
	}
	switch form {
	case ingest.Number:
		v := 0.0
		switch {
		case null:
		case c.num == nil:
			s = ingest.Malformed
		default:
			v = c.num(r)
		}
		w.Floats = append(w.Floats, v)
	case ingest.Time:
		v := int64(0)
		if !null && c.time != nil {
			v = c.time(r)
		}
		if !null && (c.time == nil || v == math.MinInt64) {
			v, s = 0, ingest.Malformed
		}
		w.Times = append(w.Times, v)
	case ingest.Text:
		v := ""
		if !null && c.text != nil {
			v = c.text(r)
		}
		if v == "" {
			s = ingest.Missing
		}
		w.Texts = append(w.Texts, v)
	case ingest.NumberList:
		var v []float64
		if !null && c.list != nil {
			v = c.list(r)
		}
		w.Lists = append(w.Lists, v)
	}
	w.State = append(w.State, s)
}
