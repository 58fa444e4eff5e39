package report

// Plan answers how many runs, requests or items a decision needs, or what a
// given number of them shows.
type Plan struct {
	Metric   string  `json:"metric"`
	Estimand string  `json:"estimand"`
	Margin   *Margin `json:"margin"`
	// Effect is the true change that is assumed, in the direction of harm if
	// positive.
	Effect      Num            `json:"effect"`
	Power       float64        `json:"power"`
	Level       float64        `json:"level"`
	Assumptions map[string]Num `json:"assumptions"`
	Runs        *int           `json:"runs"`
	Requests    *int64         `json:"requests"`
	Items       *int64         `json:"items"`
	MDE         Num            `json:"mde"`
	// Curve is the power by size, Trade how answers an item stand for items.
	Curve []PowerAt `json:"curve"`
	Trade []TradeAt `json:"trade"`
	// Margins are the items that other margins take.
	Margins  []ItemsAt `json:"margins,omitempty"`
	Warnings []Note    `json:"warnings"`

	RunPlan
}

// PowerAt is the power of a size: runs a side, or items.
type PowerAt struct {
	Size  int64 `json:"size"`
	Power Num   `json:"power"`
}

// ItemsAt is a margin, as a difference of scores, with the items it takes; null
// where no number does.
type ItemsAt struct {
	Margin Num    `json:"margin"`
	Items  *int64 `json:"items"`
}

// TradeAt is a number of answers an item with the items it takes.
type TradeAt struct {
	Repeats int    `json:"repeats"`
	Items   *int64 `json:"items"`
	Answers *int64 `json:"answers"` // of a side
}
