// Package plan answers before a measurement how many runs and requests a
// decision needs, and what a design could show: from the spread of a pilot or
// from given numbers. It has the margins from the policy and the sizes from
// stats, and judges nothing.
package plan
