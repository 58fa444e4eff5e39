package compare

import (
	"math"
	"slices"
	"strings"

	"github.com/perfdiff/perfdiff/paired"
	"github.com/perfdiff/perfdiff/stats"
)

// ClusterHint is an attribute that looks as if its items were not independent.
type ClusterHint struct {
	Attribute string
	Clusters  int
	Items     int
	// Factor is the standard error by these clusters relative to that of
	// independent items; 0 where it cannot be told.
	Factor float64
}

// clusterWords are names of columns whose values share something that answers
// depend on.
var clusterWords = []string{"cluster", "passage", "paragraph", "context", "source", "src", "template", "document", "doc", "article", "story", "dialog", "dialogue", "conversation", "session", "repo", "repository", "scenario", "prompt_id", "group_id", "image", "video", "table_id", "project"}

const (
	// namedFactor is the error from which a column with a telling name is named.
	namedFactor = 1.1
	// hintFactor is the error from which a column is named whatever it is called.
	hintFactor = 1.5
	// hintClusters is how many values a column needs for that.
	hintClusters = 10
	// maxHintWork bounds the values that are looked at for that.
	maxHintWork = 20_000_000
)

// hints looks for clusters that were not asked for, in the first group.
func (c *quality) hints() {
	groups := c.groups()
	if len(groups) == 0 || c.cluster != nil {
		return
	}
	series := groups[0]
	n := 0
	for _, s := range series {
		n += len(s.Items)
	}
	for _, name := range c.p.AttrNames {
		named := clusterNamed(name)
		if !named && (n*len(c.p.AttrNames) > maxHintWork || slices.Contains(c.q.By, name)) {
			continue
		}
		read, err := c.attribute(name)
		if err != nil {
			continue
		}
		with := *c
		with.cluster = read
		b := with.sample(series, nil)
		g := distinct(b.cluster)
		if g < 2 || 10*g > 9*len(b.x) {
			continue // hardly an item shares its value
		}
		h := ClusterHint{Attribute: name, Clusters: g, Items: len(b.x), Factor: errorFactor(b, c.opt.Level, c.q.RareDifferences)}
		if named && (h.Factor == 0 || h.Factor >= namedFactor) || h.Factor >= hintFactor && g >= hintClusters {
			c.out.Quality.Hints = append(c.out.Quality.Hints, h)
		}
	}
}

func clusterNamed(name string) bool {
	word := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	for _, suffix := range []string{"_id", "_name", "id"} {
		if w := strings.TrimSuffix(word, suffix); slices.Contains(clusterWords, w) {
			return true
		}
	}
	return slices.Contains(clusterWords, word)
}

// errorFactor compares the error by clusters with that of independent items.
func errorFactor(b *sample, level float64, rare int) float64 {
	d := b.diff()
	if changed(d) < rare {
		return 0
	}
	est, err := paired.ClusterRobust(d, b.cluster, paired.CR2, level)
	if err != nil || !(est.SENaive > 0) {
		return 0
	}
	if f := est.SE / est.SENaive; !math.IsNaN(f) && stats.CheckFinite([]float64{f}) == nil {
		return f
	}
	return 0
}
