package cli

import (
	"fmt"
	"os"

	"golang.org/x/term"
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
		StdoutTTY: isTerminal(os.Stdout), StderrTTY: isTerminal(os.Stderr), Columns: columns(os.Stdout), Build: b,
	}
}

// columns is the width of a terminal; 0 where it is none or does not say.
func columns(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 0 {
		return 0
	}
	return width
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
