// Package plots draws the figures of a report and returns them as bytes: SVG,
// PNG or PDF, light or dark, the same bytes for the same data.
//
// A constructor such as [Distribution] or [Forest] turns numbers into a
// [Figure]: panels, axes and marks in the units of the data, with a title, a
// text alternative and notes on what was left out. What a figure says can be
// read from that value; drawing it adds nothing. Data that cannot be drawn are
// an error with a sentence, never a panic and never an empty file.
//
// A figure is laid out for the width asked for: a narrow one has its panels
// below one another and its letters no smaller. Colours are told apart by the
// colour-blind (after Okabe and Ito, 2008), and every colour has a second sign
// beside it: a dash, a shape or a word.
//
// The package computes no statistic and takes no decision: intervals, margins
// and verdicts come with the data.
package plots
