package metric

// MatchWordsUpTo is MatchWords with a limit of its own.
var MatchWordsUpTo = matchWords
