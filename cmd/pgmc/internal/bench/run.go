package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// run is the measurement of one network.
type run struct {
	*Effort
	cc       *cbench.Compiler // nil without a C compiler
	env      []string         // environment of the programs, in addition to our own
	done     atomic.Int64     // number of samples of each time so far
	report   *Network
	model    *model.Model
	evidence *Evidence
	packages []*Package
	full     *compiler.Result // the program of the package of pgmc compile
	logprob  *compiler.Result // the program of ln P(evidence) alone, for forced back-ends, the interpreter and C
	module   *Module
	driver   *process.Server
	subjects []Subject
	series   []timing.Series // samples of the driver's measures
	interp   timing.Series
	c        []*cProgram
}

// Subject is the driver's description of a package: its answers and what is measured.
type Subject struct {
	Name     string
	LogP     []float64
	Rows     int
	Measures []struct {
		Name   string
		Allocs float64
	}
}

// note adds the first line of a text to the notes of the report.
func (n *run) note(format string, args ...any) {
	n.report.Notes = append(n.report.Notes, firstLine(fmt.Appendf(nil, format, args...)))
}

// firstLine returns the first line of text that is not blank.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return string(line)
}

// inTemp calls f with a temporary folder and removes the folder afterwards.
func inTemp(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "pgmc-bench-")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}

// prepare compiles the network, emits its packages and draws evidence.
func (n *run) prepare(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options) error {
	spec, given := signatureSpec(m)
	full, err := n.compileFull(ctx, a, path, m, opt, spec)
	if err != nil {
		return err
	}
	n.model, n.full = full.Model, full
	auto, err := emitPackage(ctx, a, path, full, "auto", codegen.TypesAuto)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	auto.Full, auto.MPE = true, full.Program.Entry(ir.MPE.String()) != nil
	signed := func(e ir.Entry) bool { return e.Query.Kind == ir.Signature }
	if slices.ContainsFunc(full.Program.Entries, signed) {
		if auto.Signature, err = findSignature(auto.pkg, n.model, given); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	n.packages = append(n.packages, auto)
	n.report.Method = opt.MethodName()
	if full.Choice != nil {
		n.report.Method = full.Choice.Method
		opt.Method = compiler.Named(full.Choice.Method) // keep the method, whatever would be chosen for one query alone
	}
	opt.Queries = []string{"logprob"}
	if n.logprob, err = a.Compile(ctx, path, m, opt, nil); err != nil {
		return err
	}
	for _, b := range codegen.Backends {
		p, err := emitPackage(ctx, a, path, n.logprob, b.Name, codegen.TypesShared) // shared types build faster and answer as fast
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			n.note("%s: %v", b.Name, err)
			continue
		}
		n.packages = append(n.packages, p)
	}
	if p, err := emitPackage(ctx, a, path, n.logprob, codegen.Assembly, codegen.TypesShared); err == nil {
		p.Batches = true
		n.packages = append(n.packages, p)
	} else if ctx.Err() == nil {
		n.note("%s: %v", codegen.Assembly, err)
	}
	n.evidence, err = drawEvidence(ctx, a, path, full, opt)
	return err
}

// compileFull compiles marginals, ln P(evidence), MPE and the signature. If that fails, as for a
// large circuit, it leaves out those of MPE and the signature that fail, with a note.
func (n *run) compileFull(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options, signature string) (*compiler.Result, error) {
	opt.Queries = []string{"marginals", "logprob"}
	more := []string{"mpe"}
	if signature != "" {
		more = append(more, signature)
	}
	all := opt
	all.Queries = append(slices.Clone(opt.Queries), more...)
	full, err := a.Compile(ctx, path, m, all, nil)
	if err == nil || ctx.Err() != nil {
		return full, err
	}
	if full, _ = a.Compile(ctx, path, m, opt, nil); full == nil {
		return nil, err
	}
	for _, query := range more {
		try := opt
		try.Queries = append(slices.Clone(opt.Queries), query)
		r, err := a.Compile(ctx, path, m, try, nil)
		if err != nil {
			n.note("query %s: %s", query, strings.TrimPrefix(cli.Text(err), path+": "))
			continue
		}
		full, opt = r, try
	}
	return full, ctx.Err()
}

// emitPackage emits the package of a program by a back-end. The package has the name of the
// back-end.
func emitPackage(ctx context.Context, a *cli.App, path string, r *compiler.Result, backend, types string) (*Package, error) {
	pkg, err := a.Emit(ctx, r, codegen.Options{Package: backend, Source: filepath.Base(path), Backend: backend, Types: types})
	if err != nil {
		return nil, err
	}
	return &Package{Name: backend, pkg: pkg, program: r.Program}, nil
}

// measure builds everything in dir, compares the answers and takes the samples.
func (n *run) measure(ctx context.Context, dir string) (err error) {
	if n.module, err = buildModule(ctx, dir, n.env, n.packages, packageFile(), n.evidence); err != nil {
		return err
	}
	defer func() {
		if ended := n.close(); err == nil {
			err = ended
		}
	}()
	if err := n.buildC(ctx, dir, n.logprob.Program, ir.LogProb); err != nil {
		return err
	}
	if err := n.buildC(ctx, dir, n.full.Program, ir.Marginals); err != nil {
		return err
	}
	interp := newInterpreter(n.logprob, ir.LogProb)
	if err := n.check(ctx, interp); err != nil {
		return err
	}
	if err := n.sample(ctx, interp); err != nil {
		return err
	}
	return n.fill(ctx)
}

// close ends the driver and the C programs.
func (n *run) close() error {
	var errs []error
	if n.driver != nil {
		errs = append(errs, n.driver.Close())
	}
	for _, c := range n.c {
		errs = append(errs, c.server.Close())
	}
	return errors.Join(errs...)
}

// entry returns the entry of ln P(evidence).
func (n *run) entry() *ir.Entry { return n.logprob.Program.Entry(ir.LogProb.String()) }

// check starts the driver and compares the answers of all subjects with those of the interpreter.
func (n *run) check(ctx context.Context, interp *interpreter) error {
	logprob, err := interp.answers(n.evidence.Sets)
	if err != nil {
		return err
	}
	marginals, err := newInterpreter(n.full, ir.Marginals).answers(n.evidence.Sets)
	if err != nil {
		return err
	}
	var want []float64
	for _, set := range logprob {
		want = append(want, set...)
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	for i := range n.subjects {
		s := &n.subjects[i]
		if err := sameAnswers("ln P by package "+s.Name, s.LogP, want); err != nil {
			return err
		}
	}
	return n.checkC(n.model, n.evidence, map[ir.QueryKind][][]float64{ir.LogProb: logprob, ir.Marginals: marginals})
}

// start starts the driver and reads its answers.
func (n *run) start(ctx context.Context) (err error) {
	if n.driver, err = process.Start(ctx, []string{n.module.Binary()}, append(os.Environ(), n.module.Env...)); err != nil {
		return err
	}
	line, err := n.driver.Line()
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(line), &n.subjects); err != nil {
		return fmt.Errorf("the driver prints %.100q: %w", line, err)
	}
	for i := range n.subjects {
		n.series = append(n.series, make([]timing.Series, len(n.subjects[i].Measures))...)
	}
	return nil
}

// sameAnswers returns an error if answers differ by more than rounding. Code that computes
// something else must not be timed.
func sameAnswers(who string, got, want []float64) error {
	if len(got) != len(want) {
		return &cli.InternalError{Cause: fmt.Sprintf("%s gives %d numbers; want %d", who, len(got), len(want))}
	}
	for i, x := range got {
		if !(math.Abs(x-want[i]) <= 1e-9*max(1, math.Abs(want[i]))) {
			return &cli.InternalError{Cause: fmt.Sprintf("number %d of %s is %v; the interpreter says %v", i+1, who, x, want[i])}
		}
	}
	return nil
}

// sample takes samples of all subjects in turn.
func (n *run) sample(ctx context.Context, interp *interpreter) error {
	runtime.LockOSThread() // the clock reads the time of this thread
	defer runtime.UnlockOSThread()
	own := timing.Sampler{Each: len(n.evidence.Sets), Run: func(times int) {
		for range times {
			for _, set := range n.evidence.Sets {
				interp.run(set) // check found no error
			}
		}
	}}
	begin := time.Now()
	for round := 0; round < n.rounds && (round < n.least || time.Since(begin) < n.most); round++ {
		if err := n.sampleDriver(ctx); err != nil {
			return err
		}
		n.interp.Add(own.Sample())
		n.done.Add(1)
		for _, c := range n.c {
			if err := c.sample(); err != nil {
				return err
			}
		}
	}
	return nil
}

// sampleDriver takes a sample of each of the driver's measures.
func (n *run) sampleDriver(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	line, err := n.driver.Ask("sample")
	if err != nil {
		return err
	}
	var samples []float64
	if json.Unmarshal([]byte(line), &samples) != nil || len(samples) != len(n.series) {
		return fmt.Errorf("the driver prints %.100q; want %d numbers", line, len(n.series))
	}
	for i, ns := range samples {
		n.series[i].Add(ns)
	}
	return nil
}
