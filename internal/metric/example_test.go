package metric_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/perfdiff/perfdiff/internal/ingest"
	"github.com/perfdiff/perfdiff/internal/ingest/textio"
	"github.com/perfdiff/perfdiff/internal/metric"
)

func ExampleCollect() {
	const text = "run,ttft_ms,status\na,100,ok\na,120,ok\nb,90,ok\nb,0,error\n"
	src, err := textio.CSV.Open(ingest.File{Path: "x.csv", Size: int64(len(text)), ReaderAt: strings.NewReader(text)})
	if err != nil {
		fmt.Println(err)
		return
	}
	layout, err := ingest.Resolve("x.csv", src.Columns(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	items, err := metric.Select([]string{"ttft:p50", "success_rate"}, nil, nil, metric.Directions{}, []*ingest.Layout{layout})
	if err != nil {
		fmt.Println(err)
		return
	}
	in := metric.Input{Files: []metric.File{{Path: "x.csv", Source: src, Layout: layout}}}
	sides, err := metric.Collect(context.Background(), []metric.Input{in}, metric.NewPlan(items), metric.Scan{Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, run := range sides[0].Units {
		p50, _ := run.Cells[0].Sketch.Quantile(0.5)
		fmt.Printf("run %s: ttft p50 %.3f s, %d of %d requests succeeded\n", run.Label, p50, run.OK(), run.Requests())
	}
	// Output:
	// run a: ttft p50 0.110 s, 2 of 2 requests succeeded
	// run b: ttft p50 0.090 s, 1 of 2 requests succeeded
}
