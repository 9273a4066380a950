package bench

import (
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"text/template"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

//go:embed columns.go.txt
var columnsSource string

// columnRows is the most rows that are evaluated and written. They fit into the setup of a driver.
const columnRows = 1 << 16

// DataReport holds the times of the rows in a data file.
type DataReport struct {
	System string     `json:"system"`
	CPU    string     `json:"processor"`
	Clock  string     `json:"clock"`
	Model  string     `json:"model"`
	Data   string     `json:"data"`
	Rows   int64      `json:"rows"`           // of the file
	Used   int        `json:"rows_evaluated"` // of these, from the first on
	Parts  []DataPart `json:"parts"`
}

// DataPart is a part of the work on rows.
type DataPart struct {
	Name string  `json:"part"`
	NS   float64 `json:"min_ns_per_row"`
	Rate float64 `json:"rows_per_second_per_core"`
}

// dataRun is the measurement of a data file.
type dataRun struct {
	*run
	app     *cli.App
	reader  *rowfile.Reader
	scorer  *rate.Scorer
	columns map[string][]byte // by variable: the values of the first rows, as the driver wants them
	want    []float64         // ln P of these rows
	report  *DataReport
}

// RunData measures rows of a file by the package of the model at path, and prints the report.
func RunData(ctx context.Context, a *cli.App, path string, f *Options) error {
	if process.NeedGo() != nil {
		return errors.New("bench builds packages, which needs the go command; it is not in PATH")
	}
	effort := thorough
	if f.Quick {
		effort = quick
	}
	d := &dataRun{run: &run{Effort: &effort, env: environment(a)}, app: a, columns: map[string][]byte{}}
	d.report = &DataReport{System: runtime.GOOS + "/" + runtime.GOARCH, CPU: timing.Processor(os.DirFS("/")), Clock: timing.Clock, Model: path, Data: f.DataPath}
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	switch {
	case err != nil:
		return err
	case m.Transition != nil:
		return cli.Usagef("%s: --data measures rows, and the model has a transition from slice to slice", path)
	case cli.Approximate(opt.MethodName()) != nil:
		return cli.Usagef("bench measures exact methods, and method %s is approximate; try --method %s", opt.MethodName(), cli.ExactMethods())
	}
	defer a.Progress("measuring "+filepath.Base(f.DataPath), nil).Stop()
	if err := d.prepare(ctx, path, m, opt); err != nil {
		return err
	}
	if d.reader, err = a.OpenData(ctx, f.DataPath, &f.Data, cli.Test); err != nil {
		return err
	}
	defer d.reader.Close()
	if err := d.decode(ctx); err != nil {
		return err
	}
	if err := inTemp(func(dir string) error { return d.evaluate(ctx, dir) }); err != nil {
		return err
	}
	if err := d.write(); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(d.report)
	}
	return d.report.print(a.Stdout)
}

// prepare makes the package and the scorer that checks it.
func (d *dataRun) prepare(ctx context.Context, path string, m *model.Model, opt compiler.Options) error {
	opt.Queries = []string{"logprob"}
	r, err := d.app.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	p, err := emitPackage(ctx, d.app, path, r, "auto", codegen.TypesAuto)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	d.packages = []*Package{p}
	d.scorer, err = rate.NewScorer(r.Model, rate.ScorerOptions{Rows: opt.Rows, Warn: d.app.Warn,
		Engine: func(context.Context, *model.Model) (*infer.Engine, error) { return infer.Of(r, d.app.Seed), nil }})
	return err
}

// decode times the decoding of all rows on one core, and keeps the first of them.
func (d *dataRun) decode(ctx context.Context) error {
	runtime.LockOSThread() // the clock reads the time of this thread
	defer runtime.UnlockOSThread()
	vars := data.VarsOf(d.scorer.Model())
	d.app.WarnColumns(d.reader, vars, nil)
	binding, err := d.reader.Bind(vars, rowfile.UnseenError)
	if err != nil {
		return err
	}
	binding.Only()
	d.scorer.Cores(1)
	begin := timing.ThreadTime()
	err = binding.EachBlock(ctx, rowfile.BlockOptions{Cores: 1, Then: func(k *rowfile.Block) error {
		d.report.Rows += int64(k.Rows)
		if len(d.want) >= columnRows {
			return nil
		}
		ours := timing.ThreadTime()
		defer func() { begin += timing.ThreadTime() - ours }()
		return d.keep(ctx, vars, k)
	}})
	switch {
	case err != nil:
		return err
	case d.report.Rows == 0:
		return cli.NoRows(d.report.Data)
	}
	d.report.Used = len(d.want)
	d.add("decoding", float64(timing.ThreadTime()-begin)/float64(d.report.Rows))
	return nil
}

// keep keeps the values of a block and ln P of its rows.
func (d *dataRun) keep(ctx context.Context, vars []data.Var, k *rowfile.Block) error {
	n := min(k.Rows, columnRows-len(d.want))
	for v := range vars {
		b := d.columns[vars[v].Name]
		switch x := &k.Columns[v]; {
		case x.Bytes != nil:
			b = append(b, x.Bytes[:n]...)
		case x.Words != nil:
			b, _ = binary.Append(b, binary.LittleEndian, x.Words[:n])
		case x.Reals != nil:
			b, _ = binary.Append(b, binary.LittleEndian, x.Reals[:n])
		}
		d.columns[vars[v].Name] = b
	}
	scores := make([]float64, k.Rows)
	if err := d.scorer.Score(ctx, 0, k, scores); err != nil {
		return err
	}
	for _, x := range scores[:n] {
		d.want = append(d.want, max(x, -math.MaxFloat64)) // the driver has no infinity
	}
	return nil
}

// evaluate builds the package in dir, compares its answers, and takes samples of the time.
func (d *dataRun) evaluate(ctx context.Context, dir string) (err error) {
	setup := struct {
		ColumnRows int
		Columns    map[string][]byte
	}{len(d.want), d.columns}
	if d.module, err = buildModule(ctx, dir, d.env, d.packages, template.Must(template.New("columns").Parse(columnsSource)), setup); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	if err := d.start(ctx); err != nil {
		return err
	}
	if err := sameAnswers("ln P of rows by column", d.subjects[0].LogP, d.want); err != nil {
		return err
	}
	for range d.rounds {
		if err := d.sampleDriver(ctx); err != nil {
			return err
		}
	}
	d.add("evaluation", d.series[0].Min())
	return nil
}

// write times the writing of ln P of the rows in the format of the data.
func (d *dataRun) write() error {
	runtime.LockOSThread() // the clock reads the time of this thread
	defer runtime.UnlockOSThread()
	columns := []data.Output{{Name: "logprob", Kind: data.Reals}}
	var failed error
	sampler := timing.Sampler{Each: len(d.want), Run: func(n int) {
		for range n {
			var out data.Sink = rowfile.NewCSV(io.Discard, ',', true, columns)
			if d.reader.Format == rowfile.Parquet {
				out, failed = parquet.NewWriter(io.Discard, columns)
			}
			for _, x := range d.want {
				out.Number(x)
				failed = errors.Join(failed, out.End())
			}
			failed = errors.Join(failed, out.Flush())
		}
	}}
	var series timing.Series
	for range d.rounds {
		series.Add(sampler.Sample())
	}
	d.add("writing", series.Min())
	return failed
}

// add adds a part of the work, of which a row takes some nanoseconds.
func (d *dataRun) add(name string, ns float64) {
	p := DataPart{Name: name, NS: ns}
	if ns > 0 {
		p.Rate = 1e9 / ns
	}
	d.report.Parts = append(d.report.Parts, p)
}

// print writes the report as a table.
func (r *DataReport) print(w io.Writer) error {
	t := &table.Table{}
	t.Add("", "ns a row", "rows a second a core")
	for _, p := range r.Parts {
		t.Add(p.Name, fmt.Sprintf("%.1f", p.NS), table.Thousands(int(p.Rate)))
	}
	_, err := fmt.Fprintf(w, "%s, %s\nProcessor: %s\n%s: %s rows, of which the first %s are evaluated and written\n\n%s", r.System, r.Clock, r.CPU,
		table.Printable(r.Data), table.Thousands(int(r.Rows)), table.Thousands(r.Used), t)
	return err
}
