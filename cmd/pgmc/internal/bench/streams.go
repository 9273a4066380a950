package bench

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/gpb"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
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
	data     []float64    // the numbers of the model and of the sequence, for peers
	peers    []*peer
}

// peer is a program in C that computes what a package computes, or a function that goes through the
// sequence once.
type peer struct {
	subject string
	text    string
	data    []float64
	run     func()
	got     func() []float64              // the answers of run
	want    func(pkg []float64) []float64 // the answers, by those of the package

	sampler timing.Sampler // of run
	series  timing.Series
	program *cProgram
}

// streams is the measurement of all systems.
type streams struct {
	*run
	systems []*system
	report  *StreamReport
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
	if s.cc, err = cbench.FindCompiler(ctx); err != nil {
		s.report.C = "none: " + cli.Text(err)
	} else {
		s.report.C = s.cc.Version
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
		p := &Package{Name: x.name, pkg: pkg, program: r.Program, Particles: x.method == particle.Method.Name, Steady: pkg.Report.SteadyOps > 0}
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
			got, err := s.start(ctx, dir, x, p, s.cc)
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

// start builds and starts a peer and returns its answers, which are nil if its compiler is nil.
func (s *streams) start(ctx context.Context, dir string, x *system, p *peer, cc *cbench.Compiler) ([]float64, error) {
	if p.run != nil {
		p.run()
		p.sampler = timing.Sampler{Each: len(x.sequence), Run: func(n int) {
			for range n {
				p.run()
			}
		}}
		return p.got(), nil
	}
	if cc == nil {
		return nil, nil
	}
	name := x.name + "-" + strings.ReplaceAll(p.subject, " ", "-")
	command, err := cc.Build(ctx, dir, name, "-O3", &cbench.Program{Text: p.text, Data: p.data}, cMost)
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
		if err := s.sampleDriver(ctx); err != nil {
			return err
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
		kalmanSystem("plane", velocity(2, 0), slices, r),
		kalmanSystem("dense", dense(4, 2, r), slices, r),
		kalmanSystem("space", velocity(3, .5), slices, r),
		kalmanSystem("rotation", rotation(), slices, r),
		switchingSystem(slices, r),
		particlesSystem(slices, r),
	}
	list[0].addHand()
	list[3].queries = []string{"filter", "smooth"}
	for _, states := range []int{8, 32, 128} {
		list = append(list, markovSystem(states, slices, r))
	}
	return list
}

//go:embed peer.c.txt
var peerSource string

//go:embed peerplane.c.txt
var planeSource string

// kalmanSystem returns the filter of a linear system.
func kalmanSystem(name string, l *linear, slices int, r *rand.Rand) *system {
	z := l.draw(slices, r)
	n, m := len(l.A), len(l.H)
	x := &system{name: name, model: l.model(name), queries: []string{"filter"}, data: l.data(z)}
	for t := range slices {
		slice := make([]*float64, n+m)
		for k := range m {
			slice[n+k] = &z[t*m+k]
		}
		x.sequence = append(x.sequence, slice)
	}
	return x
}

// addHand adds the loops in C that are written for one system of four states.
func (x *system) addHand() {
	for i, subject := range []string{"C by hand", "C by hand, flags"} {
		x.peers = append(x.peers, &peer{subject: subject, text: fmt.Sprintf("#define FLAGS %d\n", i) + peerSource + planeSource, data: x.data, want: x.means})
	}
}

// means returns the means of the states of a linear system, by what its package answers.
func (x *system) means(pkg []float64) []float64 { return pkg[1 : 1+int(x.data[1])] }

// switchingSystem returns constant velocity with a mode that decides how much it changes, filtered
// by interacting multiple models.
func switchingSystem(slices int, r *rand.Rand) *system {
	l := velocity(2, 0)
	x := kalmanSystem("switching", l, slices, r)
	x.method = gpb.IMM.Name
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
