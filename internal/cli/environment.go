package cli

import "os"

// Environment is that of the process.
func Environment(version string) Env {
	return Env{
		Stdout: os.Stdout, Stderr: os.Stderr, Stdin: os.Stdin, LookupEnv: os.LookupEnv,
		StdoutTTY: isTerminal(os.Stdout), StderrTTY: isTerminal(os.Stderr), Version: version,
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
