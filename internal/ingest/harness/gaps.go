package harness

// Who counted the tokens of an answer: the server, as it says in its usage, or a
// tokenizer of the client. They differ by special tokens and by the tokenizer.
const (
	byServer = "server"
	byClient = "client"
)

// gapTally counts how lists of gaps go with the tokens of their requests.
type gapTally struct {
	lists, uneven int64
}

// add counts the list of a successful request with so many gaps and tokens. An
// answer of a single token tells nothing.
func (t *gapTally) add(gaps int, tokens float64) {
	if tokens < 2 {
		return
	}
	t.lists++
	if float64(gaps) != tokens-1 {
		t.uneven++
	}
}

// unevenShare is the share of requests up to which lists of another length are
// taken for slips of counting: an end-of-text token without a message.
const unevenShare = 0.01

// name returns the column name of the gaps: inter-token latencies only if there
// is one gap for every token after the first.
func (t *gapTally) name() string {
	if t.lists > 0 && float64(t.uneven) <= unevenShare*float64(t.lists) {
		return tokenGaps
	}
	return chunkGaps
}

// explain tells the user why the gaps are no inter-token latencies.
func (t *gapTally) explain(n *info) {
	if t.name() == tokenGaps {
		return
	}
	if t.lists == 0 {
		n.note("gaps between messages are %s, not inter-token latencies: no token counts to tell how many tokens a message carries", chunkGaps)
		return
	}
	n.note("in %d of %d requests the number of gaps is not output tokens − 1: they lie between messages that may carry several tokens, and are %s, not inter-token latencies",
		t.uneven, t.lists, chunkGaps)
}
