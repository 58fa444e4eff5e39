// Command qualdiff judges whether a model or a configuration answers worse than
// before, from per-item evaluation records of two sides. See qualdiff --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/perfdiff/perfdiff/internal/cli"
)

// version, commit and date are set when a release is built.
var version, commit, date = "devel", "", ""

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	code := cli.Qualdiff(ctx, cli.Environment(cli.Build{Version: version, Commit: commit, Date: date}), os.Args[1:])
	stop()
	os.Exit(code)
}
