// Package calibrate measures what the verdict does where nothing changed: it
// compares the runs of one input with each other in many ways, each of which
// goes through the whole decision, and counts the false alarms. From the same
// runs it tells the noise between them, and which margins they allow.
package calibrate
