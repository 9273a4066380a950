package meanfield

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// The settings of the paper: chains of 100 sweeps and then 1,000 that count; mean field with at
// most 50 updates of each variable, until none changes by more than 0.0001. Belief propagation runs
// flooding rounds and ends as Libra's does.
const (
	mostSweeps = 1000
	burnIn     = 100
	mostRounds = 50
	tolerance  = 1e-4
	llShare    = 0.4 // share of the rows for log-likelihoods by sampling
)

// Our own settings: the rows of a set without --full, and the rows for the log-likelihood of
// dependency networks with many variables.
const (
	rowsOfSet     = 100
	rowsQuick     = 20
	manyVariables = 200
	fewRows       = 20
)

// The limits of exact inference: networks with a larger table or more memory are left out, so that
// a query takes some milliseconds.
const (
	exactTable  = 1 << 18
	exactMemory = 64 << 20
)

// specs lists the methods of figures 1 and 2, and exact inference for the networks that it fits.
// DN.MF averages probabilities, as the authors' program does, whose numbers it reproduces;
// DN.MF.log averages their logarithms, as algorithm 1 of the paper does.
var specs = []struct {
	name       string
	dependency bool // runs on the dependency network
	method     string
	options    []string
}{
	{"DN.MF", true, meanfield.Method.Name, append(loopOptions("queue"), "mean=probability")},
	{"DN.MF.log", true, meanfield.Method.Name, loopOptions("queue")},
	{"DN.Gibbs", true, gibbs.Method.Name, chainOptions},
	{"BN.MF", false, meanfield.Method.Name, loopOptions("queue")},
	{"BN.BP", false, belief.Method.Name, loopOptions("flooding")},
	{"BN.Gibbs", false, gibbs.Method.Name, chainOptions},
	{exactName, false, jointree.Method.Name, nil},
}

const exactName = "BN.exact"

var chainOptions = []string{"chains=1", fmt.Sprintf("burn-in=%d", burnIn), fmt.Sprintf("iterations=%d", mostSweeps)}

func loopOptions(schedule string) []string {
	return []string{"schedule=" + schedule, fmt.Sprintf("iterations=%d", mostRounds), fmt.Sprintf("tolerance=%v", tolerance)}
}

// Experiment repeats Lowd and Shamaei 2011: mean field in dependency networks against Gibbs
// sampling there and methods on Bayesian networks, both learned with decision trees.
type Experiment struct {
	experiment.Run
	rows      int // number of rows of a set's test data; 0 for all
	fractions []float64
	result    *Result
}

// Run runs the experiment and writes its tables.
func Run(ctx context.Context, a *cli.App, f *experiment.Options) error {
	if err := experiment.AtLeastOne("rows", f.Rows); err != nil {
		return err
	}
	fractions, err := rate.Fractions(rate.AllFractions)
	if err != nil {
		return err
	}
	x := &Experiment{Run: experiment.Run{App: a, Flags: f}, rows: experiment.Pick(f, rowsQuick, rowsOfSet, 0), fractions: fractions,
		result: &Result{Engine: f.Engine.Value, Fractions: fractions}}
	if f.Rows > 0 {
		x.rows = f.Rows
	}
	sets := experiment.SetNames() // the paper uses the same sets
	return x.Do(ctx, &experiment.Plan{Name: "dn-mean-field", Kind: "data set", Instances: experiment.Pick(f, sets[:1], sets, sets), Known: sets,
		Keep: true, Measure: x.set, Report: x.result.report})
}

// dataSet is the experiment on one set.
type dataSet struct {
	*Experiment
	experiment.Parts
	dn, bn   *Network
	programs []program
	engine   engine
	rows     []int // rows of the test data for queries
	report   *Report
}

// set runs the experiment on one set.
func (x *Experiment) set(ctx context.Context, name string) error {
	d, err := x.LoadParts(ctx, name)
	if err != nil {
		return err
	}
	s := &dataSet{Experiment: x, Parts: d, report: &Report{Set: name, Variables: len(d.Test.Vars), TestRows: d.Test.Len()}}
	if s.Test.Len() == 0 {
		return fmt.Errorf("the test data has no rows; want at least one")
	}
	if err := s.learn(ctx); err != nil {
		return err
	}
	s.choose()
	if err := s.compile(ctx); err != nil {
		return err
	}
	if err := s.ready(ctx); err != nil {
		return err
	}
	defer func() { s.engine.close() }() // a failure has been reported by ask
	if err := s.likelihoods(ctx); err != nil {
		return err
	}
	if err := s.conditionals(ctx); err != nil {
		return err
	}
	x.result.add(s.report)
	return nil
}

// choose draws the rows for queries, in random order.
func (s *dataSet) choose() {
	n := s.Test.Len()
	s.rows = rand.New(rand.NewPCG(s.Seed, uint64(n))).Perm(n)
	if s.Experiment.rows > 0 {
		s.rows = s.rows[:min(n, s.Experiment.rows)]
	}
	s.report.Rows = len(s.rows)
}

// compile compiles the networks for each method.
func (s *dataSet) compile(ctx context.Context) error {
	for _, f := range specs {
		m := s.bn.model
		if f.dependency {
			m = s.dn.model
		}
		opt := compiler.Options{Method: compiler.Named(f.method, f.options...), Rows: model.RowsAsIs, MaxTable: s.MaxTable, MaxMem: int64(s.MaxMem)}
		if f.name == exactName {
			opt.Queries, opt.MaxTable, opt.MaxMem = []string{"marginals"}, min(exactTable, s.MaxTable), min(exactMemory, int64(s.MaxMem))
		}
		r, err := compiler.Compile(ctx, m, opt)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && f.name == exactName:
			continue // too large for exact inference
		case err != nil:
			return fmt.Errorf("%s: %w", f.name, err)
		}
		s.programs = append(s.programs, program{f.name, f.method, r, &r.Program.Entries[0]})
	}
	return nil
}

// ready sets the engine.
func (s *dataSet) ready(ctx context.Context) (err error) {
	if s.Flags.Engine.Value != "compiled" {
		s.engine = newInterpreted(s.App, s.programs, s.Cores())
		return nil
	}
	s.engine, err = newPackages(ctx, s.App, s.programs, s.Cores())
	return err
}

// ask answers queries and counts them.
func (s *dataSet) ask(ctx context.Context, program int, qs []Query, e Effort) ([]Answer, error) {
	answers, err := s.engine.ask(ctx, program, qs, e)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.programs[program].name, err)
	}
	s.Done.Add(int64(len(qs)))
	return answers, nil
}

// atOnce is the number of rows, for each core, whose queries are answered together.
const atOnce = 4

// conditionals answers a query for each row and each share of evidence.
func (s *dataSet) conditionals(ctx context.Context) error {
	n := len(s.fractions)
	for _, p := range s.programs {
		s.report.Methods = append(s.report.Methods, newMethod(p.name, n))
	}
	if err := s.eachRows(ctx, func(qs []Query) error {
		all := make([][]Answer, len(s.programs))
		for p := range s.programs {
			var err error
			if all[p], err = s.ask(ctx, p, qs, Effort{}); err != nil {
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

// eachRows calls do with the queries of several rows at a time: for each row one query for each
// share.
func (s *dataSet) eachRows(ctx context.Context, do func(qs []Query) error) error {
	protocol := rate.Protocol{Fractions: s.fractions, Seed: s.Seed}
	number := uint64(0)
	for rows := range slices.Chunk(s.rows, atOnce*s.Cores()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var qs []Query
		for _, i := range rows {
			row := make([]int, len(s.Test.Vars))
			s.Test.Row(i, row)
			if slices.Contains(row, data.Missing) {
				return fmt.Errorf("row %d of the test data misses a value; want rows that miss none", i+1)
			}
			for _, evidence := range protocol.Draw(row) {
				q := Query{Row: row, Seed: s.chainSeed(number)}
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

// chainSeed returns the seed of a query's chain. It is not 0, which would mean the program's own.
func (s *dataSet) chainSeed(number uint64) uint64 { return s.Seed<<32 + number + 1 }

// cut repeats Gibbs sampling in the dependency network with chains that take about as long as mean
// field: a round number of sweeps, at least 20, of which one in eleven is burn-in.
func (s *dataSet) cut(ctx context.Context) error {
	field, whole := s.report.method("DN.MF"), s.report.method("DN.Gibbs")
	short := newMethod("DN.Gibbs cut", len(s.fractions))
	s.report.Cut = short
	efforts := make([]Effort, len(s.fractions))
	for i := range efforts {
		part := field.Seconds[i] / max(whole.Seconds[i], math.SmallestNonzeroFloat64)
		sweeps := min(mostSweeps, max(20, 20*int(math.Round(part*mostSweeps/20))))
		burnIn := sweeps * burnIn / mostSweeps
		efforts[i] = Effort{Sweeps: sweeps, BurnIn: burnIn}
		s.report.CutSweeps = append(s.report.CutSweeps, sweeps)
	}
	program, n := named(s.programs, "DN.Gibbs"), len(s.fractions)
	return s.eachRows(ctx, func(qs []Query) error {
		for f, e := range efforts {
			var some []Query
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
