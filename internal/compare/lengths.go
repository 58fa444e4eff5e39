package compare

import "github.com/perfdiff/perfdiff/stats/sketch"

// PromptsApart reports whether the median lengths of the prompts of both sides differ by
// more than chance, see [sketch.MediansApart].
func (c *Comparison) PromptsApart(level float64) bool {
	return sketch.MediansApart(c.Traffic[0].Prompt, c.Traffic[1].Prompt, level)
}

// OutputsApart is PromptsApart of the lengths of answers.
func (c *Comparison) OutputsApart(level float64) bool {
	return sketch.MediansApart(c.Traffic[0].Output, c.Traffic[1].Output, level)
}
