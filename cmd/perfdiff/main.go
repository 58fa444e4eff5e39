// Command perfdiff judges whether a performance change of a serving system is
// real, from per-request records of two sides. See perfdiff --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/perfdiff/perfdiff/internal/cli"
)

// version, commit and date are set when a release is built.
var version, commit, date = "devel", "", ""

// softMemory is where the collector starts to work harder: a comparison of any
// size fits well below it.
const softMemory = 160 << 20

func main() {
	debug.SetMemoryLimit(softMemory)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	code := cli.Perfdiff(ctx, cli.Environment(cli.Build{Version: version, Commit: commit, Date: date}), os.Args[1:])
	stop()
	os.Exit(code)
}
