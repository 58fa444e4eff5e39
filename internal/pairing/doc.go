// Package pairing brings the answers of two sides together, item by item.
//
// The partners are the answers to one item in one turn, scored by one metric
// after one filter, in one task. Identifiers are text and compared as such: 007
// is not 7. Answers that repeat the same question of the same item are averaged
// inside the item, for they are not new items.
//
// Nothing is lost without being counted: rows that occur twice, answers without
// a score, items that only one side has, items that should be there and are not,
// and items under one identifier that are not the same question. Whether the
// counts are bad is not decided here, and no statistic is computed: x is the
// first side and y the second, whichever is called better.
package pairing
