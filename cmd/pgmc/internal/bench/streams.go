package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// streamSlices is the length of the sequences that are filtered.
const streamSlices = 200

// changingSlices is the number of slices after which a sequence begins again whose covariances must
// not settle.
const changingSlices = 16

// Changing is changingSlices, for the driver.
func (*Package) Changing() int { return changingSlices }

// system is a model of sequences to measure: its package, a sequence, and programs that compute the
// same.
type system struct {
	name     string // of the package
	model    *model.Model
	method   string // empty for the method that is chosen by itself
	queries  []string
	sequence [][]*float64 // by slice: a finding for each variable
	peers    []*peer
}

// library is what a peer needs.
type library int

const (
	plainC library = iota
	withEigen
	withGHMM
	numLibraries
)

// finders find the compilers of peers.
var finders = [numLibraries]func(context.Context) (*cbench.Compiler, error){cbench.FindCompiler, cbench.FindEigen, cbench.FindGHMM}

// peer is a program that computes what a package computes: a text in C or C++, or a function that
// goes through the sequence once.
type peer struct {
	twin
	needs library
	text  string
	data  []float64
	run   func()
	got   func() []float64              // the answers of run
	want  func(pkg []float64) []float64 // the answers, by those of the package

	program *cProgram
}

// streams is the measurement of all systems.
type streams struct {
	*run
	systems   []*system
	compilers [numLibraries]*cbench.Compiler // nil for those that there are not
	report    *StreamReport
}

// RunStreams measures filters of sequences and prints the report.
func RunStreams(ctx context.Context, a *cli.App, f *Options) error {
	if process.NeedGo() != nil {
		return fmt.Errorf("bench builds packages, which needs the go command; it is not in PATH")
	}
	effort := thorough
	if f.Quick {
		effort = quick
	}
	s := &streams{run: &run{Effort: &effort, env: environment(a)}, report: &StreamReport{
		System: runtime.GOOS + "/" + runtime.GOARCH, CPU: timing.Processor(os.DirFS("/")), Clock: timing.Clock}}
	version, _, err := process.RunGo(ctx, "", "", nil, "env", "GOVERSION")
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	s.report.Go = firstLine(version)
	for i, find := range finders {
		if s.compilers[i], err = find(ctx); err != nil {
			*s.report.of(library(i)) = "none: " + cli.Text(err)
		} else {
			*s.report.of(library(i)) = s.compilers[i].Version
		}
	}
	defer a.Progress("measuring filters", s.done.Load).Stop()
	s.systems = systems(streamSlices, newRand(a, 1))
	if err := s.emit(ctx, a); err != nil {
		return err
	}
	if err := inTemp(func(dir string) error { return s.measure(ctx, dir) }); err != nil {
		return err
	}
	s.fill()
	if a.JSON {
		return a.PrintJSON(s.report)
	}
	return s.report.print(a.Stdout)
}

// emit compiles the systems.
func (s *streams) emit(ctx context.Context, a *cli.App) error {
	for _, x := range s.systems {
		opt := compiler.Options{Queries: x.queries}
		if x.method != "" {
			opt.Method = compiler.Named(x.method)
		}
		r, err := a.Compile(ctx, x.name, x.model, opt, nil)
		if err != nil {
			return err
		}
		pkg, err := a.Emit(ctx, r, codegen.Options{Package: x.name, Source: x.name})
		if err != nil {
			return err
		}
		p := &Package{Name: x.name, pkg: pkg, program: r.Program, Particles: x.method == particlesMethod, Steady: pkg.Report.SteadyOps > 0}
		for _, q := range x.queries {
			p.Smooth, p.Viterbi = p.Smooth || q == "smooth", p.Viterbi || q == "viterbi"
		}
		s.packages, s.report.Work = append(s.packages, p), append(s.report.Work, workOf(x.name, r.Program))
	}
	return nil
}

// measure builds everything in dir, compares the answers and takes the samples.
func (s *streams) measure(ctx context.Context, dir string) (err error) {
	setup := struct{ Sequences map[string][][]*float64 }{map[string][][]*float64{}}
	for _, x := range s.systems {
		setup.Sequences[x.name] = x.sequence
	}
	if s.module, err = buildModule(ctx, dir, s.env, s.packages, streamsFile(), setup); err != nil {
		return err
	}
	defer func() {
		if ended := s.close(); err == nil {
			err = ended
		}
	}()
	if s.driver, err = process.Start(ctx, []string{s.module.Binary()}, append(os.Environ(), s.module.Env...)); err != nil {
		return err
	}
	line, err := s.driver.Line()
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(line), &s.subjects); err != nil {
		return fmt.Errorf("the driver prints %.100q: %w", line, err)
	}
	for i, x := range s.systems {
		s.series = append(s.series, make([]timing.Series, len(s.subjects[i].Measures))...)
		for _, p := range x.peers {
			got, err := s.start(ctx, dir, x, p)
			if err == nil && got != nil {
				err = sameAnswers(x.name+", "+p.subject, got, p.want(s.subjects[i].LogP))
			}
			if err != nil {
				return err
			}
		}
	}
	return s.sampleStreams(ctx)
}

// start builds and starts a peer and returns its answers, which are nil if its compiler or its
// library is missing or does not build it, which the report says.
func (s *streams) start(ctx context.Context, dir string, x *system, p *peer) ([]float64, error) {
	if p.run != nil {
		p.run()
		p.sampler = timing.Sampler{Each: len(x.sequence), Run: func(n int) {
			for range n {
				p.run()
			}
		}}
		return p.got(), nil
	}
	cc := s.compilers[p.needs]
	if cc == nil {
		return nil, nil
	}
	name := x.name + "-" + strings.ReplaceAll(p.subject, " ", "-")
	command, err := cc.Build(ctx, dir, name, "-O3", &cbench.Program{Text: p.text, Data: p.data}, cMost)
	if err != nil && ctx.Err() == nil && p.needs != plainC {
		s.compilers[p.needs], *s.report.of(p.needs) = nil, "none: "+firstLine([]byte(err.Error()))
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", x.name, p.subject, err)
	}
	p.program = &cProgram{form: p.subject}
	if p.program.server, err = process.Start(ctx, command, nil); err != nil {
		return nil, err
	}
	s.c = append(s.c, p.program)
	return p.program.numbers()
}

// sampleStreams takes samples of everything in turn.
func (s *streams) sampleStreams(ctx context.Context) error {
	runtime.LockOSThread() // the clock reads the time of this thread
	defer runtime.UnlockOSThread()
	begin := time.Now()
	for round := 0; round < s.rounds && (round < s.least || time.Since(begin) < s.most); round++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := s.driver.Ask("sample")
		if err != nil {
			return err
		}
		var samples []float64
		if json.Unmarshal([]byte(line), &samples) != nil || len(samples) != len(s.series) {
			return fmt.Errorf("the driver prints %.100q; want %d numbers", line, len(s.series))
		}
		for i, ns := range samples {
			s.series[i].Add(ns)
		}
		for _, x := range s.systems {
			for _, p := range x.peers {
				switch {
				case p.run != nil:
					p.series.Add(p.sampler.Sample())
				case p.program != nil:
					if err := p.program.sample(); err != nil {
						return err
					}
				}
			}
		}
		s.done.Add(1)
	}
	return nil
}

// systems returns the systems of the report, with sequences of the given length.
func systems(slices int, r *rand.Rand) []*system {
	list := []*system{
		kalmanSystem("plane", velocity(2, 0), slices, r, true),
		kalmanSystem("dense", dense(4, 2, r), slices, r, false),
		kalmanSystem("space", velocity(3, .5), slices, r, false),
		kalmanSystem("rotation", rotation(), slices, r, false),
		switchingSystem(slices, r),
		particlesSystem(slices, r),
	}
	list[3].queries = []string{"filter", "smooth"}
	for _, states := range []int{8, 32, 128} {
		list = append(list, markovSystem(states, slices, r))
	}
	return list
}

//go:embed peer.c.txt
var peerSource string

//go:embed peereigen.cc.txt
var eigenSource string

//go:embed peerplane.c.txt
var planeSource string

// kalmanSystem returns the filter of a linear system, and what it is compared with: Eigen with
// fixed sizes, or all.
func kalmanSystem(name string, l *linear, slices int, r *rand.Rand, all bool) *system {
	z := l.draw(slices, r)
	n, m := len(l.A), len(l.H)
	x := &system{name: name, model: l.model(name), queries: []string{"filter"}}
	for t := range slices {
		slice := make([]*float64, n+m)
		for k := range m {
			slice[n+k] = &z[t*m+k]
		}
		x.sequence = append(x.sequence, slice)
	}
	means := func(pkg []float64) []float64 { return pkg[1 : 1+n] }
	add := func(p *peer, subject string) {
		p.subject, p.want = subject, means
		x.peers = append(x.peers, p)
	}
	eigen := func(subject, rows, columns string) {
		text := "#include <Eigen/Dense>\n" + peerSource + "static const int N = " + rows + ", M = " + columns + ";\n" + eigenSource
		add(&peer{needs: withEigen, text: text, data: l.data(z)}, subject)
	}
	eigen("Eigen, fixed sizes", strconv.Itoa(n), strconv.Itoa(m))
	if !all {
		return x
	}
	eigen("Eigen, dynamic sizes", "-1", "-1")
	for i, subject := range []string{"C by hand", "C by hand, flags"} {
		add(&peer{text: fmt.Sprintf("#define FLAGS %d\n", i) + peerSource + planeSource, data: l.data(z)}, subject)
	}
	for i, subject := range []string{"gonum, temporaries", "gonum, preallocated"} {
		k := newKalman(l, z, i == 1)
		add(&peer{run: k.run, got: func() []float64 { return k.mean.RawVector().Data }}, subject)
	}
	return x
}

// switchingSystem returns constant velocity with a mode that decides how much it changes, filtered
// by interacting multiple models.
func switchingSystem(slices int, r *rand.Rand) *system {
	l := velocity(2, 0)
	x := kalmanSystem("switching", l, slices, r, false)
	x.peers, x.method = nil, "imm"
	m := x.model
	mode := m.NewVar("mode", "calm", "rough").ID
	// The number of the mode shifts those of the slice before by one, and it persists.
	n := model.VarID(len(m.Vars))
	for _, f := range m.Transition.Factors {
		d := f.Dist.(*model.Gaussian)
		for i, v := range f.Scope {
			if v >= n-1 {
				f.Scope[i] = v + 1
			}
		}
		if int(f.Scope[f.Child]) >= len(l.A) {
			continue
		}
		f.Scope, f.Child = append([]model.VarID{mode}, f.Scope...), f.Child+1
		f.Dist = &model.Gaussian{Mean: []float64{0, 0}, Coef: append(append([]float64{}, d.Coef...), d.Coef...), Var: []float64{d.Var[0], 10 * d.Var[0]}}
	}
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.9, .1}}})
	m.Transition.Before = append(m.Transition.Before, mode)
	last := model.VarID(len(m.Vars) + len(m.Transition.Before) - 1)
	m.Transition.Factors = append(m.Transition.Factors, &model.Factor{Scope: []model.VarID{last, mode}, Child: 1, Dist: &model.Table{Values: []float64{.95, .05, .1, .9}}})
	for t := range x.sequence {
		x.sequence[t] = append(x.sequence[t], nil)
	}
	return x
}

// positive returns n random numbers that sum to 1.
func positive(n int, r *rand.Rand) []float64 {
	list, sum := make([]float64, n), 0.0
	for i := range list {
		list[i] = .05 + r.Float64()
		sum += list[i]
	}
	for i := range list {
		list[i] /= sum
	}
	return list
}
