package report

// Pairs counts what became of the items of a comparison. Items with the better
// score on one side only are counted where scores are graded, too.
type Pairs struct {
	Matched       int `json:"matched"`
	BaselineOnly  int `json:"baseline_only"`
	CandidateOnly int `json:"candidate_only"`
	// Neither counts items that should be there and that neither side has.
	Neither int `json:"neither"`
	// Duplicates counts rows left out because another names the same answer.
	Duplicates        int `json:"duplicates"`
	UnscoredBaseline  int `json:"unscored_baseline"`
	UnscoredCandidate int `json:"unscored_candidate"`
	// BothRight and BothWrong are null unless answers are right or wrong.
	BothRight     *int `json:"both_right"`
	OnlyBaseline  int  `json:"only_baseline"`
	OnlyCandidate int  `json:"only_candidate"`
	BothWrong     *int `json:"both_wrong"`
}

// Missing says what scores that are missing could have made of a change: the
// change of the items with both scores, and that at the two extremes.
type Missing struct {
	Policy  string  `json:"policy" jsonschema:"enum=bound,enum=wrong,enum=drop"`
	Items   int     `json:"items"`
	Known   *Change `json:"known"`
	Lowest  *Change `json:"lowest"`
	Highest *Change `json:"highest"`
}

// Clusters says in what groups the items come.
type Clusters struct {
	By           string `json:"by"`
	N            int    `json:"n"`
	LargestShare Num    `json:"largest_share"`
	// DesignEffect is by how much the variance exceeds that of independent items.
	DesignEffect Num `json:"design_effect"`
}

// Repeats splits the noise of items that were answered several times.
type Repeats struct {
	Baseline  *RepeatSide `json:"baseline"`
	Candidate *RepeatSide `json:"candidate"`
	// SE is the standard error of the change; with twice the answers an item it
	// would be SETwice, with ever more SELimit.
	SE      Num `json:"se"`
	SETwice Num `json:"se_twice"`
	SELimit Num `json:"se_limit"`
}

// RepeatSide is the noise of one side.
type RepeatSide struct {
	PerItem Num `json:"per_item"`
	Between Num `json:"between"` // variance between items
	Within  Num `json:"within"`  // variance between answers to one item
	// Agreement is the chance that two answers to one item score the same.
	Agreement Num `json:"agreement"`
}

// Flip is an item whose outcome changed.
type Flip struct {
	Item      string            `json:"item"`
	Task      string            `json:"task"`
	Turn      string            `json:"turn"`
	Metric    string            `json:"metric"`
	Filter    string            `json:"filter"`
	Baseline  Num               `json:"baseline"`
	Candidate Num               `json:"candidate"`
	Slice     map[string]string `json:"slice"`
	// Text is the question or answer in short, where asked for.
	BaselineText  string `json:"baseline_text,omitempty"`
	CandidateText string `json:"candidate_text,omitempty"`

	worse bool
}
