// Package cli wires flags and files to the pipeline: it opens inputs, runs the
// comparison, hands it to the decision and the renderers, and maps the outcome
// to an exit code. It does no arithmetic.
package cli
