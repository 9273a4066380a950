// Command beam scores rows by a generated package on Apache Beam: in this process by Prism, or on
// a cluster by the flags of Beam.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/runtime/beam"

	"example.com/beam/asia"
)

var (
	rows = flag.Int("rows", 10_000_000, "draw this `number` of rows from the model, unless -data is there")
	in   = flag.String("data", "", "a `file`, folder or pattern with rows")
	out  = flag.String("out", "", "a new `folder` for the scores")
)

// Workers run this program too, so that each of them knows the package.
var model = beam.Register("asia", asia.Variables(), asia.New)

// printFn prints the summary. In a cluster it does so in the log of a worker.
type printFn struct{}

func (*printFn) ProcessElement(s beam.Summary) {
	fmt.Printf("log-likelihood  %.8f nats a row, standard error %.8f\n", s.Mean, s.StdErr)
}

func init() { register.DoFn1x0[beam.Summary](&printFn{}) }

func main() {
	flag.Parse()
	sdk.Init() // does not return in a worker
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	path := *in
	if path == "" {
		dir, err := os.MkdirTemp("", "beam")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "rows.parquet")
		if err := draw(path, *rows); err != nil {
			return err
		}
	}
	p, s := sdk.NewPipelineWithRoot()
	r, err := beam.Score(s, beam.Options{Model: model, Files: []string{path}, Out: *out})
	if err != nil {
		return err
	}
	sdk.ParDo0(s, &printFn{}, r.Summary)
	start := time.Now()
	result, err := beamx.RunWithMetrics(ctx, p)
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	ours := result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == "pgmc" })
	for _, c := range ours.Counters() {
		fmt.Printf("%-15s %d\n", c.Name(), c.Result())
		if c.Name() == "rows" {
			fmt.Printf("%-15s %.0f\n", "rows a second", float64(c.Result())/seconds)
		}
	}
	return nil
}

// draw draws rows from the model into a Parquet file.
func draw(path string, n int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	text := bufio.NewWriter(file)
	var columns []data.Output
	for _, x := range asia.Variables() {
		columns = append(columns, data.Output{Name: x.Name})
	}
	w, err := parquet.NewWriter(text, columns)
	if err != nil {
		return err
	}
	samples, err := asia.New().Samples(&asia.Evidence{}, nil, asia.NewRand(1))
	if err != nil {
		return err
	}
	for x := range samples {
		if n--; n < 0 {
			break
		}
		for _, value := range x.All() {
			w.Text(value)
		}
		if err := w.End(); err != nil {
			return err
		}
	}
	return errors.Join(w.Flush(), text.Flush(), file.Close())
}
