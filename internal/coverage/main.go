// Command coverage measures what perfdiff delivers: how often its intervals
// cover the true change, how often it fails a change that is none, and how
// often it sees one that is there. It draws pairs of systems whose true ratio is
// known and sends their records through the whole pipeline.
//
//	go run ./internal/coverage > docs/coverage.md
//
// The seeds are fixed: the same program prints the same table.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
)

func main() {
	pairs := flag.Int("pairs", 400, "pairs of systems a cell")
	flag.Parse()
	out := bufio.NewWriter(os.Stdout)
	err := endToEnd(context.Background(), out, *pairs, runtime.GOMAXPROCS(0))
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(2)
	}
}
