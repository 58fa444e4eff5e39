// Package metric says what is measured: the name, unit, direction and
// definition of every metric and estimand, and fills the cells (one
// distribution per side, run and metric) in one streaming pass over the checked
// records of all files on all cores.
//
// Cells hold integer counts, exact sums and mergeable sketches only, so their
// content does not depend on the number of workers or on the order of files.
// Nothing here compares two sides or says what is good.
package metric
