// Package stats holds the statistics of change: numbers in, numbers out.
//
// It estimates quantiles, means, proportions, rank effects and variance
// components with intervals and tests, and answers how much data a decision
// needs. It knows nothing of requests, metrics, baselines or verdicts: x is the
// first sample and y the second, a difference is y − x and a ratio y / x.
//
// Every answer is a small struct that carries the value together with its
// interval, level, sample size, method and ordered warnings. A warning never
// stops a calculation; an error means that there is no answer. Functions never
// modify or keep their arguments and never panic on data.
//
// Names: Estimate.Method and Test.Method hold a name in lower_snake_case that is
// stable and belongs to one method in all packages of the module (the constants
// Method…); warnings have codes in the same style (the constants Warn…). An
// interval and the test that it inverts share a name. Every name has a section in
// the pages under docs/methods.
//
// Quantile levels q and confidence levels lie in (0, 1); they are never
// percentages. An interval limit that the data cannot bound is ±Inf, never a
// silently clamped value.
package stats
