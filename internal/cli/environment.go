package cli

import (
	"fmt"
	"os"
)

// Build says what a program was built from. Commit and Date are empty but in a
// release.
type Build struct{ Version, Commit, Date string }

func (b Build) String() string {
	if b.Commit == "" {
		return b.Version
	}
	return fmt.Sprintf("%s (commit %s, %s)", b.Version, b.Commit, b.Date)
}

// Environment is that of the process.
func Environment(b Build) Env {
	return Env{
		Stdout: os.Stdout, Stderr: os.Stderr, Stdin: os.Stdin, LookupEnv: os.LookupEnv,
		StdoutTTY: isTerminal(os.Stdout), StderrTTY: isTerminal(os.Stderr), Build: b,
	}
}

// isTerminal reports whether f is a character device other than the null one.
func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(st, null)
}
