package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// What the paper fixes: chains of 100 sweeps and then 1,000 that count; mean field at most 50 updates for each variable, and until none moves
// by more than 0.0001. Belief propagation goes in flooding rounds, and ends as Libra's does.
const (
	fieldSweeps = 1000
	fieldBurnIn = 100
	fieldRounds = 50
	fieldMoves  = 1e-4
	fieldShare  = 0.4 // of the rows of whose log-likelihood by sampling is taken
)

// What is ours: the rows of a set without --full, and the log-likelihood of dependency networks on few rows where they have many variables.
const (
	fieldRows     = 100
	fieldQuick    = 20
	manyVariables = 200
	fewRows       = 20
)

// Exact inference is for networks whose largest table and whose memory are no larger, so that a query takes some milliseconds.
const (
	exactTable  = 1 << 18
	exactMemory = 64 << 20
)

// fieldMethods are the methods of figures 1 and 2, and exact inference for those networks that it fits. DN.MF averages probabilities, as the authors'
// program does, whose numbers it gives; DN.MF.log averages their logarithms, as algorithm 1 of the paper says.
var fieldMethods = []struct {
	name       string
	dependency bool // of the dependency network
	method     string
	options    []string
}{
	{"DN.MF", true, meanfield.Method.Name, append(fieldLoop("queue"), "mean=probability")},
	{"DN.MF.log", true, meanfield.Method.Name, fieldLoop("queue")},
	{"DN.Gibbs", true, gibbs.Method.Name, fieldChain},
	{"BN.MF", false, meanfield.Method.Name, fieldLoop("queue")},
	{"BN.BP", false, belief.Method.Name, fieldLoop("flooding")},
	{"BN.Gibbs", false, gibbs.Method.Name, fieldChain},
	{fieldExact, false, jointree.Method.Name, nil},
}

const fieldExact = "BN.exact"

var fieldChain = []string{"chains=1", fmt.Sprintf("burn-in=%d", fieldBurnIn), fmt.Sprintf("iterations=%d", fieldSweeps)}

func fieldLoop(schedule string) []string {
	return []string{"schedule=" + schedule, fmt.Sprintf("iterations=%d", fieldRounds), fmt.Sprintf("tolerance=%v", fieldMoves)}
}

// fieldExperiment is the experiment of Lowd and Shamaei 2011: mean field in dependency networks against Gibbs sampling there, and against
// methods of Bayesian networks, both learned with decision trees.
type fieldExperiment struct {
	*app
	folder    string
	rows      int // of the test data of a set; 0 for all
	fractions []float64
	compiled  bool
	done      atomic.Int64 // questions of a set
}

func (a *app) meanFieldExperiment(ctx context.Context, f *experimentFlags) error {
	x := &fieldExperiment{app: a, folder: f.data, rows: fieldRows, compiled: f.engine.Value == "compiled"}
	var sets []string
	for _, s := range acmnSets { // which are those of this paper too
		sets = append(sets, s.file)
	}
	switch {
	case f.rows < 0:
		return cli.Usagef("--rows is %d; want 1 or more", f.rows)
	case f.quick:
		x.rows, sets = fieldQuick, sets[:1]
	case f.full:
		x.rows = 0
	}
	if f.rows > 0 {
		x.rows = f.rows
	}
	if f.networks != nil {
		sets = f.networks
	}
	err := knownSets(sets)
	if err != nil {
		return err
	}
	if x.fractions, err = rate.Fractions(allFractions); err != nil {
		return err
	}
	out, err := a.experimentOutput("dn-mean-field", f)
	if err != nil {
		return err
	}
	result := &fieldResult{Engine: f.engine.Value, Fractions: x.fractions}
	for _, name := range sets {
		r, err := x.set(ctx, name)
		if err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
		result.add(r)
		if err := out.save(ctx, result.text(), result, result.tables()); err != nil {
			return err
		}
	}
	return out.print(result.text(), result)
}

// fieldSet is the experiment on one set.
type fieldSet struct {
	*fieldExperiment
	dataParts
	dn, bn   *fieldNetwork
	programs []askedProgram
	engine   fieldEngine
	rows     []int // of the test data, for questions
	report   *fieldReport
}

// set runs all of one set.
func (x *fieldExperiment) set(ctx context.Context, name string) (*fieldReport, error) {
	x.done.Store(0)
	defer x.Progress("experiment on "+name, x.done.Load).Stop()
	d, err := x.loadParts(ctx, x.folder, name)
	if err != nil {
		return nil, err
	}
	s := &fieldSet{fieldExperiment: x, dataParts: d, report: &fieldReport{Set: name}}
	if s.test.Len() == 0 {
		return nil, fmt.Errorf("the test data has no rows; want one at least")
	}
	s.report.Variables, s.report.TestRows = len(s.test.Vars), s.test.Len()
	if err := s.learn(ctx); err != nil {
		return nil, err
	}
	s.choose()
	if err := s.compile(ctx); err != nil {
		return nil, err
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	defer func() { s.engine.close() }() // what it may say, asking has said
	if err := s.likelihoods(ctx); err != nil {
		return nil, err
	}
	return s.report, s.conditionals(ctx)
}

// cores is how many goroutines work at once.
func (a *app) cores() int {
	if a.CPU > 0 {
		return a.CPU
	}
	return runtime.GOMAXPROCS(0)
}

// choose draws the rows that are asked about, in random order.
func (s *fieldSet) choose() {
	n := s.test.Len()
	s.rows = rand.New(rand.NewPCG(s.Seed, uint64(n))).Perm(n)
	if s.fieldExperiment.rows > 0 {
		s.rows = s.rows[:min(n, s.fieldExperiment.rows)]
	}
	s.report.Rows = len(s.rows)
}

// compile compiles the networks for each method.
func (s *fieldSet) compile(ctx context.Context) error {
	for _, f := range fieldMethods {
		m := s.bn.model
		if f.dependency {
			m = s.dn.model
		}
		opt := compiler.Options{Method: compiler.Named(f.method, f.options...), Rows: model.RowsAsIs, MaxTable: s.MaxTable, MaxMem: int64(s.MaxMem)}
		if f.name == fieldExact {
			opt.Queries, opt.MaxTable, opt.MaxMem = []string{"marginals"}, min(exactTable, s.MaxTable), min(exactMemory, int64(s.MaxMem))
		}
		r, err := compiler.Compile(ctx, m, opt)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && f.name == fieldExact:
			continue // it doesn't fit
		case err != nil:
			return fmt.Errorf("%s: %w", f.name, err)
		}
		s.programs = append(s.programs, askedProgram{f.name, f.method, r, &r.Program.Entries[0]})
	}
	return nil
}

// ready readies what answers.
func (s *fieldSet) ready(ctx context.Context) (err error) {
	if !s.compiled {
		s.engine = s.newInterpreted(s.programs, s.cores())
		return nil
	}
	s.engine, err = s.newPackages(ctx, s.programs, s.cores())
	return err
}

// ask has questions answered, and counts them.
func (s *fieldSet) ask(ctx context.Context, program int, qs []inquiry, e effort) ([]told, error) {
	answers, err := s.engine.ask(ctx, program, qs, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.programs[program].name, err)
	}
	s.done.Add(int64(len(qs)))
	return answers, nil
}

// atOnce is how many rows are asked about before answers are counted, for each core.
const atOnce = 4

// conditionals asks for each row with each fraction as evidence.
func (s *fieldSet) conditionals(ctx context.Context) error {
	n := len(s.fractions)
	for _, p := range s.programs {
		s.report.Methods = append(s.report.Methods, newFieldMethod(p.name, n))
	}
	if err := s.eachRows(ctx, func(qs []inquiry) error {
		all := make([][]told, len(s.programs))
		for p := range s.programs {
			var err error
			if all[p], err = s.ask(ctx, p, qs, effort{}); err != nil {
				return err
			}
		}
		for i := range qs {
			for p, m := range s.report.Methods {
				m.add(i%n, &qs[i], &all[p][i], &all[0][i])
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return s.cut(ctx)
}

// eachRows gives the questions about some rows after the other: for each row one of each fraction.
func (s *fieldSet) eachRows(ctx context.Context, do func(qs []inquiry) error) error {
	protocol := rate.Protocol{Fractions: s.fractions, Seed: s.Seed}
	number := uint64(0)
	for rows := range slices.Chunk(s.rows, atOnce*s.cores()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var qs []inquiry
		for _, i := range rows {
			row := make([]int, len(s.test.Vars))
			s.test.Row(i, row)
			if slices.Contains(row, data.Missing) {
				return fmt.Errorf("row %d of the test data misses a value; want rows that miss none", i+1)
			}
			for _, evidence := range protocol.Draw(row) {
				q := inquiry{Row: row, Seed: s.chainSeed(number)}
				for v, known := range evidence {
					if known {
						q.Known = append(q.Known, v)
					}
				}
				qs = append(qs, q)
				number++
			}
		}
		if err := do(qs); err != nil {
			return err
		}
	}
	return nil
}

// chainSeed is the seed of the chain of a question; 0 would be that of the program.
func (s *fieldSet) chainSeed(number uint64) uint64 { return s.Seed<<32 + number + 1 }

// cut asks again by Gibbs sampling of the dependency network, with chains that take as long as mean field there, as far as that can be: with a
// round number of sweeps, 20 at least, of which one in eleven is before those that count.
func (s *fieldSet) cut(ctx context.Context) error {
	field, whole := s.report.method("DN.MF"), s.report.method("DN.Gibbs")
	short := newFieldMethod("DN.Gibbs cut", len(s.fractions))
	s.report.Cut = short
	efforts := make([]effort, len(s.fractions))
	for i := range efforts {
		part := field.Seconds[i] / max(whole.Seconds[i], math.SmallestNonzeroFloat64)
		sweeps := min(fieldSweeps, max(20, 20*int(math.Round(part*fieldSweeps/20))))
		burnIn := sweeps * fieldBurnIn / fieldSweeps
		efforts[i] = effort{Sweeps: sweeps, BurnIn: burnIn}
		s.report.CutSweeps = append(s.report.CutSweeps, sweeps)
	}
	program, n := named(s.programs, "DN.Gibbs"), len(s.fractions)
	return s.eachRows(ctx, func(qs []inquiry) error {
		for f, e := range efforts {
			var some []inquiry
			for i := f; i < len(qs); i += n {
				some = append(some, qs[i])
			}
			answers, err := s.ask(ctx, program, some, e)
			if err != nil {
				return err
			}
			for i := range some {
				short.add(f, &some[i], &answers[i], &answers[i])
			}
		}
		return nil
	})
}
