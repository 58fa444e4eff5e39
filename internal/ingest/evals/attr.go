package evals

const (
	// A text that is longer is no name of a group.
	maxAttrBytes = 200
	// A column with more words is no attribute, unless they repeat.
	maxAttrWords = 1 << 16
	// So many different words are few in any file.
	fewWords = 20
)

// attrColumn is a possible attribute: a word for every record.
type attrColumn struct {
	name   string
	forced bool // an attribute however many words it has
	gone   bool
	ids    []int32 // index into words + 1, 0 where absent; shorter than the records
	words  []string
	index  map[string]int32
}

// attrTable collects what answers can be grouped by, column by column, and
// gives up columns that turn out to hold too many different words.
type attrTable struct {
	cols    []*attrColumn
	byName  map[string]*attrColumn
	records int
}

func (t *attrTable) column(name string) *attrColumn {
	if c := t.byName[name]; c != nil {
		return c
	}
	if t.byName == nil {
		t.byName = map[string]*attrColumn{}
	}
	c := &attrColumn{name: name, index: map[string]int32{}}
	t.byName[name] = c
	t.cols = append(t.cols, c)
	return c
}

// set gives the current record a word.
func (t *attrTable) set(c *attrColumn, word string) {
	if c.gone || word == "" {
		return
	}
	if len(word) > maxAttrBytes && !c.forced {
		c.drop()
		return
	}
	id, ok := c.index[word]
	if !ok {
		if len(c.words) >= maxAttrWords && 2*len(c.words) > t.records && !c.forced {
			c.drop()
			return
		}
		c.words = append(c.words, word)
		id = int32(len(c.words))
		c.index[word] = id
	}
	for len(c.ids) < t.records-1 {
		c.ids = append(c.ids, 0)
	}
	if len(c.ids) == t.records {
		c.ids[t.records-1] = id
	} else {
		c.ids = append(c.ids, id)
	}
}

// drop gives a column up and frees what it held.
func (c *attrColumn) drop() { c.gone, c.ids, c.words, c.index = true, nil, nil, nil }

// groups reports whether the words group the records: they are few, or repeat.
func (c *attrColumn) groups(records int) bool {
	n := len(c.words)
	switch {
	case c.gone || n == 0:
		return false
	case c.forced:
		return true
	case n >= records && records > 2:
		return false
	}
	return n <= fewWords || 2*n <= records
}

// rows returns the names of the attributes and the words of every record.
// Records with the same words share a slice.
func (t *attrTable) rows() (names []string, rows [][]string, dropped []string) {
	var keep []*attrColumn
	for _, c := range t.cols {
		if c.groups(t.records) {
			keep = append(keep, c)
			names = append(names, c.name)
		} else if c.gone || len(c.words) > 0 {
			dropped = append(dropped, c.name)
		}
		c.index = nil
	}
	rows = make([][]string, t.records)
	shared := map[string][]string{}
	key := make([]byte, 4*len(keep))
	for r := range rows {
		for i, c := range keep {
			var id int32
			if r < len(c.ids) {
				id = c.ids[r]
			}
			key[4*i], key[4*i+1], key[4*i+2], key[4*i+3] = byte(id), byte(id>>8), byte(id>>16), byte(id>>24)
		}
		if row, ok := shared[string(key)]; ok {
			rows[r] = row
			continue
		}
		row := make([]string, len(keep))
		for i, c := range keep {
			if r < len(c.ids) && c.ids[r] > 0 {
				row[i] = c.words[c.ids[r]-1]
			}
		}
		rows[r] = row
		if len(shared) < maxAttrWords {
			shared[string(key)] = row
		}
	}
	return names, rows, dropped
}
