// Package paired compares two outcomes of the same items: x is the first, y
// the second, and a difference is y − x.
//
// Right-or-wrong outcomes go through [Table]: the Tango score interval and
// test are the default, McNemar's tests answer "any difference at all", and
// the closed forms serve as cross-checks. Graded outcomes go through
// [MeanDifference], [RelativeContrast], [FiellerPaired], [SignedRank] and
// [HodgesLehmann]. Items that share a passage, a template or a source are not
// independent: [ClusterRobust] and [SignFlip] take the cluster as the unit.
// Several answers per item are averaged inside the item first
// ([PairedRepeats]); they are not new items.
//
// Partners are found by key with [Match], never by position. Items without an
// outcome on one side are neither dropped nor invented: [Incomplete] says what
// the best and the worst case for them would be.
//
// A margin is an argument of a hypothesis here, never a constant, and the
// package does not say good or bad: it returns p-values, intervals and the
// smallest margin that an interval supports.
package paired
